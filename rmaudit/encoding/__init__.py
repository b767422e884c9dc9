"""Small pretrained text encoders without torch: tokenizer and network, on numpy alone."""
