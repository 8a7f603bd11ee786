#include "lattice/members.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace tracefold::lattice {

std::vector<Object> Members::list() const {
  std::vector<Object> objects;
  objects.reserve(size_);
  for (const auto& run : runs_)
    for (std::uint64_t k = 0; k < run.size(); ++k) objects.push_back(run.first + k * run.stride);
  return objects;
}

// Whether no object below `object` can be in its run.
bool Members::begins_run(Object object) const {
  return empty() || (runs_.back().first != runs_.back().last && object - runs_.back().last != runs_.back().stride);
}

void Members::append(Object object) {
  assert(empty() || object > last());
  ++size_;
  if (begins_run(object)) return runs_.push_back({object, object, 1});
  auto& run = runs_.back();
  run.stride = object - run.last;
  run.last = object;
}

// As soon as a run of `above` begins a run here too, all that follow do.
void Members::append(const Members& above) {
  std::size_t k = 0;
  for (; k < above.runs_.size() && !begins_run(above.runs_[k].first); ++k)
    for (std::uint64_t i = 0; i < above.runs_[k].size(); ++i) append(above.runs_[k].first + i * above.runs_[k].stride);
  for (; k < above.runs_.size(); ++k) {
    runs_.push_back(above.runs_[k]);
    size_ += runs_.back().size();
  }
}

void Members::add(const Members& other) {
  if (other.empty()) return;
  if (empty() || last() < other.first()) return append(other);
  if (other.last() < first()) {
    const Members above = std::move(*this);
    *this = other;
    return append(above);
  }
  const auto ours = list(), theirs = other.list();
  std::vector<Object> all;
  all.reserve(ours.size() + theirs.size());
  std::merge(ours.begin(), ours.end(), theirs.begin(), theirs.end(), std::back_inserter(all));
  *this = {};
  for (auto object : all) append(object);
}

Members members_of(std::vector<Object> objects) {
  std::sort(objects.begin(), objects.end());
  Members members;
  for (auto object : objects) members.append(object);
  return members;
}

}  // namespace tracefold::lattice
