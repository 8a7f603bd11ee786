#include "filters/groups/fit_rows.hpp"

#include "base/for_each_index.hpp"
#include "base/interrupt.hpp"
#include "base/sort_and_unite.hpp"
#include "lattice/medoid.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

std::uint64_t subtract(std::uint64_t a, std::uint64_t b) {
  return a < b ? b - a : a - b;
}

}  // namespace

RowFitter::RowFitter(FittedTimes times, std::vector<RowGroup> groups)
    : times_(std::move(times)),
      groups_(std::move(groups)),
      group_of_(times_.processes.size(), none) {
  std::set<std::size_t> kinds;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    kinds.insert(groups_[g].kind);
    processes_ += groups_[g].members.size();
    for (auto m : groups_[g].members)
      group_of_[m] = g;
  }
  kinds_ = kinds.size();

  for (auto call : times_.calls)
    call_ticks_.resize(std::max(call_ticks_.size(), std::size_t{call} + 1));
  for (const auto& process : times_.processes)
    for (const auto& [path, ticks] : process)
      call_ticks_[times_.calls[path]] += ticks;

  clusters_.resize(groups_.size());
  for_each_index(groups_.size(),
                 [&](std::size_t g) { clusters_[g] = make_cluster(groups_[g].members); });
}

std::uint64_t RowFitter::measure_distance(std::size_t a, std::size_t b) const {
  const auto &first = times_.processes[a], &second = times_.processes[b];
  std::uint64_t sum = 0;
  auto at = second.begin();
  for (const auto& [path, ticks] : first) {
    for (; at != second.end() && at->path < path; ++at)
      sum += at->ticks;
    const bool has_both = at != second.end() && at->path == path;
    sum += subtract(ticks, has_both ? at->ticks : 0);
    at += has_both;
  }
  for (; at != second.end(); ++at)
    sum += at->ticks;
  return sum;
}

Wide RowFitter::add_distances(std::size_t row, const std::vector<std::size_t>& members) const {
  Wide sum = 0;
  for (auto m : members)
    sum += measure_distance(row, m);
  return sum;
}

std::vector<std::size_t> RowFitter::list_candidates(const std::vector<std::size_t>& members) const {
  std::vector<std::size_t> whole;
  std::copy_if(members.begin(), members.end(), std::back_inserter(whole),
               [&](auto m) { return !times_.ends_early[m]; });
  return whole.empty() ? members : whole;
}

std::size_t RowFitter::choose(const std::vector<std::size_t>& members,
                              const std::vector<std::size_t>& candidates) const {
  if (candidates.size() == 1)
    return candidates.front();
  std::map<std::uint32_t, std::size_t> dimensions;  // by path
  for (auto m : members)
    for (const auto& time : times_.processes[m])
      dimensions.emplace(time.path, dimensions.size());
  lattice::Points points;
  for (auto m : members) {
    auto& point = points.emplace_back(dimensions.size());
    for (const auto& [path, ticks] : times_.processes[m])
      point[dimensions.at(path)] = ticks;
  }

  std::vector<std::size_t> places;
  for (auto c : candidates)
    places.push_back(static_cast<std::size_t>(std::lower_bound(members.begin(), members.end(), c) -
                                              members.begin()));
  const std::vector<std::uint64_t> weights(members.size(), 1);
  return members[lattice::find_medoid(points, weights, places)];
}

RowFitter::Cluster RowFitter::make_cluster(std::vector<std::size_t> members) const {
  check_stop();
  Cluster out;
  out.row = choose(members, list_candidates(members));
  out.cost = add_distances(out.row, members);
  out.members = std::move(members);
  return out;
}

// Two medoids: from the present row and the process that as a second one lowers the cost most, of
// some at all distances from it.
RowFitter::Halves RowFitter::find_halves(const Cluster& cluster) const {
  if (cluster.cost == 0)
    return std::nullopt;
  const auto& members = cluster.members;
  std::vector<std::uint64_t> distances;
  for (auto m : members)
    distances.push_back(measure_distance(cluster.row, m));

  std::vector<std::size_t> order(members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return distances[a] > distances[b]; });
  constexpr std::size_t tried = 16, rounds = 4;
  const auto step = std::max<std::size_t>(1, order.size() / tried);
  auto second = members[order.front()];
  std::optional<Wide> least;
  for (std::size_t k = 0; k < order.size() && distances[order[k]] > 0; k += step) {
    Wide cost = 0;
    const auto candidate = members[order[k]];
    for (std::size_t m = 0; m < members.size(); ++m)
      cost += std::min(distances[m], measure_distance(candidate, members[m]));
    if (!least || cost < *least) {
      least = cost;
      second = candidate;
    }
  }

  Halves best;
  auto rows = std::pair(cluster.row, second);
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<std::size_t> near, far;
    for (auto m : members)
      (measure_distance(rows.second, m) < measure_distance(rows.first, m) ? far : near)
          .push_back(m);
    if (near.empty() || far.empty())
      break;
    std::pair made(make_cluster(std::move(near)), make_cluster(std::move(far)));
    const bool is_better =
        !best || made.first.cost + made.second.cost < best->first.cost + best->second.cost;
    if (!is_better)
      break;
    rows = {made.first.row, made.second.row};
    best = std::move(made);
  }
  return best;
}

