#!/usr/bin/env python3
"""Makes a small legal OTF2 archive with what rarely meets in one:

make_legal_trace.py SEED FOLDER [--sorted] [FEATURE…|+FEATURE…]

The seed chooses a program of some MPI processes, and which of these it has: threads that
talk, several communicators and inter-communicators, a side that is COMM_SELF, cancelled,
tested and reused requests, non-blocking collectives, one-sided operations, locks, OpenMP
and thread tasks over the borders of iterations, file operations, accelerator streams that
only copy, threads that only record parameters, calling contexts with samples, metrics
(accumulated, absolute, relative, of another location, asynchronous), switched-off
measurement, markers of every scope, properties and attributes of every type, names that
look like those of a reduced trace, one or two marked loops, receivers, senders and roots
that the communicator does not have, properties of paradigms, processes that were
created by others and whose groups have other numbers than their ranks, ranks that share a process,
several communicators on one group of type COMM_SELF, calls of no length, and records of MPI
in functions of the user or outside of all calls. Time never steps back in the order of all
events of the trace, so that nothing is received before it was sent. Features that are named
are all that it has; those with a + before them are added to what the seed chooses.

Of some calls of no length the Leave stands before the Enter, as profilers of GPUs write it. With
--sorted it is behind the Enter, and all else is the same. Prints one JSON object: the features,
and `sends`, a list of [sender, receiver, messages, bytes] by ranks in MPI; a receiver is "unknown" where the
communicator does not have it, or has one side that is COMM_SELF.
"""

import ctypes
import json
import random
import sys

import otf2_writer as otf2

PARADIGM_USER, PARADIGM_OPENMP, PARADIGM_MPI, PARADIGM_PTHREAD = 1, 3, 4, 7
GROUP_LOCATIONS, GROUP_COMM_LOCATIONS, GROUP_COMM_GROUP, GROUP_COMM_SELF = 1, 4, 5, 6
CPU_THREAD, ACCELERATOR_STREAM = 1, 2
PROCESS, ACCELERATOR = 1, 2
ROLE_FUNCTION, ROLE_LOOP = 1, 3
FLAG_PHASE, FLAG_DYNAMIC = 2, 1
BARRIER, BCAST, ALLREDUCE, REDUCE = 0, 1, 13, 12
NO_ROOT = 0xFFFFFFFF
FEATURES = ("threads thread_messages split_communicator inter_communicator self_side requests "
            "collectives nonblocking_collectives one_sided locks omp_tasks thread_tasks files streams "
            "parameter_threads contexts metrics relative_metric instance_metric onoff markers properties "
            "attributes odd_names second_loop uneven strange_ranks paradigm_properties created_groups "
            "shared_processes self_communicators zero_length no_calls").split()


class Rank:
    def __init__(self, number, group):
        self.number, self.group = number, group
        self.locations, self.streams = [], []
        self.shares = False  # its process with other ranks, so that nobody can tell whose thread one is
        self.requests = 0
        self.depth = {}

    @property
    def master(self):
        return self.locations[0]


