"""The live table: people play, ask and look things up."""
