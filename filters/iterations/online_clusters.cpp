#include "filters/iterations/online_clusters.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>

namespace tracefold {

namespace {

constexpr std::size_t lanes = 4;  // independent sums of one distance

// Two numbers that are calculated with at once.
using Pair [[gnu::vector_size(2 * sizeof(double))]] = double;
using PairBits [[gnu::vector_size(2 * sizeof(double))]] = std::int64_t;

Pair load_pair(const double* from) {
  Pair pair;
  std::memcpy(&pair, from, sizeof pair);
  return pair;
}

Pair get_absolute(Pair pair) {
  const auto all_but_signs = std::bit_cast<PairBits>(pair) & std::int64_t{0x7fffffffffffffff};
  return std::bit_cast<Pair>(all_but_signs);
}

}  // namespace

OnlineClusters::OnlineClusters(std::size_t elements, const ClusterOptions& options)
    : elements_(elements),
      stride_((elements + lanes - 1) / lanes * lanes),
      max_clusters_(std::max<std::size_t>(options.max_clusters, 1)),
      max_strong_(options.max_strong_classes.value_or(std::max<std::size_t>(max_clusters_ / 2, 1))),
      totals_(stride_),
      weights_(stride_) {}

OnlineClusters::Added OnlineClusters::add(ClassIndex strong, ClassIndex weak,
                                          std::span<const double> vector) {
  if (sets_.size() == DisjointSets::most)
    throw Error(ErrorKind::input, "more than 2147483647 iterations");

  const auto slot = take_slot();
  clusters_[slot] = {static_cast<std::uint32_t>(sets_.size()), 1, 0, 0};
  sets_.add();
  ++size_;
  std::fill_n(std::copy(vector.begin(), vector.end(), get_sum(slot)), stride_ - elements_, 0.0);
  set_mean(slot);
  const auto iterations = static_cast<double>(sets_.size());
  for (std::size_t e = 0; e < elements_; ++e) {
    totals_[e] += vector[e];
    weights_[e] = totals_[e] > 0 ? iterations / totals_[e] : 0;
  }

  if (equivalence_ == CallTreeEquivalence::strong && strong == weak_of_.size())
    weak_of_.push_back(weak);

  enter(slot, equivalence_ == CallTreeEquivalence::strong ? strong : weak);
  merges_.clear();
  merge_until_few();

  return {slot, merges_};
}

OnlineClusters::Slot OnlineClusters::take_slot() {
  if (free_.empty()) {
    clusters_.emplace_back();
    sums_.resize(clusters_.size() * stride_);
    means_.resize(clusters_.size() * stride_);
    return static_cast<Slot>(clusters_.size() - 1);
  }

  const auto slot = free_.back();
  free_.pop_back();

  return slot;
}

void OnlineClusters::set_mean(Slot slot) {
  const auto count = static_cast<double>(clusters_[slot].count);
  for (std::size_t e = 0; e < stride_; ++e)
    get_mean(slot)[e] = get_sum(slot)[e] / count;
}

void OnlineClusters::enter(Slot slot, ClassIndex in_class) {
  if (in_class >= classes_.size())
    classes_.resize(in_class + 1);

  auto& in = classes_[in_class];
  clusters_[slot].in_class = in_class;
  clusters_[slot].place = static_cast<std::uint32_t>(in.members.size());
  if (computed_) {
    in.pairs.push(clusters_[slot].first, distances_from(slot, in));
    in.nearest = in.pairs.nearest();
  }

  in.members.push_back(slot);
}

void OnlineClusters::merge_until_few() {
  while (size_ > max_clusters_) {
    if (equivalence_ == CallTreeEquivalence::strong && classes_.size() > max_strong_)
      regroup();
    if (!merge_nearest()) {
      if (equivalence_ == CallTreeEquivalence::weak)
        return;
      regroup();
    }
  }
}

bool OnlineClusters::merge_nearest() {
  if (!computed_)
    for (auto& in : classes_)
      compute_all(in);

  computed_ = true;
  Class* best = nullptr;
  const auto key = [&](const Class& in) {
    return std::tuple(in.nearest->distance, clusters_[in.members[in.nearest->elder]].first,
                      clusters_[in.members[in.nearest->younger]].first);
  };

  for (auto& in : classes_)
    if (in.nearest && (!best || key(in) < key(*best)))
      best = &in;

  if (best)
    merge(*best, *best->nearest);

  return best != nullptr;
}

void OnlineClusters::merge(Class& in, const ClusterDistances::Pair& pair) {
  const auto into = in.members[pair.elder], from = in.members[pair.younger];
  for (std::size_t e = 0; e < stride_; ++e)
    get_sum(into)[e] += get_sum(from)[e];

  clusters_[into].count += clusters_[from].count;
  set_mean(into);
  sets_.unite(clusters_[into].first, clusters_[from].first);

  in.pairs.remove(pair.younger);
  in.members[pair.younger] = in.members.back();
  clusters_[in.members[pair.younger]].place = static_cast<std::uint32_t>(pair.younger);
  in.members.pop_back();
  in.pairs.replace(clusters_[into].place, distances_from(into, in));
  in.nearest = in.pairs.nearest();

  clusters_[from] = {};
  free_.push_back(from);
  --size_;
  merges_.push_back({into, from});
}

void OnlineClusters::compute_all(Class& in) {
  const auto members = std::move(in.members);
  in.members.clear();
  for (auto slot : members) {
    in.pairs.push(clusters_[slot].first, distances_from(slot, in));
    in.members.push_back(slot);
  }

  in.nearest = in.pairs.nearest();
}

// Distances that were computed stay; those between what was in two classes are new.
void OnlineClusters::regroup() {
  std::vector<Class> strong(std::size_t{1} + *std::max_element(weak_of_.begin(), weak_of_.end()));
  strong.swap(classes_);
  const auto before = clusters_;

  for (auto slot : slots()) {
    auto& cluster = clusters_[slot];
    cluster.in_class = weak_of_[cluster.in_class];
    auto& in = classes_[cluster.in_class];
    cluster.place = static_cast<std::uint32_t>(in.members.size());

    if (computed_) {
      distances_.clear();
      for (auto other : in.members) {
        const bool kept = before[slot].in_class == before[other].in_class;
        distances_.push_back(kept ? strong[before[slot].in_class].pairs.distance(
                                        before[slot].place, before[other].place)
                                  : distance(slot, other));
      }

      in.pairs.push(cluster.first, distances_);
      in.nearest = in.pairs.nearest();
    }

    in.members.push_back(slot);
  }

  equivalence_ = CallTreeEquivalence::weak;
  weak_of_.clear();
}

double OnlineClusters::distance(Slot a, Slot b) const {
  const auto* x = get_mean(a);
  const auto* y = get_mean(b);
  const auto* weight = weights_.data();
  Pair first{};
  Pair second{};

  static_assert(lanes == 4);
  for (std::size_t e = 0; e < stride_; e += lanes) {
    first += get_absolute(load_pair(x + e) - load_pair(y + e)) * load_pair(weight + e);
    second += get_absolute(load_pair(x + e + 2) - load_pair(y + e + 2)) * load_pair(weight + e + 2);
  }

  return size_multiplier(std::uint64_t{clusters_[a].count} + clusters_[b].count) *
         ((first[0] + first[1]) + (second[0] + second[1]));
}

const std::vector<double>& OnlineClusters::distances_from(Slot slot, const Class& in) {
  distances_.resize(in.members.size());
  for (std::size_t k = 0; k < distances_.size(); ++k)
    distances_[k] = in.members[k] == slot ? 0 : distance(slot, in.members[k]);
  return distances_;
}

std::vector<OnlineClusters::Slot> OnlineClusters::slots() const {
  std::vector<Slot> slots;
  for (Slot slot = 0; slot < clusters_.size(); ++slot)
    if (clusters_[slot].count > 0)
      slots.push_back(slot);

  std::sort(slots.begin(), slots.end(),
            [&](Slot a, Slot b) { return clusters_[a].first < clusters_[b].first; });

  return slots;
}

std::vector<std::uint32_t> OnlineClusters::number_clusters() {
  std::vector<std::uint32_t> number_of_root(iterations()), cluster_of(iterations());
  std::uint32_t number = 0;
  for (auto slot : slots())
    number_of_root[sets_.find(clusters_[slot].first)] = number++;
  for (std::uint32_t i = 0; i < iterations(); ++i)
    cluster_of[i] = number_of_root[sets_.find(i)];

  return cluster_of;
}

std::size_t OnlineClusters::bytes() const {
  std::size_t bytes = sets_.bytes() + clusters_.capacity() * (sizeof(Cluster) + sizeof(Slot)) +
                      weak_of_.capacity() * sizeof(ClassIndex);
  bytes += (sums_.capacity() + means_.capacity() + totals_.capacity() + weights_.capacity() +
            distances_.capacity()) *
           sizeof(double);
  for (const auto& in : classes_)
    bytes += sizeof(Class) + in.members.capacity() * sizeof(Slot) + in.pairs.bytes();

  return bytes;
}

}  // namespace tracefold
