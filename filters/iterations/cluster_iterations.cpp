#include "filters/iterations/cluster_iterations.hpp"

#include "base/sort_and_unite.hpp"
#include "filters/iterations/choose_medoids.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

// What counts how much when iterations are compared. Others look at the time of an iteration first.
// Single processes weigh less than what all do together: differences between iterations of one of
// them are mostly chance, and many chances would hide what all have in common.
constexpr double weight_of_execution_time = 4, weight_of_single_processes = 1.0 / 16;

// The condensed vectors of iterations, of all processes together and of each, so scaled that
// Manhattan distances are what is wanted. What is equal in all iterations is left out.
class JointVectors {
 public:
  JointVectors(std::span<const IterationSeries> processes, std::span<const double> totals,
               const CondensedForm& form)
      : processes_(processes), form_(form), totals_(totals) {
    if (totals_.empty()) {
      own_totals_ = add_up();
      totals_ = own_totals_;
    }

    add_elements(1, [&](std::size_t i, std::size_t e) { return get_total(i, e); });
    // What one process did would be the totals again.
    const bool is_one_alone = processes.size() == 1 && !own_totals_.empty();
    if (is_one_alone)
      return;
    for (const auto& series : processes)
      add_elements(weight_of_single_processes / static_cast<double>(processes.size()),
                   [&](std::size_t i, std::size_t e) { return get_value(series, i, e); });
  }

  std::size_t elements() const { return elements_; }

  void read(std::size_t iteration, std::span<float> out) const {
    auto* next = out.data();
    for (const auto& [metric, scale] : parts_.front())
      *next++ = static_cast<float>(scale * get_total(iteration, metric));
    for (std::size_t p = 1; p < parts_.size(); ++p)
      for (const auto& [metric, scale] : parts_[p])
        *next++ = static_cast<float>(scale * get_value(processes_[p - 1], iteration, metric));
  }

 private:
  struct Element {
    std::size_t metric;
    double scale;
  };

  double get_total(std::size_t iteration, std::size_t metric) const {
    return totals_[iteration * form_.size() + metric];
  }
  double get_value(const IterationSeries& series, std::size_t iteration, std::size_t metric) const {
    double sum = 0;
    for (auto column : form_.entries()[metric].columns)
      sum += static_cast<double>(series.sums[iteration * form_.columns() + column]);
    return sum;
  }

  std::vector<double> add_up() const {
    std::vector<double> sums;
    for (std::size_t i = 0; i < processes_[0].iterations(); ++i)
      for (std::size_t e = 0; e < form_.size(); ++e) {
        double sum = 0;
        for (const auto& series : processes_)
          sum += get_value(series, i, e);
        sums.push_back(sum);
      }
    return sums;
  }

  template <class GetValue>
  void add_elements(double weight, GetValue&& get) {
    const auto iterations = processes_[0].iterations();
    auto& part = parts_.emplace_back();

    for (std::size_t e = 0; e < form_.size(); ++e) {
      if (!form_.entries()[e].is_compared)
        continue;

      double sum = 0, least = std::numeric_limits<double>::infinity(), most = 0;
      for (std::size_t i = 0; i < iterations; ++i) {
        const auto value = get(i, e);
        sum += value;
        least = std::min(least, value);
        most = std::max(most, value);
      }
      if (least == most)
        continue;

      const auto mean = sum / static_cast<double>(iterations);
      const auto& entry = form_.entries()[e];
      part.push_back({e, weight * (entry.is_execution_time ? weight_of_execution_time : 1) / mean});
      ++elements_;
    }
  }

  std::span<const IterationSeries> processes_;
  const CondensedForm& form_;
  std::span<const double> totals_;  // iteration by iteration: of each metric
  std::vector<double> own_totals_;
  std::vector<std::vector<Element>> parts_;  // of all together, then of each process
  std::size_t elements_ = 0;
};

// Numbers joint call trees by first use.
class JointTrees {
 public:
  explicit JointTrees(std::span<const IterationSeries> processes) : processes_(processes) {}

  // By iteration its class; classes are counted from 0 by first use.
  std::vector<std::uint32_t> number_classes(std::uint64_t TreeHash::*hash) const {
    std::map<Key, std::uint32_t> numbers;
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i < processes_[0].iterations(); ++i)
      out.push_back(numbers.try_emplace(key(i, hash), static_cast<std::uint32_t>(numbers.size()))
                        .first->second);
    return out;
  }

 private:
  using Key = std::vector<std::uint64_t>;

  Key key(std::size_t iteration, std::uint64_t TreeHash::*hash) const {
    Key key;
    for (const auto& series : processes_)
      key.push_back(series.trees[iteration].*hash);
    return key;
  }

  std::span<const IterationSeries> processes_;
};

std::size_t count_classes(const std::vector<std::uint32_t>& classes) {
  return 1 + *std::max_element(classes.begin(), classes.end());
}

