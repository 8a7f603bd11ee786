#include "lattice/add_intent.hpp"

namespace tracefold::lattice {

AddIntent::AddIntent(std::size_t width, std::size_t max_concepts)
    : words_(words_for(width)), limit_(max_concepts), intents_(words_), parents_(1) {
  fill_bits(intents_, width);
}

std::optional<std::size_t> AddIntent::insert(std::span<const Word> intent) {
  const auto found = add(intent, 0);
  return full_ ? std::nullopt : std::optional(found);
}

// The topmost of the concepts at and above `below` that have all of `intent`: all others of them
// are below it.
std::size_t AddIntent::most_general(std::span<const Word> intent, std::size_t below) const {
  for (;;) {
    const auto& above = parents_[below];
    const auto next = std::ranges::find_if(
        above, [&](auto parent) { return is_subset(intent, this->intent(parent)); });
    if (next == above.end())
      return below;
    below = *next;
  }
}

// Finds or makes the concept of `intent`, which the concept `below` has.
std::size_t AddIntent::add(std::span<const Word> intent, std::size_t below) {
  const auto generator = most_general(intent, below);
  if (full_ || std::ranges::equal(intent, this->intent(generator)))
    return generator;

  auto upper = parents_for(intent, generator);
  if (full_ || size() >= limit_) {
    full_ = true;
    return generator;
  }

  const auto made = size();
  intents_.insert(intents_.end(), intent.begin(), intent.end());
  auto& above = parents_[generator];
  std::erase_if(above,
                [&](auto parent) { return std::ranges::find(upper, parent) != upper.end(); });
  above.push_back(made);
  parents_.push_back(std::move(upper));

  return made;
}

// What stands right above a new concept for `intent` above `generator`: of
// what the generator's parents have in common with it, the largest.
std::vector<std::size_t> AddIntent::parents_for(std::span<const Word> intent,
                                                std::size_t generator) {
  std::vector<std::size_t> largest;
  std::vector<Word> common(words_);
  const auto candidates = parents_[generator];

  for (auto candidate : candidates) {
    if (!is_subset(this->intent(candidate), intent)) {
      std::ranges::copy(this->intent(candidate), common.begin());
      intersect(common, intent);
      candidate = add(common, candidate);
      if (full_)
        break;
    }

    const auto theirs = this->intent(candidate);
    if (std::ranges::any_of(largest,
                            [&](auto parent) { return is_subset(theirs, this->intent(parent)); }))
      continue;

    std::erase_if(largest, [&](auto parent) { return is_subset(this->intent(parent), theirs); });
    largest.push_back(candidate);
  }

  return largest;
}

}  // namespace tracefold::lattice
