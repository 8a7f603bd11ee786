// What all tables of a trace are made from, and how its events are read for them: neighbouring
// processes together are a unit, which is one part of each table.
//
// Immutable, thread-safe.
#pragma once

#include "base/error.hpp"
#include "base/function_ref.hpp"
#include "model/plan.hpp"
#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"
#include "pipeline/events/function_table.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/events/trace_times.hpp"
#include "pipeline/export/call_path_ids.hpp"
#include "pipeline/export/table_file.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

// A process whose events are read.
struct ExportedProcess {
  std::uint64_t location = 0;  // its id in the trace that is read
  Process process;             // with the id that it has in tables: that in the first original
};

// step(reader, unit, processes of the unit)
using UnitStep = FunctionRef<void(EventReader&, std::size_t, std::span<const std::size_t>)>;

class ExportedTrace {
 public:
  // Archive and diagnostics have to stay; the filters are those of the plan.
  ExportedTrace(const Archive& archive, const Plan& plan, Diagnostics& diagnostics);

  const Archive& archive() const { return archive_; }
  const Definitions& definitions() const { return archive_.definitions(); }
  const FunctionTable& functions() const { return functions_; }
  const std::vector<std::string>& function_names() const { return names_; }  // valid UTF-8
  const CallPathIds& path_ids() const { return path_ids_; }
  const TraceTimes& times() const { return times_; }
  // Ascending by the id in tables.
  const std::vector<ExportedProcess>& processes() const { return processes_; }
  // The id that a location has in tables.
  std::uint64_t find_id(std::uint64_t location) const {
    const auto at = ids_.find(location);
    return at == ids_.end() ? location : at->second;
  }
  Diagnostics& diagnostics() const { return diagnostics_; }

  std::size_t count_units() const { return units_.size() - 1; }

  // Facts of the whole trace, for the metadata of files.
  TableMetadata describe() const;

 private:
  friend void read_units(const ExportedTrace& trace, const ReadOptions& options, UnitStep step,
                         std::span<TableFile* const> files);
  void divide();

  const Archive& archive_;
  Diagnostics& diagnostics_;
  FunctionTable functions_;
  std::vector<std::string> names_;
  CallPathIds path_ids_;
  TraceTimes times_;
  std::vector<ExportedProcess> processes_;
  std::unordered_map<std::uint64_t, std::uint64_t> ids_;  // by location, where they differ
  std::vector<std::size_t> units_;  // the first process of each, and behind them how many there are
};

// Calls step() for each unit, in ascending order, by all threads.
// Where one throws, the files are told to stop, since other threads may wait for their turn in
// them.
void read_units(const ExportedTrace& trace, const ReadOptions& options, UnitStep step,
                std::span<TableFile* const> files);

}  // namespace tracefold
