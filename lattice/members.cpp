#include "lattice/members.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <iterator>

namespace tracefold::lattice {

namespace {

// 7 bits to a byte, lowest first; all but the last have the upper bit.
std::uint8_t* write_number(std::uint64_t value, std::uint8_t* to) {
  for (; value >= 0x80; value >>= 7)
    *to++ = static_cast<std::uint8_t>(value | 0x80);
  *to++ = static_cast<std::uint8_t>(value);
  return to;
}

std::uint64_t read_number(const std::uint8_t*& from) {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    value |= std::uint64_t{*from & 0x7fU} << shift;
    if ((*from++ & 0x80) == 0)
      return value;
  }
}

// The run behind one that ended at `last`.
Run read_run(const std::uint8_t*& from, Object last) {
  const auto first = last + read_number(from), stride = read_number(from);
  return {first, first + stride * (read_number(from) - 1), stride};
}

}  // namespace

std::vector<Run> Members::runs() const {
  std::vector<Run> runs;
  Object before = 0;
  for (const auto* from = bytes_.data(); from != bytes_.data() + bytes_.size();
       before = runs.back().last)
    runs.push_back(read_run(from, before));

  if (!empty())
    runs.push_back(open_);

  return runs;
}

std::vector<Object> Members::list() const {
  std::vector<Object> objects;
  objects.reserve(size_);
  for (const auto& run : runs())
    for (std::uint64_t k = 0; k < run.size(); ++k)
      objects.push_back(run.first + k * run.stride);

  return objects;
}

// Whether no object below `object` can be in its run.
bool Members::begins_run(Object object) const {
  return empty() || (open_.first != open_.last && object - open_.last != open_.stride);
}

void Members::close_run() {
  std::array<std::uint8_t, 30> bytes{};
  auto* end = write_number(open_.first - closed_last_, bytes.data());
  end = write_number(open_.stride, end);
  end = write_number(open_.size(), end);
  bytes_.insert(bytes_.end(), bytes.data(), end);
  closed_last_ = open_.last;
}

void Members::append(Object object) {
  assert(empty() || object > last());
  if (begins_run(object)) {
    if (empty())
      first_ = object;
    else
      close_run();
    open_ = {object, object, 1};
  } else {
    open_.stride = object - open_.last;
    open_.last = object;
  }

  ++size_;
}

// A run that begins one here stays as it is.
void Members::append(const Run& run) {
  const bool begins = begins_run(run.first);
  append(run.first);
  if (begins) {
    open_ = run;
    size_ += run.size() - 1;
  } else {
    for (std::uint64_t k = 1; k < run.size(); ++k)
      append(run.first + k * run.stride);
  }
}

// As soon as a run of `above` begins a run here too, all that follow do, and
// their bytes are taken over.
void Members::append(const Members& above) {
  const auto whole = size_ + above.size_;
  const auto* from = above.bytes_.data();
  const auto* const end = from + above.bytes_.size();
  bool in_step = false;

  for (Object before = 0; from != end && !in_step;) {
    const auto run = read_run(from, before);
    in_step = begins_run(run.first);
    append(run);
    before = run.last;
  }

  if (from == end)
    return append(above.open_);

  close_run();
  bytes_.insert(bytes_.end(), from, end);
  closed_last_ = above.closed_last_;
  open_ = above.open_;
  size_ = whole;
}

void Members::add(const Members& other) {
  if (other.empty())
    return;
  if (empty() || last() < other.first())
    return append(other);

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
  for (auto object : all)
    append(object);
}

Members make_members(std::vector<Object> objects) {
  std::sort(objects.begin(), objects.end());
  Members members;
  for (auto object : objects)
    members.append(object);
  return members;
}

}  // namespace tracefold::lattice
