#include "filters/iterations/call_tree_classes.hpp"

#include "base/error.hpp"

namespace tracefold {

namespace {

// The finalizer of MurmurHash3: each bit of x changes each bit of the answer in half of all cases.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
  return x ^ (x >> 33);
}

std::uint64_t hash_of(const std::vector<std::uint64_t>& numbers) {
  std::uint64_t hash = numbers.size() + 0x9e3779b97f4a7c15u;
  for (auto number : numbers)
    hash = mixed(hash ^ number) + 0x9e3779b97f4a7c15u;
  return mixed(hash);
}

std::size_t visits_column(const MetricColumns& columns) {
  const auto column = columns.column_of(Metric::visits);
  if (!column)
    throw Error(ErrorKind::usage, "profiles of iterations have no visits");
  return *column;
}

}  // namespace

std::size_t CallTreeClasses::Hash::operator()(const Key& key) const {
  return hash_of(key);
}

CallTreeClasses::CallTreeClasses(const MetricColumns& columns, bool sampled)
    : visits_(visits_column(columns)), sampled_(sampled) {}

void CallTreeClasses::make_keys(const IterationProfile& profile) {
  paths_.clear();
  visited_.assign(1, 0);
  const auto columns = profile.columns();
  for (std::size_t k = 0; k < profile.rows.size(); ++k) {
    const auto& row = profile.rows[k];
    if (!sampled_ || row.kind != PathKind::usr)
      paths_.push_back(static_cast<std::uint64_t>(row.path));
    if (!sampled_ || row.kind == PathKind::mpi)
      visited_.push_back(profile.values[k * columns + visits_]);
  }
}

std::uint32_t CallTreeClasses::index_of(Map& map, const Key& key) {
  if (const auto found = map.find(key); found != map.end())
    return found->second;
  bytes_ += sizeof(Map::value_type) + 3 * sizeof(void*) + key.size() * sizeof(Key::value_type);
  return map.emplace(key, static_cast<std::uint32_t>(map.size())).first->second;
}

CallTreeClasses::Indexes CallTreeClasses::classify(const IterationProfile& profile) {
  make_keys(profile);
  const auto weak = index_of(weak_, paths_);
  visited_[0] = weak;
  return {strong_counts_ ? index_of(strong_, visited_) : 0, weak};
}

TreeHash CallTreeClasses::hash(const IterationProfile& profile) {
  make_keys(profile);
  const auto weak = hash_of(paths_);
  visited_[0] = weak;
  return {weak, hash_of(visited_)};
}

void CallTreeClasses::forget_strong() {
  if (!strong_counts_)
    return;
  for (const auto& [key, index] : strong_)
    bytes_ -= sizeof(Map::value_type) + 3 * sizeof(void*) + key.size() * sizeof(Key::value_type);
  strong_ = {};
  strong_counts_ = false;
}

}  // namespace tracefold
