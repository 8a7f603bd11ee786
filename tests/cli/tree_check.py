#!/usr/bin/env python3
"""Holds the system tree of a written trace against the original, by python3-otf2.

    tree_check.py machine|groups ORIGINAL WRITTEN   where each process stands, and what is said of it
    tree_check.py events ORIGINAL WRITTEN           both hold the same records, location by location

Shares no code with the project. Prints what is wrong, and what was compared.
"""

import sys

import otf2


def path_of(node):
    names = []
    while node is not None:
        names.insert(0, f"{node.class_name}::{node.name}")
        node = node.parent
    return " / ".join(names)


def nodes_above(group):
    nodes, node = [], group.system_tree_parent
    while node is not None:
        nodes.insert(0, node)
        node = node.parent
    return nodes


def properties(definition):
    return {name: p.value for name, p in (definition._properties or {}).items()}


def compare_trees(shown, original, written):
    wrong, compared = [], 0
    was = {location._ref: location for location in original.definitions.locations}
    groups, numbers = {}, []
    is_added = {node: "tracefold::tree" in properties(node) for node in written.definitions.system_tree_nodes}
    has_rows = set()
    for location in written.definitions.locations:
        said, group = properties(location), location.group
        source = was[said["tracefold::source"]].group
        nodes = nodes_above(group)
        has_rows.update(nodes)
        compared += 1
        if shown == "machine":
            if path_of(group.system_tree_parent) != path_of(source.system_tree_parent):
                wrong.append(f"{group.name} is elsewhere")
            continue

        place = path_of(source.system_tree_parent)
        if properties(group).get("tracefold::node", "") != place:
            wrong.append(f"{group.name} does not say {place}")
        if group not in groups or (groups[group] is None and "tracefold::group" in said):
            groups[group] = said.get("tracefold::group")
        if [is_added[node] for node in nodes] != sorted(is_added[node] for node in nodes):
            wrong.append(f"{group.name}: a node of the machine is below a group")

    for group, number in groups.items():
        classes = [node.class_name for node in nodes_above(group) if is_added[node]]
        found = [properties(node).get("tracefold::group") for node in nodes_above(group) if node.class_name == "group"]
        expected = ["partners"] if number is None else ["group"]
        if [c for c in classes if c in ("partners", "group")] != expected or (number is not None and found != [number]):
            wrong.append(f"{group.name} of group {number} is below {classes} {found}")
    if shown == "groups":
        wrong += [f"nothing is below {node.name}" for node, added in is_added.items() if added and node not in has_rows]
        names = {g.name.split(": ", 1)[1] for g in written.definitions.groups if g.name.startswith("tracefold group ")}
        wrong += [f"no group is called {node.name}" for node in is_added if is_added[node] and node.class_name == "group" and node.name not in names]
    return wrong, compared


def describe(value):
    """A definition by its kind and name, whatever its id."""
    if isinstance(value, (list, tuple)):
        return [describe(v) for v in value]
    if isinstance(value, dict):
        return sorted((describe(k), describe(v)) for k, v in value.items())
    return f"{type(value).__name__} {getattr(value, 'name', '')}" if hasattr(value, "_ref") else repr(value)


def read_records(trace, source_of):
    records = {}
    for location, event in trace.events:
        fields = sorted((name, describe(value)) for name, value in vars(event).items())
        records.setdefault(source_of(location), []).append((type(event).__name__, str(fields)))
    return records


def compare_events(original, written):
    before = read_records(original, lambda location: location._ref)
    after = read_records(written, lambda location: properties(location)["tracefold::source"])
    wrong = []
    for location in sorted(set(before) | set(after)):
        was, now = before.get(location, []), after.get(location, [])
        # Calls that are still open where a location ends are left there.
        if now[:len(was)] != was or any(kind != "Leave" for kind, _ in now[len(was):]):
            wrong.append(f"location {location} has other records")
    return wrong, sum(map(len, before.values()))


def main():
    what, *paths = sys.argv[1:]
    with otf2.reader.open(paths[0]) as original, otf2.reader.open(paths[1]) as written:
        wrong, compared = compare_events(original, written) if what == "events" else compare_trees(what, original, written)
    print("\n".join(wrong[:5]) + f"\n{compared} compared, {len(wrong)} wrong")
    sys.exit(bool(wrong) or compared == 0)


if __name__ == "__main__":
    main()
