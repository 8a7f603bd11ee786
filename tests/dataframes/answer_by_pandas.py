#!/usr/bin/env python3
"""Prints what the questions of docs/dataframes.md give in pandas: JSON, a list of rows for each.

usage: answer_by_pandas.py SOURCE_FOLDER FOLDER_OF_CSV
"""
import json
import sys
from pathlib import Path

try:
    import pandas
except ImportError:
    print("no pandas", file=sys.stderr)
    sys.exit(77)

source, folder = Path(sys.argv[1]), sys.argv[2]
sys.path.insert(0, str(source / "examples/python"))
from table_questions import QUESTIONS  # noqa: E402
from tracefold_tables import Tables  # noqa: E402

answers = []
for ask in QUESTIONS:
    rows = ask(Tables(folder)).astype(object).values.tolist()
    answers.append([[None if pandas.isna(value) else value if isinstance(value, str) else float(value) for value in row] for row in rows])
json.dump(answers, sys.stdout)
