"""The live table: whoever sits at it plays, asks and looks things up."""