class Program:
    def __init__(self, seed, folder, features=(), is_sorted=False):
        self.random = random.Random(seed)
        self.archive = otf2.Archive(folder)
        chosen = [feature for feature in features if not feature.startswith("+")]
        if not chosen:
            chosen = self.random.sample(FEATURES, self.random.randint(3, len(FEATURES)))
            chosen += [feature[1:] for feature in features]
        self.has = {feature: feature in chosen for feature in FEATURES}
        self.is_sorted = is_sorted
        self.now = 1000
        self.stands_still = False  # time, in a call of no length
        # Which operations have no call of MPI around them, by what share, and whether there is a main function.
        self.bare = self.random.choice([0.5, 1]) if self.has["no_calls"] else 0
        self.has_main = not self.has["no_calls"] or self.random.random() < 0.7
        self.sends = {}
        self.regions, self.attributes = {}, {}
        self.next_id = {}
        self.open_tasks = []
        self.handles = []

    # -- definitions ------------------------------------------------------------

    def new_id(self, kind):
        number = self.next_id.get(kind, 0)
        self.next_id[kind] = number + 1
        return number

    def region(self, name, role=ROLE_FUNCTION, flags=0, paradigm=PARADIGM_USER):
        if name not in self.regions:
            self.regions[name] = self.new_id("region")
            text = self.archive.string(name)
            self.archive.define("Region", self.regions[name], text, text, 0, role, paradigm, flags, 0, 0, 0)
        return self.regions[name]

    def group(self, name, kind, paradigm, members):
        number = self.new_id("group")
        self.archive.define("Group", number, self.archive.string(name), kind, paradigm, 0, len(members),
                            otf2.array(members))
        return number

    def comm(self, name, group, parent=otf2.UNDEFINED):
        number = self.new_id("comm")
        self.archive.define("Comm", number, self.archive.string(name), group, parent, 0)
        return number

    def define_system(self):
        define, text = self.archive.define, self.archive.string
        define("SystemTreeNode", 0, text("machine"), text("machine"), otf2.UNDEFINED)
        self.nodes = [1, 2]
        for node in self.nodes:
            define("SystemTreeNode", node, text(f"node {node}"), text("node"), 0)

        count = self.random.randint(2, 8)
        stride = self.random.choice([1, 16, 1 << 32])
        threads = self.random.randint(2, 3) if self.has["threads"] else 1
        groups = list(range(count))
        self.launcher = None
        if self.has["created_groups"]:
            self.random.shuffle(groups)
            groups = [group + 1 for group in groups]
            define("LocationGroup", 0, text("launcher"), PROCESS, self.nodes[0], otf2.UNDEFINED)
            if self.random.random() < 0.5:
                self.launcher = 10 ** 7
                self.archive.location(self.launcher)
        if self.has["shared_processes"]:
            for number in range(1, count):
                if self.random.random() < 0.5:
                    groups[number] = groups[number - 1]
            dense = {group: place for place, group in enumerate(sorted(set(groups)), int(self.has["created_groups"]))}
            groups = [dense[group] for group in groups]
        self.ranks, next_group = [], max(groups) + 1
        processes = [0] if self.has["created_groups"] else []
        for number in sorted(range(count), key=groups.__getitem__):  # ids ascend
            if groups[number] in processes:
                continue
            prefix = "2× " if self.has["odd_names"] and number % 2 else ""
            creator = self.random.choice(processes) if self.has["created_groups"] else otf2.UNDEFINED
            processes.append(groups[number])
            define("LocationGroup", groups[number], text(f"{prefix}MPI Rank {number}"), PROCESS,
                   self.nodes[number % 2], creator)
        for number in range(count):
            rank = Rank(number, groups[number])
            rank.shares = groups.count(groups[number]) > 1
            for thread in range(threads):
                location = number + thread * (1 << 32) if stride == 1 << 32 else (number * threads + thread) * stride
                rank.locations.append(location)
            self.ranks.append(rank)
        for rank in self.ranks:
            for thread, location in enumerate(rank.locations):
                self.archive.location(location)
            if self.has["streams"]:
                accelerator = next_group
                next_group += 1
                define("LocationGroup", accelerator, text(f"GPU of {rank.number}"), ACCELERATOR,
                       self.nodes[rank.number % 2], rank.group)
                rank.streams = [(10 ** 6 + rank.number, accelerator)]
                self.archive.location(10 ** 6 + rank.number)

    def define_locations(self):
        """The last of all, since the number of events is known by then."""
        define, text = self.archive.define, self.archive.string
        for rank in self.ranks:
            for thread, location in enumerate(rank.locations):
                name = "Master thread" if thread == 0 else f"OMP thread {thread}"
                define("Location", location, text(name), CPU_THREAD, len(self.archive.events[location]), rank.group)
            for stream, accelerator in rank.streams:
                define("Location", stream, text("stream"), ACCELERATOR_STREAM, len(self.archive.events[stream]),
                       accelerator)
        if self.launcher:
            define("Location", self.launcher, text("launcher"), CPU_THREAD, len(self.archive.events[self.launcher]), 0)

    def define_communicators(self):
        masters = [rank.master for rank in self.ranks]
        everyone = list(range(len(masters)))
        self.group("", GROUP_COMM_LOCATIONS, PARADIGM_MPI, masters)
        world = self.group("world", GROUP_COMM_GROUP, PARADIGM_MPI, everyone)
        self_group = self.group("self", GROUP_COMM_SELF, PARADIGM_MPI, [])
        self.world = self.comm("MPI_COMM_WORLD", world)
        self.selfs = [self.comm("MPI_COMM_SELF", self_group)]
        if self.has["self_communicators"]:
            self.selfs += [self.comm(f"self {k}", self_group) for k in range(2)]
        self.comms = [(self.world, everyone)]
        half = everyone[::2]
        if self.has["split_communicator"] and len(half) > 1:
            self.comms.append((self.comm("split", self.group("half", GROUP_COMM_GROUP, PARADIGM_MPI, half),
                                         self.world), half))
            turned = everyone[::-1]
            self.comms.append((self.comm("turned", self.group("turned", GROUP_COMM_GROUP, PARADIGM_MPI, turned),
                                         self.world), turned))
        self.inter, self.spawned = [], None
        cut = len(everyone) // 2
        if self.has["inter_communicator"] and cut:
            sides = everyone[:cut], everyone[cut:]
            groups = [self.group(f"side {k}", GROUP_COMM_GROUP, PARADIGM_MPI, side) for k, side in enumerate(sides)]
            number = self.new_id("comm")
            self.archive.define("InterComm", number, self.archive.string("inter"), *groups, self.world, 0)
            self.inter.append((number, sides))
        if self.has["self_side"]:
            others = self.group("others", GROUP_COMM_GROUP, PARADIGM_MPI, everyone[1:])
            number = self.new_id("comm")
            self.archive.define("InterComm", number, self.archive.string("spawned"), self_group, others, self.world, 0)
            self.spawned = number
        if self.has["thread_tasks"] and len(self.ranks[0].locations) > 1:
            threads = [location for rank in self.ranks for location in rank.locations]
            self.group("", GROUP_COMM_LOCATIONS, PARADIGM_PTHREAD, threads)
            self.teams = []
            for rank in self.ranks:
                members = [threads.index(location) for location in rank.locations]
                team = self.group(f"team {rank.number}", GROUP_COMM_GROUP, PARADIGM_PTHREAD, members)
                self.teams.append(self.comm(f"team {rank.number}", team))
        if self.has["one_sided"]:
            self.windows = []
            for comm, members in self.comms[:2]:
                number = self.new_id("win")
                self.archive.define("RmaWin", number, self.archive.string(f"window {number}"), comm, 0)
                self.windows.append((number, members))
            if self.has["self_communicators"]:
                self.self_window = self.new_id("win")
                self.archive.define("RmaWin", self.self_window, self.archive.string("own window"), self.selfs[-1], 0)

    def define_metrics(self):
        define, text = self.archive.define, self.archive.string
        self.metrics, self.instances = [], {}

        def metric(name, mode, recorder=0, occurrence=1):
            member, number = self.new_id("member"), self.new_id("metric")
            define("MetricMember", member, text(name), text(""), 0, mode, otf2.UINT64, 0, 0, text("#"))
            define("MetricClass", number, 1, otf2.array([member], ctypes.c_uint32), occurrence, recorder)
            return number

        if self.has["metrics"]:
            self.metrics.append((metric("accumulated", 0), "up"))
            self.metrics.append((metric("absolute", 1 + 16), "any"))
        if self.has["relative_metric"]:
            self.metrics.append((metric("relative", 2 + 32), "any"))
        if self.has["instance_metric"]:
            of_class = metric("of another location", 1 + 16, occurrence=2)
            for rank in self.ranks:
                number = self.new_id("metric")
                recorder = rank.locations[-1]
                scope = self.random.choice([(0, rank.master), (1, rank.group), (2, 1 + rank.number % 2)])
                define("MetricInstance", number, of_class, recorder, *scope)
                self.instances[rank.number] = number
        self.counts = {}

    def define_contexts(self):
        self.contexts = []
        if not self.has["contexts"]:
            return
        define, text = self.archive.define, self.archive.string
        define("SourceCodeLocation", 0, text("program.c"), 42)
        define("InterruptGenerator", 0, text("timer"), 0, 0, 0, 1000)
        parent = otf2.UNDEFINED
        for depth in range(3):
            number = self.new_id("context")
            define("CallingContext", number, self.region(f"sampled {depth}"), 0, parent)
            parent = number
            self.contexts.append(number)

    def define_properties(self):
        define, text = self.archive.define, self.archive.string
        self.parameter = 0
        define("Parameter", 0, text("parameter"), 1)
        define("Attribute", 0, text("number"), text(""), otf2.UINT64)
        kinds = {otf2.STRING: text("value"), otf2.LOCATION: self.ranks[-1].master, otf2.REGION: self.region("main"),
                 otf2.COMM: self.world, otf2.LOCATION_GROUP: self.ranks[-1].group, otf2.PARAMETER: 0,
                 otf2.GROUP: 1}
        self.typed = list(kinds.items())
        for number, (kind, _) in enumerate(self.typed, 1):
            define("Attribute", number, text(f"attribute of type {kind}"), text(""), kind)
        if self.has["paradigm_properties"]:
            define("Paradigm", PARADIGM_MPI, text("MPI"), 2)
            define("ParadigmProperty", PARADIGM_MPI, 0, otf2.STRING, text("MPI Communicator ${id}"))
            define("ParadigmProperty", PARADIGM_MPI, 1, otf2.STRING, text("MPI Window ${id}"))
            define("ParadigmProperty", PARADIGM_MPI, 2, otf2.UINT8, 0)
            define("Paradigm", PARADIGM_OPENMP, text("OpenMP"), 1)
            for number, (kind, value) in enumerate(self.typed):
                define("ParadigmProperty", PARADIGM_OPENMP, 100 + number, kind, value)
        if not self.has["properties"]:
            return
        for number, (kind, value) in enumerate(self.typed):
            define("LocationGroupProperty", self.ranks[number % len(self.ranks)].group, text(f"group {number}"), kind,
                   value)
            define("SystemTreeNodeProperty", number % 2 + 1, text(f"node {number}"), kind, value)
            define("LocationProperty", self.ranks[number % len(self.ranks)].master, text(f"location {number}"), kind,
                   value)
            if self.contexts:
                define("CallingContextProperty", self.contexts[0], text(f"context {number}"), kind, value)
        self.archive.properties.append(("TEST::PROPERTY", "some value"))

    def define_files(self):
        if not self.has["files"]:
            return
        define, text = self.archive.define, self.archive.string
        define("IoParadigm", 0, text("POSIX"), text("POSIX I/O"), 0, 0, 0, None, None, None)
        define("IoRegularFile", 0, text("/tmp/file"), 1)
        for rank in self.ranks:
            define("IoHandle", rank.number, text("handle"), 0, 0, 0, otf2.UNDEFINED, otf2.UNDEFINED)

    # -- events -----------------------------------------------------------------

    def event(self, location, kind, *values):
        self.now += 0 if self.stands_still else self.random.randint(1, 40)
        attributes = ()
        if self.has["attributes"] and self.random.random() < 0.1:
            number = self.random.randrange(len(self.typed))
            kind_of_value, value = self.typed[number]
            attributes = ((number + 1, kind_of_value, value), (0, otf2.UINT64, self.now))
        self.archive.event(location, self.now, kind, *values, attributes=attributes)

    def call(self, location, name, inside=None, **about):
        region = self.region(name, **about)
        stood_still = self.stands_still
        if self.has["zero_length"] and self.random.random() < 0.2:
            self.stop_time()
        self.event(location, "Enter", region)
        if inside:
            inside()
        self.event(location, "Leave", region)
        self.stands_still = stood_still

    def stop_time(self):
        """The next event is at the time of the last one of all locations, or later; those behind it at its time."""
        self.now += self.random.choice([0, 3, 20])
        self.stands_still = True

    def mpi(self, location, name, inside=None):
        if not self.is_bare() or not inside:
            self.call(location, name, inside, paradigm=PARADIGM_MPI)
        else:
            inside()

    def is_bare(self):
        """Whether the next operation has no call of MPI around it."""
        return self.bare > 0 and self.random.random() < self.bare

    def calls_of_no_length(self):
        """One or two at one time, with both orders of Enter and Leave."""
        for rank in self.ranks:
            for location in (*rank.locations, *(stream for stream, _ in rank.streams)):
                if self.random.random() < 0.6:
                    continue
                self.stop_time()
                names = ["empty kernel", "empty copy"][:self.random.randint(1, 2)]
                for name in names:
                    region = self.region(name)
                    self.event(location, "Enter", region)
                    self.event(location, "Leave", region)
                self.stands_still = False
                if self.random.random() < 0.6 and not self.is_sorted:
                    events = self.archive.events[location]
                    latest = events[-2 * len(names):]
                    events[-2 * len(names):] = latest[1::2] + latest[::2]

    def new_request(self, rank):
        rank.requests = self.random.randint(1, 3)  # few, so that they are used again
        return rank.requests

    def message(self):
        comm, members = self.random.choice(self.comms)
        if len(members) < 2:
            return
        source, target = self.random.sample(range(len(members)), 2)
        self.transfer(comm, members[source], members[target], source, target)

    def transfer(self, comm, sender, receiver, source, target):
        sender, receiver = self.ranks[sender], self.ranks[receiver]
        at, to = (rank.master if rank.shares or not self.has["thread_messages"] else self.random.choice(rank.locations)
                  for rank in (sender, receiver))
        tag, length = self.random.randint(0, 2), self.random.choice([8, 1000, 5000])
        self.note_send(sender, receiver.number if comm != self.spawned else "unknown", length)

        if self.has["requests"] and self.random.random() < 0.5:
            send, receive = self.new_request(sender), self.new_request(receiver)
            self.mpi(to, "MPI_Irecv", lambda: self.event(to, "MpiIrecvRequest", receive))
            self.mpi(at, "MPI_Isend", lambda: self.event(at, "MpiIsend", target, comm, tag, length, send))
            if self.random.random() < 0.3:
                self.mpi(to, "MPI_Test", lambda: self.event(to, "MpiRequestTest", receive))
            self.mpi(to, "MPI_Wait", lambda: self.event(to, "MpiIrecv", source, comm, tag, length, receive))
            self.mpi(at, "MPI_Wait", lambda: self.event(at, "MpiIsendComplete", send))
            if self.random.random() < 0.2:
                self.mpi(to, "MPI_Irecv", lambda: self.event(to, "MpiIrecvRequest", receive))
                self.mpi(to, "MPI_Cancel", lambda: self.event(to, "MpiRequestCancelled", receive))
        else:
            self.mpi(at, "MPI_Send", lambda: self.event(at, "MpiSend", target, comm, tag, length))
            self.mpi(to, "MPI_Recv", lambda: self.event(to, "MpiRecv", source, comm, tag, length))

    def note_send(self, sender, receiver, length):
        messages, size = self.sends.get((sender.number, receiver), (0, 0))
        self.sends[sender.number, receiver] = messages + 1, size + length

    def strange_ranks(self):
        """Whom the communicator does not have: what cannot be told has no partner."""
        comm, members = self.random.choice(self.comms)
        beyond = len(members) + self.random.randint(0, 3)
        sender, receiver = (self.ranks[self.random.choice(members)] for _ in range(2))
        at, to = sender.master, receiver.master
        tag, request = self.random.randint(0, 2), 50 + self.random.randint(1, 2)
        strange = [
            lambda: self.strange_send(sender, beyond, comm, tag),
            lambda: self.mpi(to, "MPI_Recv", lambda: self.event(to, "MpiRecv", beyond, comm, tag, 8)),
            lambda: self.strange_request(sender, request, "MpiIsend", beyond, comm, tag),
            lambda: self.strange_request(receiver, request, "MpiIrecv", beyond, comm, tag),
            lambda: self.collective(beyond),
        ]
        if self.has["one_sided"]:
            window, members = self.random.choice(self.windows)
            strange.append(lambda: self.strange_put(at, window, len(members) + 1))
        self.random.choice(strange)()

    def strange_send(self, sender, beyond, comm, tag):
        self.note_send(sender, "unknown", 8)
        self.mpi(sender.master, "MPI_Send", lambda: self.event(sender.master, "MpiSend", beyond, comm, tag, 8))

    def strange_request(self, rank, request, kind, beyond, comm, tag):
        at = rank.master
        if kind == "MpiIrecv":
            self.mpi(at, "MPI_Irecv", lambda: self.event(at, "MpiIrecvRequest", request))
            self.mpi(at, "MPI_Wait", lambda: self.event(at, kind, beyond, comm, tag, 8, request))
        else:
            self.note_send(rank, "unknown", 8)
            self.mpi(at, "MPI_Isend", lambda: self.event(at, kind, beyond, comm, tag, 8, request))
            self.mpi(at, "MPI_Wait", lambda: self.event(at, "MpiIsendComplete", request))

    def strange_put(self, at, window, beyond):
        self.mpi(at, "MPI_Put", lambda: self.event(at, "RmaPut", window, beyond, 256, 9))
        self.mpi(at, "MPI_Win_flush", lambda: self.event(at, "RmaOpCompleteBlocking", window, 9))

    def inter_message(self):
        for comm, (left, right) in self.inter:
            source, target = self.random.randrange(len(left)), self.random.randrange(len(right))
            self.transfer(comm, left[source], right[target], source, target)
            self.transfer(comm, right[target], left[source], target, source)
        if self.has["self_side"]:
            target = self.random.randrange(len(self.ranks) - 1)
            self.transfer(self.spawned, 0, target + 1, 0, target)

    def alone(self):
        """What a rank does with itself."""
        for rank in self.ranks:
            comm = self.random.choice(self.selfs)
            what = self.random.randint(0, 3)
            if what == 0:
                self.collective_of(comm, [rank.number])
            elif what == 1:
                self.transfer(comm, rank.number, rank.number, 0, 0)
            elif what == 2 and self.has["one_sided"]:
                self.mpi(rank.master, "MPI_Put", lambda: self.event(rank.master, "RmaPut", self.self_window, 0, 32, 4))
                self.mpi(rank.master, "MPI_Win_flush",
                         lambda: self.event(rank.master, "RmaOpCompleteBlocking", self.self_window, 4))

    def collective(self, strange_root=None):
        self.collective_of(*self.random.choice(self.comms), strange_root)

    def collective_of(self, comm, members, strange_root=None):
        operation = self.random.choice([BARRIER, BCAST, ALLREDUCE, REDUCE])
        rooted = operation in (BCAST, REDUCE)
        root = self.random.randrange(len(members)) if rooted else NO_ROOT
        if rooted and strange_root is not None:
            root = strange_root
        size = 0 if operation == BARRIER else 64
        name = {BARRIER: "MPI_Barrier", BCAST: "MPI_Bcast", ALLREDUCE: "MPI_Allreduce", REDUCE: "MPI_Reduce"}[operation]
        masters = [self.ranks[member].master for member in members]
        is_bare = self.is_bare()
        for location in masters:
            if not is_bare:
                self.event(location, "Enter", self.region(name, paradigm=PARADIGM_MPI))
            self.event(location, "MpiCollectiveBegin")
        for location in masters:
            self.event(location, "MpiCollectiveEnd", operation, comm, root, size, size)
            if not is_bare:
                self.event(location, "Leave", self.region(name))

    def nonblocking_collective(self):
        comm, members = self.random.choice(self.comms)
        requests = {}
        for member in members:
            rank = self.ranks[member]
            requests[member] = 100 + self.random.randint(1, 2)
            self.mpi(rank.master, "MPI_Ibarrier",
                     lambda: self.event(rank.master, "NonBlockingCollectiveRequest", requests[member]))
        for member in members:
            rank = self.ranks[member]
            self.mpi(rank.master, "MPI_Wait",
                     lambda: self.event(rank.master, "NonBlockingCollectiveComplete", BARRIER, comm, NO_ROOT, 0, 0,
                                        requests[member]))

    def one_sided(self):
        window, members = self.random.choice(self.windows)
        if len(members) < 2:
            return
        own, target = self.random.sample(range(len(members)), 2)
        at = self.ranks[members[own]].master
        match = self.random.randint(1, 3)
        kind = self.random.choice(["RmaPut", "RmaGet"])
        self.mpi(at, "MPI_Put", lambda: self.event(at, kind, window, target, 256, match))
        self.mpi(at, "MPI_Win_flush", lambda: self.event(at, "RmaOpCompleteBlocking", window, match))
        if self.has["locks"]:
            self.mpi(at, "MPI_Win_lock", lambda: self.event(at, "RmaAcquireLock", window, target, 7, 0))
            self.mpi(at, "MPI_Win_unlock", lambda: self.event(at, "RmaReleaseLock", window, target, 7))
            self.mpi(at, "MPI_Win_sync", lambda: self.event(at, "RmaSync", window, target, 0))

    def copy_on_streams(self):
        for rank in self.ranks:
            for stream, _ in rank.streams:
                if self.has["one_sided"] and self.random.random() < 0.3:
                    window, members = self.windows[0]
                    self.event(stream, "RmaGet", window, rank.number, 64, 5)
                    self.event(stream, "RmaOpCompleteBlocking", window, 5)
                elif self.random.random() < 0.5:
                    self.call(stream, "kernel")
                else:
                    self.event(stream, "ParameterUnsignedInt", self.parameter, self.now)

    def work_of_threads(self):
        for rank in self.ranks:
            for thread, location in enumerate(rank.locations[1:], 1):
                if self.has["parameter_threads"] and thread == 1:
                    self.event(location, "ParameterUnsignedInt", self.parameter, self.now)
                else:
                    self.call(location, "parallel work")
            if self.has["locks"] and len(rank.locations) > 1:
                for order, location in enumerate(rank.locations):
                    self.event(location, "ThreadAcquireLock", PARADIGM_OPENMP, 1, order)
                    self.event(location, "ThreadReleaseLock", PARADIGM_OPENMP, 1, order)

    def tasks(self):
        """Some end in a later iteration than they began."""
        for rank, kind, task in [task for task in self.open_tasks if self.random.random() < 0.5]:
            self.open_tasks.remove((rank, kind, task))
            if kind == "omp":
                self.event(rank.master, "OmpTaskComplete", task)
            else:
                self.event(rank.locations[-1], "ThreadTaskComplete", self.teams[rank.number], 0, task)
        for rank in self.ranks:
            task = self.new_id("task") + 1
            if self.has["omp_tasks"]:
                self.event(rank.master, "OmpTaskCreate", task)
                self.event(rank.master, "OmpTaskSwitch", task)
                self.open_tasks.append((rank, "omp", task))
            if self.has["thread_tasks"] and len(rank.locations) > 1:
                self.event(rank.master, "ThreadTaskCreate", self.teams[rank.number], 0, task)
                self.event(rank.locations[-1], "ThreadTaskSwitch", self.teams[rank.number], 0, task)
                self.open_tasks.append((rank, "thread", task))

    def files(self):
        for rank in self.ranks:
            if self.random.random() < 0.5:
                match = self.random.randint(1, 2)
                self.event(rank.master, "IoOperationBegin", rank.number, 0, 0, 100, match)
                self.event(rank.master, "IoOperationComplete", rank.number, 100, match)
                self.event(rank.master, "IoSeek", rank.number, 5, 0, 5)

    def record_metrics(self):
        for rank in self.ranks:
            for metric, way in self.metrics:
                count = self.counts.get((rank.number, metric), 0)
                value = count + self.random.randint(1, 9) if way == "up" else self.random.randint(1, 9)
                self.counts[rank.number, metric] = value
                self.event(rank.master, "Metric", metric, 1, otf2.array([otf2.UINT64], ctypes.c_uint8),
                           otf2.array([value]))
            if rank.number in self.instances:
                self.event(rank.locations[-1], "Metric", self.instances[rank.number], 1,
                           otf2.array([otf2.UINT64], ctypes.c_uint8), otf2.array([self.random.randint(1, 9)]))

    def sample(self):
        for rank in self.ranks:
            self.event(rank.master, "CallingContextEnter", self.contexts[0], 1)
            self.event(rank.master, "CallingContextSample", self.contexts[1], 1, 0)
            self.event(rank.master, "CallingContextLeave", self.contexts[0])

    def step(self, loop):
        """One iteration of all processes; who computes what differs by kind of process."""
        name = f"step {loop}"
        for rank in self.ranks:
            self.event(rank.master, "Enter", self.region(name, ROLE_FUNCTION, FLAG_PHASE | FLAG_DYNAMIC))
        for rank in self.ranks:
            kind = min(rank.number % 3, 1) if rank.number else 2
            self.call(rank.master, f"compute {kind}", lambda: self.call(rank.master, "inner"))
            if self.has["uneven"] and self.random.random() < 0.3:
                self.call(rank.master, "refine")
            if self.has["onoff"] and self.random.random() < 0.2:
                self.event(rank.master, "MeasurementOnOff", 2)
                self.event(rank.master, "MeasurementOnOff", 1)
        for _ in range(self.random.randint(1, 3)):
            self.message()
        if self.inter or self.has["self_side"]:
            self.inter_message()
        if self.launcher:
            self.call(self.launcher, "launch")
        actions = {"collectives": self.collective, "nonblocking_collectives": self.nonblocking_collective,
                   "one_sided": self.one_sided, "streams": self.copy_on_streams, "threads": self.work_of_threads,
                   "files": self.files, "metrics": self.record_metrics, "contexts": self.sample,
                   "strange_ranks": self.strange_ranks, "self_communicators": self.alone,
                   "zero_length": self.calls_of_no_length}
        for feature, action in actions.items():
            if self.has[feature]:
                action()
        if self.has["relative_metric"] and not self.has["metrics"]:
            self.record_metrics()
        if self.has["omp_tasks"] or self.has["thread_tasks"]:
            self.tasks()
        switched = self.random.choice(self.ranks)
        if self.has["onoff"]:
            self.event(switched.master, "MeasurementOnOff", 2)
        for rank in self.ranks:
            self.event(rank.master, "Leave", self.region(name))
        if self.has["onoff"]:
            self.event(switched.master, "MeasurementOnOff", 1)

    def outside(self):
        """Operations between iterations, and before and behind all calls."""
        if self.has["no_calls"] and self.random.random() < 0.4:
            self.message()
            self.collective()

    def set_markers(self):
        if not self.has["markers"]:
            return
        scopes = [(0, 0), (1, self.ranks[0].master), (1, self.ranks[-1].master), (2, self.ranks[-1].group), (3, 1),
                  (4, 1), (5, self.world)]
        for number, scope in enumerate(scopes):
            self.archive.marker(1000 + number, 0, 0, *scope, f"marker {number}")

    def run(self):
        self.define_system()
        self.define_communicators()
        self.define_metrics()
        self.define_contexts()
        self.define_properties()
        self.define_files()
        self.outside()
        for rank in self.ranks:
            if self.has_main:
                self.event(rank.master, "Enter", self.region("main"))
            if self.has["files"]:
                self.event(rank.master, "IoCreateHandle", rank.number, 0, 0, 0)
        for loop in range(2 if self.has["second_loop"] else 1):
            for _ in range(self.random.randint(4, 12)):
                self.step(loop)
                self.outside()
        for rank in self.ranks:
            if self.has["files"]:
                self.event(rank.master, "IoDestroyHandle", rank.number)
            if self.has_main:
                self.event(rank.master, "Leave", self.region("main"))
        self.outside()
        self.define_locations()
        self.set_markers()
        self.archive.close()


def main():
    features = [word for word in sys.argv[3:] if word != "--sorted"]
    program = Program(int(sys.argv[1]), sys.argv[2], features, is_sorted="--sorted" in sys.argv)
    program.run()
    print(json.dumps({"features": [feature for feature in FEATURES if program.has[feature]],
                      "sends": [[*pair, *sums] for pair, sums in program.sends.items()]}))


if __name__ == "__main__":
    main()
