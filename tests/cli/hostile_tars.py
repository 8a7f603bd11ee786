#!/usr/bin/env python3
"""Tars that mean harm end in one line, and leave nothing.

usage: hostile_tars.py TRACEFOLD MAKE_TRACE

Each is read from a file, from a pipe, and packed by gzip; good ones that are cut are packed by zstd, xz and bzip2, too. Every one but those that are
named so has to end with status 3, one line on stderr that has no control character, an empty
$TMPDIR, no output, and nothing made anywhere else.
"""

import bz2
import gzip
import io
import lzma
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile

BLOCK = 512


def pack(members, format=tarfile.PAX_FORMAT, end=True):
    """A tar of (TarInfo, bytes)."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=format) as tar:
        for info, data in members:
            if info.isreg():
                info.size = len(data)
            tar.addfile(info, io.BytesIO(data) if info.isreg() else None)
        size = tar.offset
    return raw.getvalue() if end else raw.getvalue()[:size]


def file(name, data=b"x", **facts):
    info = tarfile.TarInfo(name)
    for key, value in facts.items():
        setattr(info, key, value)
    return info, data


def read_trace(folder):
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return [file(str(path.relative_to(folder)), path.read_bytes()) for path in paths]


def borders(raw):
    """Where each member begins, and where the last one ends."""
    with tarfile.open(fileobj=io.BytesIO(raw)) as tar:
        members = tar.getmembers()
        last = members[-1]
        end = last.offset_data + (last.size + BLOCK - 1) // BLOCK * BLOCK
        inner = [member.offset_data for member in members]
        return sorted({member.offset for member in members} | {end} | set(inner))


def gnu_sparse(name, real, map_of, data):
    """A member of GNU's old format that says where its data lies; all else are holes."""
    header = bytearray(tarfile.TarInfo(name).tobuf(tarfile.GNU_FORMAT))
    header[156:157] = b"S"
    header[124:136] = b"%011o\0" % len(data)
    for k, (offset, size) in enumerate(map_of):
        at = 386 + 24 * k
        header[at:at + 24] = b"%011o\0%011o\0" % (offset, size)
    header[483:495] = b"%011o\0" % real
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    padding = -len(data) % BLOCK
    return bytes(header) + data + b"\0" * padding


def hostile(trace):
    """(words, bytes of a tar)."""
    whole = pack(trace)
    body = pack(trace, end=False)
    zeros = b"\0" * 2 * BLOCK
    links = {"a symbolic link": tarfile.SYMTYPE, "a hard link": tarfile.LNKTYPE,
             "a character device": tarfile.CHRTYPE, "a block device": tarfile.BLKTYPE,
             "a pipe": tarfile.FIFOTYPE}
    for words, kind in links.items():
        for name in ("traces/0.evt", "evil", "traces"):
            yield (f"{words} {name}",
                   pack([file(name, type=kind, linkname="/etc/passwd", devmajor=1, devminor=3)] + trace))
    yield "a link to a folder, and a file in it", pack(
        [file("traces", type=tarfile.SYMTYPE, linkname="../escaped")] + trace)
    for name in ("/tmp/absolute.otf2", "../escaped.otf2", "traces/../../escaped.def", "a/../../b.evt",
                 "..", "new\nline.otf2", "esc\x1b[2J.def", "a\tb/0.evt", "x" * 300 + ".def"):
        yield f"the name {name!r:.40}", pack([file(name)] + trace)
    yield "an absolute folder", pack([file("/", type=tarfile.DIRTYPE)] + trace)
    yield "two members of one name", pack(trace + [trace[0]])
    yield "the same name told in another way", pack(
        trace + [file("./" + trace[0][0].name, trace[0][1])])
    yield "a file where a folder is", pack(trace + [file("traces.def/0.evt")])
    yield "two anchors", pack(trace + [file("other.otf2")])
    yield "two anchors in two folders", pack(trace + [file("other/traces.otf2", trace[-1][1])])
    yield "no anchor", pack([member for member in trace if not member[0].name.endswith(".otf2")])
    yield "the anchor too deep", pack(
        [file("a/b/" + info.name, data) for info, data in trace])
    yield "no member", pack([])
    yield "no byte", b""
    yield "noise", os.urandom(20 * BLOCK)
    yield "zeros", bytes(20 * BLOCK)
    yield "a text", b"hello\n" * 200

    giant = 7 << 30
    yield "a hole in front", gnu_sparse("traces/9.evt", giant, [(giant - 1, 1)], b"x") + whole
    yield "a hole behind", gnu_sparse("traces/9.evt", giant, [(0, 1)], b"x") + whole
    yield "nothing but a hole", gnu_sparse("traces/9.evt", giant, [(giant, 0)], b"") + whole
    pax = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": "traces/9.evt",
           "GNU.sparse.realsize": str(giant)}
    sparse_map = f"1\n{giant - 1}\n1\n".encode().ljust(BLOCK, b"\0") + b"x"
    yield "a hole in pax", pack([file("GNUSparseFile.0/9.evt", sparse_map, pax_headers=pax)] + trace)
    yield "a size beyond the end", pack(
        trace[:-1], end=False) + header_of("traces.otf2", giant) + b"x" * BLOCK
    yield "a negative size", pack(trace[:-1], end=False) + header_of("x.def", 0, b"\xff" * 12) + zeros
    broken = bytearray(whole)
    broken[148] ^= 1
    yield "a wrong checksum", bytes(broken)
    yield "something behind the end", body + zeros + b"x" * BLOCK
    yield "a second tar behind the end", body + zeros + whole

    for place in borders(whole):
        if place < len(body):
            yield f"cut after {place} bytes", whole[:place]
            yield f"cut after {place} bytes and some", whole[:place + 100]
    yield "without its end", body


