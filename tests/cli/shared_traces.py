"""What tests on real traces share: which traces they take, and how ranges of numbers are read.

The traces are those of $TRACEFOLD_SHARED/traces, by default of the folder `shared` beside the project;
for some tests those of traces-public beside it, too, which other programs have recorded.
"""
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("TRACEFOLD_SHARED", ROOT.parent / "shared"))
PACKS = SHARED / "traces"
PUBLIC_PACKS = SHARED / "traces-public"


def visit_traces(arguments, few, visit, folders=(PACKS,)):
    """Calls visit(name, anchor file) for traces that are given; else for all shared ones, or with
    --few for those that `few` names. False where there are none.
    """
    is_few = arguments == ["--few"]
    if arguments and not is_few:
        for trace in map(pathlib.Path, arguments):
            visit(trace.parent.name, trace)
        return True

    names = {pack.name.split(".")[0]: pack for folder in folders for pack in sorted(folder.glob("*.tar.zst"))}
    packs = {name: pack for name, pack in names.items() if not is_few or name in few}
    if not packs:
        print(f"no shared traces at {folders[0]}")
        return False

    for name, pack in packs.items():
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["tar", "--zstd", "-xf", pack, "-C", folder], check=True)
            for trace in sorted(pathlib.Path(folder).rglob("*.otf2")):
                visit(name, trace)
    return True


def read_ranges(text):
    """The numbers of 'first-last:step,...'."""
    numbers = []
    for part in text.split(",") if text else []:
        part, _, step = part.partition(":")
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1, int(step or 1))
    return numbers
