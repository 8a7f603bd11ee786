#include "emitters/iterations/map_rows.hpp"

#include "base/text.hpp"
#include "emitters/axis.hpp"
#include "model/plan.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t most_named_rows = 8;
constexpr std::size_t longest_process_name = 11;

// The place of the middle of a row, or of the beginning of a rank with several rows. Where ranks
// are missing, those of round places are named.
RowAxis name_ranks(const Plan& plan, const IterationMap& map) {
  std::vector<RowName> ranks;
  for (std::size_t r = 0; r < map.processes.size(); ++r) {
    auto name = std::to_string(*plan.processes[map.processes[r]].rank);
    if (ranks.empty() || ranks.back().name != name)
      ranks.push_back({static_cast<double>(r), std::move(name)});
  }

  const bool one_row_each = ranks.size() == map.processes.size();
  RowAxis axis{one_row_each ? "rank" : "rank (rows: its processes and threads)", {}};
  for (auto place : choose_whole_ticks(ranks.size(), most_named_rows))
    axis.names.push_back({ranks[place].row + (one_row_each ? 0.5 : 0), ranks[place].name});

  return axis;
}

void order_rows(IterationMap& map, const std::vector<std::size_t>& order) {
  std::vector<std::size_t> processes;
  for (auto row : order)
    processes.push_back(map.processes[row]);
  map.processes = std::move(processes);

  // Along each cycle of the order, so that one row besides the map is enough.
  std::vector<bool> is_done(order.size());
  for (std::size_t first = 0; first < order.size(); ++first) {
    const std::vector<double> held(map.row(first).begin(), map.row(first).end());
    for (auto to = first; !is_done[to]; to = order[to]) {
      const auto from = order[to] == first ? std::span<const double>(held) : map.row(order[to]);
      std::copy(from.begin(), from.end(),
                map.values.begin() + static_cast<std::ptrdiff_t>(to * map.columns));
      is_done[to] = true;
    }
  }
}

}  // namespace

RowWords name_rows(const IterationMap& map) {
  switch (map.shown.rows) {
    case RowChoice::group: return {"group", "groups"};
    case RowChoice::node: return {"node", "nodes"};
    default: return {"process", "processes"};
  }
}

void order_by_rank(const Plan& plan, ComparedMap& maps) {
  const auto& processes = maps.original.processes;
  if (!maps.original.shown.names.empty())
    return;
  if (std::any_of(processes.begin(), processes.end(),
                  [&](auto p) { return !plan.processes[p].rank; }))
    return;

  std::vector<std::size_t> order(processes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
    const auto &x = plan.processes[processes[a]], &y = plan.processes[processes[b]];
    return std::tuple(x.rank, x.thread) < std::tuple(y.rank, y.thread);
  });
  if (std::is_sorted(order.begin(), order.end()))
    return;

  std::vector<std::size_t> place_of(order.size());
  for (std::size_t place = 0; place < order.size(); ++place)
    place_of[order[place]] = place;
  for (auto& row : maps.kept_rows)
    row = place_of[row];
  std::sort(maps.kept_rows.begin(), maps.kept_rows.end());

  for (auto& layer : maps.layers.layers)
    for (auto* values : {&layer.original_rows, &layer.reconstruction_rows}) {
      const auto before = *values;
      for (std::size_t place = 0; place < before.size(); ++place)
        (*values)[place] = before[order[place]];
    }
  order_rows(maps.original, order);
  if (maps.reconstruction)
    order_rows(*maps.reconstruction, order);
}

RowAxis choose_row_axis(const Plan& plan, const IterationMap& map) {
  if (const auto& shown = map.shown; !shown.names.empty()) {
    RowAxis axis;
    for (auto r : choose_whole_ticks(shown.names.size(), most_named_rows))
      axis.names.push_back({static_cast<double>(r) + 0.5,
                            shorten_name(make_printable(shown.names[r]), longest_process_name)});
    return axis;
  }

  bool by_rank = true;
  std::uint64_t rank = 0;
  for (auto p : map.processes) {
    by_rank = by_rank && plan.processes[p].rank && *plan.processes[p].rank >= rank;
    rank = plan.processes[p].rank.value_or(0);
  }

  if (by_rank)
    return name_ranks(plan, map);

  RowAxis axis;
  for (auto r : choose_whole_ticks(map.processes.size(), most_named_rows))
    axis.names.push_back({static_cast<double>(r) + 0.5,
                          shorten_name(make_printable(plan.processes[map.processes[r]].name),
                                       longest_process_name)});

  return axis;
}

}  // namespace tracefold
