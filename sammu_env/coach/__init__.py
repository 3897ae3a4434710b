"""Sammu-Ramat at a table with the real box: its parts for :mod:`tabletop.coach`."""
