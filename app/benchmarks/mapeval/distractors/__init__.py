"""How wrong options are drawn: so that whoever sees the options alone cannot tell the key from them."""
