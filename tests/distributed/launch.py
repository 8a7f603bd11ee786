"""How tests start processes under each MPI that is installed, on a machine with few cores."""

import os
import pathlib
import shutil
import signal
import subprocess
import time

# Open MPI is told to be quiet, and that this may be root in a container.
QUIET_OPENMPI = ["--allow-run-as-root", "--oversubscribe", "--quiet",
                 "--mca", "orte_base_help_aggregate", "0", "--mca", "btl", "self,vader,tcp",
                 "--mca", "btl_vader_single_copy_mechanism", "none", "--mca", "plm_rsh_agent", "sh"]
OPTIONS = {"openmpi": QUIET_OPENMPI, "mpich": []}


def find_launchers():
    """The launcher of each MPI by its name."""
    found = {}
    for name, options in OPTIONS.items():
        launcher = shutil.which(f"mpirun.{name}")
        if launcher:
            found[name] = [launcher, *options]
    return found


class Run:
    """One start of a program in so many processes: what it printed, and how and when it ended."""

    def __init__(self, launcher, ranks, command, limit, meanwhile=None, stdin=None, stdout=None):
        begun = time.monotonic()
        process = subprocess.Popen([*launcher, "-n", str(ranks), *map(str, command)], text=True,
                                   stdin=stdin or subprocess.DEVNULL, stdout=stdout or subprocess.PIPE,
                                   stderr=subprocess.PIPE, start_new_session=True)
        try:
            if meanwhile:
                meanwhile(process)
            self.out, self.err = process.communicate(timeout=limit)
            self.status = process.returncode
        except subprocess.TimeoutExpired:
            end_session(process.pid)
            self.out, self.err = process.communicate()
            self.status = None  # it did not end
        self.seconds = time.monotonic() - begun
        self.left = wait_for_end(process.pid)
        end_session(process.pid)

    def messages(self):
        """Lines of tracefold itself."""
        return [line for line in self.err.splitlines() if line.startswith("tracefold: ")]


def find_session(session):
    """Processes that are left of a session."""
    left = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] != "Z":
                left.append(int(entry.name))
    return left


def wait_for_end(session):
    """Processes of a session that are left after a while: launchers end before the last of them."""
    until = time.monotonic() + 3
    while (left := find_session(session)) and time.monotonic() < until:
        time.sleep(0.05)
    return left


def end_session(session):
    for process in find_session(session):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass


def list_descendants(process):
    """Processes below this one, as (number, command line)."""
    children = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                command = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
            except OSError:
                continue
            children.setdefault(parent, []).append((int(entry.name), command))
    found, todo = [], [process]
    while todo:
        for child in children.get(todo.pop(), []):
            found.append(child)
            todo.append(child[0])
    return found
