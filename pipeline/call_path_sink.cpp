#include "pipeline/call_path_sink.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

constexpr unsigned first_bits = 10;

}  // namespace

CallPathSink::CallPathSink(std::size_t most) : most_(most), paths_(1), tallies_(1), slots_(std::size_t{1} << first_bits), shift_(64 - first_bits) {}

PathIndex CallPathSink::first_visit(PathIndex known, FunctionIndex function) {
  if (visited_.size() >= most_)
    for (auto open = at_; open != 0; open = paths_[open].caller)
      if (paths_[open].function == function) {
        ++folded_;
        return open;
      }
  const auto path = known == no_path ? add(at_, function) : known;
  visited_.push_back(path);
  return path;
}

PathIndex CallPathSink::add(PathIndex caller, FunctionIndex function) {
  if (2 * paths_.size() >= slots_.size()) {
    const auto full = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    --shift_;
    for (const auto& slot : full)
      if (slot.path != no_path) place(slot);
  }
  const auto path = static_cast<PathIndex>(paths_.size());
  paths_.push_back({caller, function});
  tallies_.emplace_back();
  place({key_of(caller, function), path});
  return path;
}

void CallPathSink::place(Slot slot) {
  auto s = slot_of(slot.key);
  while (slots_[s].path != no_path) s = (s + 1) & (slots_.size() - 1);
  slots_[s] = slot;
}

LocationPaths CallPathSink::take() {
  LocationPaths out;
  std::sort(visited_.begin(), visited_.end());
  out.visits.reserve(visited_.size());
  out.exclusive.reserve(visited_.size());
  for (auto path : visited_) {
    const auto tally = std::exchange(tallies_[path], {});
    out.visits.push_back(tally.visits);
    out.exclusive.push_back(tally.exclusive);
  }
  out.paths = std::exchange(visited_, {});
  out.folded = std::exchange(folded_, 0);
  callers_.clear();
  at_ = 0;
  return out;
}

}  // namespace tracefold
