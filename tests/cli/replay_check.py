#!/usr/bin/env python3
"""Plays runs again on an ideal network, walks their critical paths, and compares with
`tracefold summary`.

usage: replay_check.py TRACEFOLD [--few | TRACE.otf2...]   (77: otf2-print or traces are missing)

Shares no code with tracefold, and plays in another way: each process runs until it needs what is
not there yet. The rules are those of pipeline/replay/replay.hpp. Reduced traces have to tell the
same within 1 %.
"""
import bisect
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import shared_traces
import waits_check

FEW = ["lulesh_8x2", "npb_is_S_16", "npb_lu_W_16"]
SCOPES = ("mpi", "run")
INIT = ("MPI_Init", "MPI_Init_thread")
# Records with which nobody knows all that calls depend on.
UNKNOWN = ("NON_BLOCKING_COLLECTIVE_COMPLETE", "RMA_COLLECTIVE_END", "RMA_GROUP_SYNC", "RMA_WAIT_CHANGE",
           "MEASUREMENT_ON_OFF", "BUFFER_FLUSH")
COMMUNICATES = {"MPI_SEND", "MPI_ISEND", "MPI_ISEND_COMPLETE", "MPI_RECV", "MPI_IRECV", "MPI_IRECV_REQUEST",
                "MPI_COLLECTIVE_END"}
REGION = re.compile(r'Region: "(.*)" <\d+>')
COLLECTIVE = re.compile(r'Operation: (\w+), Communicator: .*<(\d+)>, Root: (?:NONE|(\d+) .*?<(\d+)>.*?), Sent: (\d+), '
                        r'Received: (\d+)')
MESSAGE = re.compile(r'(?:Receiver|Sender): \d+ \(".*" <(\d+)>\), Communicator: ".*" <(\d+)>, Tag: (\d+), '
                     r'Length: (\d+)(?:, Request: (\d+))?')


class Call:
    """A call of MPI; `on` is what it depends on: messages and operations, in order of its records."""

    def __init__(self, process, entered):
        self.process, self.entered, self.left, self.segment, self.on = process, entered, None, None, None


class Message:
    def __init__(self, sent, size):
        self.sent, self.size, self.posted, self.completed = sent, size, None, None


class Post:
    def __init__(self, call):
        self.call, self.message, self.is_received = call, None, False


class Meeting:
    """A collective operation: whose calls are waited for in it."""

    def __init__(self):
        self.calls, self.time, self.last = [], 0, None

    def finish(self):
        self.time = max((call.entered for call in self.calls), default=0)
        late = [call for call in self.calls if call.entered == self.time]
        self.last = min(late, key=lambda call: call.process.location, default=None)


