#include "otf2/local_definitions.hpp"

#include "otf2/definition_records.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tracefold {

namespace {

constexpr std::uint64_t largest_dense = 1 << 16;  // local ids up to here are looked up in an array
enum Mode : std::uint8_t { dense = 0, sparse = 1 };

// Takes the records of one file, one after the other.
class Records {
 public:
  explicit Records(LocalDefinitions& out) : out_(out) {}

  // False where the record is damaged.
  template <bool Big>
  bool take(std::uint8_t type, ByteReader<Big>& cursor, const std::uint8_t* end) {
    if (type == wire::mapping_table)
      return mapping(cursor, end);
    if (type == wire::clock_offset)
      return offset(cursor, end);

    return type >= definition_layouts.size() ||
           fits(definition_layouts[type], cursor, end);  // what it defines is not looked at
  }

 private:
  template <bool Big>
  bool mapping(ByteReader<Big>& cursor, const std::uint8_t* end) {
    const auto kind = cursor.u8();
    const auto count = cursor.number(8);
    const auto mode = cursor.u8();
    if (cursor.bad || cursor.at > end || mode > sparse || count == 0 ||
        count > static_cast<std::uint64_t>(end - cursor.at))
      return false;

    std::vector<std::uint64_t> numbers(mode == dense ? count : 2 * count);
    for (auto& n : numbers) {
      n = cursor.number(8);
      if (cursor.bad || cursor.at > end)
        return false;
    }

    if (kind >= mapped_kinds)
      return true;

    auto& map = out_.maps[kind];
    if (map.is_set())
      return true;  // the first of a kind counts, as in libotf2
    if (mode == dense) {
      map.set_dense(std::move(numbers));
      return true;
    }

    std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
    for (std::size_t i = 0; i < numbers.size(); i += 2)
      pairs.emplace_back(numbers[i], numbers[i + 1]);

    map.set_sparse(std::move(pairs));

    return true;
  }

  template <bool Big>
  bool offset(ByteReader<Big>& cursor, const std::uint8_t* end) {
    const auto time = cursor.fixed(8);
    const auto offset = static_cast<std::int64_t>(cursor.number(8));
    cursor.fixed(8);  // the standard deviation
    if (cursor.bad || cursor.at > end)
      return false;

    if (measured_) {
      if (last_.begin >= time)
        return false;
      last_.end = time;
      const auto growth = static_cast<std::int64_t>(static_cast<std::uint64_t>(offset) -
                                                    static_cast<std::uint64_t>(last_.offset));
      last_.slope = static_cast<double>(growth) / static_cast<double>(time - last_.begin);
      out_.clock.push_back(last_);
    }

    measured_ = true;
    last_ = {time, 0, offset, 0};

    return true;
  }

  LocalDefinitions& out_;
  ClockInterval last_;
  bool measured_ = false;
};

}  // namespace

void IdMap::set_dense(std::vector<std::uint64_t> ids) {
  dense_ = std::move(ids);
  set_ = true;
}

void IdMap::set_sparse(std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs) {
  set_ = true;
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  if (!pairs.empty() && pairs.back().first < largest_dense) {
    dense_.resize(pairs.back().first + 1);
    for (std::size_t i = 0; i < dense_.size(); ++i)
      dense_[i] = i;
    for (auto [local, global] : pairs)
      dense_[local] = global;
  } else {
    sparse_ = std::move(pairs);
  }
}

std::uint64_t IdMap::find_sparse(std::uint64_t id) const {
  // of equal ids the last counts
  auto at =
      std::upper_bound(sparse_.begin(), sparse_.end(), id,
                       [](std::uint64_t wanted, const auto& pair) { return wanted < pair.first; });

  return at != sparse_.begin() && std::prev(at)->first == id ? std::prev(at)->second
         : has_others_                                       ? others_
                                                             : id;
}

void IdMap::set_others(std::uint64_t id) {
  others_ = id;
  has_others_ = true;
}

