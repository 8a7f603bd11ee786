#!/usr/bin/env bash
# Opens .json and .json.gz in speedscope, and compares the profiles and calls that it sees with those of the file.
# speedscope and what drives Chromium come from npm. usage: speedscope.sh TRACEFOLD MAKE_TRACE   (77: no npm, node or
# Chromium)
for program in npm node; do
  command -v $program > /dev/null || { echo "no $program"; exit 77; }
done
CHROMIUM=$(command -v chromium) || { echo "no chromium"; exit 77; }
export CHROMIUM
. "$(dirname "$0")/lib.sh"

npm install --prefix "$work/npm" --no-audit --no-fund --silent speedscope@1 playwright-core@1 > /dev/null

trace_in app --ranks 16 --threads 4 --iterations 20
"$TRACEFOLD" reduce app/traces.otf2 -o made.json -q
"$TRACEFOLD" write app/traces.otf2 -o whole.json.gz -q
files=(made.json whole.json.gz)
packs=${TRACEFOLD_SHARED:-$root/../shared}/traces
for name in npb_lu_W_64 hpccg_16 luleshph_8x4; do
  [ -e "$packs/$name.tar.zst" ] || continue
  mkdir "$name"
  tar --zstd -xf "$packs/$name.tar.zst" -C "$name"
  "$TRACEFOLD" reduce "$(find "$name" -name traces.otf2)" -o "$name.json" -q 2> /dev/null
  files+=("$name.json")
done

expect 0 node "$here/speedscope.mjs" "$work/npm" "${files[@]}"
cat err.txt
check "speedscope sees other profiles" python3 - out.txt "${files[@]}" <<'END'
import collections, gzip, json, sys

seen = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
assert len(seen) == len(sys.argv) - 2, "not all files were opened"
for file, of in zip(sys.argv[2:], seen):
    with (gzip.open if file.endswith(".gz") else open)(file) as text:
        events = json.load(text)["traceEvents"]
    names = {(e["pid"], e.get("tid")): e["args"]["name"] for e in events if e["name"] in ("process_name", "thread_name")}
    open_calls, calls, times = collections.defaultdict(list), collections.Counter(), collections.defaultdict(list)
    for event in sorted((e for e in events if e["ph"] in "BE"), key=lambda e: e["ts"]):
        key = event["pid"], event["tid"]
        times[key].append(event["ts"])
        if event["ph"] == "B":
            open_calls[key].append(event["ts"])
        else:  # it draws nothing of calls that take no time
            calls[key] += event["ts"] > open_calls[key].pop()
    expected = {f"{names[p, None]} (pid {p}), {names[p, t]} (tid {t})": (calls[p, t], max(of_thread) - min(of_thread))
                for (p, t), of_thread in times.items()}
    found = {profile["name"]: (profile["calls"], profile["time"]) for profile in of["profiles"]}
    assert expected.keys() == found.keys(), (file, expected.keys() ^ found.keys())
    for name, (number, time) in expected.items():
        assert found[name][0] == number, (file, name, number, found[name])
        assert abs(found[name][1] - time) < 0.01, (file, name, time, found[name])
    print(f"{file}: {len(found)} profiles, {sum(n for n, _ in found.values())} calls")
END

finish
