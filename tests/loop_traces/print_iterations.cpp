// Prints where the iterations of each location are, which `tracefold iterations` only
// sums up, and what a pass sees in them: as lines "location loop iteration begin end
// visits sends receives collectives", times in ticks.
// Usage: print_iterations TRACE.otf2

#include "filters/groups/group.hpp"
#include "model/plan.hpp"
#include "otf2/event_reader.hpp"
#include "pipeline/events/iteration_cursor.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/profile/profile_pass.hpp"

#include <fmt/format.h>

#include <numeric>

namespace {

using namespace tracefold;

struct Counts {
  std::uint64_t visits = 0, sends = 0, receives = 0, collectives = 0;
};

// Counts what is in each iteration of a location.
class CountingSink {
 public:
  explicit CountingSink(const ProcessLoops& loops)
      : cursor_(loops), counts_(cursor_.iterations()) {}

  void enter(const CallBegin& call, std::span<const Attribute>) {
    ++at(cursor_.enter(call)).visits;
  }
  void leave(const CallEnd& call, std::span<const Attribute>) { cursor_.leave(call); }
  void other(const Event& event) {
    auto& counts = at(cursor_.other(event.time));
    switch (event.kind) {
      case EventKind::MpiSend:
      case EventKind::MpiIsend: ++counts.sends; break;
      case EventKind::MpiRecv:
      case EventKind::MpiIrecv: ++counts.receives; break;
      case EventKind::MpiCollectiveEnd: ++counts.collectives; break;
      default: break;
    }
  }
  void unknown(std::uint64_t) {}

  const Counts& of(std::size_t iteration) const { return counts_[iteration]; }

 private:
  Counts& at(std::size_t iteration) {
    return iteration == IterationCursor::outside ? outside_ : counts_[iteration];
  }

  IterationCursor cursor_;
  std::vector<Counts> counts_;
  Counts outside_;
};

void print_location(const FunctionTable& functions, EventReader& reader, std::uint64_t id,
                    const ProcessLoops& loops) {
  CountingSink sink(loops);
  CleanEvents<CountingSink> events(functions, sink);
  reader.read(id, events);
  events.finish();
  std::size_t all = 0;
  for (std::size_t loop = 0; loop < loops.loops.size(); ++loop)
    for (std::size_t i = 0; i < loops.loops[loop].iterations.size(); ++i) {
      const auto interval = loops.loops[loop].iterations[i];
      const auto& counts = sink.of(all++);
      fmt::print("{} {} {} {} {} {} {} {} {}\n", id, loop, i, interval.begin, interval.end,
                 counts.visits, counts.sends, counts.receives, counts.collectives);
    }
}

void print_iterations(const char* trace) {
  Diagnostics diagnostics;
  const Archive archive(trace, diagnostics);
  auto plan = make_plan(archive, {});
  add_profiles(plan, archive, {}, diagnostics);
  group(plan, default_threshold);
  std::vector<std::size_t> members(plan.processes.size());
  std::iota(members.begin(), members.end(), 0);
  const auto found = find_loops_pass({archive, plan, {}, diagnostics}, members, {});
  const FunctionTable functions(archive.definitions(), plan.filters);
  std::vector<std::uint64_t> ids;
  for (const auto& process : plan.processes)
    ids.push_back(process.id);

  EventReader reader(archive, ids, {}, diagnostics);
  for (std::size_t p = 0; p < found.size(); ++p)
    print_location(functions, reader, ids[p], found[p]);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: print_iterations TRACE.otf2\n");
    return 2;
  }

  try {
    print_iterations(argv[1]);
    return 0;
  } catch (const Error& problem) {
    fmt::print(stderr, "print_iterations: {}\n", problem.what());
    return 3;
  }
}
