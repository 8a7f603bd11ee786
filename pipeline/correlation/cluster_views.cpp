#include "pipeline/correlation/cluster_views.hpp"

#include "base/for_each_index.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tracefold {

namespace {

// Leaders whose distances from views are kept.
constexpr std::size_t most_pivots = 64;

// How far rounding may bring a correlation and a bound.
constexpr float rounding = 1e-4f;

float find_distance(float r) {
  return std::acos(std::clamp(r, 0.0f, 1.0f));
}

}  // namespace

ViewClusters::Verdict ViewClusters::judge(std::size_t leader, const Strengths& strengths,
                                          const Candidate& candidate, Range& range) const {
  range = {0, std::numbers::pi_v<float> / 2};
  if (!prunes_)
    return Verdict::unknown;

  const auto least_r = static_cast<float>(threshold_) - rounding;
  const auto& here = candidate.ranges;
  const auto& there = ranges_[leader];
  for (std::size_t pivot = 0; pivot < std::min(here.size(), there.size()); ++pivot)
    range.least = std::max({range.least, here[pivot].least - there[pivot].most,
                            there[pivot].least - here[pivot].most});
  if (range.least > find_distance(least_r))
    return Verdict::pruned_by_triangle;

  const auto bounded = correlation::bound(strengths, *candidate.strengths);
  range.least = std::max(range.least, find_distance(bounded + rounding));
  return bounded < least_r ? Verdict::pruned_by_bound : Verdict::unknown;
}

void ViewClusters::choose_members(std::size_t leader, const ViewColumn& column,
                                  const Strengths& strengths, std::vector<Candidate>& candidates) {
  std::vector<Verdict> verdicts(candidates.size());
  std::vector<Range> ranges(candidates.size());
  for_each_index(candidates.size(), [&](std::size_t c) {
    verdicts[c] = judge(leader, strengths, candidates[c], ranges[c]);
  });

  std::vector<const ViewColumn*> columns;
  for (std::size_t c = 0; c < candidates.size(); ++c)
    if (verdicts[c] == Verdict::unknown)
      columns.push_back(candidates[c].column);
  std::vector<ViewMatch> matches;
  if (!columns.empty())
    matches = runner_.correlate(runner_.make_query(column), columns);

  std::vector<Candidate> left;
  auto next = matches.begin();
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    auto& candidate = candidates[c];
    pairs_.pruned_by_bound += verdicts[c] == Verdict::pruned_by_bound;
    pairs_.pruned_by_triangle += verdicts[c] == Verdict::pruned_by_triangle;

    if (verdicts[c] == Verdict::unknown) {
      const auto& found = *next++;
      ++pairs_.correlated;
      if (std::abs(static_cast<double>(found.match.r)) >= threshold_) {
        clusters_[leader].members.push_back({candidate.view, found});
        continue;
      }
      ranges[c] = {find_distance(found.match.largest + rounding),
                   find_distance(found.match.largest - rounding)};
    }

    if (leader < most_pivots)
      candidate.ranges.push_back(ranges[c]);
    left.push_back(std::move(candidate));
  }
  candidates = std::move(left);
}

void ViewClusters::add(const std::vector<std::size_t>& views,
                       const std::vector<const ViewColumn*>& columns) {
  const auto strengths = runner_.find_strengths(columns);
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < views.size(); ++i)
    if (strengths[i].empty())
      ++constant_;
    else
      candidates.push_back({views[i], columns[i], &strengths[i], {}});
  views_ += candidates.size();

  for (std::size_t leader = 0; leader < kept_.size(); ++leader)
    choose_members(leader, kept_[leader].column, kept_[leader].strengths, candidates);
  choose_members_of_read_ones(candidates);

  while (!candidates.empty()) {
    auto first = std::move(candidates.front());
    candidates.erase(candidates.begin());
    make_leader(first);
    choose_members(clusters_.size() - 1, *first.column, *first.strengths, candidates);
  }
}

std::uint64_t ViewClusters::count_bytes(const BatchRunner& runner) {
  return runner.strength_bytes() + sizeof(Candidate) + 2 * most_pivots * sizeof(Range);
}

void ViewClusters::make_leader(Candidate& candidate) {
  const bool keeps_all = kept_.size() == clusters_.size();
  clusters_.push_back({candidate.view, {}});
  ranges_.push_back(std::move(candidate.ranges));

  const auto bytes =
      candidate.column->size() * sizeof(ViewCell) + candidate.strengths->size() * sizeof(float);
  if (!keeps_all || kept_bytes_ + bytes > memory_ / 2)
    return;
  kept_bytes_ += bytes;
  kept_.push_back({*candidate.column, *candidate.strengths});
}

void ViewClusters::choose_members_of_read_ones(std::vector<Candidate>& candidates) {
  const auto most = std::max<std::uint64_t>(memory_ / 2 / runner_.count_bytes_of_a_view(), 1);

  for (auto first = kept_.size(); first < clusters_.size() && !candidates.empty();) {
    std::vector<std::size_t> views;
    while (views.size() < most && first + views.size() < clusters_.size())
      views.push_back(clusters_[first + views.size()].leader);

    const auto columns = read_(views);
    std::vector<const ViewColumn*> places;
    places.reserve(columns.size());
    for (const auto& column : columns)
      places.push_back(&column);
    const auto strengths = runner_.find_strengths(places);

    for (std::size_t i = 0; i < views.size(); ++i)
      choose_members(first + i, columns[i], strengths[i], candidates);
    first += views.size();
  }
}

PairCounts ViewClusters::pairs() const {
  auto pairs = pairs_;
  pairs.all = views_ == 0 ? 0 : views_ * (views_ - 1) / 2;
  return pairs;
}

}  // namespace tracefold
