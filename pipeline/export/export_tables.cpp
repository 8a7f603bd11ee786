#include "pipeline/export/export_tables.hpp"

#include "base/output_error.hpp"
#include "base/publish.hpp"
#include "pipeline/export/export_answers.hpp"
#include "pipeline/export/export_definitions.hpp"
#include "pipeline/export/export_events.hpp"
#include "pipeline/reduce/original_ids.hpp"
#include "pipeline/rewrite/publish_archive.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

// Whether it is a regular file with the name and the begin of one of our tables.
bool is_table_file(const fs::directory_entry& entry) {
  if (entry.symlink_status().type() != fs::file_type::regular)
    return false;
  for (std::size_t k = 0; k < number_of_tables; ++k)
    for (const auto format : {TableFormat::parquet, TableFormat::csv}) {
      const auto& schema = get_schema(static_cast<ExportTable>(k));
      if (entry.path().filename() != name_table_file(schema, format))
        continue;
      const auto wanted =
          format == TableFormat::csv ? make_csv_heading(schema) : std::string(parquet::magic);
      std::string begin(wanted.size(), '\0');
      std::ifstream in(entry.path(), std::ios::binary);
      return in.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == wanted;
    }
  return false;
}

std::optional<std::string> find_foreign_file(const fs::path& folder) try {
  for (const auto& entry : fs::directory_iterator(folder))
    if (!is_table_file(entry))
      return entry.path().filename().string();
  return std::nullopt;
} catch (const fs::filesystem_error& problem) {
  throw output_error("cannot be read", problem.code().value());
}

// A session of the same part of the trace, of which nothing was asked yet.
PlanSession open_again(PlanSession& session) {
  PlanSession again(session.share_archive(), session.context());
  again.plan().filters = session.plan().filters;
  again.plan().chosen = session.plan().chosen;
  return again;
}

void write_groups(PlanSession session, const TableOutput& output) {
  session.ask_for_all();
  session.profile();
  session.require_groups();
  take_original_ids(session);
  export_groups(session.plan(), output);
}

void write_tables(PlanSession& session, const std::set<ExportTable>& tables, TableOutput& output) {
  using enum ExportTable;
  const auto& context = session.context();
  const ExportedTrace trace(session.archive(), session.plan(), session.diagnostics());
  output.metadata = trace.describe();
  const auto options = context.read_as("export");

  KnownCallPaths paths;
  export_events(trace, tables, output, options, paths);
  // What is known of all processes of the original, where the trace lacks some.
  auto asked = open_again(session);
  asked.ask_for_all();
  const auto* whole = asked.program();
  const bool lacks_processes = whole && whole->plan.processes.size() > trace.processes().size();
  if (tables.contains(messages) &&
      !(lacks_processes && export_stored_messages(open_again(session), output)))
    export_messages(trace, output, options);
  if (tables.contains(markers))
    export_markers(trace, output);
  if (tables.contains(processes))
    export_processes(trace, lacks_processes ? whole : nullptr, output);
  if (tables.contains(locations_of_nodes))
    export_locations_of_nodes(trace, output);
  if (tables.contains(groups))
    write_groups(open_again(session), output);

  // Of a small trace, other processes may have called more.
  auto named = trace.functions().functions();
  const bool needs_paths = tables.contains(call_paths) && !tables.contains(calls);
  if (tables.contains(profile) || needs_paths)
    for (auto& function :
         export_profile(open_again(session), tables.contains(profile) ? &output : nullptr, paths))
      if (std::find(named.begin(), named.end(), function) == named.end())
        named.push_back(std::move(function));
  if (tables.contains(functions))
    export_functions(named, trace.definitions(), output);
  if (tables.contains(call_paths))
    export_call_paths(paths, output);

  auto run = open_again(session);
  const auto program =
      tables.contains(iterations) || tables.contains(matrix) ? find_program(run) : nullptr;
  if (tables.contains(iterations) && !export_iterations(std::move(run), program.get(), output))
    session.diagnostics().note("there is no table iterations: no loops are known");
  if (tables.contains(matrix) && !export_matrix(open_again(session), program.get(), output))
    session.diagnostics().note("there is no table matrix: messages are not known");
  if (tables.contains(facts))
    export_facts(trace, output);
}

Replacement make_replacement(const fs::path& input, bool force) {
  return {force, input, find_foreign_file};
}

}  // namespace

void check_tables_output(const fs::path& folder, bool force) try {
  check_replaceable(folder, make_replacement({}, force));
  check_writable(folder);
} catch (Error& problem) {
  problem.in(folder.string());
  throw;
}

std::vector<WrittenTable> export_tables(PlanSession& session, const ExportOptions& options) {
  std::set<ExportTable> tables(options.tables.begin(), options.tables.end());
  if (tables.empty())
    for (std::size_t k = 0; k < number_of_tables; ++k)
      tables.insert(static_cast<ExportTable>(k));

  std::vector<WrittenTable> written;
  const auto& archive = session.archive();
  publish_folder(options.out, make_replacement(archive.paths().anchor, options.force), archive,
                 [&](const fs::path& folder) {
                   TableOutput output{
                       folder, options.format, {}, [&](const TableFile& file) {
                         written.push_back({file.table(), file.rows(), file.bytes()});
                       }};
                   write_tables(session, tables, output);
                 });
  std::sort(written.begin(), written.end(),
            [](const auto& a, const auto& b) { return a.table < b.table; });

  return written;
}

}  // namespace tracefold
