#include "filters/messages/sequence_folder.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace tracefold {

namespace {

constexpr std::uint64_t hash_base = 0x9e3779b97f4a7c15u;

std::uint64_t mix(std::uint64_t what, std::uint64_t count) {
  auto hash = (what + 1) * 0xbf58476d1ce4e5b9u + count * 0x94d049bb133111ebu;
  hash ^= hash >> 29;
  return hash * 0xff51afd7ed558ccdu;
}

}  // namespace

void SequenceFolder::add_other(std::uint32_t symbol) {
  if (matched_ > 0)
    put_matched();
  push_symbol(symbol);
  fold_tail();
  expect_body();
}

// The next repetition of the last loop is whole.
void SequenceFolder::count_body() {
  const auto loop = items_.back().item();
  pop();
  push_loop({loop.what, loop.count + 1});
  fold_tail();
  matched_ = 0;
  expect_body();
}

// The next repetition of the last loop broke off: what has come of it stands by itself.
void SequenceFolder::put_matched() {
  for (std::size_t k = 0; k < matched_; ++k) {
    push_symbol(body_[k]);
    fold_tail();
  }
  matched_ = 0;
}

void SequenceFolder::expect_body() {
  const auto last = items_.back().item();
  const auto number = last.is_loop() ? last.what >> 1 : none;
  if (number == expected_)
    return;

  expected_ = number;
  body_.clear();
  if (number == none)
    return;

  const auto& body = bodies_[number];
  const auto is_loop = [](const Item& item) { return item.is_loop(); };
  if (std::none_of(body.begin(), body.end(), is_loop))
    for (const auto& item : body)
      body_.push_back(item.what >> 1);
}

inline std::uint32_t& SequenceFolder::find_last_place(std::uint32_t what) {
  return (what & 1 ? last_body_ : last_symbol_)[what >> 1];
}

// Puts it behind the others, and says where it stood last.
inline std::uint32_t SequenceFolder::put_behind(const Item& item,
                                                std::vector<std::uint32_t>& places) {
  const auto number = item.what >> 1;
  if (places.size() <= number) [[unlikely]]
    places.resize(std::max<std::size_t>(2 * places.size(), number + 1), none);

  const auto place = static_cast<std::uint32_t>(items_.size());
  const auto earlier = std::exchange(places[number], place);
  items_.push_back({item.what, earlier, item.count, hash_});
  hash_ = hash_ * hash_base + mix(item.what, item.count);
  return earlier;
}

inline void SequenceFolder::push_symbol(std::uint32_t symbol) {
  if (put_behind({symbol * 2, 1}, last_symbol_) == none)
    touched_.push_back(symbol);
}

void SequenceFolder::push_loop(const Item& item) {
  const auto place = static_cast<std::uint32_t>(items_.size());
  put_behind(item, last_body_);
  const auto end = place + 1 + bodies_[item.what >> 1].size();
  if (waiting_.size() <= end)
    waiting_.resize(std::max(2 * waiting_.size(), end + 1));
  auto& waiting = waiting_[end];
  if (waiting.empty())
    waited_.push_back(end);
  if (std::find(waiting.begin(), waiting.end(), place) == waiting.end())
    waiting.push_back(place);
}

void SequenceFolder::pop() {
  const auto& last = items_.back();
  find_last_place(last.what) = last.earlier;
  hash_ = last.hash_before;
  items_.pop_back();
}

inline void SequenceFolder::fold_tail() {
  while ((has_waiting() && extend_loop()) || begin_loop()) {}
}

// Whether the body of a loop may be repeated by now.
inline bool SequenceFolder::has_waiting() const {
  return items_.size() < waiting_.size() && !waiting_[items_.size()].empty();
}

