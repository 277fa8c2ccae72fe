"""Priority of a process and of its session's group."""

import os
import subprocess
import sys

import pytest

GROUP = """
from pathlib import Path
group = Path("/proc/self/autogroup")
print(*group.read_text().split()[-1:] if group.exists() else ())
"""
"""Prints the niceness of the session's group: nothing where a control group takes its place."""

GIVING_WAY = f"""
import os, threading
from ace.processes import give_way
give_way(3)
thread = threading.Thread(target=lambda: print(os.getpriority(os.PRIO_PROCESS, threading.get_native_id())))
thread.start()
thread.join()
{GROUP}
"""


def said_by(program: str, *, leads: bool) -> list[str]:
    """The lines that a program prints in a session of its own, or in this one."""
    ran = subprocess.run(
        [sys.executable, "-c", program],
        start_new_session=leads,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return ran.stdout.splitlines()


@pytest.mark.skipif(sys.platform != "linux", reason="niceness of threads and groups is Linux's")
@pytest.mark.parametrize("leads", [True, False])
def test_who_gives_way_takes_the_group_along_only_if_it_leads_it(leads: bool) -> None:
    before = said_by(GROUP, leads=leads)
    niceness, group = said_by(GIVING_WAY, leads=leads)
    assert int(niceness) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 3)
    assert [group] == (["3"] if leads and before != [""] else before)