// Finds how these would be divided.
void RowFitter::open(const std::vector<std::size_t>& clusters) {
  std::vector<Halves> halves(clusters.size());
  for_each_index(clusters.size(),
                 [&](std::size_t k) { halves[k] = find_halves(clusters_[clusters[k]]); });
  for (std::size_t k = 0; k < clusters.size(); ++k) {
    open_.push_back(clusters[k]);
    if (!halves[k])
      continue;
    auto& [first, second] = *halves[k];
    auto& cluster = clusters_[clusters[k]];
    cluster.gain = cluster.cost - first.cost - second.cost;
    cluster.first = clusters_.size();
    cluster.second = clusters_.size() + 1;
    clusters_.push_back(std::move(first));
    clusters_.push_back(std::move(second));
  }
}

// False where nothing is gained by any division.
bool RowFitter::divide_once() {
  if (!std::exchange(is_open_, true)) {
    std::vector<std::size_t> all(groups_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    open(all);
  }
  const auto best = std::max_element(open_.begin(), open_.end(), [&](auto a, auto b) {
    return clusters_[a].gain < clusters_[b].gain;
  });
  if (best == open_.end() || clusters_[*best].gain == 0)
    return false;
  const auto cluster = *best;
  open_.erase(best);
  divided_.push_back(cluster);
  open({clusters_[cluster].first, clusters_[cluster].second});
  return true;
}

std::vector<std::uint32_t> RowFitter::list_calls(std::size_t process) const {
  std::vector<std::uint32_t> calls;
  for (const auto& time : times_.processes[process])
    calls.push_back(times_.calls[time.path]);
  sort_and_unite(calls);
  return calls;
}

FittedRow RowFitter::make_row(const Cluster& cluster) const {
  FittedRow row{cluster.row, cluster.members, {}};
  for (auto m : cluster.members)
    row.groups.push_back(group_of_[m]);
  sort_and_unite(row.groups);
  return row;
}

RowFitter::Lost RowFitter::find_lost(const std::vector<std::size_t>& rows) const {
  std::vector<bool> is_called(call_ticks_.size()), is_shown(call_ticks_.size());
  for (const auto& process : times_.processes)
    for (const auto& time : process)
      is_called[times_.calls[time.path]] = true;
  for (auto row : rows)
    for (auto call : list_calls(row))
      is_shown[call] = true;
  Lost lost;
  for (std::size_t call = 0; call < is_called.size(); ++call)
    if (is_called[call] && !is_shown[call]) {
      ++lost.calls;
      lost.ticks += call_ticks_[call];
    }
  return lost;
}

// Merges the groups, one pair after the other.
class RowMerger {
 public:
  explicit RowMerger(const RowFitter& fitter) : fitter_(fitter), shown_(fitter.call_ticks_.size()) {
    for (std::size_t g = 0; g < fitter.groups_.size(); ++g) {
      clusters_.push_back(fitter.clusters_[g]);
      kinds_.push_back(fitter.groups_[g].kind);
      calls_.push_back(fitter.list_calls(clusters_[g].row));
      for (auto call : calls_.back())
        ++shown_[call];
    }
    find_neighbours();
  }

  std::vector<FittedRow> merge(std::size_t rows) {
    auto left = fitter_.groups_.size();
    while (left > rows && !waiting_.empty()) {
      const auto [cost, first, second] = waiting_.top();
      waiting_.pop();
      if (is_merged(first) || is_merged(second))
        continue;
      // As more clusters are merged, more calls are lost by it.
      const auto now = measure(first, second);
      if (now > cost) {
        waiting_.push({now, first, second});
        continue;
      }
      put(first, second);
      --left;
    }

    std::vector<FittedRow> out;
    for (std::size_t c = 0; c < clusters_.size(); ++c)
      if (!is_merged(c))
        out.push_back(fitter_.make_row(clusters_[c]));
    return out;
  }

 private:
  static constexpr std::size_t all_compared = 512, exactly_compared = 64, most_neighbours = 16;
  using Candidate = std::tuple<Wide, std::size_t, std::size_t>;  // the cost, of these two

  bool is_merged(std::size_t cluster) const { return clusters_[cluster].members.empty(); }

  // Those with nearly the same calls, where not all pairs can be compared.
  void find_neighbours() {
    const auto count = clusters_.size();
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](auto a, auto b) {
      return std::tie(kinds_[a], calls_[a], a) < std::tie(kinds_[b], calls_[b], b);
    });
    const auto width = count <= all_compared ? count : most_neighbours;
    neighbours_.resize(count);
    for (std::size_t k = 0; k < count; ++k)
      for (auto next = k + 1; next < std::min(count, k + 1 + width); ++next)
        if (kinds_[order[k]] == kinds_[order[next]])
          compare(order[k], order[next]);
  }

  void compare(std::size_t a, std::size_t b) {
    neighbours_[a].insert(b);
    neighbours_[b].insert(a);
    const auto [first, second] = std::minmax(a, b);
    waiting_.push({measure(first, second), first, second});
  }

  bool is_exact() const { return fitter_.groups_.size() <= exactly_compared; }

  // The row of both, and how much farther from it their members are.
  std::pair<std::size_t, Wide> choose_row(std::size_t first, std::size_t second) {
    const auto &a = clusters_[first], &b = clusters_[second];
    if (is_exact()) {
      const auto [known, is_new] = both_.try_emplace(std::pair(first, second));
      if (is_new) {
        const auto both = unite(a.members, b.members);
        const auto made = fitter_.make_cluster(both);
        // A medoid whose times are the nearest of few candidates may be farther away.
        known->second = {made.row, made.cost > a.cost + b.cost ? made.cost - a.cost - b.cost : 0};
      }
      return known->second;
    }
    const Wide distance = fitter_.measure_distance(a.row, b.row);
    return a.members.size() >= b.members.size() ? std::pair(a.row, distance * b.members.size())
                                                : std::pair(b.row, distance * a.members.size());
  }

  // What it costs now to merge them.
  Wide measure(std::size_t first, std::size_t second) {
    const auto [row, growth] = choose_row(first, second);
    auto cost = growth;
    const auto shows = fitter_.list_calls(row);
    const auto add_lost = [&](const std::vector<std::uint32_t>& calls,
                              const std::vector<std::uint32_t>& others, bool counts_both) {
      for (auto call : calls) {
        if (std::binary_search(shows.begin(), shows.end(), call))
          continue;
        const bool is_of_both = std::binary_search(others.begin(), others.end(), call);
        if (is_of_both && !counts_both)
          continue;
        if (shown_[call] == (is_of_both ? 2U : 1U))
          cost += fitter_.call_ticks_[call];
      }
    };
    add_lost(calls_[first], calls_[second], true);
    add_lost(calls_[second], calls_[first], false);
    return cost;
  }

  void put(std::size_t first, std::size_t second) {
    const auto row = choose_row(first, second).first;
    auto members = unite(clusters_[first].members, clusters_[second].members);
    RowFitter::Cluster made;
    made.row = row;
    made.cost = fitter_.add_distances(row, members);
    made.members = std::move(members);

    for (auto old : {first, second}) {
      for (auto call : calls_[old])
        --shown_[call];
      clusters_[old].members.clear();
    }
    const auto number = clusters_.size();
    clusters_.push_back(std::move(made));
    kinds_.push_back(kinds_[first]);
    calls_.push_back(fitter_.list_calls(row));
    for (auto call : calls_.back())
      ++shown_[call];

    auto near = std::move(neighbours_[first]);
    near.merge(neighbours_[second]);
    neighbours_.emplace_back();
    for (auto other : near)
      if (!is_merged(other))
        compare(other, number);
  }

  static std::vector<std::size_t> unite(const std::vector<std::size_t>& a,
                                        const std::vector<std::size_t>& b) {
    std::vector<std::size_t> both;
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both;
  }

  const RowFitter& fitter_;
  std::vector<RowFitter::Cluster> clusters_;  // without members once it is merged
  std::vector<std::size_t> kinds_;
  std::vector<std::vector<std::uint32_t>> calls_;  // of its row
  std::vector<std::uint32_t> shown_;               // by call: the number of rows that show it
  std::vector<std::set<std::size_t>> neighbours_;
  std::map<std::pair<std::size_t, std::size_t>, std::pair<std::size_t, Wide>> both_;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> waiting_;
};

std::vector<FittedRow> RowFitter::fit(std::size_t rows) {
  std::vector<FittedRow> out;
  if (rows < groups_.size()) {
    out = RowMerger(*this).merge(std::max(rows, kinds_));
  } else {
    const auto wanted = rows - groups_.size();
    while (divided_.size() < wanted && divide_once()) {}
    std::set<std::size_t> leaves;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      leaves.insert(g);
    for (std::size_t k = 0; k < std::min(wanted, divided_.size()); ++k) {
      leaves.erase(divided_[k]);
      leaves.insert({clusters_[divided_[k]].first, clusters_[divided_[k]].second});
    }
    for (auto leaf : leaves)
      out.push_back(make_row(clusters_[leaf]));
  }
  std::sort(out.begin(), out.end(),
            [](const auto& a, const auto& b) { return a.members.front() < b.members.front(); });
  return out;
}

}  // namespace tracefold
