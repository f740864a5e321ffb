"""Which random tables a script goes through. `make test` takes some, `make test-deep` fourteen times as many others
(see tests/deep.h): none is gone through twice."""
import os

DEEP_TIMES = 15


def span(first, count):
    if "SHOAL_TEST_DEEP" in os.environ:
        return range(first + count, first + count * DEEP_TIMES)
    return range(first, first + count)