void IdMap::append(const IdMap& next) {
  const auto before = std::exchange(*this, next);
  if (!before.set_)
    return;

  dense_.resize(std::max(before.dense_.size(), next.dense_.size()));
  for (std::size_t id = 0; id < dense_.size(); ++id)
    dense_[id] = next.of(before.of(id));
  std::erase_if(sparse_, [&](const auto& pair) { return before.of(pair.first) != pair.first; });
  for (const auto& [id, global] : before.sparse_)
    sparse_.emplace_back(id, next.of(global));
  std::stable_sort(sparse_.begin(), sparse_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
}

void IdMap::clear() {
  *this = {};
}

std::uint64_t ClockShift::of(std::uint64_t time) const {
  if (scale == 1)
    return time - origin + begin;
  const auto distance = static_cast<std::int64_t>(time - origin);
  return begin + static_cast<std::uint64_t>(std::llrint(static_cast<long double>(scale) *
                                                        static_cast<long double>(distance)));
}

// A time t of an interval from b on, with offset o and slope s, means t + o + s (t - b) on the
// first clock. That on the other one is a line through its value at b, with the slope
// scale (1 + s).
void ClockShift::apply(std::vector<ClockInterval>& intervals) const {
  if (intervals.empty())
    intervals.push_back({scale == 1 ? 0 : origin, origin, 0, 0});
  for (auto& interval : intervals) {
    const auto corrected = interval.begin + static_cast<std::uint64_t>(interval.offset);
    interval.offset = static_cast<std::int64_t>(of(corrected) - interval.begin);
    interval.slope = scale == 1 ? interval.slope : scale * (1 + interval.slope) - 1;
  }
}

void ClockCorrection::begin_interval() {
  constexpr std::uint64_t longest = ~std::uint64_t{0} >> 1;
  if (!intervals_.empty())
    now_ = intervals_[interval_];  // else nothing is corrected
  const bool is_last = interval_ + 1 >= intervals_.size();
  span_ = is_last ? longest : std::min(longest, now_.end - now_.begin);
  size_ = 0;
}

std::uint64_t ClockCorrection::correct(std::uint64_t time) {
  // The last interval holds for all that follows.
  if (time - now_.begin > span_)
    while (interval_ + 1 < intervals_.size() && time > now_.end) {
      ++interval_;
      begin_interval();
    }

  const auto offset = static_cast<std::uint64_t>(now_.offset);
  const auto distance = time - now_.begin;
  if (distance > span_) {  // before the interval, or far away
    const auto ticks =
        time < now_.begin ? -static_cast<double>(now_.begin - time) : static_cast<double>(distance);
    return time + offset + static_cast<std::uint64_t>(measure_drift(ticks));
  }

  first_ = time;
  size_ = find_last_alike(distance) - distance + 1;
  correction_ = offset + static_cast<std::uint64_t>(measure_drift(static_cast<double>(distance)));

  return time + correction_;
}

// The drift only grows, or only falls: where two distances have the same, so have all between them.
// The one that is tried here lies before the middle between two ticks by more than is lost to
// rounding.
std::uint64_t ClockCorrection::find_last_alike(std::uint64_t distance) const {
  if (now_.slope == 0)
    return span_;

  constexpr double lost = 1e-12;
  const auto drift = measure_drift(static_cast<double>(distance));
  const auto middle = (static_cast<double>(drift) + std::copysign(0.5, now_.slope)) / now_.slope;
  const auto tried = middle - middle * lost - 1;
  if (!(tried > static_cast<double>(distance)))
    return distance;

  const auto last = tried < static_cast<double>(span_) ? static_cast<std::uint64_t>(tried) : span_;

  return measure_drift(static_cast<double>(last)) == drift ? last : distance;
}

void LocalDefinitions::clear() {
  for (auto& map : maps)
    map.clear();
  clock.clear();
}

LocalFile read_local_definitions(const ChunkFile& file, ChunkBuffer& buffer,
                                 LocalDefinitions& out) {
  out.clear();
  if (file.chunks() == 0)
    return LocalFile::read;

  Records records(out);
  for (std::size_t k = 0; k < file.chunks(); ++k) {
    const auto walked = walk_records(file.read(k, buffer), [&](auto type, auto& cursor, auto end) {
      return records.take(type, cursor, end);
    });
    switch (walked.end) {
      case WalkEnd::chunk: break;
      case WalkEnd::file: return LocalFile::read;
      case WalkEnd::fault: return LocalFile::damaged;
    }
  }

  return LocalFile::damaged;
}

}  // namespace tracefold
