#include "pipeline/rewrite/estimate.hpp"

#include "base/team.hpp"
#include "base/text.hpp"
#include "model/plan.hpp"
#include "otf2/archive_parts.hpp"
#include "pipeline/rewrite/write_trace.hpp"

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

// A kept location, and how much of its events stays.
struct StayingShare {
  std::uint64_t location = 0;
  double share = 1;
};

std::uint64_t take_share(std::uint64_t bytes, double share) {
  return static_cast<std::uint64_t>(static_cast<double>(bytes) * share);
}

std::uint64_t add_up_bytes(const Archive& archive, const std::vector<StayingShare>& kept,
                           double share_of_definitions, std::uint64_t bytes_of_plan) {
  std::uint64_t definitions = 0;  // several archives define about the same
  for (const auto& paths : archive.list_paths())
    definitions = std::max(definitions, measure_file(paths.definitions()));
  auto bytes = bytes_of_plan + take_share(definitions, share_of_definitions);
  for (const auto& [location, share] : kept)
    bytes += take_share(measure_file(archive.find_files(location).events), share);

  return bytes;
}

// The events that a location is said to have.
std::uint64_t count_stated_events(const Archive& archive, std::uint64_t id) {
  const auto* location = archive.definitions().find(Ref::location, id);
  return location ? get_field<"numberOfEvents", DefinitionKind::Location>(*location) : 0;
}

// The share of events that filters leave of all that the plan's processes are said to have.
double find_filtered_share(const Archive& archive, const Plan& plan) {
  std::uint64_t recorded = 0;
  for (const auto& process : plan.processes)
    recorded += count_stated_events(archive, process.id);

  return plan.filters.empty() || recorded == 0
             ? 1
             : std::min(1.0,
                        static_cast<double>(plan.trace.events) / static_cast<double>(recorded));
}

// For a rank in the halo: its messages stay, each in two calls with one record in each, so about
// six records per message.
double estimate_halo_share(const Archive& archive, const HaloRank& rank) {
  constexpr double records_per_message = 6;
  std::uint64_t recorded = 0;
  for (const auto location : rank.locations)
    recorded += count_stated_events(archive, location);

  return recorded == 0 ? 1
                       : std::min(1.0, records_per_message * static_cast<double>(rank.messages) /
                                           static_cast<double>(recorded));
}

std::vector<StayingShare> estimate_shares(const Archive& archive, const Plan& plan) {
  std::vector<StayingShare> kept;
  std::unordered_map<std::size_t, double> shares;
  if (plan.iterations)
    for (const auto& process : plan.iterations->processes)
      shares.emplace(process.process, find_kept_share(*plan.iterations, process.loops));

  const auto filtered = find_filtered_share(archive, plan);
  for (auto p : kept_processes(plan)) {
    const auto share = shares.find(p);
    kept.push_back({plan.processes[p].id, filtered * (share == shares.end() ? 1 : share->second)});
  }

  if (plan.halo)
    for (const auto& rank : plan.halo->ranks)
      for (const auto location : rank.locations)
        kept.push_back({location, estimate_halo_share(archive, rank)});

  return kept;
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
  void begin(std::size_t) {}
  CountingLocationOutput open_location(std::uint64_t) const { return {}; }
  void write(const TraceMetadata& metadata) {
    definitions_ = metadata.definitions.size();
    plan_bytes_ = metadata.plan.bytes();
  }
  void check_metadata(const TraceMetadata&) const {}
  void check_events(const std::vector<WrittenLocation>&, const ReadOptions&) const {}

  std::size_t definitions() const { return definitions_; }
  std::size_t plan_bytes() const { return plan_bytes_; }

 private:
  std::size_t definitions_ = 0, plan_bytes_ = 0;
};

static_assert(TraceOutput<CountingOutput>);

}  // namespace

std::uint64_t estimate_bytes(const Archive& archive, const Plan& plan, std::uint64_t plan_bytes) {
  return add_up_bytes(archive, estimate_shares(archive, plan), 1, plan_bytes);
}

std::map<std::uint64_t, std::uint64_t> estimate_event_bytes(const Archive& archive,
                                                            const Plan& plan) {
  std::map<std::uint64_t, std::uint64_t> out;
  for (const auto& [location, share] : estimate_shares(archive, plan))
    out.emplace(location, take_share(measure_file(archive.find_files(location).events), share));
  return out;
}

std::uint64_t estimate_view_bytes(std::uint64_t archive_bytes, const ViewFormat& format) {
  return take_share(archive_bytes, format.relative_size);
}

void check_free_space(std::uint64_t needed, std::uint64_t available) {
  if (needed > available)
    throw Error(ErrorKind::output, fmt::format("about {} are needed, and {} are free",
                                               format_bytes(needed), format_bytes(available)))
        .hint("free some space, or choose another place");
}

void check_free_space(std::uint64_t needed, const std::filesystem::path& folder) {
  std::error_code unknown;
  const auto space = std::filesystem::space(folder, unknown);
  if (!unknown)
    check_free_space(needed, space.available);
}

RewriteSummary estimate_rewrite(const Archive& archive, const Plan& plan,
                                const std::optional<ViewFormat>& view,
                                const RewriteOptions& options, const ReadOptions& reading,
                                Diagnostics& diagnostics) {
  CountingOutput output;
  const auto prepared = prepare_plan(archive, plan, options, reading.team);
  auto [summary, locations] = write_trace(archive, prepared, output, options, reading, diagnostics);
  summary.profiles_bytes =
      compute_once<std::uint64_t>(reading.team, [&] { return prepared.files.profiles.size(); });
  summary.is_estimate = true;
  summary.checked = false;

  std::vector<StayingShare> kept;
  for (const auto& location : locations)
    if (location.read > 0)
      kept.push_back({location.id, static_cast<double>(location.written.records) /
                                       static_cast<double>(location.read)});
  const auto all = std::max<std::size_t>(archive.definitions().all().size(), 1);
  summary.bytes = compute_once<std::uint64_t>(reading.team, [&] {
    return add_up_bytes(archive, kept,
                        static_cast<double>(output.definitions()) / static_cast<double>(all),
                        view ? 0 : output.plan_bytes());
  });
  if (view) {
    summary.bytes = estimate_view_bytes(summary.bytes, *view);
    summary.is_view = true;
    summary.profiles.reset();
  } else if (is_halo_too_large(archive, plan, summary)) {
    auto without = plan;
    without.halo.reset();
    summary = estimate_rewrite(archive, without, view, options, reading, diagnostics);
    summary.left_out_halo = true;
  }

  return summary;
}

}  // namespace tracefold
