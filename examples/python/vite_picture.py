#!/usr/bin/env python3
"""Draws a trace before and after `tracefold reduce`, as ViTE exports both.

usage: vite_picture.py TRACEFOLD TRACE.otf2 FROM TO OUT.png

FROM and TO are seconds, of which the first half is shown. Columns are left out in which ViTE names machines and threads;
the names of processes, the bars and the arrows are its own. Needs Debian's packages vite, librsvg2-bin and pngquant.

The picture in README.md is that of NPB LU on 8 x 8 processes:
    examples/python/vite_picture.py build/release/cli/tracefold npb_lu_W_64/traces.otf2 4.5 5.1 examples/lu_vite.png
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

LEFT, TOP, WIDTH, HEIGHT, GAP = 80, 40, 410, 560, 20  # of the part of ViTE's picture that is shown
SCALE = 1.5
FONTS = {"before": 6.5, "after": 7}  # pixels, so that names are not longer than their columns


def export(anchor, begin, end, folder):
    """What ViTE draws, without the frame of its file."""
    svg = folder / "picture.svg"
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": str(folder), "HOME": str(folder)}
    subprocess.run(["vite", "-f", anchor, "-t", f"{begin}:{end}", "-e", svg], env=environment, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return re.search(r"<svg[^>]*>(.*)</svg>", svg.read_text(), re.DOTALL)[1]


def keep_names_of_processes(drawn):
    """Names that begin elsewhere in the columns of names overlap them."""
    def choose(text):
        x = float(text[1])
        return text[0] if LEFT < x < LEFT + 20 or x >= 2 * LEFT else ""
    return re.sub(r'<text x="([^"]+)".*?</text>', choose, drawn)


def main(tracefold, trace, begin, end, out):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        small = folder / "small"
        subprocess.run([tracefold, "reduce", trace, "-o", small, "--iterations", "off", "--member-metrics", "off"], check=True)

        width = 2 * WIDTH + GAP
        parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT}"><rect width="{width}" '
                 f'height="{HEIGHT}" fill="white"/>']
        for number, (when, anchor) in enumerate((("before", trace), ("after", small / "traces.otf2"))):
            drawn = keep_names_of_processes(export(anchor, begin, end, folder)).replace("stateArea", f"stateArea{number}")
            parts.append(f"<style>.{when} text {{font-size: {FONTS[when]}px}}</style>"
                         f'<svg class="{when}" x="{number * (WIDTH + GAP)}" width="{WIDTH}" height="{HEIGHT}" '
                         f'viewBox="{LEFT} {TOP} {WIDTH} {HEIGHT}">{drawn}</svg>')
        (folder / "both.svg").write_text("".join(parts) + "</svg>")
        subprocess.run(["rsvg-convert", "--zoom", str(SCALE), "--unlimited", folder / "both.svg", "-o", folder / "both.png"], check=True)
        subprocess.run(["pngquant", "--force", "--nofs", "--strip", "16", "-o", out, folder / "both.png"], check=True)


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    main(*sys.argv[1:])
