#include "pipeline/iterations/searched_loops.hpp"

#include "base/team.hpp"

namespace tracefold {

namespace {

// Makes the surest loop likely.
constexpr double overlapped_confidence = 0.5;

// Where a call was not left as it was entered, those behind it seem to be in it: iterations, too.
// Behind the loop this is noticed at its caller's end, which says nothing against the loop.
void doubt_overlapped_loops(std::vector<Loop>& loops, const CallOddities& oddities) {
  if (oddities.overlapping_calls == 0)
    return;
  for (auto& loop : loops)
    if (loop.is_found() && oddities.first_overlap < loop.end() &&
        loop.begin() < oddities.last_overlap)
      loop.confidence *= overlapped_confidence;
}

}  // namespace

void SearchedLoops::add(std::size_t process, LoopFinder& finder, const LocationRead& read) {
  auto& found = found_[process].emplace();
  found.left_out = finder.left_out();
  found.loops = finder.take(read.first_time, read.last_time);
  found.calls = finder.take_calls();
  doubt_overlapped_loops(found.loops.loops, read.oddities);
  if (!found.loops.loops.empty())
    found.left_out.clear();
}

void SearchedLoops::share(Team* team, const std::vector<std::size_t>& own) {
  auto searched = own;
  std::erase_if(searched, [&](std::size_t process) { return !is_searched(process); });
  share_found(team, found_, searched);
}

IterationCounts SearchedLoops::count_calls(std::size_t process, const Loop& loop) const {
  return is_searched(process) ? found_[process]->calls.list(loop) : IterationCounts{};
}

std::vector<ProcessLoops> SearchedLoops::list(const std::vector<std::size_t>& processes) const {
  std::vector<ProcessLoops> loops(found_.size());
  for (auto p : processes)
    loops[p] = found_[p]->loops;
  return loops;
}

}  // namespace tracefold
