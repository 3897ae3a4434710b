"""What plays Xerxes by itself."""
