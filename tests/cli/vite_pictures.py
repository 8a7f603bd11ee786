#!/usr/bin/env python3
"""What ViTE draws of reduced traces: a row for each process, and an arrow for each message.

usage: vite_pictures.py TRACEFOLD [--few | TRACE.otf2...]   (77: ViTE, python3-otf2 or traces are missing)

Traces are as in shared_traces.py. Each is reduced as `reduce` does unasked, with a halo and metrics of members, and
once more with `--tree groups`, and exported by ViTE
without a display; so is the original, as a control, since ViTE cannot read every trace. In ViTE's SVG a row is a
rectangle among the names that has none inside it, whatever its column (a group that has clusters is one level deeper
than others), called by the innermost name beside it; an arrow is its head and its line. By what python3-otf2 reads of the
trace there have to be as many rows as locations, in their order and with their names, and for each message whose
both ends are recorded one arrow, from the row of its sender to that of its receiver, at the times of both. Arrows
are right only where ranks are the ids of locations, for which ViTE takes them; elsewhere only rows are compared.

Shares no code with tracefold.
"""
import collections
import html
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import _otf2
    import otf2
    from otf2.events import MpiIrecv, MpiIsend, MpiRecv, MpiSend
except ImportError:
    sys.exit(77)

from shared_traces import visit_traces

FEW = ("npb_lu_W_64", "hpccg_64", "npb_bt_W_16", "lulesh_8x2", "npb_mg_S_16", "npb_cg_S_16")
WIDTH, NAMES = 800, 160  # of the whole picture, and of the columns of names
NEAR = 0.01  # pixels, of which the file tells thousandths

ARROW = re.compile(r'<polygon [^>]*/>\s*<line x1="([^"]+)" y1="([^"]+)" x2="([^"]+)" y2="([^"]+)"')
ROW = re.compile(r'<rect x="([^"]+)" y="([^"]+)" width="[^"]+" height="([^"]+)" fill="rgb\(0,0,153\)"')
NAME = re.compile(r'<text x="([^"]+)" y="([^"]+)"[^>]*>([^<]*)</text>')


class Picture:
    """Names of rows from top to bottom, and arrows: numbers of rows, then places in time, in pixels."""

    def __init__(self, svg):
        boxes = collections.defaultdict(list)
        for x, top, height in ((float(number) for number in row) for row in ROW.findall(svg)):
            boxes[x].append((top, top + height))
        rows = []
        for x in sorted(boxes, reverse=True):
            rows += [box for box in boxes[x] if not any(box[0] <= (top + bottom) / 2 <= box[1] for top, bottom in rows)]
        rows.sort()

        def find_row(y):
            return next(number for number, (top, bottom) in enumerate(rows) if top <= y <= bottom)

        texts = [(float(x), float(y), html.unescape(text)) for x, y, text in NAME.findall(svg) if float(x) < NAMES]
        self.rows = [max(((x, text) for x, y, text in texts if top <= y <= bottom), default=(0, None))[1]
                     for top, bottom in rows]
        self.arrows = sorted((find_row(y1), find_row(y2), x1, x2) for x1, y1, x2, y2 in
                             ((float(number) for number in arrow) for arrow in ARROW.findall(svg)))
        self.seconds = float(re.search(r"max: ([^<]+)<", svg)[1])


def is_list_of_ranks(group):
    return group.group_type == otf2.GroupType.COMM_LOCATIONS and group.paradigm == otf2.Paradigm.MPI


