#!/usr/bin/env python3
"""Runs the commands in README.md and docs/*.md, and checks that links between documents lead somewhere.

usage: docs_commands.py TRACEFOLD MAKE_TRACE [--made] [PAGE.md...]
       docs_commands.py TRACEFOLD MAKE_TRACE --in FOLDER [--from HEADING] PAGE.md

A block of commands begins with ```sh (a script) or with ```console (commands behind `$ `, each followed by what it prints on a
terminal of 80 columns: first on stdout, then on stderr). Each block runs in a folder that has the traces and reduced traces that
it names, of the names below; what a block writes is gone before the next one. Every command has to end with status 0, and what
it prints has to be what stands there, if anything does; a line `…` stands for any number of lines. Words behind the language say
otherwise:

  exit=2             the last command ends with this status
  not-run: WHY       it cannot run here, since it needs a viewer, a cluster, another machine, …
  not-compared: WHY  it runs, but prints something else from time to time

Blocks that read lu/, hpccg/ or lulesh/ take the shared traces, and are left out and counted where these are missing, and with --made.
Blocks of docs/jq.md are run by jq_page.py.
With --in, the blocks of a page run one after the other in a folder that is there, as a reader would type them, from this heading on.
With UPDATE=1 what is printed is written into blocks without `…`: read the difference before you commit it.
A page that has commands of which none is run fails, and so does a block without a language that looks like commands.

Options in the text have to be options of the command that stands beside them, and messages in tables of docs/troubleshooting.md have to be in
the source. Links to other files have to lead to a file, and to a heading of it where they name one. What cmake/package.cmake installs may link only
to what it installs as well.
"""

import dataclasses
import difflib
import fcntl
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import threading

from shared_traces import PACKS, ROOT

MADE = {"app": [], "run4": ["--ranks", "4"], "run16": [], "run64": ["--ranks", "64"], "monday": [], "today": [], "big": []}
REDUCED = {"small": "app", "reduced": "app", "monday-small": "monday"}
PACKED = {"lu": "npb_lu_W_64", "hpccg": "hpccg_64", "lulesh": "lulesh_8x2"}
ELSEWHERE = {"docs/jq.md": "jq_page.py"}
LANGUAGES = {"sh", "console"}

FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")


@dataclasses.dataclass
class Block:
    page: str
    line: int
    language: str
    marks: str
    text: str

    def place(self):
        return f"{self.page}:{self.line}"

    def status(self):
        found = re.search(r"\bexit=(\d+)", self.marks)
        return int(found[1]) if found else 0

    def is_marked(self, mark):
        return re.search(rf"\b{mark}: \S", self.marks) is not None

    def commands(self):
        """Pairs of a command and the lines that it has to print, which are None where nothing says it."""
        if self.language == "sh":
            return [(self.text, None)]

        found = []
        for line in self.text.split("\n")[:-1]:
            if line.startswith("$ "):
                found.append([line[2:], []])
            elif found and not found[-1][1] and found[-1][0].endswith("\\"):
                found[-1][0] += "\n" + line
            elif found:
                found[-1][1].append(line)
            else:
                raise ValueError(f"{self.place()}: a console that begins with no command")
        return [(command, lines) for command, lines in found]

    def count(self):
        if self.language == "console":
            return len(self.commands())
        lines = re.sub(r"(\\\n|\n\s*\|)", " ", self.text).split("\n")
        return sum(bool(line.strip()) and not line.startswith("#") for line in lines)


def read_blocks(path, heading=None):
    text = path.read_text(encoding="utf-8")
    begin = re.search(rf"^#+ {re.escape(heading)}$", text, re.MULTILINE).start() if heading else 0
    blocks = []
    for fence in FENCE.finditer(text, begin):
        language, _, marks = fence[1].partition(" ")
        line = text[: fence.start()].count("\n") + 1
        blocks.append(Block(str(path.relative_to(ROOT)), line, language, marks, fence[2]))
    return blocks


