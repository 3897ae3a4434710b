"""Stage 5: what a consulted character can do (pp. 25-30)."""
