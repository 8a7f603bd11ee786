#include "filters/groups/name_rank_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t most_grid_axes = 8;
constexpr std::size_t longest_position = 60;  // characters

// Places along an axis: its begin, what is between its ends, and its end. On a periodic axis every
// rank is between.
constexpr std::size_t places = 3;
constexpr std::size_t at_begin = 0, between = 1, at_end = 2;

RankSet list_all_ranks(std::size_t size) {
  RankSet all(size);
  for (std::size_t rank = 0; rank < size; ++rank)
    all[rank] = rank;
  return all;
}

RankSet leave_out(const RankSet& ranks, const RankSet& without) {
  RankSet left;
  std::set_difference(ranks.begin(), ranks.end(), without.begin(), without.end(),
                      std::back_inserter(left));
  return left;
}

// "a", "a and b", "a, b and c"
std::string join_words(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t k = 0; k < words.size(); ++k)
    out += (k == 0 ? "" : k + 1 < words.size() ? ", " : " and ") + words[k];
  return out;
}

}  // namespace

RankGrid fill_grid(std::vector<GridAxis> axes, std::size_t ranks) {
  RankGrid grid{std::move(axes), {}};
  const auto width = grid.axes.size();
  grid.coordinates.resize(ranks * width);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    std::uint64_t rest = rank;
    for (auto a = width; a-- > 0;) {
      grid.coordinates[rank * width + a] = rest % grid.axes[a].size;
      rest /= grid.axes[a].size;
    }
  }
  return grid;
}

GridPositions::GridPositions(const RankGrid& grid) {
  std::vector<std::size_t> used;
  bool has_ends = false, has_between = false;
  for (std::size_t a = 0; a < grid.axes.size(); ++a)
    if (grid.axes[a].size > 1) {
      used.push_back(a);
      has_ends |= !grid.axes[a].periodic;
      has_between |= grid.axes[a].size > 2;
    }
  if (used.size() < 2 || used.size() > most_grid_axes || !has_ends || !has_between)
    return;

  axes_ = used.size();
  std::size_t positions = 1;
  for (std::size_t k = 0; k < axes_; ++k)
    positions *= places;
  counts_.resize(positions);

  const auto width = grid.axes.size();
  for (std::size_t rank = 0; rank < grid.coordinates.size() / width; ++rank) {
    std::size_t position = 0;
    for (auto a : used) {
      const auto& axis = grid.axes[a];
      const auto at = grid.coordinates[rank * width + a];
      position = position * places + (axis.periodic         ? between
                                      : at == 0             ? at_begin
                                      : at + 1 == axis.size ? at_end
                                                            : between);
    }
    position_of_.push_back(position);
    ++counts_[position];
  }
}

// Empty where the ranks are only a part of those at some position.
GridPositions::Taken GridPositions::find_positions(const RankSet& ranks) const {
  std::vector<std::size_t> counts(counts_.size());
  for (auto rank : ranks) {
    if (rank >= position_of_.size())
      return {};
    ++counts[position_of_[rank]];
  }

  Taken taken(counts.size());
  for (std::size_t position = 0; position < counts.size(); ++position) {
    taken[position] = counts[position] > 0;
    if (taken[position] && counts[position] < counts_[position])
      return {};
  }
  return taken;
}

std::string GridPositions::name(const RankSet& ranks) const {
  if (axes_ == 0 || ranks.empty())
    return {};

  Taken with_first;
  if (ranks.front() > 0) {
    auto others = ranks;
    others.insert(others.begin(), 0);
    with_first = find_positions(others);
  }
  if (!with_first.empty())
    if (const auto words = name_kinds(with_first); !words.empty())
      return words + " but rank 0";

  const auto taken = find_positions(ranks);
  if (!taken.empty())
    return name_positions(taken);
  const auto words = with_first.empty() ? std::string() : name_positions(with_first);
  return words.empty() ? words : words + " but rank 0";
}

std::size_t GridPositions::find_place(std::size_t position, std::size_t axis) const {
  for (auto a = axes_ - 1; a > axis; --a)
    position /= places;
  return position % places;
}

std::size_t GridPositions::count_ends(std::size_t position) const {
  std::size_t ends = 0;
  for (std::size_t a = 0; a < axes_; ++a)
    ends += find_place(position, a) != between;
  return ends;
}

// "" where there is no word.
std::string GridPositions::name_kind(std::size_t ends) const {
  if (ends == 0)
    return "inside";
  if (ends == axes_)
    return "corner";
  if (axes_ > 3)
    return {};
  return ends + 1 == axes_ ? "edge" : "face";
}

// "north-west"
std::string GridPositions::name_sides(std::size_t position) const {
  static constexpr std::array<std::array<const char*, 2>, 3> sides{
      {{"top", "bottom"}, {"north", "south"}, {"west", "east"}}};

  std::string words;
  for (std::size_t a = 0; a < axes_; ++a)
    if (const auto place = find_place(position, a); place != between)
      words += (words.empty() ? "" : "-") +
               std::string(sides[a + sides.size() - axes_][place == at_end ? 1 : 0]);
  return words;
}

std::string GridPositions::name_positions(const Taken& taken) const {
  for (auto words : {name_kinds(taken), name_slab(taken), name_elements(taken)})
    if (!words.empty() && words.size() <= longest_position)
      return words;
  return {};
}