def run_script(script, folder, environment):
    """Status and what is printed, with stdout on a terminal of 80 columns."""
    own, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 80, 0, 0))
    process = subprocess.Popen(["bash", "-c", "set -e -o pipefail\n" + script], cwd=folder, env=environment,
                               stdin=subprocess.DEVNULL, stdout=terminal, stderr=subprocess.PIPE)
    os.close(terminal)
    printed, said = [], []
    reader = threading.Thread(target=lambda: said.append(process.stderr.read()))
    reader.start()
    while True:
        try:
            part = os.read(own, 65536)
        except OSError:  # the end of what a terminal reads
            break
        if not part:
            break
        printed.append(part)
    os.close(own)
    reader.join()
    text = b"".join(printed).decode("utf-8", "backslashreplace").replace("\r\n", "\n")
    return process.wait(), text, said[0].decode("utf-8", "backslashreplace")


def make_environment(programs, tracefold, make_trace):
    """That of commands, which find the programs in this folder, which is made."""
    programs.mkdir()
    for name, program in (("tracefold", tracefold), ("make_trace", make_trace)):
        (programs / name).symlink_to(program)
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "TERM": "xterm", "PATH": f"{programs}:{os.environ['PATH']}"}
    environment.pop("COLUMNS", None)
    return environment


class Workshop:
    """A folder with traces, in which blocks run one after the other."""

    def __init__(self, folder, tracefold, make_trace, packs):
        self.packs = packs  # None: without shared traces
        self.folder = folder / "work"
        self.store = folder / "store"
        self.folder.mkdir()
        self.store.mkdir()
        self.environment = make_environment(folder / "bin", tracefold, make_trace)
        for name, options in MADE.items():
            subprocess.run([make_trace, self.store / name, *options], check=True, stdout=subprocess.DEVNULL)
        for name, original in REDUCED.items():
            subprocess.run([tracefold, "reduce", "-q", self.store / original / "traces.otf2", "-o", self.store / name], check=True)
        (self.store / "examples").symlink_to(ROOT / "examples")

    def provide(self, text):
        """Puts everything there that a block reads; False where a shared trace is missing."""
        shutil.rmtree(self.folder)
        self.folder.mkdir()
        for name in PACKED:
            if re.search(rf"\b{name}/", text) and not self.unpack(name):
                return False

        # A plan beside a reduced trace names the original.
        text += " ".join(["", *(original for name, original in REDUCED.items() if re.search(rf"\b{name}\b", text))])
        written = set(re.findall(r"(?:-o|make_trace) (\S+)", text))
        for entry in self.store.iterdir():
            if entry.is_symlink():
                (self.folder / entry.name).symlink_to(os.readlink(entry))
            elif entry.name not in written and re.search(rf"\b{re.escape(entry.name)}\b", text):
                shutil.copytree(entry, self.folder / entry.name, copy_function=os.link)
        return True

    def unpack(self, name):
        pack = self.packs and self.packs / f"{PACKED[name]}.tar.zst"
        if not pack or not pack.exists():
            return False
        if not (self.store / name).exists():
            with tempfile.TemporaryDirectory(dir=self.store.parent) as folder:
                subprocess.run(["tar", "--zstd", "-xf", pack, "-C", folder], check=True)
                next(pathlib.Path(folder).rglob("traces.otf2")).parent.rename(self.store / name)
        return True

    def run(self, script):
        return run_script(script, self.folder, self.environment)


class Place:
    """A folder of somebody else, in which blocks run one after the other."""

    def __init__(self, folder, environment):
        self.folder = folder
        self.environment = environment

    def provide(self, text):
        return True

    def run(self, script):
        return run_script(script, self.folder, self.environment)


def make_steady(text, folder):
    text = text.replace(f"{folder}/", "")
    text = re.sub(r", [0-9.]+ (s|ms)$", ", N s", text, flags=re.MULTILINE)
    text = re.sub(r"(-> (?:about )?)[0-9.]+ [KM]iB", r"\1SIZE", text)  # a plan holds the name of a temporary folder
    return [line.rstrip() for line in text.split("\n")]


def fits(wanted, found):
    """Whether found lines are the wanted ones, of which `…` stands for any number."""
    pattern = "\n".join(".*" if line == "…" else re.escape(line) for line in wanted)
    pattern = pattern.replace("\n.*\n", "\n(?:.*\n)?").replace("\n.*", "(?:\n.*)?")
    return re.fullmatch(pattern, "\n".join(found), re.DOTALL) is not None


