#include "pipeline/events/call_path_cursor.hpp"

#include <utility>

namespace tracefold {

namespace {

constexpr unsigned first_bits = 10;

}  // namespace

CallTree::CallTree() : paths_(1), slots_(std::size_t{1} << first_bits), shift_(64 - first_bits) {}

PathIndex CallTree::add(PathIndex caller, FunctionIndex function) {
  if (2 * paths_.size() >= slots_.size()) {
    const auto full = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    --shift_;
    for (const auto& slot : full)
      if (slot.path != no_path)
        place(slot);
  }

  const auto path = static_cast<PathIndex>(paths_.size());
  paths_.push_back({caller, function});
  place({make_key(caller, function), path});

  return path;
}

void CallTree::place(Slot slot) {
  auto s = find_slot(slot.key);
  while (slots_[s].path != no_path)
    s = (s + 1) & (slots_.size() - 1);
  slots_[s] = slot;
}

PathIndex CallTree::find_innermost(PathIndex path, FunctionIndex function) const {
  for (; path != 0; path = paths_[path].caller)
    if (paths_[path].function == function)
      return path;
  return no_path;
}

PathIndex CallPathCursor::visit(std::size_t open_calls, std::span<const FunctionIndex> functions) {
  auto path = open_calls < callers_.size() ? callers_[open_calls] : path_;

  for (const auto function : functions) {
    const auto known = tree_.find(path, function);
    path = known == no_path || !visited_[known] ? visit_first(known, path, function) : known;
  }

  return path;
}

PathIndex CallPathCursor::visit_first(PathIndex known, PathIndex caller, FunctionIndex function) {
  if (visits_.size() >= most_) {
    if (const auto open = tree_.find_innermost(caller, function); open != no_path) {
      ++folded_;
      return open;
    }
  }

  const auto path = known == no_path ? tree_.add(caller, function) : known;
  visited_.resize(tree_.paths().size());
  visited_[path] = true;
  visits_.push_back(path);

  return path;
}

void CallPathCursor::begin_location() {
  for (auto path : visits_)
    visited_[path] = false;

  visits_.clear();
  callers_.clear();
  path_ = 0;
  folded_ = 0;
}

}  // namespace tracefold
