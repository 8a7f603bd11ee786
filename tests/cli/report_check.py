#!/usr/bin/env python3
"""Checks a page that `tracefold report` wrote: report_check.py TRACEFOLD PAGE TRACE.otf2... [--against A.otf2]

Reads the page as a browser without scripts does, by python's html.parser, and its data by zlib and json.
Its sections stand in order; it refers to nothing outside of itself; its policy allows its own script and
style and nothing else; columns of numbers have the sizes that the data claims; and its numbers are those
of `tracefold summary --format json`. Shares no code with tracefold.
"""
import array
import base64
import hashlib
import html.parser
import json
import math
import re
import subprocess
import sys
import tempfile
import unicodedata
import urllib.parse
import zlib

SECTIONS = ["headline", "overview", "timeline", "groups", "waits", "iterations", "functions", "calls", "communication",
            "structure", "fold"]
TAGS = set("""html head meta title style body header h1 h2 h3 p a b main section div figure figcaption span small table caption thead tbody tr th
td bdi q svg rect path text ul li code footer details summary pre script data wbr""".split())
OF_DRAWINGS = set("""xmlns font-family font-size font-weight fill fill-opacity stroke stroke-width""".split())
ATTRIBUTES = set("""lang charset http-equiv content name id class href scope tabindex aria-hidden width height viewbox preserveaspectratio
x y d text-anchor type title role open""".split())
VOID = {"meta", "br", "hr", "img", "input", "link", "wbr"}


