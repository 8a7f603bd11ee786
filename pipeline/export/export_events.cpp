#include "pipeline/export/export_events.hpp"

#include "pipeline/export/event_rows.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace tracefold {

namespace {

using Files = std::map<ExportTable, std::unique_ptr<TableFile>>;

// The parts of a unit, by table.
class UnitParts {
 public:
  UnitParts(const Files& files, std::size_t unit, const ExportedTrace& trace) {
    for (const auto& [table, file] : files)
      parts_.emplace(
          table, std::make_unique<TablePart>(
                     *file, unit, table == ExportTable::calls ? &trace.function_names() : nullptr));
  }

  TablePart* find(ExportTable table) const {
    const auto at = parts_.find(table);
    return at == parts_.end() ? nullptr : at->second.get();
  }
  void finish() {
    for (auto& [table, part] : parts_)
      part->finish();
  }

 private:
  std::map<ExportTable, std::unique_ptr<TablePart>> parts_;
};

}  // namespace

void export_events(const ExportedTrace& trace, const std::set<ExportTable>& tables,
                   const TableOutput& output, const ReadOptions& options, KnownCallPaths& paths) {
  Files files;
  std::vector<TableFile*> all;
  for (const auto table : {ExportTable::calls, ExportTable::collectives, ExportTable::metrics,
                           ExportTable::io, ExportTable::rma})
    if (tables.contains(table)) {
      auto& file = files[table];
      file = std::make_unique<TableFile>(table, output.folder, output.format, trace.count_units(),
                                         output.metadata);
      all.push_back(file.get());
    }
  if (files.empty())
    return;

  std::mutex mutex;  // of `paths`
  const auto step = [&](EventReader& reader, std::size_t unit,
                        std::span<const std::size_t> processes) {
    UnitParts parts(files, unit, trace);
    std::optional<CallRows> calls;
    if (auto* part = parts.find(ExportTable::calls)) {
      calls.emplace(trace);
      calls->begin_unit(*part);
    }
    OperationRows operations(trace);
    const OperationRows::Parts of_operations{
        parts.find(ExportTable::collectives), parts.find(ExportTable::metrics),
        parts.find(ExportTable::io), parts.find(ExportTable::rma)};
    operations.begin_unit(of_operations);

    EventRowsSink sink{calls ? &*calls : nullptr,
                       of_operations.wants_any() ? &operations : nullptr};
    for (auto p : processes) {
      const auto& process = trace.processes()[p];
      if (calls)
        calls->begin_process(process);
      operations.begin_process(process);
      const auto read = read_calls(reader, process.location, trace.functions(), sink);
      operations.end_process(read.last_time);
      warn_of_oddities(trace.definitions(), process.location, read, 0, trace.diagnostics());
    }
    parts.finish();
    if (calls) {
      const std::lock_guard lock(mutex);
      paths.add(calls->paths(), calls->ids(), trace.function_names());
    }
  };
  read_units(trace, options, step, all);

  for (auto& [table, file] : files) {
    file->finish();
    output.written(*file);
  }
}

}  // namespace tracefold