def check_block(block, workshop):
    """What is wrong with a block, in words; and its text with what is printed, where that may be put there."""
    commands = block.commands()
    anew, differences = "", []
    for number, (command, wanted) in enumerate(commands, 1):
        status, printed, said = workshop.run(command)
        expected = block.status() if number == len(commands) else 0
        if status != expected:
            return f"{command.rstrip()}\nends with status {status} instead of {expected}: {said.strip()}", None
        if block.language == "console":
            anew += "\n".join([f"$ {command}", *wanted]) + "\n"
        if not wanted or block.is_marked("not-compared"):
            continue

        found = [line for line in make_steady(printed, workshop.folder) + make_steady(said, workshop.folder) if line]
        wanted = [line for line in make_steady("\n".join(wanted), workshop.folder) if line]
        if fits(wanted, found):
            continue
        differences += [command, *difflib.unified_diff(wanted, found, "stands there", "is printed", lineterm="", n=9)]
        if "…" not in wanted:
            printed = (printed + said).replace(f"{workshop.folder}/", "")
            anew = f"{anew[: anew.rindex('$ ' + command)]}$ {command}\n{printed}"
    return "\n".join(differences), anew


def check_page(path, workshop, heading=None):
    """Numbers of commands that were run, marked as not to be run, and without their trace; and what failed."""
    run = marked = missing = 0
    failures = []
    for block in read_blocks(path, heading):
        if block.language not in LANGUAGES:
            if re.search(r"^(\$ |tracefold )", block.text, re.MULTILINE) and not block.language:
                failures.append(f"{block.place()}: commands in a block that is not sh or console")
            continue
        if block.is_marked("not-run"):
            marked += block.count()
        elif not workshop.provide(block.text):
            missing += block.count()
        else:
            run += block.count()
            wrong, anew = check_block(block, workshop)
            if wrong:
                failures.append(f"{block.place()}: {wrong}")
            if wrong and anew and os.environ.get("UPDATE"):
                path.write_text(path.read_text(encoding="utf-8").replace(block.text, anew), encoding="utf-8")
    if run == 0 and marked + missing > 0:
        failures.append(f"{path.relative_to(ROOT)}: has {marked + missing} commands, and none of them was run")
    return run, marked, missing, failures


def find_headings(path):
    """Names of headings, as GitHub makes them."""
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    names = set()
    for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        names.add(re.sub(r"[^\w\- ]", "", words).replace(" ", "-"))
    return names


def find_shipped():
    """Files that the package has in its folder of documentation, as paths in the source."""
    shipped = set()
    text = (ROOT / "cmake" / "package.cmake").read_text()
    for name, value in dict(reversed(re.findall(r"^set\((\w+) (\S+)\)", text, re.MULTILINE))).items():
        text = text.replace(f"${{{name}}}", value)
    commands = re.findall(r"install\((FILES|DIRECTORY) ([^)]*)\)", text)
    for kind, words in commands:
        sources, _, rest = words.partition(" DESTINATION ")
        target = re.match(r"\$\{CMAKE_INSTALL_DATADIR\}/doc/tracefold(\S*)", rest)
        if not target or "RENAME" in rest:
            continue
        for source in sources.split():
            if "$" in source:
                continue
            place = pathlib.PurePosixPath(target[1].strip("/")) / pathlib.PurePosixPath(source).name
            if str(place) != source:
                sys.exit(f"cmake/package.cmake: {source} is not installed at its place, so links to it would not hold")
            shipped |= {ROOT / source} if kind == "FILES" else set((ROOT / source).rglob("*"))
    return shipped


def check_links(paths):
    """What is wrong with links to other files, and how many there are."""
    shipped, failures, count = find_shipped(), [], 0
    for path in paths:
        text = FENCE.sub("", path.read_text(encoding="utf-8"))
        for link in LINK.findall(text):
            if re.match(r"[a-z]+:", link):
                continue
            count += 1
            name, _, heading = link.partition("#")
            target = (path.parent / name).resolve() if name else path
            place = f"{path.relative_to(ROOT)}: the link {link}"
            if not target.exists():
                failures.append(f"{place} leads nowhere")
            elif heading and heading not in find_headings(target):
                failures.append(f"{place} names no heading of {target.name}")
            elif path in shipped and target not in shipped and not any(target in file.parents for file in shipped):
                failures.append(f"{place} leads to a file that the package does not have")
    return failures, count


