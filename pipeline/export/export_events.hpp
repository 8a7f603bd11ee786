// Writes the tables whose rows are events: one reading for all but messages, whose two ends are put
// together in three readings (export_messages.cpp).
//
// Starts threads. Memory: what a few row groups take, for each thread and table; for messages some
// 100 bytes for each channel of each location, and a temporary file in the folder with 16 bytes for
// each message. Throws Error(input), and Error(output).
#pragma once

#include "pipeline/export/exported_trace.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>

namespace tracefold {

// How tables are written: each into a file of its own in this folder.
struct TableOutput {
  std::filesystem::path folder;
  TableFormat format = TableFormat::parquet;
  TableMetadata metadata = {};
  // Called when a table is written.
  std::function<void(const TableFile&)> written = {};
};

// Those of `tables` that are calls, collectives, metrics, io and rma. The paths of calls are added
// to `paths`.
void export_events(const ExportedTrace& trace, const std::set<ExportTable>& tables,
                   const TableOutput& output, const ReadOptions& options, KnownCallPaths& paths);

void export_messages(const ExportedTrace& trace, const TableOutput& output,
                     const ReadOptions& options);

}  // namespace tracefold
