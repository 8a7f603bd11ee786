#include "filters/iterations/choose_medoids.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

namespace tracefold {

namespace {

// Points that are looked at together: all, if there are no more than `most_at_once`, else in
// blocks.
constexpr std::size_t fewest_in_block = 512, most_at_once = 2048, block_per_medoid = 8;

constexpr std::size_t most_rounds = 10;

constexpr float far_away = std::numeric_limits<float>::infinity();

// A point, and how many points it stands for.
struct Weighted {
  std::uint32_t point = 0;
  float weight = 1;
};

// Some points, element by element, so that several distances are measured at once.
class PointColumns {
 public:
  static constexpr std::size_t at_once = 4;
  using Distances [[gnu::vector_size(at_once * sizeof(float))]] = float;

  PointColumns(std::size_t elements, std::size_t points)
      : stride_(points + at_once), columns_(elements * stride_) {}

  void set(std::size_t point, std::span<const float> elements) {
    for (std::size_t e = 0; e < elements.size(); ++e)
      columns_[e * stride_ + point] = elements[e];
  }
  void get(std::size_t point, std::span<float> elements) const {
    for (std::size_t e = 0; e < elements.size(); ++e)
      elements[e] = columns_[e * stride_ + point];
  }

  // From one point to those in a row of which this is the first; behind the last one they mean
  // nothing.
  Distances measure_distances(std::span<const float> from, std::size_t first) const {
    const auto measure = [&](std::size_t element) {
      Distances column;
      std::memcpy(&column, columns_.data() + element * stride_ + first, sizeof column);
      constexpr std::int32_t all_but_sign = 0x7fffffff;
      return std::bit_cast<Distances>(std::bit_cast<Bits>(column - from[element]) & all_but_sign);
    };

    // Sums that do not wait for each other: of every fourth element.
    Distances sum{}, second{}, third{}, fourth{};
    std::size_t e = 0;
    for (; e + 4 <= from.size(); e += 4) {
      sum += measure(e);
      second += measure(e + 1);
      third += measure(e + 2);
      fourth += measure(e + 3);
    }
    for (; e < from.size(); ++e)
      sum += measure(e);

    return (sum + second) + (third + fourth);
  }

 private:
  using Bits [[gnu::vector_size(sizeof(Distances))]] = std::int32_t;

  std::size_t stride_;
  std::vector<float> columns_;
};

// Chooses among points that are few enough to know all their distances.
class Block {
 public:
  Block(const MedoidPoints& points, std::span<const Weighted> members)
      : members_(members.begin(), members.end()),
        size_(members.size()),
        nearest_(size_, far_away),
        medoid_of_(size_) {
    std::stable_sort(members_.begin(), members_.end(), [&](const auto& a, const auto& b) {
      return points.classes[a.point] < points.classes[b.point];
    });
    find_classes(points);
    measure_distances(points);
  }

  // The medoids, ascending, and what they stand for.
  std::vector<Weighted> choose(std::size_t most) {
    for (std::size_t first = 0; first < size_; first = end_of_class_[first]) {
      std::vector<std::uint32_t> its_class(end_of_class_[first] - first);
      std::iota(its_class.begin(), its_class.end(), static_cast<std::uint32_t>(first));
      take(find_median(its_class));
    }
    add_greedily(most);
    center();

    std::vector<Weighted> out;
    for (auto medoid : medoids_)
      out.push_back({members_[medoid].point, 0});
    for (std::size_t i = 0; i < size_; ++i)
      out[medoid_of_[i]].weight += members_[i].weight;
    std::sort(out.begin(), out.end(),
              [](const auto& a, const auto& b) { return a.point < b.point; });

    return out;
  }

 private:
  void find_classes(const MedoidPoints& points) {
    begin_of_class_.resize(size_);
    end_of_class_.resize(size_);
    for (std::size_t first = 0, last = 0; first < size_; first = last) {
      while (last < size_ &&
             points.classes[members_[last].point] == points.classes[members_[first].point])
        ++last;
      for (auto i = first; i < last; ++i) {
        begin_of_class_[i] = first;
        end_of_class_[i] = last;
      }
    }
  }

