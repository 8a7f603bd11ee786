"""Writes OTF2 archives through libotf2, by the names of its own functions.

Definitions and events are given as in the reference manual:
`archive.define("Region", 0, name, …)` calls OTF2_GlobalDefWriter_WriteRegion, and
`archive.event(location, time, "Enter", region)` OTF2_EvtWriter_Enter. Nothing here
shares code with the program. Events may be given in any order of locations, but in
the order of time for each; they are written when the archive is closed.
"""

import ctypes
import ctypes.util

UNDEFINED = 0xFFFFFFFF

# OTF2_Type
NONE, UINT8, UINT32, UINT64, INT64, DOUBLE = 0, 1, 3, 4, 8, 10
(STRING, ATTRIBUTE, LOCATION, REGION, GROUP, METRIC, COMM, PARAMETER, RMA_WIN,
 SOURCE_CODE_LOCATION, CALLING_CONTEXT, INTERRUPT_GENERATOR, IO_FILE, IO_HANDLE,
 LOCATION_GROUP) = range(11, 26)

# Definitions are written in this order, so that none names one behind it; others follow.
ORDER = ("String Paradigm SystemTreeNode LocationGroup Location Region SourceCodeLocation CallingContext "
         "InterruptGenerator Group Comm RmaWin MetricMember MetricClass "
         "Parameter Attribute IoParadigm IoRegularFile IoHandle").split()

_otf2 = ctypes.CDLL(ctypes.util.find_library("open-trace-format2") or "libopen-trace-format2.so.10")
for _name in ("Archive_Open", "Archive_GetEvtWriter", "Archive_GetDefWriter", "Archive_GetGlobalDefWriter",
              "Archive_GetMarkerWriter", "AttributeList_New"):
    getattr(_otf2, "OTF2_" + _name).restype = ctypes.c_void_p

_PRE_FLUSH = ctypes.CFUNCTYPE(ctypes.c_uint8, *[ctypes.c_void_p] * 5)


class _FlushCallbacks(ctypes.Structure):
    _fields_ = [("pre", _PRE_FLUSH), ("post", ctypes.c_void_p)]


class OTF2Error(Exception):
    pass


def _call(name, *arguments):
    """Calls a function of the library; integers pass as 64 bits, lists as arrays of them."""
    passed = []
    for argument in arguments:
        if isinstance(argument, int):
            passed.append(ctypes.c_uint64(argument & 0xFFFFFFFFFFFFFFFF))
        elif isinstance(argument, str):
            passed.append(ctypes.c_char_p(argument.encode()))
        else:
            passed.append(argument)
    status = getattr(_otf2, "OTF2_" + name)(*passed)
    if status:
        raise OTF2Error(f"OTF2_{name}{arguments}: code {status}")


def _place_of_kind(definition):
    kind = {"InterComm": "Comm", "MetricInstance": "MetricClass"}.get(definition[0], definition[0])
    return ORDER.index(kind) if kind in ORDER else len(ORDER)


def array(values, kind=ctypes.c_uint64):
    return (kind * max(1, len(values)))(*values)


class Archive:
    def __init__(self, folder, chunk=1 << 18):
        self.folder, self.events, self.definitions, self.strings = folder, {}, [], {}
        self.markers, self.properties = [], []
        self.last_time = 0
        self.chunk = chunk
        self.string("")

    def string(self, text):
        """The id of a string, which is defined where it is new."""
        if text not in self.strings:
            self.strings[text] = len(self.strings)
            self.definitions.append(("String", (self.strings[text], text)))
        return self.strings[text]

    def define(self, kind, *values):
        self.definitions.append((kind, values))

    def location(self, location):
        self.events.setdefault(location, [])

    def event(self, location, time, kind, *values, attributes=()):
        """`attributes` are (attribute, OTF2_Type, value)."""
        self.last_time = max(self.last_time, time)
        self.events[location].append((time, kind, values, attributes))

    def marker(self, *values):
        self.markers.append(values)

    def close(self):
        archive = ctypes.c_void_p(_otf2.OTF2_Archive_Open(
            ctypes.c_char_p(self.folder.encode()), b"traces", ctypes.c_uint8(0), ctypes.c_uint64(self.chunk),
            ctypes.c_uint64(4 << 20), ctypes.c_uint8(1), ctypes.c_uint8(1)))
        flush = _FlushCallbacks(_PRE_FLUSH(lambda *_: 1), None)
        _call("Archive_SetFlushCallbacks", archive, ctypes.byref(flush), None)
        _call("Archive_SetSerialCollectiveCallbacks", archive)
        for name, value in self.properties:
            _call("Archive_SetProperty", archive, name, value, 1)
        _call("Archive_OpenEvtFiles", archive)
        for location, events in self.events.items():
            self._write_events(archive, location, events)
        _call("Archive_CloseEvtFiles", archive)

        _call("Archive_OpenDefFiles", archive)
        for location in self.events:
            writer = ctypes.c_void_p(_otf2.OTF2_Archive_GetDefWriter(archive, ctypes.c_uint64(location)))
            _call("Archive_CloseDefWriter", archive, writer)
        _call("Archive_CloseDefFiles", archive)

        writer = ctypes.c_void_p(_otf2.OTF2_Archive_GetGlobalDefWriter(archive))
        _call("GlobalDefWriter_WriteClockProperties", writer, 1000000000, 0, self.last_time + 1, 0)
        for kind, values in sorted(self.definitions, key=_place_of_kind):
            _call("GlobalDefWriter_Write" + kind, writer, *values)
        _call("Archive_CloseGlobalDefWriter", archive, writer)
        if self.markers:
            writer = ctypes.c_void_p(_otf2.OTF2_Archive_GetMarkerWriter(archive))
            _call("MarkerWriter_WriteDefMarker", writer, 0, "nasty", "test", 1)
            for values in self.markers:
                _call("MarkerWriter_WriteMarker", writer, *values)
            _call("Archive_CloseMarkerWriter", archive, writer)
        _call("Archive_Close", archive)

    def _write_events(self, archive, location, events):
        writer = ctypes.c_void_p(_otf2.OTF2_Archive_GetEvtWriter(archive, ctypes.c_uint64(location)))
        for time, kind, values, attributes in events:
            kept = None
            if attributes:
                kept = ctypes.c_void_p(_otf2.OTF2_AttributeList_New())
                for attribute, kind_of_value, value in attributes:
                    _call("AttributeList_AddAttribute", kept, attribute, kind_of_value, value)
            _call("EvtWriter_" + kind, writer, kept, time, *values)
            if kept:
                _call("AttributeList_Delete", kept)
        _call("Archive_CloseEvtWriter", archive, writer)