def header_of(name, size, raw=None):
    header = bytearray(tarfile.TarInfo(name).tobuf(tarfile.GNU_FORMAT))
    header[124:136] = raw or b"\x80" + size.to_bytes(11, "big")
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header)


class Tester:
    def __init__(self, tracefold, work):
        self.tracefold, self.work = tracefold, work
        self.temporary = work / "tmp"
        self.temporary.mkdir()
        self.inside = work / "inside"
        self.inside.mkdir()
        self.checks = self.failures = 0
        self.environment = dict(os.environ, TMPDIR=str(self.temporary), LC_ALL="C.UTF-8")

    def check(self, words, holds):
        self.checks += 1
        if not holds:
            self.failures += 1
            print("FAIL:", words, file=sys.stderr)

    def read(self, words, arguments, status, **options):
        known = sorted(self.work.iterdir())
        done = subprocess.run([self.tracefold, *arguments], cwd=self.inside, env=self.environment,
                              capture_output=True, timeout=120, **options)
        self.check(f"{words}: status {done.returncode} instead of {status}: {done.stderr[:300]}",
                   done.returncode == status)
        if status:
            self.check(f"{words}: not one line: {done.stderr[:300]}",
                       done.stderr.startswith(b"tracefold: ") and done.stderr.count(b"\n") == 1)
            self.check(f"{words}: control characters: {done.stderr[:300]}",
                       all(byte >= 0x20 for byte in done.stderr[:-1]))
            self.check(f"{words}: stdout", not done.stdout)
        self.check(f"{words}: left in TMPDIR: {list(self.temporary.iterdir())}",
                   not any(self.temporary.iterdir()))
        self.check(f"{words}: something was made", known == sorted(self.work.iterdir()))
        if status:
            self.check(f"{words}: an output", not any(self.inside.iterdir()))

    def refuse(self, words, raw, status=3):
        (self.work / "bad.tar").write_bytes(raw)
        self.read(words + ", a file", ["info", "../bad.tar"], status, stdin=subprocess.DEVNULL)
        # What is no tar may be a plan there, and is a bad one.
        self.read(words + ", a pipe", ["reduce", "-", "-o", "small", "-q"], status, input=raw)
        (self.work / "bad.tar.gz").write_bytes(gzip.compress(raw, 1))
        self.read(words + ", gzip", ["info", "../bad.tar.gz"], status, stdin=subprocess.DEVNULL)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    tracefold, make_trace = (os.path.realpath(path) for path in sys.argv[1:])
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        subprocess.run([make_trace, work / "app", "--ranks", "2"], check=True,
                       stdout=subprocess.DEVNULL)
        trace = read_trace(work / "app")
        for name in ("bad.tar", "bad.tar.gz"):
            (work / name).touch()
        tester = Tester(tracefold, work)

        whole = pack(trace)
        (work / "bad.tar").write_bytes(whole)
        tester.read("a good one", ["info", "../bad.tar"], 0, stdin=subprocess.DEVNULL)
        for words, raw in hostile(trace):
            tester.refuse(words, raw)

        packed = gzip.compress(whole)
        for size in (5, len(packed) // 2, len(packed) - 8, len(packed) - 1):
            tester.refuse(f"gzip that ends after {size} bytes", packed[:size])
        zstd = subprocess.run(["zstd", "-qc"], input=whole, capture_output=True, check=True).stdout
        for name, packed in (("zstd", zstd), ("xz", lzma.compress(whole)), ("bzip2", bz2.compress(whole))):
            for size in (5, len(packed) // 2, len(packed) - 1):
                tester.refuse(f"{name} that ends after {size} bytes", packed[:size])

        endless(tester, work, trace)
        print(f"{tester.checks} checks, {tester.failures} failed")
        return tester.failures > 0


def endless(tester, work, trace):
    """Streams without an end, each bounded by --max-size."""
    endless_file = work / "endless.py"
    head = pack(trace[:-1], end=False)
    ways = {"one file": (header_of("traces/8.evt", 1 << 40), b"x" * BLOCK * 128),
            "one file that is not wanted": (header_of("notes.txt", 1 << 40), b"x" * BLOCK * 128),
            "padding": (bytes(2 * BLOCK), bytes(BLOCK * 128))}
    small = [header_of(f"traces/{k}.evt", 0) for k in range(200000)]
    ways["small files"] = (b"".join(small), b"")
    ways["folders"] = (b"", pack([file(f"d{k}/", type=tarfile.DIRTYPE) for k in range(128)], end=False))
    for words, (first, again) in ways.items():
        endless_file.write_text("import os, sys\nfirst, again = eval(sys.stdin.read())\n"
                                "try:\n os.write(1, first)\n while again: sys.stdout.buffer.write(again)\n"
                                "except BrokenPipeError: os._exit(0)\n")
        (work / "seed").write_text(repr((head + first, again)))
        with open(work / "seed", encoding="utf-8") as seed, subprocess.Popen(
                [sys.executable, endless_file], stdin=seed, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL) as source:
            tester.read(f"endless: {words}", ["reduce", "-", "-o", "small", "-q", "--max-size", "64M"],
                        3, stdin=source.stdout)
            source.stdout.close()
            source.kill()


if __name__ == "__main__":
    sys.exit(main())