  void measure_distances(const MedoidPoints& points) {
    const auto d = points.elements;
    std::vector<float> of_point(d);
    PointColumns columns(d, size_);
    for (std::size_t i = 0; i < size_; ++i) {
      points.read(members_[i].point, of_point);
      columns.set(i, of_point);
    }

    distances_.resize(size_ * size_);
    for (std::size_t i = 0; i < size_; ++i) {
      columns.get(i, of_point);
      for (auto first = begin_of_class_[i]; first < i; first += PointColumns::at_once) {
        const auto distances = columns.measure_distances(of_point, first);
        for (auto j = first; j < std::min(i, first + PointColumns::at_once); ++j)
          distances_[i * size_ + j] = distances_[j * size_ + i] = distances[j - first];
      }
    }
  }

  const float* get_distances(std::size_t member) const { return &distances_[member * size_]; }

  // The member with the smallest sum of distances to these, the first of equals.
  std::uint32_t find_median(const std::vector<std::uint32_t>& among) const {
    // Several sums at once do not wait for each other.
    constexpr std::size_t at_once = 4;
    double least = std::numeric_limits<double>::infinity();
    auto median = among.front();
    for (std::size_t first = 0; first < among.size(); first += at_once) {
      const auto count = std::min(at_once, among.size() - first);
      std::array<const float*, at_once> distances;
      for (std::size_t k = 0; k < at_once; ++k)
        distances[k] = get_distances(among[first + std::min(k, count - 1)]);

      std::array<double, at_once> sums{};
      for (auto j : among)
        for (std::size_t k = 0; k < at_once; ++k)
          sums[k] += static_cast<double>(members_[j].weight * distances[k][j]);

      for (std::size_t k = 0; k < count; ++k)
        if (sums[k] < least) {
          least = sums[k];
          median = among[first + k];
        }
    }

    return median;
  }

  void take(std::uint32_t medoid) {
    const auto* distances = get_distances(medoid);
    for (auto i = begin_of_class_[medoid]; i < end_of_class_[medoid]; ++i)
      if (distances[i] < nearest_[i]) {
        nearest_[i] = distances[i];
        medoid_of_[i] = static_cast<std::uint32_t>(medoids_.size());
      }
    medoids_.push_back(medoid);
  }

  // By member of one class: how much nearer another member would be to a medoid if that one were
  // one, which is `before` away now. Takes away what is gained no more when it is `now` away.
  void lower_gains(std::size_t member, float before, float now, std::vector<float>& gains) const {
    const auto* distances = get_distances(member);
    const auto weight = members_[member].weight;
    for (auto j = begin_of_class_[member]; j < end_of_class_[member]; ++j)
      gains[j] -= weight * (std::max(before, distances[j]) - std::max(now, distances[j]));
  }

  void add_greedily(std::size_t most) {
    // By member: how much nearer all would be to their medoids if it were one, too.
    std::vector<float> gains(size_);
    for (std::size_t i = 0; i < size_; ++i)
      lower_gains(i, 0, nearest_[i], gains);

    while (medoids_.size() < most) {
      // Gains are rounded, so what is met already is left out by itself.
      auto best = size_;
      for (std::size_t i = 0; i < size_; ++i)
        if (nearest_[i] > 0 && (best == size_ || gains[i] > gains[best]))
          best = i;
      if (best == size_)
        return;

      const auto before = nearest_;
      take(static_cast<std::uint32_t>(best));

      for (std::size_t i = 0; i < size_; ++i)
        if (nearest_[i] < before[i])
          lower_gains(i, before[i], nearest_[i], gains);
    }
  }

  // Puts each medoid into the middle of what it stands for, until they stay where they are.
  void center() {
    for (std::size_t round = 0; round < most_rounds; ++round) {
      std::vector<std::vector<std::uint32_t>> clusters(medoids_.size());
      for (std::uint32_t i = 0; i < size_; ++i)
        clusters[medoid_of_[i]].push_back(i);

      bool moves = false;
      for (std::size_t m = 0; m < medoids_.size(); ++m) {
        const auto median = find_median(clusters[m]);
        moves = moves || median != medoids_[m];
        medoids_[m] = median;
      }
      if (!moves)
        return;

      const auto medoids = std::exchange(medoids_, {});
      std::fill(nearest_.begin(), nearest_.end(), far_away);
      for (auto medoid : medoids)
        take(medoid);
    }
  }