class Process:
    """Its time in segments, which end at begins and ends of calls that communicate."""

    def __init__(self, location):
        self.location = location
        self.ends, self.calls, self.times, self.own = [], [], [], []  # by segment; `own` vanishes never
        self.first = self.final = self.last = None
        self.mpi_begin = self.mpi_end = None
        self.stack = []  # name, whether its time is of MPI
        self.call, self.depth, self.communicates, self.before = None, 0, False, None
        self.now, self.own_now = collections.Counter(), 0
        self.parts = collections.Counter()  # in operations, by operation and communicator

    def spend(self, time):
        if self.last is None:
            self.first = time
        elif time > self.last:
            name, is_mpi = self.stack[-1] if self.stack else ("", False)
            self.now[name] += time - self.last
            if not is_mpi:
                self.own_now += time - self.last
        self.last = self.final = time

    def cut(self, time, call=None):
        self.ends.append(time)
        self.calls.append(call)
        self.times.append(self.now)
        self.own.append(self.own_now)
        self.now, self.own_now = collections.Counter(), 0

    def enter(self, name, time):
        self.spend(time)
        is_call = name.startswith("MPI_")
        in_mpi = self.call is not None
        if is_call and not in_mpi:
            if name == "MPI_Finalize" and self.mpi_end is None:
                self.mpi_end = time
                self.cut(time)
            self.call, self.depth, self.communicates = Call(self, time), len(self.stack), name in INIT
            self.before = (self.now, self.own_now)
            self.now, self.own_now = collections.Counter(), 0
        self.stack.append((name, (is_call or in_mpi) and not name.startswith("MPI_File_")))

    def leave(self, time):
        self.spend(time)
        name, _ = self.stack.pop()
        if self.call is None or self.depth < len(self.stack):
            return
        call, (times, own) = self.call, self.before
        self.call = None
        if not self.communicates:
            times.update(self.now)
            self.now, self.own_now = times, self.own_now + own
            return
        of_call = self.now, self.own_now
        self.now, self.own_now = times, own
        self.cut(call.entered)
        self.now, self.own_now = of_call
        call.left, call.segment = time, len(self.ends)
        self.cut(time, call)
        if name in INIT and self.mpi_begin is None:
            self.mpi_begin = time

    def communicate(self):
        """The open call, which depends on something from now on."""
        self.communicates = True
        if self.call is not None and self.call.on is None:
            self.call.on = []
        return self.call

    def span(self, scope):
        if scope == "run":
            return self.first, self.final
        begin = self.first if self.mpi_begin is None else self.mpi_begin
        return begin, self.final if self.mpi_end is None else self.mpi_end

    def begin(self, segment):
        return self.ends[segment - 1] if segment > 0 else self.first