class Page(html.parser.HTMLParser):
    """Elements in order: (tag, attributes, ids of the sections around it), and the text in each id."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.elements, self.texts, self.scripts, self.style = [], [], {}, [], ""
        self.rows = []  # (section, attributes, cells)
        self.cell = None
        self.feed(text)
        self.close()
        assert not self.open, f"elements are not closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        assert tag in TAGS, f"an element of a kind that no page has: {tag}"
        for name in attributes:
            assert name in ATTRIBUTES | OF_DRAWINGS or name.startswith("data-"), f"<{tag} {name}>"
        self.elements.append((tag, attributes))
        if tag in VOID:
            return
        self.open.append((tag, attributes))
        if tag == "script":
            self.scripts.append([attributes, ""])
        if tag == "tr":
            self.rows.append((self.section(), attributes, []))
        if tag in ("td", "th"):
            self.rows[-1][2].append("")

    def handle_endtag(self, tag):
        assert self.open and self.open[-1][0] == tag, f"</{tag}> where {self.open[-1:]} is open"
        self.open.pop()

    def section(self):
        for tag, attributes in self.open:
            if tag in ("section", "header", "footer"):
                return attributes.get("id", tag)
        return ""

    def handle_data(self, text):
        if not self.open:
            assert not text.strip(), f"text outside of all elements: {text!r}"
            return
        tag, attributes = self.open[-1]
        if tag == "script":
            self.scripts[-1][1] += text
        elif tag == "style":
            self.style += text
        else:
            text = text.replace("\u00a0", " ")  # inside of numbers
            self.texts[self.section()] = self.texts.get(self.section(), "") + text
            for tag, attributes in self.open:
                if "class" in attributes:
                    key = f"{self.section()}.{attributes['class']}"
                    self.texts[key] = self.texts.get(key, "") + text
            if any(tag in ("td", "th") for tag, _ in self.open):
                self.rows[-1][2][-1] += text


def near(a, b):
    return math.isclose(a, b, rel_tol=1e-7, abs_tol=1e-12)


def check_text(page):
    for section, text in page.texts.items():
        for character in text:
            kind = unicodedata.category(character)
            assert character in "\n\u200c\u200d" or kind not in ("Cc", "Cf", "Cs", "Zl", "Zp"), \
                f"{section}: U+{ord(character):04X}"


def check_policy(page):
    policies = [a["content"] for tag, a in page.elements if tag == "meta" and "http-equiv" in a]
    assert len(policies) == 1 and policies[0].startswith("default-src 'none'; "), policies
    script = [text for attributes, text in page.scripts if "type" not in attributes]
    assert len(script) == 1 and len(page.scripts) == 3, [a for a, _ in page.scripts]

    def name(text):
        return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"
    words = dict(directive.strip().split(" ", 1) for directive in policies[0].split(";"))
    assert words["script-src"] == name(script[0]), "the policy does not allow the script"
    assert words["style-src"] == name(page.style), "the policy does not allow the style"
    assert "connect-src" not in words and "unsafe" not in policies[0]
    for tag, attributes in page.elements:
        if "href" in attributes:
            assert attributes["href"].startswith("#"), attributes


class Columns:
    SIZES = {"u8": "B", "u16": "H", "u32": "I", "f32": "f"}

    def __init__(self, text):
        self.bytes = zlib.decompress(base64.b64decode(text, validate=True))

    def get(self, column, length=None):
        values = array.array(self.SIZES[column["type"]])
        begin, end = column["at"], column["at"] + column["length"] * values.itemsize
        assert column["at"] % 4 == 0 and end <= len(self.bytes), column
        if length is not None:
            assert column["length"] == length, (column, length)
        values.frombytes(self.bytes[begin:end])
        if sys.byteorder == "big":
            values.byteswap()
        return values


def check_cells(columns, cells, map_, processes, groups, group_of, is_by_group):
    rows = cells["rows"]
    first = columns.get(cells["firstOfRow"], rows)
    order = columns.get(cells["order"])
    assert len(set(order)) == len(order) and all(p < processes for p in order)
    assert list(first) == sorted(set(first)) and (not rows or first[0] == 0)
    for which in ("largest", "average"):
        of = cells[which]
        values = columns.get(of["cells"], rows * map_["columns"])
        assert of["low"] <= of["high"]
        if of["cells"]["type"] == "u8":
            assert all(level <= 63 or level == 255 for level in values)
        else:
            assert len(values) <= 10000
            assert all(math.isnan(value) or 0.999 * of["low"] <= value <= 1.001 * of["high"] for value in values)
    if is_by_group and not cells.get("groupsShareRows"):
        for row in range(rows):
            end = first[row + 1] if row + 1 < rows else len(order)
            assert len({group_of[p] for p in order[first[row]:end]}) == 1, "a row is of two groups"


def check_data(page):
    texts = {attributes.get("id"): text for attributes, text in page.scripts}
    data, columns = json.loads(texts["report-data"]), Columns(texts["report-columns"])
    assert data["version"] == 1
    processes, groups = data["processes"], data["groups"]
    group_of = columns.get(data["groupOf"], processes)
    for g, group in enumerate(groups):
        assert list(group_of).count(g) == group["members"], group
        assert all(group_of[p] == g for p in group["representatives"]), group
    assert "rank" in data or len(data["names"]) == processes
    if "rank" in data:
        keys = list(zip(columns.get(data["rank"], processes),
                        columns.get(data["thread"], processes) if "thread" in data else [0] * processes))
        assert keys == sorted(keys), "processes are not in the order of ranks"
    for loop in data["loops"]:
        assert all(0 <= kept < loop["iterations"] for kept in loop["kept"])
        for map_ in loop["maps"]:
            assert map_["columns"] <= 1000 and map_["byRank"]["rows"] <= 1000
            least, mean, most = (columns.get(map_[key], map_["columns"]) for key in ("minimum", "mean", "maximum"))
            for a, b, c in zip(least, mean, most):
                assert math.isnan(b) or a <= b * 1.0001 + 1e-9 and b <= c * 1.0001 + 1e-9, (a, b, c)
            for key in ("byRank", "byGroup"):
                check_cells(columns, map_[key], map_, processes, groups, group_of, key == "byGroup")
    if "waits" in data:
        calls = [a for tag, a in page.elements if "data-wait" in a]
        columns.get(data["waits"]["groupTotal"], len(groups))
        parts = columns.get(data["waits"]["groupOfCall"], len(calls) * len(groups))
        for k, call in enumerate(calls):
            waiting = sum(parts[k * len(groups):(k + 1) * len(groups)])
            assert math.isclose(waiting, float(call["data-seconds"]), rel_tol=1e-4, abs_tol=1e-9), (call, waiting)
    if "functions" in data:
        functions = data["functions"]
        size = len(functions["names"])
        columns.get(functions["total"], size), columns.get(functions["visits"], size)
        boxes = columns.get(functions["boxes"], size * len(groups) * 5)
        for at in range(0, len(boxes), 5):
            assert list(boxes[at:at + 5]) == sorted(boxes[at:at + 5])
        for of_all, of_groups in (("total", "groupTotal"), ("visits", "groupVisits")):
            parts = columns.get(functions[of_groups], size * len(groups))
            for f, value in enumerate(columns.get(functions[of_all], size)):
                wanted = sum(parts[f * len(groups):(f + 1) * len(groups)])
                assert math.isclose(value, wanted, rel_tol=1e-4, abs_tol=1e-9), (of_all, f, value, wanted)
    if "ranks" in data:
        bars = columns.get(data["ranks"]["processes"])
        assert len(bars) <= 1000 and all(p < processes for p in bars)
        columns.get(data["ranks"]["seconds"], len(bars) * len(data["ranks"]["kinds"]))
    if "calls" in data:
        calls = data["calls"]
        size = len([a for tag, a in page.elements if "data-call" in a])
        inclusive, exclusive = (columns.get(calls[key], size) for key in ("inclusive", "exclusive"))
        assert all(a >= b * 0.9999 for a, b in zip(inclusive, exclusive))
        for of_all, key in ((inclusive, "groupInclusive"), (exclusive, "groupExclusive")):
            parts = columns.get(calls[key], size * len(groups))
            for k, value in enumerate(of_all):
                wanted = sum(parts[k * len(groups):(k + 1) * len(groups)])
                assert math.isclose(value, wanted, rel_tol=1e-4, abs_tol=1e-9), (key, k, value, wanted)
    if "timeline" in data:
        timeline = data["timeline"]
        rows, size = len(timeline["rows"]), len(timeline["names"])
        assert 0 < rows <= 64 and 0 < size <= 255 and len(timeline["kinds"]) == size
        for level in timeline["levels"]:
            cells = columns.get(level["functions"], rows * level["cells"])
            assert all(cell < size or cell == 255 for cell in cells)
        count = timeline["from"]["length"]
        assert count <= min(4000, timeline["allMessages"])
        for key in ("from", "to"):
            assert all(row < rows for row in columns.get(timeline[key], count))
        for key in ("sent", "received"):
            assert all(0 <= time <= timeline["seconds"] * 1.0001 for time in columns.get(timeline[key], count))
    if "matrix" in data:
        matrix = data["matrix"]
        assert matrix["size"] == len(matrix["rowNames"]) <= 256
        for metric in matrix["metrics"]:
            columns.get(metric["values"], matrix["size"] ** 2)
    if "similarity" in data:
        similarity = data["similarity"]
        values = columns.get(similarity["values"], similarity["size"] ** 2)
        assert len(similarity["groups"]) == similarity["size"] and all(0 <= v <= 1.000001 for v in values)
    if "grid" in data:
        grid = data["grid"]
        places = columns.get(grid["places"], processes) if "places" in grid else range(processes)
        assert all(place < math.prod(grid["sizes"]) or place == 0xffffffff for place in places)
        assert len(grid["colours"]) == len(groups)
        if "clusters" in grid:
            of = columns.get(grid["clusterOf"], processes)
            assert max(of) < len(grid["clusters"]), grid["clusters"]
    if "poset" in data:
        poset = data["poset"]
        for node in poset["nodes"]:
            assert 0 <= node["x"] <= poset["width"] and 0 <= node["y"] <= poset["height"]
            assert all(g < len(groups) for g in node["groups"])
        for edge in poset["edges"]:
            assert edge[0] > edge[1] and edge[0] < len(poset["nodes"]) and len(edge) % 2 == 0
    return data


def check_links(page, data):
    """The finding leads to what is there."""
    link = next(a["href"] for tag, a in page.elements if tag == "a" and "href" in a)
    ids = {a["id"] for _, a in page.elements if "id" in a}
    assert link[1:] in ids, link  # without scripts
    if not link.startswith("#view="):
        return
    state = dict(urllib.parse.parse_qsl(link[1:]))
    views = {a["data-view"] for _, a in page.elements if "data-view" in a}
    assert state["view"] in views, link
    if state["view"] == "iterations":
        maps = data["loops"][int(state["loop"])]["maps"]
        assert state["metric"] in [map_["metric"] for map_ in maps], link
    if state["view"] == "matrix":
        assert state["metric"] in [metric["metric"] for metric in data["matrix"]["metrics"]], link
    if "group" in state:
        assert int(state["group"]) < len(data["groups"]), link
    if "function" in state:
        assert int(state["function"]) < len(data["functions"]["names"]), link


def find_rows(page, section, attribute):
    return [(attributes, cells) for where, attributes, cells in page.rows if where == section and attribute in attributes]


def make_plain(text):
    """As a page shows it; names may be hostile."""
    return re.sub(r"\W+|U\+[0-9A-F]+", "", text)


def check_numbers(page, run, runs):
    headline = run["headline"][0]
    shown = page.texts["headline.finding"]
    if headline.isprintable():
        assert shown == headline[0].upper() + headline[1:], (shown, headline)

    efficiencies = {}
    for tag, attributes in page.elements:
        if "data-efficiency" in attributes and attributes.get("class", "").startswith("efficiency"):
            last = attributes["data-efficiency"]
            efficiencies[last] = None
        elif attributes.get("class") == "value" and "data-value" in attributes and efficiencies:
            efficiencies[last] = float(attributes["data-value"])
    for key, value in efficiencies.items():
        wanted = run["efficiencies"][key]
        assert (value is None) == (wanted is None) and (value is None or near(value, wanted)), (key, value, wanted)
    known = [key for key, value in run["efficiencies"].items() if value is not None and key != "computation_scaling"]
    assert set(known) <= set(efficiencies), (known, efficiencies)

    paradigms = [float(a["data-seconds"]) for a, _ in find_rows(page, "functions", "data-seconds")
                 if "data-function" not in a]
    wanted = [paradigm["seconds"] for paradigm in run["paradigms"]]
    assert len(paradigms) == len(wanted) and all(map(near, paradigms, wanted)), (paradigms, wanted)

    waits = [float(a["data-seconds"]) for a, _ in find_rows(page, "waits", "data-seconds")]
    wanted = [wait["waiting_s"] for wait in run["waits"]][:len(waits)]
    assert all(map(near, waits, wanted)) and bool(waits) == bool(run["waits"]), (waits, wanted)

    functions = find_rows(page, "functions", "data-function")
    is_around = "between MPI_Init and MPI_Finalize" in page.texts["functions"] and run["scope"] == "loop"
    by_name = {make_plain(call["function"]): call["seconds"] for call in run["calls"]}
    assert functions or not run["calls"], "no functions"
    for attributes, cells in functions:
        wanted = by_name.get(make_plain(cells[0]))
        assert is_around or wanted is None or near(float(attributes["data-seconds"]), wanted), (cells, wanted)
    assert not run["calls"] or sum(make_plain(c[0]) in by_name for _, c in functions) > 0

    ranges = [attributes for tag, attributes in page.elements if "data-least" in attributes]
    groups = {(round(g["min_s"], 9), round(g["average_s"], 9), round(g["max_s"], 9)) for g in run["groups"]}
    shown = {tuple(round(float(a[key]), 9) for key in ("data-least", "data-mean", "data-most")) for a in ranges}
    missing = [one for one in groups if not any(all(near(a, b) or abs(a - b) < 2e-9 for a, b in zip(one, other))
                                                for other in shown)]
    assert not missing or len(run["groups"]) > 200, (missing, shown)

    if len(runs) > 1:
        for attributes, cells in find_rows(page, "overview", "data-efficiency"):
            key = attributes["data-efficiency"]
            if key == "global":
                continue
            wanted = [one["efficiencies"][key] for one in runs]
            for text, value in zip(cells[1:], wanted):
                assert text.startswith("not known" if value is None else f"{value:.3f}"), (key, cells, wanted)


def check_programs(text, tracefold, trace):
    """What groups communicate is what `group --skeleton` prints."""
    def make_lines(of):
        return [re.sub(r"(?<=\d) (?=\d{3}\b)", "", " ".join(line.split())) for line in of.rstrip("\n").split("\n")]
    shown = [(html.unescape(title), make_lines(html.unescape(program).replace("\u00a0", " ")))
             for title, program in re.findall(r'<details class="skeleton".*?<summary>(.*?)</summary><pre>(.*?)</pre>', text, re.S)]
    printed = subprocess.run([tracefold, "group", trace, "--by", "signature", "--skeleton", "-q"], capture_output=True,
                             text=True)
    blocks = printed.stdout.split("\n\n")[:-1] if printed.returncode == 0 else []
    assert len(shown) == min(16, len(blocks)), (len(shown), len(blocks))
    for (title, lines), block in zip(shown, blocks):
        wanted = make_lines(block)
        assert title.replace("\u00a0", " ") == wanted[0], (title, wanted[0])
        def leave_out_waits(of):  # of these the page has four
            return [line for line in of if not line.startswith("(")]
        lines, wanted = leave_out_waits(lines), leave_out_waits(wanted[1:])
        most = 50 if len(wanted) > 60 else len(wanted) + 1
        assert lines[:most] == wanted[:most], (lines, wanted)
    return len(shown)


def check_kinds(text, data, tracefold, trace):
    """The drawing of the main loop is that of `iterations -o`; what has no ranks may take its loop from another thread,
    and then its page has other begins and ends of iterations."""
    drawn = re.findall(r'<figure class="by-kind.*?>(<svg.*?</svg>)', text, re.S)
    with tempfile.TemporaryDirectory() as folder:
        printed = subprocess.run([tracefold, "iterations", trace, "-o", f"{folder}/kinds.svg", "-q"])
        if printed.returncode == 0 and "rank" in data:
            wanted = open(f"{folder}/kinds.svg", encoding="utf-8").read().strip()
            assert wanted in [one.replace("\u00a0", " ") for one in drawn], (wanted, drawn)
    return len(drawn)


def main():
    arguments = sys.argv[1:]
    against = None
    if "--against" in arguments:
        at = arguments.index("--against")
        against = arguments[at + 1]
        del arguments[at:at + 2]
    tracefold, name, *traces = arguments
    text = open(name, "rb").read().decode("utf-8")
    page = Page(text)
    ids = [a["id"] for tag, a in page.elements if tag in ("section", "header") and "id" in a]
    if "critical" in ids:  # where the run was played
        assert ids.pop(ids.index("critical")) and ids[ids.index("waits") - 1] == "groups", ids
    assert ids == SECTIONS[:1] + (["changes"] if against else []) + SECTIONS[1:], ids
    for section in SECTIONS:
        assert page.texts.get(section, "").strip(), f"section {section} is empty"
    check_text(page)
    check_policy(page)
    data = check_data(page)
    check_links(page, data)
    summary = subprocess.run([tracefold, "summary", *traces, "--format", "json", "-q"], check=True, capture_output=True)
    runs = json.loads(summary.stdout)["runs"]
    check_numbers(page, runs[0], runs)
    if against:
        compared = subprocess.run([tracefold, "compare", against, traces[0], "--format", "json", "-q"], check=True,
                                  capture_output=True)
        headline = json.loads(compared.stdout)["headline"]
        assert page.texts["changes.finding"] == headline, (page.texts["changes.finding"], headline)
    programs = check_programs(text, tracefold, traces[0])
    kinds = check_kinds(text, data, tracefold, traces[0])
    print(f"{name}: {len(text)} characters, {len(data['groups'])} groups, {len(data['loops'])} loops, "
          f"{programs} programs, {kinds} drawings")


if __name__ == "__main__":
    main()
