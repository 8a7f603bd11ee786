#!/usr/bin/env python3
"""Looks for names of an original in everything that was made of it by reduce --anonymize.

usage: anonymize_check.py ORIGINAL.otf2 FOLDER TABLE SAID… [--also NAME…]

Names are what python3-otf2 reads of the original: of functions, source files, hosts and counters, and the folder that it
lies in; and what stands behind --also. Which functions are the program's own, their paradigms and source files say. Functions of interfaces and
words of OTF2 itself may stay, and "main" is a word of tables, too.
Files that are packed are unpacked first.
"""

import gzip
import json
import pathlib
import re
import sys

import otf2
import zstandard

OF_PROGRAM = {otf2.Paradigm.UNKNOWN, otf2.Paradigm.USER, otf2.Paradigm.COMPILER, otf2.Paradigm.SAMPLING, otf2.Paradigm.NONE}
STAYING = {"MPI", "OMP", "CUDA", "CUDART", "OpenACC", "machine", "Machine", "node", "cluster", "main"}
# EZTrace gives these the paradigm of the program.
CALLS_OF_MPI = {f"MPI_{name}" for name in ("Allreduce Alltoall Barrier Bcast Cancel Comm_free Comm_split Gather Iprobe Irecv Isend Recv "
                                           "Reduce Send Sendrecv Test Testany Wait Waitall Waitany").split()}


def is_call_of_interface(region):
    if region.paradigm in OF_PROGRAM:
        return region.name in CALLS_OF_MPI
    return "KERNEL" not in region.source_file and not re.search("[./]", region.source_file)


def list_names(anchor):
    with otf2.reader.open(anchor) as trace:
        definitions = trace.definitions
        of_interfaces = {region.name for region in definitions.regions if is_call_of_interface(region)}
        for region in definitions.regions:
            for name in {region.name, region.canonical_name} - of_interfaces:
                words, at, place = name.partition("@")
                is_construct = words.startswith("!$omp") or (region.paradigm not in OF_PROGRAM and words.startswith("acc_"))
                yield re.sub(r":[0-9]+$", "", place) if at and is_construct else name
            yield region.source_file
        for node in definitions.system_tree_nodes:
            yield node.name
        for member in definitions.metric_members:
            yield member.name


def unpack(data):
    if data[:4] == b"\x28\xb5\x2f\xfd":
        return zstandard.ZstdDecompressor().decompressobj().decompress(data)
    if data[:2] == b"\x1f\x8b":
        return gzip.decompress(data)
    # Compressed parts inside.
    parts, at = [data], 0
    while (at := data.find(b"\x28\xb5\x2f\xfd", at)) >= 0:
        try:
            parts.append(zstandard.ZstdDecompressor().decompressobj().decompress(data[at:]))
        except zstandard.ZstdError:
            pass
        at += 4
    return b"\n".join(parts)


def main():
    words = sys.argv[1:]
    end = words.index("--also") if "--also" in words else len(words)
    original, folder, table, *said = words[:end]
    names = {name for name in list_names(original) if name and name not in STAYING and not name.startswith("!$omp")}
    names.add(str(pathlib.Path(original).resolve().parent))
    assert len(names) > 3, names
    told = {name if isinstance(name, str) else bytes.fromhex(name["hex"]).decode("latin-1") for name in json.load(open(table))["names"].values()}
    untold = sorted(name for name in names if "/" not in name and name not in told)
    wrong = [f"the table lacks {name}" for name in untold]
    names |= set(words[end + 1:])
    files = [path for path in pathlib.Path(folder).rglob("*") if path.is_file()] + [pathlib.Path(name) for name in said]
    for path in files:
        content = unpack(path.read_bytes())
        for name in sorted(names):
            if str(path) in said and name.startswith("/"):
                continue  # a message tells people where their files are
            if re.search(rb"(?<![A-Za-z0-9_])" + re.escape(name.encode()) + rb"(?![A-Za-z0-9_])", content):
                wrong.append(f"{path}: {name}")
    print("\n".join(wrong) or f"{len(names)} names, {len(files)} files: none is in one")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