def check_messages(page):
    """Messages in the first column of a table of this page that the source does not have."""
    sources = [path for folder in ("base", "cli", "emitters", "filters", "lattice", "model", "otf2", "pipeline")
               for path in (ROOT / folder).rglob("*.[ch]pp")]
    source = "\n".join(re.sub(r'"\s*\n\s*"', "", path.read_text(encoding="utf-8")) for path in sources)
    messages = [message for cell in re.findall(r"^\| (`[^|]*`) \|", page.read_text(encoding="utf-8"), re.MULTILINE)
                for message in re.findall(r"`([^`]+)`", cell)]
    failures = []
    for message in messages:
        parts = [part.strip() for part in message.split("…") if part.strip()]
        if not all(part in source for part in parts):
            failures.append(f"{page.relative_to(ROOT)}: no source has the message '{message}'")
    return failures, len(messages)


def read_options(tracefold):
    """The options of each command, as its --help defines them."""
    def ask(*words):
        return subprocess.run([tracefold, *words], check=True, capture_output=True, text=True).stdout

    commands = re.findall(r"^  ([a-z]+) ", ask("--help").partition("Commands:")[2].partition("Examples:")[0], re.MULTILINE)
    return {command: {word for line in re.findall(r"^  -.*", ask(command, "--help-all"), re.MULTILINE)
                      for word in re.findall(r"--[a-z][a-z-]*", line)} for command in commands}


def check_options(pages, tracefold):
    """Options in the text of pages that there are not, or that the command beside them does not have."""
    options = read_options(tracefold)
    every = set().union(*options.values())
    failures, count = [], 0
    for path in pages:
        for code in re.findall(r"`([^`\n]+)`", FENCE.sub("", path.read_text(encoding="utf-8"))):
            words = code.split()
            if words[0] == "tracefold":
                words = words[1:]
            command = words[0] if words and words[0] in options else None
            if command is None and not (words and words[0].startswith("--")):
                continue
            for option in re.findall(r"(?:^|\s)(--[a-z][a-z-]*)", code):
                count += 1
                if option not in options.get(command, every):
                    failures.append(f"{path.relative_to(ROOT)}: there is no {option} in `{code}`")
    return failures, count


def run_in(tracefold, make_trace, folder, heading, page):
    with tempfile.TemporaryDirectory() as programs:
        environment = make_environment(pathlib.Path(programs) / "bin", tracefold, make_trace)
        run, marked, _, failures = check_page(page, Place(pathlib.Path(folder), environment), heading)
    for failure in failures:
        print(f"FAIL: {failure}")
    print(f"{run} commands were run, {marked} are marked as not to be run; {len(failures)} failed")
    return 1 if failures else 0


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    tracefold, make_trace = (os.path.realpath(path) for path in sys.argv[1:3])
    if "--in" in sys.argv:
        words = sys.argv[3:-1]
        heading = words[words.index("--from") + 1] if "--from" in words else None
        return run_in(tracefold, make_trace, words[words.index("--in") + 1], heading, pathlib.Path(sys.argv[-1]).resolve())
    documents = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
    pages = [path for path in documents if path.name == "README.md" or path.parent == ROOT / "docs"]
    named = [pathlib.Path(page).resolve() for page in sys.argv[3:] if page != "--made"]
    pages = named or pages

    failures, links = check_links(documents)
    strange, messages = check_messages(ROOT / "docs" / "troubleshooting.md")
    failures += strange
    strange, options = check_options([path for path in documents if path.name != "CHANGELOG.md"], tracefold)
    failures += strange
    run = marked = missing = 0
    with tempfile.TemporaryDirectory() as folder:
        workshop = Workshop(pathlib.Path(folder).resolve(), tracefold, make_trace, None if "--made" in sys.argv else PACKS)
        for path in pages:
            if str(path.relative_to(ROOT)) in ELSEWHERE:
                continue
            found = check_page(path, workshop)
            run, marked, missing = run + found[0], marked + found[1], missing + found[2]
            failures += found[3]

    for failure in failures:
        print(f"FAIL: {failure}")
    print(f"{run} commands were run, {marked} are marked as not to be run, {missing} take shared traces and were left out; "
          f"{links} links, {messages} messages, {options} options in the text; {len(failures)} failed")
    return 1 if failures or 0 in (run, links, messages, options) else 0


if __name__ == "__main__":
    sys.exit(main())
