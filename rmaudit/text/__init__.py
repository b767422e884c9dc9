"""Text as every reader of it sees it: normal forms, sentences, masked quotations, markup."""
