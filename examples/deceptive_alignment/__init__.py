"""The controlled experiment of arXiv 2602.04649 in miniature: what each reward does to reasons."""
