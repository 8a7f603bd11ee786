#include "cli/command.hpp"
#include "cli/part.hpp"

#include "base/text.hpp"
#include "cli/options.hpp"
#include "pipeline/export/export_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tracefold::cli {

namespace {

struct ExportCommandOptions {
  std::string trace;
  ExportOptions output;
  PartOptions part;
  bool schema = false;
};

std::vector<std::string> list_table_names() {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < number_of_tables; ++k)
    names.push_back(get_schema(static_cast<ExportTable>(k)).name);
  return names;
}

// Reads "calls,processes".
std::vector<ExportTable> parse_tables(const std::string& text) {
  std::vector<ExportTable> tables;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    tables.push_back(static_cast<ExportTable>(
        find_word("--tables", text.substr(begin, end - begin), list_table_names())));
    begin = end + 1;
  }
  return tables;
}

void check_export(const ExportCommandOptions& options) {
  if (options.trace.empty())
    throw Error(ErrorKind::usage, "no trace is given")
        .hint("as in 'tracefold export app/traces.otf2 -o tables'");
  if (options.output.out.empty())
    throw Error(ErrorKind::usage, "no folder is given that the tables go to")
        .hint("as in -o tables");
  check_tables_output(options.output.out, options.output.force);
}

std::string list_written(const ExportOptions& options, const std::vector<WrittenTable>& written) {
  std::string out;
  std::uint64_t bytes = 0;
  for (const auto& table : written) {
    out += fmt::format("{:<20} {:>14} rows {:>12}\n", get_schema(table.table).name,
                       group_digits(table.rows), format_bytes(table.bytes));
    bytes += table.bytes;
  }

  if (written.empty())
    return make_printable(options.out.string()) +
           ": no tables, as the trace tells nothing of these\n";
  const auto& first = get_schema(written.front().table);
  const auto file = make_printable((options.out / name_table_file(first, options.format)).string());
  out += fmt::format("{}: {} {}, {}\n", make_printable(options.out.string()), written.size(),
                     written.size() == 1 ? "table" : "tables", format_bytes(bytes));
  out += fmt::format("  duckdb -c \"select * from '{}' limit 10\"\n", file);
  out += fmt::format("  pandas.read_{}('{}')\n",
                     options.format == TableFormat::csv ? "csv" : "parquet", file);

  return out;
}

int run_export(Session& session, const ExportCommandOptions& options) {
  if (options.schema) {
    print(describe_tables());
    return 0;
  }
  check_export(options);
  auto opened = open_part(session, options.trace, options.part);
  const auto written = export_tables(opened, options.output);
  session.clear_line();
  if (!session.options().quiet)
    print(list_written(options.output, written));

  return 0;
}

}  // namespace

void add_export(Commands& commands) {
  auto options = std::make_shared<ExportCommandOptions>();
  auto* command = commands.add("export", "Write events and results as tables for data frames.",
                               "  tracefold export app/traces.otf2 -o tables\n  tracefold export "
                               "small/traces.otf2 -o tables --format csv --tables profile",
                               options, run_export);

  add_trace(command, options->trace, "Anchor file");
  add_parsed(
      command, "-o,--output", options->output.out,
      [](const std::string& text) { return std::filesystem::path(text); },
      "Folder that the tables go to, one file for each")
      ->option_text("FOLDER")
      ->check(not_empty());
  command->add_flag("--force", options->output.force, "Replace an earlier export");
  add_choice(command, "--format", options->output.format,
             {{"parquet", TableFormat::parquet}, {"csv", TableFormat::csv}}, "parquet or csv")
      ->option_text("FORMAT");
  add_parsed(command, "--tables", options->output.tables, parse_tables,
             "Only these, as in calls,processes")
      ->option_text("NAMES")
      ->check(offer(list_table_names()));
  command->add_flag("--schema", options->schema, "Show all tables and their columns, and no more");
  add_part(command, options->part);
}

}  // namespace tracefold::cli
