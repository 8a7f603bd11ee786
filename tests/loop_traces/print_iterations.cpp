// Prints where the iterations of each location are, in ticks, which `tracefold
// iterations` only sums up: as lines "location loop iteration begin end".
// Usage: print_iterations TRACE.otf2

#include "filters/group.hpp"
#include "pipeline/iteration_pass.hpp"
#include "pipeline/profile_pass.hpp"

#include <fmt/format.h>

namespace {

void print_iterations(const char* trace) {
  using namespace tracefold;
  Diagnostics diagnostics;
  const Archive archive(trace, diagnostics);
  auto plan = plan_of(archive, {});
  profile_into(plan, archive, {}, diagnostics);
  group(plan, default_threshold);
  const auto found = find_iterations(archive, plan, "", {}, diagnostics);
  for (std::size_t p = 0; p < found.size(); ++p)
    for (std::size_t loop = 0; loop < found[p].loops.size(); ++loop)
      for (std::size_t i = 0; i < found[p].loops[loop].iterations.size(); ++i) {
        const auto interval = found[p].loops[loop].iterations[i];
        fmt::print("{} {} {} {} {}\n", plan.processes[p].id, loop, i, interval.begin, interval.end);
      }
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
  } catch (const tracefold::Error& problem) {
    fmt::print(stderr, "print_iterations: {}\n", problem.what());
    return 3;
  }
}
