#include "pipeline/export/exported_trace.hpp"

#include "base/for_each_index.hpp"
#include "base/interrupt.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "model/trace_name.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/reduce/original_ids.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <numeric>

namespace tracefold {

namespace {

// A row group is to have about as many calls, each of two records; fewer where a trace is so small
// that many threads would have nothing to do.
constexpr std::uint64_t most_records_of_unit = std::uint64_t{1} << 21;
constexpr std::uint64_t least_records_of_unit = std::uint64_t{1} << 17;
constexpr std::uint64_t wanted_units = 64;

}  // namespace

ExportedTrace::ExportedTrace(const Archive& archive, const Plan& plan, Diagnostics& diagnostics)
    : archive_(archive),
      diagnostics_(diagnostics),
      functions_(archive.definitions(), plan.filters),
      path_ids_(functions_.functions()),
      times_(archive.definitions()) {
  for (const auto& function : functions_.functions())
    names_.push_back(make_utf8(function.shown_name()));

  Plan named;
  named.processes = find_processes(archive.definitions(), plan.filters);
  for (const auto& process : named.processes)
    processes_.push_back({process.id, {}});
  take_original_ids(archive.definitions(), named);
  for (std::size_t p = 0; p < processes_.size(); ++p) {
    processes_[p].process = std::move(named.processes[p]);
    if (processes_[p].process.id != processes_[p].location)
      ids_.emplace(processes_[p].location, processes_[p].process.id);
  }
  std::sort(processes_.begin(), processes_.end(),
            [](const auto& a, const auto& b) { return a.process.id < b.process.id; });
  divide();
}

void ExportedTrace::divide() {
  const auto count_records = [&](std::size_t p) {
    const auto* location = definitions().find(Ref::location, processes_[p].location);
    return get_field<"numberOfEvents", DefinitionKind::Location>(*location);
  };
  std::uint64_t all = 0;
  for (std::size_t p = 0; p < processes_.size(); ++p)
    all += count_records(p);
  const auto most = std::clamp(all / wanted_units, least_records_of_unit, most_records_of_unit);

  std::uint64_t records = 0;
  for (std::size_t p = 0; p < processes_.size(); ++p) {
    const auto own = count_records(p);
    if (p == 0 || records + own > most) {
      units_.push_back(p);
      records = 0;
    }
    records += own;
  }
  units_.push_back(processes_.size());
}

TableMetadata ExportedTrace::describe() const {
  TableMetadata facts;
  facts["tracefold.version"] = version;
  // Tables are passed on, and do not tell where traces lie.
  facts["trace.name"] = make_utf8(name_after_folder(archive_.source()));
  facts["clock.begin_ticks"] = std::to_string(times_.begin());
  facts["clock.ticks_per_second"] = std::to_string(times_.ticks_per_second());
  if (times_.wall_clock() > 0)
    facts["clock.begin_since_1970_ns"] = std::to_string(times_.wall_clock());
  for (const auto& [name, text] : {std::pair{"trace.creator", archive_.facts().creator},
                                   {"trace.machine", archive_.facts().machine},
                                   {"trace.description", archive_.facts().description}})
    if (!text.empty())
      facts[name] = make_utf8(text);
  return facts;
}

void read_units(const ExportedTrace& trace, const ReadOptions& options, UnitStep step,
                std::span<TableFile* const> files) {
  const auto& units = trace.units_;
  const auto count = trace.count_units();
  std::atomic<std::size_t> next{0}, done{0};
  if (options.progress)
    options.progress(0, trace.processes().size());

  // Units are taken in ascending order, since a part of a table may have to wait for those before.
  const auto work = [&] {
    for (std::size_t u; (u = next++) < count;) {
      check_stop();
      std::vector<std::size_t> processes(units[u + 1] - units[u]);
      std::iota(processes.begin(), processes.end(), units[u]);
      std::vector<std::uint64_t> locations;
      for (auto p : processes)
        locations.push_back(trace.processes()[p].location);
      EventReader reader(trace.archive(), locations, options, trace.diagnostics());
      step(reader, u, processes);
      if (options.progress)
        options.progress(done += processes.size(), trace.processes().size());
    }
  };

  for_each_index(std::min(count, count_threads()), [&](std::size_t) {
    try {
      work();
    } catch (...) {
      next = count;
      for (auto* file : files)
        file->stop(std::current_exception());
      throw;
    }
  });
}

}  // namespace tracefold
