"""Makes every network of tronpy the chain at DEVCHAIN_URL, for a run of its tests."""

import os

from tronpy import defaults

for network in defaults.ALL.values():
    network.clear()
    network.update(fullnode=os.environ["DEVCHAIN_URL"], event=os.environ["DEVCHAIN_URL"])