class Expected:
    """The same, as the records of the trace tell it."""

    def __init__(self, anchor, seconds):
        sent, received = collections.defaultdict(list), collections.defaultdict(list)
        with otf2.reader.open(str(anchor)) as trace:
            locations = list(trace.definitions.locations)
            self.rows = [f"{location.name}_{location._ref}" for location in locations]
            places = {location._ref: number for number, location in enumerate(locations)}
            self.ranks_are_ids = all(member._ref == rank for group in trace.definitions.groups for rank, member in
                                     enumerate(group.members) if is_list_of_ranks(group))
            first = None  # of all events, which ViTE takes for 0
            for location, event in trace.events:
                first = event.time if first is None else first
                if not isinstance(event, (MpiSend, MpiIsend, MpiRecv, MpiIrecv)):
                    continue
                x = NAMES + (WIDTH - NAMES) * (event.time - first) / trace.timer_resolution / seconds
                own, members = places[location._ref], event.communicator.group.members
                if isinstance(event, (MpiSend, MpiIsend)):
                    sent[own, places[members[event.receiver]._ref], event.communicator._ref, event.msg_tag].append(x)
                else:
                    received[places[members[event.sender]._ref], own, event.communicator._ref, event.msg_tag].append(x)
        # The n-th message that is sent is the n-th that is received.
        self.arrows = sorted((sender, receiver, *ends) for (sender, receiver, *way), times in sent.items()
                             for ends in zip(times, received[sender, receiver, *way]))


def export(anchor, svg):
    """None where ViTE cannot draw the trace. It says that it could also where a file is missing."""
    with tempfile.TemporaryDirectory() as runtime:
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": runtime, "HOME": runtime}
        done = subprocess.run(["vite", "-f", anchor, "-e", svg], env=environment, timeout=300, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
    return Picture(svg.read_text()) if done.returncode == 0 and svg.exists() and ROW.search(svg.read_text()) else None


def count_by_rows(arrows):
    return collections.Counter(arrow[:2] for arrow in arrows)


class Check:
    def __init__(self, tracefold):
        self.tracefold = tracefold
        self.pictures, self.arrows, self.wrong = 0, 0, []

    def check(self, name, anchor):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            control = export(anchor, folder / "original.svg")
            if control is None:
                print(f"{name:20} ViTE does not draw the original")
            else:
                self.compare(f"{name}, original", anchor, control)
            for tree in ("machine", "groups"):
                subprocess.run([self.tracefold, "reduce", "-q", anchor, "-o", folder / tree, "--tree", tree], check=True,
                               stderr=subprocess.DEVNULL)
                reduced = export(folder / tree / "traces.otf2", folder / f"{tree}.svg")
                if reduced is not None:
                    self.compare(f"{name}, {tree}", folder / tree / "traces.otf2", reduced)
                elif control is not None:
                    self.wrong.append(f"{name}: ViTE draws the original but not what is left of it, with --tree {tree}")

    def compare(self, name, anchor, picture):
        try:
            expected = Expected(anchor, picture.seconds)
        except (otf2.error.TraceReaderError, _otf2.ErrorCodes.Error) as problem:
            print(f"{name:20} python3-otf2 does not read it: {str(problem)[:60]}")
            return
        self.pictures += 1
        self.arrows += len(picture.arrows) if expected.ranks_are_ids else 0
        if picture.rows != expected.rows:
            self.wrong.append(f"{name}: {len(picture.rows)} rows, not {len(expected.rows)}, or of other names: "
                              f"{picture.rows[:3]} instead of {expected.rows[:3]}")
        if not expected.ranks_are_ids:
            print(f"{name:30} {len(picture.rows):4} rows; ViTE draws wrong arrows: {len(picture.arrows)} of {len(expected.arrows)}")
            return
        if count_by_rows(picture.arrows) != count_by_rows(expected.arrows):
            self.wrong.append(f"{name}: {len(picture.arrows)} arrows, not {len(expected.arrows)}, or between other rows")
            return
        far = sum(abs(a - b) > NEAR for drawn, recorded in zip(picture.arrows, expected.arrows) for a, b in zip(drawn, recorded))
        if far > 0:
            self.wrong.append(f"{name}: {far} ends of arrows are elsewhere")
        print(f"{name:30} {len(picture.rows):4} rows, {len(picture.arrows):6} arrows", flush=True)


def main():
    if not shutil.which("vite"):
        print("ViTE is missing")
        return 77
    check = Check(sys.argv[1])
    if not visit_traces(sys.argv[2:], FEW, check.check):
        return 77

    print("\n".join(check.wrong))
    print(f"{check.pictures} pictures with {check.arrows} arrows compared, {len(check.wrong)} wrong")
    return bool(check.wrong) or check.arrows == 0


if __name__ == "__main__":
    sys.exit(main())