// Each of a few iterations for itself, else as they are near to each other.
Medoids choose(const MedoidPoints& points, std::size_t most) {
  if (points.classes.size() > most)
    return choose_medoids(points, most);

  Medoids each;
  each.points.resize(points.classes.size());
  std::iota(each.points.begin(), each.points.end(), 0u);
  each.medoid_of = each.points;
  return each;
}

// Numbers the clusters by their first iterations, and puts the medoids into that order.
void number_clusters(KeptIterations& result, Medoids& medoids) {
  constexpr auto none = static_cast<std::uint32_t>(-1);
  std::vector<std::uint32_t> numbers(medoids.points.size(), none), ordered;
  for (auto medoid : medoids.medoid_of) {
    if (numbers[medoid] == none) {
      numbers[medoid] = static_cast<std::uint32_t>(ordered.size());
      ordered.push_back(medoids.points[medoid]);
    }
    result.cluster_of.push_back(numbers[medoid]);
  }

  medoids.points = std::move(ordered);
  result.clusters = medoids.points.size();
}

// Keeps the medoids, and iterations that stand for themselves alone.
void keep_iterations(KeptIterations& result, const std::vector<std::uint32_t>& medoids,
                     const std::vector<std::uint64_t>& alone) {
  const auto last = static_cast<std::uint32_t>(result.cluster_of.size() - 1);
  std::vector<bool> is_alone(result.cluster_of.size());
  is_alone.front() = is_alone.back() = true;
  for (auto i : alone)
    if (i <= last)
      is_alone[i] = true;

  result.kept = medoids;
  for (std::uint32_t i = 0; i <= last; ++i)
    if (is_alone[i])
      result.kept.push_back(i);
  std::sort(result.kept.begin(), result.kept.end());
  result.kept.erase(std::unique(result.kept.begin(), result.kept.end()), result.kept.end());
  result.counts.resize(result.kept.size());

  for (std::uint32_t i = 0; i <= last; ++i) {
    const auto stands = is_alone[i] ? i : medoids[result.cluster_of[i]];
    const auto place = static_cast<std::uint32_t>(
        std::lower_bound(result.kept.begin(), result.kept.end(), stands) - result.kept.begin());
    result.kept_of.push_back(place);
    ++result.counts[place];
  }
}

// The classes of call trees of joint iterations at a level of equivalence.
std::vector<std::uint32_t> number_classes(const JointTrees& trees, CallTreeEquivalence level,
                                          std::size_t iterations) {
  switch (level) {
    case CallTreeEquivalence::strong: return trees.number_classes(&TreeHash::strong);
    case CallTreeEquivalence::weak: return trees.number_classes(&TreeHash::weak);
    default: return std::vector<std::uint32_t>(iterations);
  }
}

// The first iteration of each class that none of these is of.
std::vector<std::uint32_t> list_without_kept(const std::vector<std::uint32_t>& classes,
                                             const std::vector<std::uint32_t>& kept) {
  std::vector<bool> has_kept(count_classes(classes));
  for (auto i : kept)
    has_kept[classes[i]] = true;
  std::vector<std::uint32_t> missing;
  for (std::uint32_t i = 0; i < classes.size(); ++i)
    if (!has_kept[classes[i]]) {
      has_kept[classes[i]] = true;
      missing.push_back(i);
    }
  return missing;
}

// Finds the nearest of some iterations of the same class.
class NearestKept {
 public:
  NearestKept(const JointVectors& vectors, const std::vector<std::uint32_t>& kept)
      : vectors_(vectors), own_(vectors.elements()) {
    for (auto i : kept)
      vectors.read(i, elements_.emplace_back(vectors.elements()));
  }

  // Returns the best of these places in the list of kept iterations; there is at least one.
  std::size_t find(std::uint32_t iteration, const std::vector<std::size_t>& places) {
    vectors_.read(iteration, own_);
    auto best = places.front();
    auto least = std::numeric_limits<double>::infinity();
    for (auto place : places) {
      double distance = 0;
      for (std::size_t e = 0; e < own_.size(); ++e)
        distance +=
            std::abs(static_cast<double>(own_[e]) - static_cast<double>(elements_[place][e]));
      if (distance < least) {
        least = distance;
        best = place;
      }
    }
    return best;
  }

 private:
  const JointVectors& vectors_;
  std::vector<std::vector<float>> elements_;  // by kept iteration
  std::vector<float> own_;
};

std::size_t find_kept_place(const std::vector<std::uint32_t>& kept, std::uint32_t iteration) {
  return static_cast<std::size_t>(std::lower_bound(kept.begin(), kept.end(), iteration) -
                                  kept.begin());
}

bool is_kept(const std::vector<std::uint32_t>& kept, std::uint32_t iteration) {
  return std::binary_search(kept.begin(), kept.end(), iteration);
}

}  // namespace

void SeriesRecorder::add(const CallPathProfile& profile) {
  for (auto sum : form_.column_sums(profile))
    series_.sums.push_back(static_cast<float>(sum));
  series_.trees.push_back(classes_.hash(profile));
}

