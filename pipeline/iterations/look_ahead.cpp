#include "pipeline/iterations/look_ahead.hpp"

#include "base/team.hpp"
#include "filters/iterations/align_loops.hpp"
#include "pipeline/events/read_locations.hpp"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <map>
#include <utility>

namespace tracefold {

namespace {

constexpr std::uint64_t part_to_read = 8;  // one of so many parts of all events
constexpr std::size_t fewest_of_kind = 3;  // where there are less, nothing is gained

// Processes of one kind, ascending, and how many events each of them has.
struct ProcessKind {
  std::uint64_t events = 0;
  std::vector<std::size_t> processes;
};

std::vector<ProcessKind> list_kinds(const Definitions& definitions,
                                    std::span<const std::uint64_t> locations) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, ProcessKind> kinds;  // by type and events
  for (std::size_t p = 0; p < locations.size(); ++p) {
    const auto& location = *definitions.find(Ref::location, locations[p]);
    const auto events = get_field<"numberOfEvents", DefinitionKind::Location>(location);
    auto& kind = kinds[{get_field<"locationType", DefinitionKind::Location>(location), events}];
    kind.events = events;
    kind.processes.push_back(p);
  }

  std::vector<ProcessKind> list;
  for (auto& [key, kind] : kinds)
    if (kind.processes.size() >= fewest_of_kind && kind.events > 0)
      list.push_back(std::move(kind));
  std::sort(list.begin(), list.end(), [](const ProcessKind& a, const ProcessKind& b) {
    const auto count = [](const ProcessKind& kind) { return kind.processes.size() * kind.events; };
    return std::pair(count(b), a.processes.front()) < std::pair(count(a), b.processes.front());
  });

  return list;
}

// Leaves the largest kinds, of which one process each is a small part of so many events.
void leave_largest(std::vector<ProcessKind>& kinds, std::uint64_t events) {
  auto left = events / part_to_read;
  std::erase_if(kinds, [&](const ProcessKind& kind) {
    const bool fits = kind.events <= left;
    left -= fits ? kind.events : 0;
    return !fits;
  });
}

std::uint64_t count_events(const Definitions& definitions,
                           std::span<const std::uint64_t> locations) {
  std::uint64_t events = 0;
  for (auto id : locations)
    events +=
        get_field<"numberOfEvents", DefinitionKind::Location>(*definitions.find(Ref::location, id));
  return events;
}

// Null where the calls that make its iterations are not known, or it has none.
std::shared_ptr<const SeriesRule> make_rule(const SearchedLoops& searched, std::size_t process) {
  std::vector<IterationCounts> loops;
  for (const auto& loop : searched.loops(process).loops)
    if (auto counts = searched.count_calls(process, loop); !counts.empty())
      loops.push_back(std::move(counts));
  return loops.empty() ? nullptr : std::make_shared<const SeriesRule>(std::move(loops));
}

// Finds the loops of a location, and how much exclusive time each function has.
class LookAheadSink {
 public:
  LookAheadSink(LoopFinder& finder, std::size_t functions) : finder_(finder), times_(functions) {}

  void enter(const CallBegin& call, std::span<const Attribute> attributes) {
    finder_.enter(call, attributes);
  }
  void leave(const CallEnd& call, std::span<const Attribute> attributes) {
    finder_.leave(call, attributes);
    times_[call.function] += static_cast<double>(call.exclusive);
  }
  void other(const Event& event) { finder_.other(event); }
  void unknown(std::uint64_t time) { finder_.unknown(time); }

  const std::vector<double>& times() const { return times_; }

 private:
  LoopFinder& finder_;
  std::vector<double> times_;  // ticks
};

// The times of all processes, by function: each kind's times, times its processes.
std::vector<double> sum_times(const std::vector<ProcessKind>& kinds,
                              const std::vector<std::vector<double>>& times) {
  std::vector<double> sums;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    sums.resize(times[k].size());
    for (std::size_t f = 0; f < sums.size(); ++f)
      sums[f] += times[k][f] * static_cast<double>(kinds[k].processes.size());
  }

  return sums;
}

void guess_by(const std::vector<ProcessKind>& kinds, LookAhead& out) {
  bool has_loops = false;
  for (const auto& kind : kinds) {
    const auto first = kind.processes.front();
    const auto& found = out.searched->loops(first);
    has_loops |= !found.loops.empty();
    out.leaves_doubt |= leaves_loops_in_doubt(found);
    if (const auto rule = make_rule(*out.searched, first))
      for (auto p : kind.processes)
        out.guess.rules[p] = rule;
  }

  auto& rules = out.guess.rules;
  if (!kinds.empty() && !has_loops)
    rules.assign(rules.size(), std::make_shared<const SeriesRule>(std::vector<IterationCounts>()));
}

}  // namespace

LookAhead look_ahead(const Archive& archive, const FunctionTable& functions,
                     std::span<const std::uint64_t> locations, const AskedIterations& asked,
                     const ReadOptions& options) {
  const auto& definitions = archive.definitions();
  auto kinds = list_kinds(definitions, locations);
  leave_largest(kinds, count_events(definitions, locations));

  LookAhead out;
  out.guess.rules.resize(locations.size());
  out.searched = std::make_unique<SearchedLoops>(asked, locations.size());
  std::vector<std::uint64_t> to_read;
  for (const auto& kind : kinds)
    to_read.push_back(locations[kind.processes.front()]);

  auto quiet = options;
  quiet.progress = {};
  Diagnostics ignored;  // the reading of all processes tells what is odd
  const LoopMarks marks(definitions, functions, asked);
  oneapi::tbb::enumerable_thread_specific<LoopFinder> finders([&] { return LoopFinder(marks); });
  std::vector<std::vector<double>> times(kinds.size());
  const Shares shares(definitions, to_read, options.team);
  const auto own = for_each_own_location(
      archive, to_read, shares, quiet, ignored, [&](EventReader& reader, std::size_t k) {
        auto& finder = finders.local();
        LookAheadSink sink(finder, functions.functions().size());
        const auto read = read_calls(reader, to_read[k], functions, sink);
        out.searched->add(kinds[k].processes.front(), finder, read);
        times[k] = sink.times();
      });
  share_found(options.team, times, own);
  std::vector<std::size_t> searched;
  for (auto k : own)
    searched.push_back(kinds[k].processes.front());
  out.searched->share(options.team, searched);

  guess_by(kinds, out);
  out.guess.path_functions = guess_large_functions(sum_times(kinds, times), functions.functions());

  return out;
}

}  // namespace tracefold
