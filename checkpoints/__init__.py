"""Trained weights that are shipped; a regular package, so that an installed copy finds them."""
