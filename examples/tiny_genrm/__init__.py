"""Two tiny planted reward models: about equally accurate, with opposite kinds of reasons."""
