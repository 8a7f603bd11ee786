#!/usr/bin/env python3
"""Fails where a folder includes what does not stand below it.

usage: layers_test.py SOURCE_FOLDER

Checked are the include lines of the program's sources, because the shared include
root would hide a slip: a top-level folder may include what LAYERS lists for it, the
folders inside it may not include each other in a circle, and each library is seen
only by the folders that LIBRARIES lists for it. And no two headers may define types
of one name in one namespace, which are one to the linker. Only programs have an `operator new` of
their own, so cli/ alone may define it: who embeds the library keeps its heap.
"""

import pathlib
import re
import sys

LAYERS = {
    "base": [],
    "parquet": [],
    "otf2": ["base"],
    "lattice": [],
    "model": ["otf2", "base"],
    "filters": ["model", "lattice", "otf2", "base"],
    "emitters": ["model", "otf2", "base"],
    "pipeline": ["filters", "model", "otf2", "parquet", "base"],
    "library": ["pipeline", "filters", "model", "otf2", "base"],
    "cli": ["pipeline", "emitters", "filters", "model", "otf2", "base"],
}
# Beginnings of includes in angle brackets, and the folders that may have them.
LIBRARIES = {
    "boost/": ["lattice", "filters"],
    "otf2/": ["otf2"],
    "archive": ["base"],
    "zstd.h": ["base", "parquet"],
    "zlib.h": ["base"],
    "protozero/": ["emitters"],
    "oneapi/tbb": ["base", "pipeline"],
    "tbb/": [],
    "CLI/": ["cli"],
    "mpi": [],
}
# Of these, one folder alone.
FOLDERS = {"mpi": "pipeline/distributed"}
LARGEST_SHARE = 0.2  # of all lines, directly in one folder

OPTION = re.compile(r'"[^"]*(?<![\w<-])-(-[a-z][a-z-]*|[a-z]\b)[^"]*"')
HEAP = re.compile(r"^(?:\[\[.*?\]\] )?void ?\*? ?operator (?:new|delete)", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def find_circle(arrows):
    """A list of folders that include each other in a circle, or None."""
    done, path = set(), []

    def visit(folder):
        if folder in path:
            return path[path.index(folder):] + [folder]
        if folder in done:
            return None
        path.append(folder)
        for below in sorted(arrows.get(folder, ())):
            circle = visit(below)
            if circle:
                return circle
        path.pop()
        done.add(folder)
        return None

    for folder in sorted(arrows):
        circle = visit(folder)
        if circle:
            return circle
    return None


def main():
    root = pathlib.Path(sys.argv[1])
    complaints, arrows, lines, types = [], {}, {}, {}
    for top in LAYERS:
        for path in sorted((root / top).rglob("*.[ch]pp")):
            file = path.relative_to(root)
            folder = file.parent.as_posix()
            text = path.read_text(encoding="utf-8")
            lines[folder] = lines.get(folder, 0) + text.count("\n")

            if path.suffix == ".hpp":
                namespaces = re.findall(r"^namespace ([\w:]+) {", text, re.M)
                for name in re.findall(r"^(?:struct|class|enum class) (?:\[\[.*?\]\] )?(\w+)(?!\w|::)[^;\n]*{", text, re.M):
                    known = types.setdefault((namespaces[:1] and namespaces[0], name), file)
                    if known != file:
                        complaints.append(f"{file}: {name} is defined in {known}, too")

            if top != "cli":
                if HEAP.search(text):
                    complaints.append(f"{file}: {top} may not define operator new or delete")
                for line in text.splitlines():
                    if OPTION.search(line) and not line.lstrip().startswith("//"):
                        complaints.append(f"{file}: {top} may not name an option: {line.strip()}")

            for bracket, name in INCLUDE.findall(text):
                if bracket == "<":
                    for library, seen_by in LIBRARIES.items():
                        is_seen = top in seen_by or FOLDERS.get(library) == folder
                        if name.startswith(library) and not is_seen:
                            complaints.append(f"{file}: {top} may not include <{name}>")
                    continue

                below = name.split("/")[0]
                if below != top and below not in LAYERS[top]:
                    complaints.append(f'{file}: {top} may not include "{name}"')
                if not (root / name).is_file() and name != "base/version.hpp":
                    complaints.append(f'{file}: there is no "{name}"')
                other = pathlib.PurePosixPath(name).parent.as_posix()
                if other != folder:
                    arrows.setdefault(folder, set()).add(other)

    circle = find_circle(arrows)
    if circle:
        complaints.append("a circle: " + " -> ".join(circle))
    total = sum(lines.values())
    for folder, count in lines.items():
        if count > LARGEST_SHARE * total:
            complaints.append(f"{folder}: {count} of {total} lines stand directly in it")

    for complaint in complaints:
        print(complaint)
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
