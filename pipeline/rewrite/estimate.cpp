#include "pipeline/rewrite/estimate.hpp"

#include "base/version.hpp"
#include "emitters/tables.hpp"
#include "pipeline/rewrite/reduced_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <unordered_map>

namespace tracefold {

namespace {

std::uint64_t measure_file(const std::filesystem::path& file) {
  std::error_code problem;
  const auto size = std::filesystem::file_size(file, problem);
  return problem ? 0 : size;
}

// The share of a location's time that is not in collapsed iterations.
double find_kept_share(const IterationSection& section, const ProcessLoops& loops) {
  std::uint64_t collapsed = 0;
  for (std::size_t l = 0; l < std::min(section.loops.size(), loops.loops.size()); ++l) {
    const auto& choice = section.loops[l].choice;
    const auto& intervals = loops.loops[l].iterations;
    for (std::size_t i = 0; i < std::min(intervals.size(), choice.kept_of.size()); ++i)
      if (choice.kept[choice.kept_of[i]] != i)
        collapsed += intervals[i].end - intervals[i].begin;
  }

  const auto all = loops.ticks();
  return all == 0 ? 1
                  : 1 - std::min(1.0, static_cast<double>(collapsed) / static_cast<double>(all));
}

// Counts what it gets.
class CountingLocationOutput {
 public:
  void enter(std::uint64_t, std::uint64_t, std::span<const Attribute>) { ++records_; }
  void leave(std::uint64_t, std::uint64_t, std::span<const Attribute>) { ++records_; }
  void write(const Event&) { ++records_; }
  std::uint64_t close() const { return records_; }

 private:
  std::uint64_t records_ = 0;
};

class CountingOutput {
 public:
  CountingLocationOutput open_location(std::uint64_t) const { return {}; }
  void write(const TraceMetadata&) const {}
  void check_metadata(const TraceMetadata&) const {}
  void check_events(const std::vector<WrittenLocation>&, const ReadOptions&) const {}
};

static_assert(TraceOutput<CountingOutput>);

}  // namespace

std::uint64_t estimate_event_bytes(const Archive& archive, const Plan& plan) {
  std::uint64_t bytes = 0;
  if (plan.processes.empty()) {
    for (auto id : archive.definitions().locations())
      bytes += measure_file(archive.paths().events(id));
    return bytes;
  }

  std::unordered_map<std::size_t, double> shares;
  if (plan.iterations)
    for (const auto& process : plan.iterations->processes)
      shares.emplace(process.process, find_kept_share(*plan.iterations, process.loops));

  for (auto p : kept_processes(plan)) {
    const auto share = shares.find(p);
    const auto size = measure_file(archive.paths().events(plan.processes[p].id));
    bytes += share == shares.end()
                 ? size
                 : static_cast<std::uint64_t>(static_cast<double>(size) * share->second);
  }

  return bytes;
}

void check_free_space(std::uint64_t needed, std::uint64_t available) {
  if (needed > available)
    throw Error(ErrorKind::output, fmt::format("about {} are needed, and {} are free",
                                               format_bytes(needed), format_bytes(available)))
        .hint("free some space, or choose another place");
}

RewriteSummary estimate_rewrite(const Archive& archive, const Plan& plan_as_is,
                                const RewriteOptions& options, Diagnostics& diagnostics) {
  auto plan = plan_as_is;
  const bool was_profiled = !plan.processes.empty();
  if (!was_profiled)
    plan.processes = find_processes(archive.definitions(), plan.filters);
  plan.write = {version, options.keep_ids, options.plain_names};

  Diagnostics ignored;
  auto& oddities = was_profiled ? ignored : diagnostics;
  ReducedTrace reduced(archive, plan, options, oddities);
  const CountingOutput output;
  const auto copied = reduced.copy([&](std::size_t) -> const CountingOutput& { return output; },
                                   !was_profiled, options, oddities);

  auto summary = add_up(copied);
  summary.is_estimate = true;
  const auto plan_text = format_plan(plan, was_profiled, summary.read);
  const auto metadata = reduced.make_metadata(copied, plan_text);

  const auto& kept = reduced.kept().ids();
  for (std::size_t i = 0; i < copied.size(); ++i)
    if (copied[i].read > 0)
      summary.bytes += static_cast<std::uint64_t>(
          static_cast<double>(measure_file(archive.paths().events(kept[i]))) *
          static_cast<double>(copied[i].written.records) / static_cast<double>(copied[i].read));

  const auto definitions = std::max<std::size_t>(archive.definitions().all().size(), 1);
  summary.bytes +=
      measure_file(archive.paths().definitions()) * metadata.definitions.size() / definitions;
  summary.bytes += plan_text.size();

  return summary;
}

}  // namespace tracefold