IterationSeries SeriesRecorder::take() && {
  series_.sums.shrink_to_fit();
  series_.trees.shrink_to_fit();
  return std::move(series_);
}

KeptIterations choose_iterations(std::span<const IterationSeries> processes,
                                 const MetricColumns& columns, const ClusterOptions& options,
                                 const std::vector<std::uint64_t>& keep,
                                 std::span<const double> totals) {
  KeptIterations result;
  const auto iterations = processes.empty() ? 0 : processes[0].iterations();
  assert(std::all_of(processes.begin(), processes.end(),
                     [&](const auto& series) { return series.iterations() == iterations; }));
  if (iterations == 0)
    return result;

  const auto most = std::max<std::size_t>(options.max_clusters, 1);
  const auto most_strong = options.max_strong_classes.value_or(std::max<std::size_t>(most / 2, 1));
  const JointTrees trees(processes);
  MedoidPoints points;
  points.classes = trees.number_classes(&TreeHash::strong);
  if (iterations > most && count_classes(points.classes) > most_strong) {
    points.classes = trees.number_classes(&TreeHash::weak);
    result.equivalence = CallTreeEquivalence::weak;
  }
  result.classes = count_classes(points.classes);
  if (iterations > most && result.classes > most) {
    std::fill(points.classes.begin(), points.classes.end(), 0u);
    result.equivalence = CallTreeEquivalence::merged;
  }

  const CondensedForm form(columns);
  const JointVectors vectors(processes, totals, form);
  points.elements = vectors.elements();
  points.read = [&](std::size_t iteration, std::span<float> elements) {
    vectors.read(iteration, elements);
  };

  auto medoids = choose(points, most);
  number_clusters(result, medoids);
  keep_iterations(result, medoids.points, keep);

  return result;
}

KeptIterations choose_same_iterations(std::span<const IterationSeries> processes,
                                      const MetricColumns& columns, const ClusterOptions& options,
                                      const LoopRule& rule, std::span<const double> totals) {
  KeptIterations result;
  const auto iterations = processes.empty() ? 0 : processes[0].iterations();
  if (iterations == 0)
    return result;

  const auto last = static_cast<std::uint32_t>(iterations - 1);
  result.kept = {0, last};
  for (auto i : rule.kept)
    if (i < last)
      result.kept.push_back(i);
  sort_and_unite(result.kept);

  const JointTrees trees(processes);
  const auto most = std::max(options.max_clusters, result.kept.size());
  result.equivalence = rule.equivalence;
  auto classes = number_classes(trees, result.equivalence, iterations);
  auto missing = list_without_kept(classes, result.kept);
  while (result.equivalence != CallTreeEquivalence::merged &&
         result.kept.size() + missing.size() > most) {
    result.equivalence = result.equivalence == CallTreeEquivalence::strong
                             ? CallTreeEquivalence::weak
                             : CallTreeEquivalence::merged;
    classes = number_classes(trees, result.equivalence, iterations);
    missing = list_without_kept(classes, result.kept);
  }
  result.classes = count_classes(classes);
  result.kept.insert(result.kept.end(), missing.begin(), missing.end());
  std::sort(result.kept.begin(), result.kept.end());

  // The first and the last iteration are like no others: they stand for some only where nothing
  // else does, or where they did so in the other run.
  std::vector<std::vector<std::size_t>> of_class(result.classes), ends_of_class(result.classes);
  for (std::size_t k = 0; k < result.kept.size(); ++k) {
    const auto i = result.kept[k];
    (i == 0 || i == last ? ends_of_class : of_class)[classes[i]].push_back(k);
  }
  for (std::size_t c = 0; c < of_class.size(); ++c)
    if (of_class[c].empty())
      of_class[c] = std::move(ends_of_class[c]);

  const CondensedForm form(columns);
  const JointVectors vectors(processes, totals, form);
  NearestKept nearest(vectors, result.kept);
  for (std::uint32_t i = 0; i <= last; ++i) {
    std::optional<std::size_t> place;
    if (is_kept(result.kept, i)) {
      place = find_kept_place(result.kept, i);
    } else if (i < rule.kept_of.size()) {
      const auto there = rule.kept[rule.kept_of[i]];
      if (there <= last && is_kept(result.kept, there) && classes[there] == classes[i])
        place = find_kept_place(result.kept, there);
    }
    result.kept_of.push_back(
        static_cast<std::uint32_t>(place ? *place : nearest.find(i, of_class[classes[i]])));
  }

  result.counts.resize(result.kept.size());
  constexpr auto none = static_cast<std::uint32_t>(-1);
  std::vector<std::uint32_t> numbers(result.kept.size(), none);
  for (auto place : result.kept_of) {
    ++result.counts[place];
    if (numbers[place] == none)
      numbers[place] = static_cast<std::uint32_t>(result.clusters++);
    result.cluster_of.push_back(numbers[place]);
  }

  return result;
}

}  // namespace tracefold
