#!/usr/bin/env python3
"""Fails where a document names a file or folder of the source that is not there, where the source
cites a rule or a heading that docs/design.md does not have, and where docs/README.md, the index,
lacks a file of docs/.

usage: docs_paths_test.py SOURCE_FOLDER

A path is a word in backticks, or the target of a link, that begins with a top-level
folder of the source. It may stand for several files: `name.*`, `…_formats.cpp`, or a
name without its ending. Words in capitals are placeholders.

A citation is docs/design.md, "The plan" or docs/design.md, the rules "halo" and "dense ids": the
name of a rule is what an item of the list of rules has in bold letters first.
"""

import pathlib
import re
import sys

PATH = re.compile(r"[\w./*…-]+")
WORDS = re.compile(r"`([^`\n]+)`|\]\(([^)#\s]+)\)")
RULE = re.compile(r"^- \*\*(.+?)\*\*", re.M)
HEADING = re.compile(r"^#+ (.+)$", re.M)
LINE_BREAK = re.compile(r"\s*\n\s*(?://|#)?\s*")
CITATION = re.compile(r"""docs/design\.md, (?:the rules? )?((?:(?:, | and )?"[^"]+")+)""")
NOT_BY_NAME = re.compile(r"\brules? \d[^.;]*? of rewriting|\bDESIGN's\b")
SOURCES = {".cpp", ".hpp", ".h", ".py", ".sh"}


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


def find_wrong_citations(source, folders):
    """The citations of docs/design.md that lead nowhere, and the number of all."""
    design = (source / "docs/design.md").read_text(encoding="utf-8")
    names = {name.lower() for name in RULE.findall(design) + HEADING.findall(design)}
    wrong, seen = [], 0
    for folder in sorted(folders):
        for file in sorted((source / folder).rglob("*")):
            if file.suffix not in SOURCES or "node_modules" in file.parts or file.samefile(__file__):
                continue
            text = LINE_BREAK.sub(" ", file.read_text(encoding="utf-8"))
            for cited in CITATION.findall(text):
                for name in re.findall(r'"([^"]+)"', cited):
                    seen += 1
                    if name.lower() not in names:
                        wrong.append(f'{file.relative_to(source)}: docs/design.md has no "{name}"')
            for number in NOT_BY_NAME.findall(text):
                wrong.append(f"{file.relative_to(source)}: cites {number}, not its name")
    return wrong, seen


def find_unlisted(source):
    """The files of docs/ to which the index has no link."""
    index = (source / "docs/README.md").read_text(encoding="utf-8")
    return [f"docs/README.md: has no line for {file.name}" for file in sorted(source.glob("docs/*"))
            if file.name != "README.md" and f"]({file.name})" not in index]


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
    unknown, cited = find_wrong_citations(source, folders)
    wrong += unknown + find_unlisted(source)
    print("\n".join(wrong) or f"{seen} paths in {len(documents)} documents, all there; "
          f"{cited} citations of rules and headings")
    return bool(wrong) or seen == 0 or cited == 0


if __name__ == "__main__":
    sys.exit(main())
