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

class TimeLine::Segments {
 public:
  struct Part {
    std::uint32_t number = 0;
    std::uint64_t ticks = 0;
  };

  Segments(const TimeLine& line, const Block& from)
      : line_(line),
        bytes_(std::string_view(line.segments_).substr(from.place)),
        end_(from.begin),
        wait_(from.wait) {}

  bool at_end() const { return bytes_.at_end(); }
  // The block that begins with the next segment.
  Block place() const { return {end_, line_.segments_.size() - bytes_.size(), wait_}; }

  // The next segment.
  void take() {
    end_ += bytes_.take();
    const auto count_and_kind = bytes_.take();
    is_call_ = count_and_kind % 2 == 1;
    parts_.clear();
    for (auto count = count_and_kind / 2; count > 0; --count) {
      const auto path = static_cast<PathIndex>(bytes_.take());
      parts_.push_back({path, bytes_.take()});
    }
    const auto paths = parts_.size();
    const auto& waits = line_.waits_;
    while (wait_ < waits.size() && waits[wait_].end < end_)
      ++wait_;
    for (; is_call_ && wait_ < waits.size() && waits[wait_].end == end_; ++wait_)
      take_waiting(waits[wait_], paths);
    for (std::size_t k = 0; k < paths; ++k)
      parts_[k].number = PartTimes::number_part(find_in_all(parts_[k].number), false);
  }
  std::uint64_t end() const { return end_; }
  bool is_call() const { return is_call_; }
  const std::vector<Part>& parts() const { return parts_; }

 private:
  PathIndex find_in_all(PathIndex path) const {
    return path < line_.path_in_all_.size() ? line_.path_in_all_[path] : PathIndex{0};
  }
  // From the time of its call path, one of the first parts, which still have the numbers of these.
  void take_waiting(const Waited& wait, std::size_t paths) {
    for (std::size_t k = 0; k < paths; ++k)
      if (parts_[k].number == wait.path) {
        const auto waited = std::min(wait.ticks, parts_[k].ticks);
        parts_[k].ticks -= waited;
        parts_.push_back({PartTimes::number_part(find_in_all(wait.path), true), waited});
        return;
      }
  }

  const TimeLine& line_;
  VarintReader bytes_;
  std::uint64_t end_;
  std::size_t wait_;
  bool is_call_ = false;
  std::vector<Part> parts_;
};

TimeLine::TimeLine(std::string segments, std::span<const KnownWait> waits,
                   std::vector<PathIndex> path_in_all)
    : segments_(std::move(segments)), path_in_all_(std::move(path_in_all)) {
  waits_.reserve(waits.size());
  for (const auto& wait : waits)
    waits_.push_back({wait.end, wait.ticks, wait.path});

  std::vector<PartTimes> open_sums(1);  // by level
  std::vector<std::size_t> open_counts(1);
  std::size_t in_block = 0;
  for (Segments all(*this, {}); !all.at_end();) {
    if (in_block == 0)
      blocks_.push_back(all.place());
    all.take();
    for (const auto& part : all.parts())
      open_sums[0].add(part.number, part.ticks);
    if (++in_block == together) {
      end_block(open_sums, open_counts);
      in_block = 0;
    }
  }
}

// The sums of a block are put, and so are those of all blocks that end with it.
void TimeLine::end_block(std::vector<PartTimes>& open_sums, std::vector<std::size_t>& open_counts) {
  for (std::size_t level = 0;; ++level) {
    if (levels_.size() == level)
      levels_.emplace_back();
    auto& of_level = levels_[level];
    of_level.places.push_back(of_level.sums.size());
    put_parts(of_level.sums, open_sums[level]);

    if (open_sums.size() == level + 1) {
      open_sums.emplace_back();
      open_counts.push_back(0);
    }
    for (auto part : open_sums[level].parts())
      open_sums[level + 1].add(part, open_sums[level][part]);
    open_sums[level].clear();
    if (++open_counts[level + 1] < together)
      return;
    open_counts[level + 1] = 0;
  }
}

void TimeLine::add_sums(const Level& level, std::size_t place, PartTimes& out) const {
  const auto begin = level.places[place];
  const auto end = place + 1 < level.places.size() ? level.places[place + 1] : level.sums.size();
  add_parts(std::string_view(level.sums).substr(begin, end - begin), out);
}

std::size_t TimeLine::find_block(std::uint64_t time) const {
  const auto behind =
      std::upper_bound(blocks_.begin(), blocks_.end(), time,
                       [](std::uint64_t at, const Block& block) { return at < block.begin; });
  return static_cast<std::size_t>(behind - blocks_.begin()) - (behind != blocks_.begin());
}

std::size_t TimeLine::find_block_before(std::uint64_t time) const {
  const auto behind =
      std::lower_bound(blocks_.begin(), blocks_.end(), time,
                       [](const Block& block, std::uint64_t at) { return block.begin < at; });
  return static_cast<std::size_t>(behind - blocks_.begin()) - (behind != blocks_.begin());
}

// Of one block.
void TimeLine::add_some(std::size_t block, std::uint64_t after, std::uint64_t until,
                        PartTimes& out) const {
  Segments segments(*this, blocks_[block]);
  for (auto left = together; left > 0 && !segments.at_end(); --left) {
    segments.take();
    if (segments.end() > until)
      return;
    if (segments.end() > after)
      for (const auto& part : segments.parts())
        out.add(part.number, part.ticks);
  }
}

void TimeLine::sum(std::uint64_t after, std::uint64_t until, PartTimes& out) const {
  if (is_empty() || until <= after)
    return;

  const auto first = find_block(after), last = find_block(until);
  add_some(first, after, until, out);
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
    add_some(last, after, until, out);
}

std::uint64_t TimeLine::find_end_of_call(std::uint64_t entered) const {
  if (is_empty())
    return entered;

  bool is_entered = false;
  for (Segments segments(*this, blocks_[find_block_before(entered)]); !segments.at_end();) {
    segments.take();
    if (is_entered)
      return segments.end();
    if (segments.end() > entered)
      return entered;
    is_entered = segments.end() == entered && !segments.is_call();
  }
  return entered;
}

}  // namespace tracefold
