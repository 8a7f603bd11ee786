// Asks the questions of docs/dataframes.md by DuckDB, and compares with what they give in pandas where that is there.
//
// usage: node ask_tables.mjs DATAFRAMES.md FOLDER_OF_PARQUET [ANSWERS.json]
import { readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";

const [page, folder, answers] = process.argv.slice(2);
const connection = await (await DuckDBInstance.create(":memory:")).connect();
const questions = [...readFileSync(page, "utf8").matchAll(/```sql\n(.*?)```/gs)].map((match) => match[1]);
const expected = answers ? JSON.parse(readFileSync(answers, "utf8")) : [];
process.chdir(folder);
let wrong = 0;
let rowsOfAll = 0;

const simple = (value) => (value === null || typeof value === "string" ? value : Number(value));
const equal = (one, other) =>
  typeof one === "number" && typeof other === "number"
    ? Math.abs(one - other) <= 1e-9 * Math.max(Math.abs(one), Math.abs(other))
    : one === other;

for (const [k, sql] of questions.entries()) {
  const rows = (await connection.runAndReadAll(sql)).getRows().map((row) => row.map(simple));
  rowsOfAll += rows.length;
  console.log(`question ${k + 1}: ${rows.length} rows`);
  if (!answers) continue;
  const wanted = expected[k] ?? [];
  const same = rows.length === wanted.length && rows.every((row, i) => row.every((value, c) => equal(value, wanted[i][c])));
  if (!same) {
    wrong++;
    console.log(`question ${k + 1}: DuckDB says\n${JSON.stringify(rows)}\nand pandas\n${JSON.stringify(wanted)}`);
  }
}
console.log(`${questions.length} questions, ${rowsOfAll} rows, ${wrong} answers differ`);
process.exit(wrong > 0 || questions.length !== 10 ? 1 : 0);