// All positions of some kinds.
std::string GridPositions::name_kinds(const Taken& taken) const {
  std::vector<std::size_t> all(axes_ + 1), own(axes_ + 1);  // positions, by ends
  for (std::size_t position = 0; position < counts_.size(); ++position)
    if (counts_[position] > 0) {
      const auto ends = count_ends(position);
      ++all[ends];
      own[ends] += taken[position];
    }

  std::vector<std::string> kinds, others;  // the words for them, corners first
  for (auto ends = axes_ + 1; ends-- > 0;) {
    if (own[ends] > 0 && own[ends] < all[ends])
      return {};
    if (all[ends] > 0)
      (own[ends] > 0 ? kinds : others).push_back(name_kind(ends));
  }

  if (others.empty())
    return {};
  if (others.size() == 1 && others.front() == "inside" && kinds.size() > 1)
    return "border of the grid";
  const auto is_word = [](const std::string& word) { return !word.empty(); };
  if (others.size() == 1 && kinds.size() > 1 && is_word(others.front()))
    return "grid without its " + others.front() + "s";
  if (!std::all_of(kinds.begin(), kinds.end(), is_word) || kinds.size() > 2)
    return {};

  if (kinds.size() == 2)
    for (auto& kind : kinds)
      kind += kind == "inside" ? "" : "s";
  return join_words(kinds) + " of the grid";
}

// Everything at some places along one axis.
std::string GridPositions::name_slab(const Taken& taken) const {
  if (axes_ > 3 || std::count(taken.begin(), taken.end(), true) == 1)
    return {};

  for (std::size_t axis = 0; axis < axes_; ++axis) {
    std::array<bool, places> own{}, there{};
    for (std::size_t position = 0; position < counts_.size(); ++position)
      if (counts_[position] > 0) {
        const auto place = find_place(position, axis);
        there[place] = true;
        own[place] = own[place] || taken[position];
      }
    bool is_whole = own != there;
    for (std::size_t position = 0; position < counts_.size(); ++position)
      is_whole &= counts_[position] == 0 || taken[position] == own[find_place(position, axis)];
    if (!is_whole)
      continue;

    // The sides, as positions that are at these ends alone.
    std::size_t stride = 1, middle = 0;
    for (auto a = axes_; a-- > 0;) {
      middle = middle * places + between;
      stride *= a > axis ? places : 1;
    }
    const auto begin = name_sides(middle - stride), end = name_sides(middle + stride);
    const std::string unit = axes_ == 3 ? "plane" : axis == 0 ? "row" : "column";
    if (!own[between])
      return own[at_begin] && own[at_end] ? fmt::format("{} and {} {}s", begin, end, unit)
                                          : fmt::format("{} {}", own[at_end] ? end : begin, unit);
    if (own[at_begin] || own[at_end])
      return fmt::format("all {}s but {}", unit, own[at_begin] ? end : begin);
    return fmt::format("all {}s but {} and {}", unit, begin, end);
  }

  return {};
}

// Some positions one by one.
std::string GridPositions::name_elements(const Taken& taken) const {
  constexpr std::size_t most_listed = 4;
  if (axes_ > 3)
    return {};

  std::vector<std::string> kinds;
  for (auto ends = axes_ + 1; ends-- > 0;) {
    std::vector<std::string> own, others;
    for (std::size_t position = 0; position < counts_.size(); ++position)
      if (counts_[position] > 0 && count_ends(position) == ends)
        (taken[position] ? own : others).push_back(name_sides(position));
    if (own.empty())
      continue;

    const auto kind = name_kind(ends);
    if (ends == 0)
      kinds.push_back("inside");
    else if (others.empty())
      kinds.push_back("all " + kind + "s");
    else if (others.size() == 1 && own.size() > 1)
      kinds.push_back(fmt::format("all {}s but {}", kind, others.front()));
    else if (own.size() > most_listed)
      return {};
    else
      kinds.push_back(kind + (own.size() > 1 ? "s " : " ") + join_words(own));

    const bool is_one_corner = ends == axes_ && own.size() == 1;
    if (is_one_corner && std::count(taken.begin(), taken.end(), true) == 1)
      return own.front() + " corner";
  }

  return kinds.size() > 2 ? std::string() : join_words(kinds);
}

std::string name_by_order(const RankSet& ranks, std::size_t size, bool is_ring) {
  if (ranks == RankSet{0})
    return "rank 0";
  if (size < 3)
    return {};

  const auto all = list_all_ranks(size);
  const auto last = size - 1;
  const auto others = leave_out(all, ranks);
  if (others == RankSet{0})
    return "all ranks but 0";
  if (!is_ring) {
    if (ranks == RankSet{last})
      return "last rank";
    if (others == RankSet{last})
      return "all ranks but the last";
    if (ranks == RankSet{0, last})
      return "first and last rank";
    if (size > 3 && others == RankSet{0, last})
      return "all ranks but the first and last";
  }
  if (size < 4 || ranks.size() < 2)
    return {};

  RankSet even;
  std::copy_if(all.begin(), all.end(), std::back_inserter(even),
               [](auto rank) { return rank % 2 == 0; });
  if (ranks == even)
    return "even ranks";
  if (others == even)
    return "odd ranks";
  if (leave_out(even, ranks) == RankSet{0} && ranks.size() + 1 == even.size())
    return "even ranks but 0";
  return {};
}

std::string name_by_nodes(const RankSet& ranks, const std::vector<RankSet>& nodes,
                          std::size_t size) {
  RankSet leaders;
  std::size_t on_nodes = 0;
  for (const auto& node : nodes) {
    on_nodes += node.size();
    if (!node.empty())
      leaders.push_back(node.front());
  }
  if (leaders.size() < 2 || on_nodes != size || on_nodes == leaders.size())
    return {};

  std::sort(leaders.begin(), leaders.end());
  if (ranks == leaders)
    return "node leaders";
  if (ranks == leave_out(list_all_ranks(size), leaders))
    return "all ranks but node leaders";
  if (ranks.size() > 1 && ranks == leave_out(leaders, {0}))
    return "node leaders but rank 0";
  return {};
}

}  // namespace tracefold
