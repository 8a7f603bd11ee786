// Reads files of make_parquet_files by DuckDB and by hyparquet, and compares every value.
//
// usage: node read_by_others.mjs FOLDER
import { readFileSync, readdirSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";

const folder = process.argv[2];
const connection = await (await DuckDBInstance.create(":memory:")).connect();
let compared = 0;
let wrong = 0;

const view = new DataView(new ArrayBuffer(8));
function bitsToDouble(bits) {
  view.setBigUint64(0, BigInt(bits));
  return view.getFloat64(0);
}

function compare(file, reader, column, expected, found) {
  if (expected.length !== found.length) {
    console.log(`${file}, ${column}: ${reader} reads ${found.length} of ${expected.length} rows`);
    wrong++;
    return;
  }
  expected.forEach((text, row) => {
    const value = found[row] ?? null;
    const same =
      text === null || value === null
        ? text === value
        : text.startsWith("bits ")
          ? Object.is(bitsToDouble(text.slice(5)), value)
          : text === String(value);
    compared++;
    if (!same && wrong++ < 20)
      console.log(`${file}, ${column}, row ${row}: ${reader} reads ${value}, not ${text}`);
  });
}

async function ask(sql) {
  return (await connection.runAndReadAll(sql)).getRowObjects();
}

// Bounds must be those of the values: what is filtered by them must be what is filtered without.
async function checkBounds(file, path, expected) {
  for (const [column, texts] of Object.entries(expected)) {
    const numbers = texts.filter((text) => text !== null && !text.startsWith("bits "));
    if (numbers.length === 0) continue;
    const wanted = numbers[Math.floor(numbers.length / 2)].replaceAll("'", "''");
    const count = numbers.filter((text) => text === wanted.replaceAll("''", "'")).length;
    const literal = column.startsWith("text") ? `'${wanted}'` : wanted;
    const [row] = await ask(`select count(*) n from '${path}' where "${column}" = ${literal}`);
    compared++;
    if (Number(row.n) !== count) {
      console.log(`${file}, ${column}: ${row.n} rows, not ${count}, are ${wanted}`);
      wrong++;
    }
  }
}

for (const file of readdirSync(folder).filter((name) => name.endsWith(".parquet")).sort()) {
  const path = `${folder}/${file}`;
  const expected = JSON.parse(readFileSync(path.replace(/parquet$/, "json"), "utf8"));

  const rows = await ask(`select * from '${path}'`);
  for (const [column, texts] of Object.entries(expected))
    compare(file, "DuckDB", column, texts, rows.map((row) => row[column]));
  await checkBounds(file, path, expected);
  // With this, DuckDB reads all groups but does not decode: offsets and sizes must fit.
  const [{ n }] = await ask(`select count(*) n from parquet_metadata('${path}')`);
  const names = await ask(`select decode(key) k, decode(value) v from parquet_kv_metadata('${path}')`);
  if (names.find((row) => row.k === "ü")?.v !== "€" || (rows.length > 0 && Number(n) === 0)) {
    console.log(`${file}: its metadata is not what was written`);
    wrong++;
  }

  const buffer = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(buffer);
  const objects = await parquetReadObjects({ file: buffer, metadata, compressors });
  for (const [column, texts] of Object.entries(expected))
    compare(file, "hyparquet", column, texts, objects.map((row) => row[column]));
}

console.log(`${compared} values compared, ${wrong} wrong`);
process.exit(wrong > 0 || compared === 0 ? 1 : 0);
