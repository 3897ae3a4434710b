"""The coach: a game that people play with the real box, kept, told and advised on. It knows no rule and no map.

:mod:`table` keeps one game in a log that only grows. :mod:`parts` is what a game may offer beside
:class:`tabletop.game.Game`, and :mod:`telling` makes of it what people have to move. :mod:`server` shows it to phones.
"""
