// Compares exported Parquet with the same tables as CSV, value by value in DuckDB, and what DuckDB
// reads with what hyparquet reads.
//
// usage: node read_tables.mjs FOLDER_OF_PARQUET FOLDER_OF_CSV
import { existsSync, readdirSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";

const [parquet, csv] = process.argv.slice(2);
const connection = await (await DuckDBInstance.create(":memory:")).connect();
const ask = async (sql) => (await connection.runAndReadAll(sql)).getRowObjects();
let values = 0;
let wrong = 0;

function fail(words) {
  console.log(words);
  wrong++;
}

for (const file of readdirSync(parquet).sort()) {
  const table = file.replace(".parquet", "");
  const path = `${parquet}/${file}`;
  const columns = await ask(`describe select * from '${path}'`);
  const types = columns.map((c) => `'${c.column_name}': '${c.column_type}'`).join(", ");
  const rows = await ask(`select * from '${path}'`);
  values += rows.length * columns.length;

  // No text of CSV is both missing and empty: a missing one is empty there.
  const texts = columns.filter((c) => c.column_type === "VARCHAR").map((c) => c.column_name);
  const shown = columns
    .map(({ column_name: name }) => (texts.includes(name) ? `coalesce("${name}", '')` : `"${name}"`))
    .join(", ");
  const from_csv = `read_csv('${csv}/${table}.csv', header = true, columns = {${types}}, auto_detect = false, quote = '"', escape = '"', nullstr = '')`;
  if (!existsSync(`${csv}/${table}.csv`)) {
    fail(`${table}: there is no CSV`);
    continue;
  }
  for (const [one, other] of [[`'${path}'`, from_csv], [from_csv, `'${path}'`]]) {
    const [{ n }] = await ask(`select count(*) n from (select ${shown} from ${one} except all select ${shown} from ${other})`);
    if (n !== 0n) fail(`${table}: ${n} rows differ between Parquet and CSV`);
  }

  const objects = await parquetReadObjects({ file: await asyncBufferFromFile(path), compressors });
  if (objects.length !== rows.length) fail(`${table}: hyparquet reads ${objects.length} rows, DuckDB ${rows.length}`);
  for (let i = 0; i < rows.length; i++)
    for (const { column_name: name } of columns) {
      const one = rows[i][name] ?? null;
      const other = objects[i]?.[name] ?? null;
      if (!Object.is(one, other) && String(one) !== String(other)) {
        fail(`${table}, row ${i}, ${name}: hyparquet reads ${other}, DuckDB ${one}`);
        i = rows.length;
        break;
      }
    }

  // Bounds of groups hold what is in them, and rows ascend by process.
  if (columns[0].column_name === "process" && table !== "iterations") {
    const [{ n }] = await ask(
      `select count(*) n from (select process, lag(process) over (order by file_row_number) earlier from read_parquet('${path}', file_row_number = true)) where process < earlier`,
    );
    if (n !== 0n) fail(`${table}: rows do not ascend by process`);
  }
}

console.log(`${values} values compared, ${wrong} wrong`);
process.exit(wrong > 0 || values === 0 ? 1 : 0);
