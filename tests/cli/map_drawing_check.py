"""Checks a drawing of a map against CSV and plan: map_drawing_check.py SVG MAP.csv PROCESSES.csv PLAN.json [--reduced]

MAP.csv is of --csv map and all processes, a bin for each value; PROCESSES.csv of --csv processes.
The pictures inside of the drawing are decoded here, without libpng, and each pixel is compared with
the linear scale of the values: of the original those of the CSV, of the reconstruction those of
what stands for process and iteration by the plan. With --reduced the drawing is of a reduced trace: one
picture, of what the CSV of that trace has; PLAN.json is what stands beside it.
"""
import base64
import csv
import json
import struct
import sys
import xml.etree.ElementTree as xml
import zlib

from shared_traces import read_ranges


def read_png(data):
    """Width, height and rows of palette indexes; the palette."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + body)
        if kind == b"IHDR":
            width, height, depth, colours = struct.unpack(">IIBB", body[:10])
            assert (depth, colours) == (8, 3), "8 bits of a palette"
        elif kind == b"PLTE":
            palette = [tuple(body[k:k + 3]) for k in range(0, length, 3)]
        elif kind == b"IDAT":
            packed += body
        at += 12 + length

    raw, rows, above = zlib.decompress(packed), [], [0] * width
    for y in range(height):
        way, row = raw[y * (width + 1)], list(raw[y * (width + 1) + 1:(y + 1) * (width + 1)])
        for x in range(width):
            left, up, corner = (row[x - 1] if x else 0), above[x], (above[x - 1] if x else 0)
            near = min((left, up, corner), key=lambda v: (abs(left + up - corner - v)))
            row[x] = row[x] + [0, left, up, (left + up) // 2, near][way] & 255
        rows.append(row)
        above = row
    return width, height, rows, palette


def choose_level(value, low, high):
    return (value - low) / (high - low) * 254


def reconstruct(plan, values, ids):
    """What stands for each process and iteration by the plan."""
    loop = plan["iterations"]["loops"][0]
    kept = read_ranges(loop["kept"])
    stands_for = {str(member): r["representative"] for r in plan["representatives"] for member in read_ranges(r["members"])}
    return [[values[stands_for[id]][kept[of]] for of in loop["kept_of"]] for id in ids]


def main():
    svg, of_map, of_processes, plan = sys.argv[1:5]
    is_reduced = "--reduced" in sys.argv
    tree = xml.parse(svg)
    href = "{http://www.w3.org/1999/xlink}href"
    images = [element.get(href) for element in tree.iter("{http://www.w3.org/2000/svg}image")]
    images = [read_png(base64.b64decode(image.partition("base64,")[2], validate=True)) for image in images]

    plan = json.load(open(plan))
    rows = list(csv.reader(open(of_map, newline="")))[1:]
    values = {row[0]: [float(v) for v in row[2:]] for row in rows}
    ids = [row["location"] for row in
           sorted(csv.DictReader(open(of_processes, newline="")), key=lambda row: (int(row["rank"]), int(row["thread"])))]
    iterations = len(next(iter(values.values())))

    kept = read_ranges(plan["iterations"]["loops"][0]["kept"])
    original = [values[id] for id in ids]
    shown = [original] if is_reduced else [original, reconstruct(plan, values, ids)]
    assert is_reduced or shown[0] != shown[1]
    every = [value for rows in shown for row in rows for value in row]

    assert len(images) == len(shown) + 1, "maps and the scale"
    for (width, height, pixels, palette), rows in zip(images, shown):
        assert width <= 1000 and height <= 1000
        across, down = width // iterations, height // len(ids)
        assert (width, height) == (across * iterations, down * len(ids))
        for r, row in enumerate(rows):
            for i, value in enumerate(row):
                found = {pixels[r * down + y][i * across + x] for y in range(down) for x in range(across)}
                level = choose_level(value, min(every), max(every))
                assert len(found) == 1 and abs(found.pop() - level) < 0.51, (r, i, value)
    assert palette[0] == (0x44, 0x01, 0x54) and palette[254] == (0xfd, 0xe7, 0x25)

    # Marks of iterations and processes that stay, in one path of lines.
    marks = [e.get("d") for e in tree.iter("{http://www.w3.org/2000/svg}path") if e.get("stroke") == "#000000"]
    assert marks[0].count("v-7") == len(kept) and marks[0].count("h7") == (0 if is_reduced else len(plan["representatives"])), marks[0]


main()