  std::vector<Weighted> members_;  // by class, then in their order
  std::size_t size_;
  std::vector<std::size_t> begin_of_class_, end_of_class_;  // by member, of its class
  std::vector<float> distances_;                            // of members of one class
  std::vector<std::uint32_t> medoids_;                      // in the order they were taken
  std::vector<float> nearest_;                              // by member: distance to its medoid
  std::vector<std::uint32_t> medoid_of_;                    // by member: index into medoids_
};

// Chooses among any number of points, which have fewer classes than `most`.
std::vector<Weighted> choose_among(const MedoidPoints& points, std::vector<Weighted> members,
                                   std::size_t most) {
  const auto at_once = std::max(most_at_once, 2 * most);
  const auto in_block = std::clamp(block_per_medoid * most, fewest_in_block, at_once);

  while (members.size() > at_once) {
    std::vector<Weighted> fewer;
    for (std::size_t first = 0; first < members.size(); first += in_block) {
      const auto size = std::min(in_block, members.size() - first);
      const auto medoids = Block(points, std::span(members).subspan(first, size)).choose(most);
      fewer.insert(fewer.end(), medoids.begin(), medoids.end());
    }
    members = std::move(fewer);
  }

  return Block(points, members).choose(most);
}

// By point: which of the medoids of its class is nearest, the first of equals.
std::vector<std::uint32_t> find_nearest(const MedoidPoints& points,
                                        const std::vector<std::uint32_t>& medoids) {
  struct ClassMedoids {
    std::vector<std::uint32_t> medoids;
    PointColumns columns;
  };
  const auto d = points.elements;
  std::vector<float> of_point(d);
  std::vector<std::vector<std::uint32_t>> of_class;
  for (std::uint32_t m = 0; m < medoids.size(); ++m) {
    const auto its_class = points.classes[medoids[m]];
    if (of_class.size() <= its_class)
      of_class.resize(its_class + 1);
    of_class[its_class].push_back(m);
  }

  std::vector<ClassMedoids> classes;
  for (auto& of_one : of_class) {
    const auto size = of_one.size();
    const bool is_choice = size > 1;
    classes.push_back({std::move(of_one), PointColumns(is_choice ? d : 0, size)});
    auto& [candidates, columns] = classes.back();
    for (std::size_t k = 0; is_choice && k < size; ++k) {
      points.read(medoids[candidates[k]], of_point);
      columns.set(k, of_point);
    }
  }

  std::vector<std::uint32_t> out;
  out.reserve(points.classes.size());
  for (std::size_t i = 0; i < points.classes.size(); ++i) {
    const auto& [candidates, columns] = classes[points.classes[i]];
    auto nearest = candidates.front();
    if (candidates.size() > 1) {
      points.read(i, of_point);
      auto least = far_away;
      for (std::size_t first = 0; first < candidates.size(); first += PointColumns::at_once) {
        const auto distances = columns.measure_distances(of_point, first);
        for (auto k = first; k < std::min(candidates.size(), first + PointColumns::at_once); ++k)
          if (distances[k - first] < least) {
            least = distances[k - first];
            nearest = candidates[k];
          }
      }
    }
    out.push_back(nearest);
  }

  return out;
}

}  // namespace

Medoids choose_medoids(const MedoidPoints& points, std::size_t most) {
  Medoids out;
  const auto take = [&](const std::vector<Weighted>& medoids) {
    for (const auto& medoid : medoids)
      out.points.push_back(medoid.point);
  };

  std::vector<std::vector<Weighted>> of_class;
  for (std::uint32_t i = 0; i < points.classes.size(); ++i) {
    if (of_class.size() <= points.classes[i])
      of_class.resize(points.classes[i] + 1);
    of_class[points.classes[i]].push_back({i});
  }

  if (of_class.size() < most) {
    std::vector<Weighted> all(points.classes.size());
    for (std::uint32_t i = 0; i < all.size(); ++i)
      all[i].point = i;
    if (!all.empty())
      take(choose_among(points, std::move(all), most));
  } else
    for (auto& members : of_class)
      take(choose_among(points, std::move(members), 1));

  std::sort(out.points.begin(), out.points.end());
  out.medoid_of = find_nearest(points, out.points);

  return out;
}

}  // namespace tracefold