class Run:
    def __init__(self, anchor):
        self.processes, self.messages, self.meetings = {}, [], {}
        self.oddities = collections.Counter()  # why it does not play
        self.read(anchor)

    def read(self, anchor):
        sends, receives = collections.defaultdict(list), collections.defaultdict(list)
        open_sends, open_posts, posts = {}, {}, collections.defaultdict(list)
        printed = subprocess.Popen(["otf2-print", str(anchor)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                   text=True, errors="replace")
        for line in printed.stdout:
            fields = line.split(None, 3)
            if len(fields) < 3 or not fields[1].isdigit() or not fields[2].isdigit():
                continue
            kind, location, time = fields[0], int(fields[1]), int(fields[2])
            process = self.processes.get(location)
            if process is None:
                process = self.processes[location] = Process(location)
            if kind == "ENTER":
                process.enter(REGION.match(fields[3]).group(1), time)
                continue
            if kind == "LEAVE":
                process.leave(time)
                continue
            process.spend(time)
            if kind in UNKNOWN:
                self.oddities[kind] += 1
            if not kind.startswith("MPI_"):
                continue
            if kind in COMMUNICATES:
                call = process.communicate()
                if call is None:
                    self.oddities["records outside of calls of MPI"] += 1
                    continue
            if kind == "MPI_COLLECTIVE_END":
                operation, comm, _, root, sent, received = COLLECTIVE.match(fields[3]).groups()
                self.meet(process, call, (operation, comm), root == str(location), int(sent), int(received))
            elif kind in ("MPI_SEND", "MPI_ISEND", "MPI_RECV", "MPI_IRECV"):
                found = MESSAGE.match(fields[3])
                if not found:
                    self.oddities["messages with one end"] += 1
                    continue
                partner, comm, tag, size, request = found.groups()
                if kind.endswith("SEND"):
                    message = Message(call, int(size))
                    sends[location, int(partner), comm, tag].append(message)
                    self.messages.append(message)
                    if kind == "MPI_SEND":
                        message.completed = call
                        call.on.append(message)
                    else:
                        open_sends[location, request] = message
                    continue
                post = Post(call) if kind == "MPI_RECV" else open_posts.pop((location, request))
                post.is_received = True
                post.channel = (int(partner), location, comm, tag)
                if kind == "MPI_RECV":
                    posts[location].append(post)
                call.on.append(post)
            elif kind == "MPI_IRECV_REQUEST":
                post = open_posts[location, find_request(fields[3])] = Post(call)
                posts[location].append(post)
            elif kind == "MPI_ISEND_COMPLETE":
                message = open_sends.pop((location, find_request(fields[3])))
                message.completed = call
                call.on.append(message)
        printed.wait()
        for of_location in posts.values():
            for post in of_location:
                if post.is_received:
                    receives[post.channel].append(post)
        for channel in set(sends) | set(receives):
            if len(sends[channel]) != len(receives[channel]):
                self.oddities["messages with one end"] += 1
            for message, post in zip(sends[channel], receives[channel]):
                message.posted, post.message = post.call, message
        alone = find_alone(anchor)
        for (operation, comm, _), meeting in self.meetings.items():
            meeting.is_known = comm not in alone
            meeting.finish()
        for process in list(self.processes.values()):
            if process.stack:
                self.oddities["records end early"] += 1
            if not any(process.calls):
                del self.processes[process.location]
            elif process.last > process.ends[-1]:
                process.cut(process.last)
        if not self.processes:
            self.oddities["no calls of MPI that communicate"] += 1

    def meet(self, process, call, key, is_root, sent, received):
        number = process.parts[key]
        process.parts[key] += 1
        meeting = self.meetings.setdefault((*key, number), Meeting())
        operation = key[0]
        waits, is_waited_for = False, False
        if operation == "BARRIER":
            waits, is_waited_for = True, True
        elif operation in waits_check.ALL_TO_ALL:
            waits, is_waited_for = sent + received > 0, True
        elif operation in waits_check.ONE_TO_ALL:
            waits, is_waited_for = not is_root and received > 0, is_root
        elif operation in waits_check.ALL_TO_ONE:
            waits, is_waited_for = is_root and received > 0, not is_root and sent > 0
        if is_waited_for:
            meeting.calls.append(call)
        if waits:
            call.on.append(meeting)

    def resolve(self):
        """Sets the `causes` of all calls: [time, calls that have to be entered, the last of them]."""
        eager = max((m.size for m in self.messages if m.completed and m.posted and
                     m.posted.entered > m.completed.left), default=0)
        for process in self.processes.values():
            process.causes = {}
            for call in filter(None, process.calls):
                call.causes = self.list_causes(call, eager)
                latest = max(call.causes, key=lambda cause: cause[0], default=(0,))
                if latest[0] > call.entered:
                    process.causes[call.segment] = latest
            process.waits = sorted(process.causes)

    @staticmethod
    def list_causes(call, eager):
        """Of those that were there before the call ended. A short message waits for its receive only
        where that was posted after the call began, and nothing that is recorded before came later.
        """
        causes = []
        for on in call.on or ():
            if isinstance(on, Meeting):
                if on.is_known and on.last is not None and on.time <= call.left:
                    causes.append((on.time, on.calls, on.last))
                continue
            other = on.message.sent if isinstance(on, Post) else on.posted
            if other.entered > call.left:
                continue
            if isinstance(on, Message) and on.size <= eager:
                if other.entered <= call.entered or any(other.entered < time for time, *_ in causes):
                    continue
            causes.append((other.entered, (other,), other))
        return causes

    def play(self, scope, is_ideal):
        """How many ticks the scope takes."""
        spans = {p: p.span(scope) for p in self.processes.values()}
        for process, (begin, _) in spans.items():
            process.at = bisect.bisect_right(process.ends, begin)
            process.played = process.ends[:process.at]  # as they were recorded
            process.is_over = False
            process.now_played = begin
        waiting = collections.defaultdict(list)  # for a process
        ready = collections.deque(spans)
        while ready:
            process = ready.popleft()
            needed = self.go_on(process, spans[process], is_ideal)
            ready.extend(waiting.pop(process, ()))
            if needed is not None:
                waiting[needed].append(process)
        assert not any(waiting.values()), "processes wait for each other"
        return max(p.now_played for p in spans) - min(begin for begin, _ in spans.values())

    @staticmethod
    def find_entry(call):
        """When a call is entered in the played run; none where that is not known yet."""
        process = call.process
        if call.segment == 0:
            return process.first
        if call.segment <= len(process.played):
            return process.played[call.segment - 1]
        return call.entered if process.is_over else None

    def go_on(self, process, span, is_ideal):
        """Plays a process until it needs another one, which is returned."""
        while process.at < len(process.ends) and not process.is_over:
            segment, call = process.at, process.calls[process.at]
            begin, end = max(process.begin(segment), span[0]), min(process.ends[segment], span[1])
            own = min(process.own[segment], end - begin)
            if call is None:
                process.now_played += own if is_ideal else end - begin
            elif end < process.ends[segment]:
                process.now_played += end - begin
            else:
                until, played = begin, process.now_played
                for time, calls, _ in call.causes:
                    until = max(until, time)
                    for other in calls:
                        entry = self.find_entry(other)
                        if entry is None:
                            return other.process
                        played = max(played, entry)
                rest = end - until
                process.now_played = played + (min(own, rest) if is_ideal else rest)
            process.played.append(process.now_played)
            process.at += 1
            process.is_over = process.ends[segment] >= span[1]
        process.is_over = True
        return None

    def walk(self, scope):
        """The critical path: its length, that of the network, and times by function."""
        spans = {p: p.span(scope) for p in self.processes.values()}
        process = max(sorted(spans, key=lambda p: p.location), key=lambda p: spans[p][1])
        times, network = collections.Counter(), 0
        time = spans[process][1]
        length = time - min(begin for begin, _ in spans.values())
        last = bisect.bisect_left(process.ends, time)  # the segment that ends there
        while True:
            begin = spans[process][0]
            place = bisect.bisect_right(process.waits, last) - 1
            wait = process.waits[place] if place >= 0 else None
            if wait is not None and process.ends[wait] <= begin:
                wait = None
            first = bisect.bisect_right(process.ends, begin) if wait is None else wait + 1
            for segment in range(first, last + 1):
                times.update(process.times[segment])
            if wait is None:
                return length, network, times
            time, _, call = process.causes[wait]
            network += process.ends[wait] - time
            process, last = call.process, call.segment - 1
            if time <= spans[process][0]:
                return length, network, times

    def find_useful(self, scope):
        """The most ticks that a process computes or writes files."""
        most = 0
        for process in self.processes.values():
            begin, end = process.span(scope)
            mpi = 0
            for segment in range(bisect.bisect_right(process.ends, begin), bisect.bisect_left(process.ends, end) + 1):
                mpi += sum(process.times[segment].values()) - process.own[segment]
            most = max(most, end - begin - mpi)
        return most

    def find_ideal(self, scope):
        """What of the runtime remains on an ideal network; none where the run does not play."""
        if self.oddities:
            return None
        return max(self.play(scope, True), self.find_useful(scope)) / self.play(scope, False)


def find_alone(anchor):
    """The communicators that have one process, or one for each process."""
    out = subprocess.run(["otf2-print", "-G", str(anchor)], capture_output=True, text=True, errors="replace").stdout
    groups = set(re.findall(r"^GROUP +(\d+) .*(?:Type: COMM_SELF|, 1 Members?:)", out, re.M))
    comms = re.findall(r"^COMM +(\d+) .*Group: .*?<(\d+)>, Parent:", out, re.M)
    return {comm for comm, group in comms if group in groups}


def find_request(text):
    return text.rsplit("Request: ", 1)[1].strip()


def read_run(anchor):
    run = Run(anchor)
    if not run.oddities:
        run.resolve()
    return run


def ask(tracefold, trace, scope, *more):
    done = subprocess.run([tracefold, "summary", "-q", "--json", "--scope", scope, str(trace), *more], check=True,
                          capture_output=True, text=True)
    return json.loads(done.stdout)["runs"][0]


class Comparison:
    def __init__(self):
        self.traces = self.values = self.wrong = 0

    def compare(self, name, what, found, wanted, bound):
        self.values += 1
        if found is None or abs(found - wanted) > bound:
            self.wrong += 1
            print(f"{name}: {what} is {found}, not {wanted:.9f}")

    def compare_run(self, name, said, wanted, exactness):
        ideal, (length, network, functions) = wanted
        self.compare(name, "ideal runtime", said["ideal_runtime_s"], ideal, exactness * ideal)
        transfer = said["efficiencies"]["transfer"]
        self.compare(name, "transfer", transfer, ideal / said["runtime_s"], exactness * ideal / said["runtime_s"])
        path = said["critical_path"]
        if path is None:
            self.values += 1
            self.wrong += 1
            print(f"{name}: there is no critical path")
            return
        self.compare(name, "critical path", path["seconds"], length, exactness * length)
        self.compare(name, "network", path["network_s"], network, exactness * length)
        of_functions = {call["function"]: call["seconds"] for call in path["calls"]}
        for function in set(functions) | set(of_functions):
            seconds, found = functions.get(function, 0), of_functions.get(function, 0)
            if function and max(seconds, found) > 0.01 * length:
                self.compare(name, f"{function} on the critical path", found, seconds, exactness * length)


def main():
    if not shutil.which("otf2-print"):
        sys.exit(77)
    tracefold, all_compared = sys.argv[1], Comparison()

    def visit(name, anchor):
        run, second = read_run(anchor), waits_check.ticks_per_second(str(anchor))
        before = all_compared.values, all_compared.wrong
        all_compared.traces += 1
        shown = []
        with tempfile.TemporaryDirectory() as folder:
            reduced = pathlib.Path(folder) / "small"
            subprocess.run([tracefold, "reduce", "-q", str(anchor), "-o", str(reduced)], check=True)
            for scope in SCOPES:
                said, small = ask(tracefold, anchor, scope), ask(tracefold, reduced / "traces.otf2", scope)
                if run.oddities:
                    for one in (said, small):
                        all_compared.compare(name, f"{scope}: a critical path", one["critical_path"] is not None, 0, 0)
                    continue
                recorded = run.play(scope, False)
                length, network, times = run.walk(scope)
                if recorded != length:
                    all_compared.wrong += 1
                    print(f"{name}: {scope}: without a change it takes {recorded} instead of {length} ticks")
                wanted = (run.find_ideal(scope) * said["runtime_s"],
                          (length / second, network / second, {f: t / second for f, t in times.items()}))
                all_compared.compare_run(f"{name}: {scope}", said, wanted, 1e-6)
                all_compared.compare_run(f"{name}, reduced: {scope}", small, wanted, 0.01)
                all_compared.compare(name, f"{scope}: whether gains are the same", small["gains"] == said["gains"], True, 0)
                for change in ("network:ideal", "balance:*", "*=0.5"):
                    takes, of_small = (ask(tracefold, trace, scope, "--what-if", change)["what_if_s"]
                                       for trace in (anchor, reduced / "traces.otf2"))
                    all_compared.compare(f"{name}, reduced: {scope}", change, of_small, takes, 0.02 * takes)
                shown.append(f"{scope} {wanted[0]:.6f} of {said['runtime_s']:.6f} s, network {network / length:.3f}")
        values, wrong = all_compared.values - before[0], all_compared.wrong - before[1]
        print(f"{name}: {'; '.join(shown) or dict(run.oddities)}; {values} values, {wrong} wrong", flush=True)

    if not shared_traces.visit_traces(sys.argv[2:], FEW, visit):
        sys.exit(77)
    print(f"{all_compared.traces} traces, {all_compared.values} values compared, {all_compared.wrong} wrong")
    sys.exit(all_compared.wrong > 0)


if __name__ == "__main__":
    main()
