#include "pipeline/profile/call_tree.hpp"

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
  place({key_of(caller, function), path});

  return path;
}

void CallTree::place(Slot slot) {
  auto s = slot_of(slot.key);
  while (slots_[s].path != no_path)
    s = (s + 1) & (slots_.size() - 1);
  slots_[s] = slot;
}

PathIndex CallTree::innermost(PathIndex path, FunctionIndex function) const {
  for (; path != 0; path = paths_[path].caller)
    if (paths_[path].function == function)
      return path;
  return no_path;
}

}  // namespace tracefold
