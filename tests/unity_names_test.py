#!/usr/bin/env python3
"""Names in anonymous namespaces differ within a library, since several of its files are compiled as one.

usage: unity_names_test.py ROOT

Types, constants and functions are looked for, functions with the types of their parameters; an alias may stand in several files
where it means the same. Which files are compiled together changes with each new file, so a name that stands twice may break
a build much later.
"""
import collections
import pathlib
import re
import sys

LIBRARIES = ("base", "parquet", "otf2", "model", "lattice", "filters", "emitters", "pipeline", "cli")
UNREAD = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
TYPE = re.compile(r"\b(?:enum class|struct|class|enum)\s+(\w+)[^;{()]*\{")
ALIAS = re.compile(r"\busing\s+(\w+)\s*=\s*([^;]+);")
CONSTANT = re.compile(r"\b(?:constexpr|const|thread_local)\b[^;{}()=]*?\b(\w+)\s*(?:=|\{)")
FUNCTION = re.compile(r"[\w>&*\]]\s+[&*]*(\w+)\s*\(([^{};]*?)\)\s*(?:const\s*)?(?:noexcept\s*)?\{\}")


def find_anonymous(text):
    """What stands directly in anonymous namespaces, with empty braces in place of blocks."""
    text = UNREAD.sub("''", text)
    found = []
    for begin in re.finditer(r"namespace \{", text):
        depth = 1
        for character in text[begin.end():]:
            depth += (character == "{") - (character == "}")
            if depth == 0:
                break
            if depth == 1 and character != "}" or depth == 2 and character == "{":
                found.append(character)
            elif depth == 1:
                found.append("}")
    return "".join(found)


def type_of(parameter):
    return re.sub(r"\s*[&*]*\s*\w*\s*(=.*)?$", "", " ".join(parameter.split()))


def find_names(text):
    """Pairs of a name and what it means."""
    yield from ((name, "a type") for name in TYPE.findall(text))
    yield from ((name, "an alias of " + " ".join(meaning.split())) for name, meaning in ALIAS.findall(text))
    yield from ((name, "a constant") for name in CONSTANT.findall(text))
    for name, parameters in FUNCTION.findall(text):
        yield name, f"a function of ({', '.join(map(type_of, parameters.split(',')))})"


def can_be_together(meanings):
    """Functions with other parameters, and an alias of the same."""
    alike = collections.Counter(meanings)
    if all(meaning.startswith("a function") for meaning in alike):
        return max(alike.values()) == 1
    return len(alike) == 1 and next(iter(alike)).startswith("an alias")


def main():
    root = pathlib.Path(sys.argv[1])
    names, wrong = 0, []
    for library in LIBRARIES:
        found = collections.defaultdict(list)
        for path in sorted((root / library).rglob("*.cpp")):
            for name, meaning in set(find_names(find_anonymous(path.read_text(encoding="utf-8")))):
                found[name].append((str(path.relative_to(root)), meaning))
        names += len(found)
        for name, places in found.items():
            if len({path for path, _ in places}) > 1 and not can_be_together([meaning for _, meaning in places]):
                wrong.append(f"{library}: {name} is " + ", ".join(f"{meaning} in {path}" for path, meaning in places))
    print("\n".join(wrong))
    print(f"{names} names, {len(wrong)} of them stand for several things")
    return bool(wrong) or names < 1000


if __name__ == "__main__":
    sys.exit(main())
