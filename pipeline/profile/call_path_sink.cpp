#include "pipeline/profile/call_path_sink.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

CallPathSink::CallPathSink(std::size_t most) : most_(most), tallies_(1) {}

PathIndex CallPathSink::first_visit(PathIndex known, FunctionIndex function) {
  if (visited_.size() >= most_)
    if (const auto open = tree_.innermost(at_, function); open != no_path) {
      ++folded_;
      return open;
    }

  const auto path = known == no_path ? tree_.add(at_, function) : known;
  tallies_.resize(tree_.paths().size());
  visited_.push_back(path);

  return path;
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