// Counts the last items to a loop before them whose body they are: of several the innermost.
bool SequenceFolder::extend_loop() {
  auto& waiting = waiting_[items_.size()];
  std::erase_if(waiting, [&](auto place) {
    const auto item = items_[place].item();  // the items reach beyond what waits for their number
    return !item.is_loop() || bodies_[item.what >> 1].size() != items_.size() - place - 1;
  });
  std::sort(waiting.begin(), waiting.end(), std::greater());

  for (auto place : waiting) {
    const auto loop = items_[place].item();
    const auto& body = bodies_[loop.what >> 1];
    if (!std::equal(body.rbegin(), body.rend(), items_.rbegin(),
                    [](const Item& a, const Placed& b) { return a == b.item(); }))
      continue;

    while (items_.size() > place)
      pop();
    push_loop({loop.what, loop.count + 1});
    return true;
  }
  return false;
}

inline std::uint64_t SequenceFolder::hash_before(std::size_t place) const {
  return place == items_.size() ? hash_ : items_[place].hash_before;
}

inline std::uint64_t SequenceFolder::hash_range(std::size_t begin, std::size_t end) const {
  return hash_before(end) - hash_before(begin) * powers_[end - begin];
}

// Whether the last items, so many, are what stands before them.
inline bool SequenceFolder::is_repeated(std::size_t length) {
  const auto end = items_.size();
  if (length > 1 && !items_[end - 2].is_same(items_[end - 2 - length]))
    return false;
  while (powers_.size() <= length)
    powers_.push_back(powers_.back() * hash_base);
  if (hash_range(end - length, end) != hash_range(end - 2 * length, end - length))
    return false;

  const auto tail = items_.end() - static_cast<std::ptrdiff_t>(length);
  return std::equal(tail, items_.end(), tail - static_cast<std::ptrdiff_t>(length),
                    [](const Placed& a, const Placed& b) { return a.is_same(b); });
}

// Makes a loop of the last items where the same ones stand before them.
bool SequenceFolder::begin_loop() {
  const auto end = items_.size();
  const auto last = end - 1;
  std::size_t tried = 0;

  for (auto at = items_[last].earlier; at != none && tried < most_candidates;
       at = items_[at].earlier) {
    const auto length = last - at;
    if (length > window || 2 * length > end)
      return false;
    ++tried;
    if (items_[at].count != items_[last].count || !is_repeated(length))
      continue;

    const auto body = number_body(end - length);
    for (std::size_t k = 0; k < 2 * length; ++k)
      pop();
    push_loop({body * 2 + 1, 2});
    return true;
  }
  return false;
}

std::uint32_t SequenceFolder::number_body(std::size_t first) {
  Body body;
  for (auto place = first; place < items_.size(); ++place)
    body.push_back(items_[place].item());

  auto& known = known_bodies_[hash_range(first, items_.size())];
  for (auto number : known)
    if (bodies_[number] == body)
      return number;

  known.push_back(static_cast<std::uint32_t>(bodies_.size()));
  bodies_.push_back(body);
  return known.back();
}

void SequenceFolder::put(const Item& item, FoldedSequence& out) const {
  if (!item.is_loop()) {
    out.push_back({item.what >> 1, 0, 1});
    return;
  }

  const auto loop = out.size();
  out.push_back({0, 0, item.count});
  for (const auto& inner : bodies_[item.what >> 1])
    put(inner, out);
  out[loop].body = static_cast<std::uint32_t>(out.size() - loop - 1);
}

FoldedSequence SequenceFolder::take() {
  put_matched();
  body_.clear();
  expected_ = none;

  FoldedSequence out;
  for (const auto& placed : items_)
    put(placed.item(), out);

  for (auto symbol : touched_)
    last_symbol_[symbol] = none;
  touched_.clear();
  last_body_.clear();
  items_.clear();
  hash_ = 0;
  for (auto end : waited_)
    waiting_[end].clear();
  waited_.clear();
  bodies_.clear();
  known_bodies_.clear();
  return out;
}

}  // namespace tracefold
