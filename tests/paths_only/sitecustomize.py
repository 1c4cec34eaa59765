"""Python imports this first where its folder is in the path."""

import os

from tests.systems import USERS, take_away

take_away(setattr, delattr)
for name in USERS:
    delattr(os, name)
