"""How many random tables a script goes through: more where tests may take long (see tests/deep.h)."""
import os

DEEP_TIMES = 10


def count(seeds):
    return seeds * DEEP_TIMES if "SHOAL_TEST_DEEP" in os.environ else seeds
