#include "pipeline/delays/time_line.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace tracefold {

namespace {

template <class Visit>
void visit_pairs(std::string_view bytes, const Visit& visit) {
  const auto* at = bytes.data();
  for (const auto* const end = at + bytes.size(); at != end;) {
    const auto [part, ticks] = PackedPairs::take(at);
    visit(static_cast<std::uint32_t>(part), ticks);
  }
}

}  // namespace

std::uint64_t PartTimes::sum_waiting() const {
  std::uint64_t sum = 0;
  for (auto part : parts())
    sum += is_waiting(part) ? ticks_[part] : 0;
  return sum;
}

std::optional<std::uint32_t> PartTimes::find_longest() const {
  const auto longest =
      std::max_element(parts().begin(), parts().end(),
                       [&](std::uint32_t x, std::uint32_t y) { return ticks_[x] < ticks_[y]; });
  return longest == parts().end() ? std::nullopt : std::optional(*longest);
}

void PartTimes::clear() {
  for (auto part : parts())
    ticks_[part] = 0;
  count_ = 0;
}

void PartTimes::make_room(std::uint32_t part) {
  ticks_.resize(std::max(ticks_.size(), 2 * std::size_t{part} + 16));
  parts_.resize(std::max(ticks_.size(), 2 * count_));
}

TimeLine::TimeLine(std::string segments, std::vector<PathIndex> path_in_all)
    : segments_(std::move(segments)), path_in_all_(std::move(path_in_all)) {
  if (segments_.empty())
    return;
  std::uint64_t end = 0;
  const auto* at = segments_.data();
  const auto* const behind = at + segments_.size() - PackedPairs::beyond;
  for (std::size_t k = 0; at != behind; ++k) {
    if (k % together == 0)
      blocks_.push_back({end, static_cast<std::size_t>(at - segments_.data())});
    const auto [bytes_and_kind, ticks] = PackedPairs::take(at);
    at += bytes_and_kind / segment_kinds;
    end += ticks;
  }
  blocks_.shrink_to_fit();
  for (auto left = blocks_.size() / together; left > 0; left /= together)
    add_level(left);
}

void TimeLine::add_level(std::size_t sums) {
  Level level;
  PartTimes times;
  PackedPairs parts;
  for (std::size_t k = 0; k < sums * together; ++k) {
    visit_parts(levels_.size(), k,
                [&](std::uint32_t part, std::uint64_t ticks) { times.add(part, ticks); });
    if ((k + 1) % together > 0)
      continue;
    for (auto part : times.parts())
      parts.add(part, times[part]);
    level.sums += parts.bytes();
    level.ends.push_back(level.sums.size());
    times.clear();
    parts.clear();
  }
  level.sums.append(PackedPairs::beyond, 0);
  levels_.push_back(std::move(level));
}

template <class Visit>
void TimeLine::visit_segments(std::size_t block, const Visit& visit) const {
  SegmentReader reader(std::string_view(segments_).substr(blocks_[block].place),
                       blocks_[block].begin);
  while (reader.next())
    if (!visit(reader.end(), reader.is_call(), reader.parts()))
      return;
}

template <class Visit>
void TimeLine::visit_parts(std::size_t level, std::size_t place, const Visit& visit) const {
  if (level > 0) {
    const auto& [ends, sums] = levels_[level - 1];
    const auto begin = place == 0 ? 0 : ends[place - 1];
    return visit_pairs(std::string_view(sums).substr(begin, ends[place] - begin), visit);
  }
  auto left = together;
  visit_segments(place, [&](std::uint64_t, bool, std::string_view parts) {
    visit_pairs(parts, visit);
    return --left > 0;
  });
}

void TimeLine::sum(std::uint64_t after, std::uint64_t until, PartTimes& out) const {
  if (blocks_.empty() || until <= after)
    return;

  const auto add = [&](std::uint32_t part, std::uint64_t ticks) {
    out.add(number_part(find_in_all(PartTimes::find_path(part)), PartTimes::is_waiting(part)),
            ticks);
  };
  const auto first = find_block(after);
  const auto add_some = [&](std::size_t block, std::size_t most) {
    visit_segments(block, [&](std::uint64_t end, bool, std::string_view parts) {
      if (end > until)
        return false;
      if (end > after)
        visit_pairs(parts, add);
      return --most > 0;
    });
  };

  if (blocks_.size() - first <= together || blocks_[first + together].begin >= until)
    return add_some(first, ~std::size_t{0});
  const auto last = find_block(until);
  add_some(first, together);
  for (auto block = first + 1; block < last;) {
    std::size_t level = 0, size = 1;
    while (level < levels_.size() && block % (size * together) == 0 &&
           block + size * together <= last) {
      ++level;
      size *= together;
    }
    visit_parts(level, block / size, add);
    block += size;
  }
  add_some(last, together);
}

std::size_t TimeLine::find_block(std::uint64_t time) const {
  const auto behind =
      std::upper_bound(blocks_.begin(), blocks_.end(), time,
                       [](auto wanted, const Block& block) { return wanted < block.begin; });
  return static_cast<std::size_t>(behind - blocks_.begin()) - (behind != blocks_.begin());
}

std::uint64_t TimeLine::find_end_of_call(std::uint64_t entered) const {
  if (blocks_.empty() || entered == 0)
    return entered;

  bool is_entered = false;
  auto found = entered;
  visit_segments(find_block(entered - 1), [&](std::uint64_t end, bool is_call, std::string_view) {
    if (is_entered && (is_call || end > entered)) {
      found = end;
      return false;
    }
    if (end > entered)
      return false;
    is_entered |= end == entered && !is_call;
    return true;
  });
  return found;
}

}  // namespace tracefold
