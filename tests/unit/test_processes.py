"""Priority of a process and of its session's group."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

GIVING_WAY = """
import os, threading
from ace.processes import give_way
give_way(3)
thread = threading.Thread(target=lambda: print(os.getpriority(os.PRIO_PROCESS, threading.get_native_id())))
thread.start()
thread.join()
try:
    print(open("/proc/self/autogroup").read().split()[-1])
except OSError:
    print("no groups")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="niceness of threads and groups is Linux's")
@pytest.mark.parametrize("leads", [True, False])
def test_who_gives_way_takes_the_group_along_only_if_it_leads_it(leads: bool) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", GIVING_WAY],
        start_new_session=leads,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    niceness, group = ran.stdout.splitlines()
    assert int(niceness) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 3)
    if Path("/proc/self/autogroup").exists():
        before = Path("/proc/self/autogroup").read_text(encoding="ascii").split()[-1]
        assert group == ("3" if leads else before)
