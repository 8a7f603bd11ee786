#include "pipeline/delays/time_line.hpp"

#include "base/varints.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace tracefold {

namespace {

void put_parts(std::string& out, const PartTimes& times) {
  for (auto part : times.parts()) {
    put_varint(out, part);
    put_varint(out, times[part]);
  }
}

void add_parts(std::string_view parts, PartTimes& out) {
  for (VarintReader reader(parts); !reader.at_end();) {
    const auto part = static_cast<std::uint32_t>(reader.take());
    out.add(part, reader.take());
  }
}

}  // namespace

std::uint64_t PartTimes::sum_waiting() const {
  std::uint64_t sum = 0;
  for (auto part : parts_)
    sum += is_waiting(part) ? ticks_[part] : 0;
  return sum;
}

void PartTimes::clear() {
  for (auto part : parts_)
    ticks_[part] = 0;
  parts_.clear();
}

TimeLine::TimeLine(const CallTimes& times, std::span<const KnownWait> waits,
                   std::span<const PathIndex> path_in_all) {
  VarintReader reader(times.segments);
  PartTimes own, parts, of_segment;
  std::uint64_t end = 0;
  std::size_t wait = 0;
  while (!reader.at_end()) {
    end += reader.take();
    const auto count_and_kind = reader.take();
    const bool is_call = count_and_kind % 2 == 1;
    for (auto count = count_and_kind / 2; count > 0; --count) {
      const auto path = static_cast<PathIndex>(reader.take());
      own.add(path, reader.take());
    }

    while (wait < waits.size() && waits[wait].end < end)
      ++wait;
    for (; is_call && wait < waits.size() && waits[wait].end == end; ++wait) {
      const auto path = waits[wait].path;
      const auto waited = std::min(waits[wait].ticks, own[path] - parts[path]);
      parts.add(path, waited);
    }
    for (auto path : own.parts()) {
      const auto in_all = path < path_in_all.size() ? path_in_all[path] : PathIndex{0};
      of_segment.add(PartTimes::number_part(in_all, false), own[path] - parts[path]);
      of_segment.add(PartTimes::number_part(in_all, true), parts[path]);
    }
    add_segment(end, is_call, of_segment);
    own.clear();
    parts.clear();
    of_segment.clear();
  }
  open_sums_ = {};
  open_counts_ = {};
  segments_.shrink_to_fit();
}

void TimeLine::add_segment(std::uint64_t end, bool is_call, const PartTimes& times) {
  if (in_block_ == 0) {
    begins_.push_back(last_end_);
    places_.push_back(segments_.size());
  }
  put_varint(segments_, end - last_end_);
  std::string parts;
  put_parts(parts, times);
  put_varint(segments_, 2 * parts.size() + is_call);
  segments_ += parts;
  last_end_ = end;

  if (open_sums_.empty()) {
    open_sums_.resize(1);
    open_counts_.resize(1);
  }
  for (auto part : times.parts())
    open_sums_[0].add(part, times[part]);
  if (++in_block_ == together)
    end_block();
}

// The sums of a block are put, and so are those of all blocks that end with it.
void TimeLine::end_block() {
  in_block_ = 0;
  for (std::size_t level = 0;; ++level) {
    if (levels_.size() == level)
      levels_.emplace_back();
    auto& of_level = levels_[level];
    of_level.places.push_back(of_level.sums.size());
    put_parts(of_level.sums, open_sums_[level]);

    if (open_sums_.size() == level + 1) {
      open_sums_.emplace_back();
      open_counts_.push_back(0);
    }
    for (auto part : open_sums_[level].parts())
      open_sums_[level + 1].add(part, open_sums_[level][part]);
    open_sums_[level].clear();
    if (++open_counts_[level + 1] < together)
      return;
    open_counts_[level + 1] = 0;
  }
}

void TimeLine::add_sums(const Level& level, std::size_t place, PartTimes& out) const {
  const auto begin = level.places[place];
  const auto end = place + 1 < level.places.size() ? level.places[place + 1] : level.sums.size();
  add_parts(std::string_view(level.sums).substr(begin, end - begin), out);
}

std::size_t TimeLine::find_block(std::uint64_t time) const {
  const auto behind = std::upper_bound(begins_.begin(), begins_.end(), time);
  return static_cast<std::size_t>(behind - begins_.begin()) - (behind != begins_.begin());
}

std::size_t TimeLine::find_block_before(std::uint64_t time) const {
  const auto behind = std::lower_bound(begins_.begin(), begins_.end(), time);
  return static_cast<std::size_t>(behind - begins_.begin()) - (behind != begins_.begin());
}

template <class Visit>
void TimeLine::visit_segments(std::size_t block, const Visit& visit) const {
  VarintReader reader(std::string_view(segments_).substr(places_[block]));
  auto end = begins_[block];
  while (!reader.at_end()) {
    end += reader.take();
    const auto bytes_and_kind = reader.take();
    if (!visit(end, bytes_and_kind % 2 == 1, reader.take_bytes(bytes_and_kind / 2)))
      return;
  }
}

void TimeLine::sum(std::uint64_t after, std::uint64_t until, PartTimes& out) const {
  if (is_empty() || until <= after)
    return;

  const auto first = find_block(after), last = find_block(until);
  const auto add_some = [&](std::size_t block, std::size_t most) {
    visit_segments(block, [&](std::uint64_t end, bool, std::string_view parts) {
      if (end > until || most-- == 0)
        return false;
      if (end > after)
        add_parts(parts, out);
      return true;
    });
  };
  add_some(first, together);
  for (auto block = first + 1; block < last;) {
    std::size_t level = 0, size = 1;
    while (level + 1 < levels_.size() && block % (size * together) == 0 &&
           block + size * together <= last) {
      ++level;
      size *= together;
    }
    add_sums(levels_[level], block / size, out);
    block += size;
  }
  if (last > first)
    add_some(last, together);
}

std::uint64_t TimeLine::find_end_of_call(std::uint64_t entered) const {
  if (is_empty())
    return entered;

  bool is_entered = false;
  auto found = entered;
  visit_segments(find_block_before(entered),
                 [&](std::uint64_t end, bool is_call, std::string_view) {
                   if (is_entered)
                     found = end;
                   if (is_entered || end > entered)
                     return false;
                   is_entered = end == entered && !is_call;
                   return true;
                 });
  return found;
}

}  // namespace tracefold
