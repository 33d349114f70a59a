"""What holds for all tests: how long a property takes says nothing on a busy machine."""

from hypothesis import settings

settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")
