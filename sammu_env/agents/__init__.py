"""The agents that know Sammu-Ramat: by name in ``SammuRamat.agents``."""
