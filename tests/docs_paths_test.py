#!/usr/bin/env python3
"""Fails where a document names a file or folder of the source that is not there.

usage: docs_paths_test.py SOURCE_FOLDER

A path is a word in backticks, or the target of a link, that begins with a top-level
folder of the source. It may stand for several files: `name.*`, `…_formats.cpp`, or a
name without its ending. Words in capitals are placeholders.
"""

import pathlib
import re
import sys

PATH = re.compile(r"[\w./*…-]+")
WORDS = re.compile(r"`([^`\n]+)`|\]\(([^)#\s]+)\)")


def find_paths(text, folders):
    """The paths that a document names, in order."""
    for code, link in WORDS.findall(text):
        for word in (code or link).split():
            path = word.removeprefix("../").removeprefix("./").strip("'\";,")
            if path.split("/")[0] in folders and "/" in path and PATH.fullmatch(path):
                yield path


def exists(source, path):
    if re.search(r"\b[A-Z]{2,}\b", path) and not (source / path).exists():
        return True  # a placeholder
    pattern = path.rstrip("/").replace("…", "*")
    return any(source.glob(pattern)) or any(source.glob(pattern + ".*"))


def main():
    source = pathlib.Path(sys.argv[1])
    folders = {child.name for child in source.iterdir() if child.is_dir()} - {"build"}
    documents = sorted(source.glob("*.md")) + sorted(source.glob("docs/*.md"))
    wrong, seen = [], 0
    for document in documents:
        for path in find_paths(document.read_text(encoding="utf-8"), folders):
            seen += 1
            if not exists(source, path):
                wrong.append(f"{document.relative_to(source)}: there is no {path}")
    print("\n".join(wrong) or f"{seen} paths in {len(documents)} documents, all there")
    return bool(wrong) or seen == 0


if __name__ == "__main__":
    sys.exit(main())
