"""What all tests share: property tests are never judged by the speed of the machine."""

from hypothesis import settings

settings.register_profile("distval", deadline=None, derandomize=True)
settings.load_profile("distval")
