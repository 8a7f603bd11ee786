// Exports a trace as tables: a folder with one file for each.
//
// Starts threads; the files do not depend on their number. export_events.hpp says how much memory
// takes.
#pragma once

#include "pipeline/export/table_file.hpp"
#include "pipeline/reduce/plan_session.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tracefold {

struct ExportOptions {
  std::filesystem::path out;
  bool force = false;  // replace a folder with tables
  TableFormat format = TableFormat::parquet;
  std::vector<ExportTable> tables = {};  // none: all
};

struct WrittenTable {
  ExportTable table{};
  std::uint64_t rows = 0, bytes = 0;
};

// Throws Error(output) where export_tables() would refuse this folder: it exists without `force`,
// or holds something else than tables, or cannot be made.
void check_tables_output(const std::filesystem::path& folder, bool force);

// Those that were written, in the order of ExportTable: tables that the trace does not tell
// anything of are empty, but there is none of iterations or messages that are not known. Throws
// Error(output) and Error(input).
std::vector<WrittenTable> export_tables(PlanSession& session, const ExportOptions& options);

}  // namespace tracefold
