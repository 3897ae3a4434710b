"""The agents that know Pergamemnon: by name in ``Pergamemnon.agents``."""
