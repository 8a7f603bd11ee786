#include "filters/iterations/iteration_features.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cctype>
#include <set>

namespace tracefold {

namespace {

const std::string counter_prefix = "counter:";

std::string normalize(std::string name) {
  for (auto& c : name)
    c = c == '-' || c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

// The columns that a metric is the sum of, ascending.
std::vector<std::size_t> choose_columns(const MetricColumns& columns, Metric metric) {
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < columns.measured.size(); ++k)
    if (is_summand(columns.measured[k], metric))
      found.push_back(k);

  return found;
}

// The finalizer of MurmurHash3: each bit of x changes each bit of the answer in half of all cases.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
  return x ^ (x >> 33);
}

std::uint64_t hash_numbers(const std::vector<std::uint64_t>& numbers) {
  std::uint64_t hash = numbers.size() + 0x9e3779b97f4a7c15u;
  for (auto number : numbers)
    hash = mixed(hash ^ number) + 0x9e3779b97f4a7c15u;
  return mixed(hash);
}

std::size_t visits_column(const MetricColumns& columns) {
  const auto column = columns.find(Metric::visits);
  if (!column)
    throw Error(ErrorKind::usage, "profiles of iterations have no visits");
  return *column;
}

}  // namespace

CondensedForm::CondensedForm(const MetricColumns& columns) : columns_(columns.size()) {
  for (std::size_t m = 0; m < metric_count; ++m) {
    const auto metric = static_cast<Metric>(m);
    if (auto of = choose_columns(columns, metric); !of.empty() && !columns.is_cut(metric))
      entries_.push_back({std::string(get_entry(metric).name), get_entry(metric).kind,
                          std::move(of), metric == Metric::execution_time,
                          !is_waiting(metric) || metric == Metric::mpi_late_sender_time,
                          is_waiting(metric)});
  }

  for (std::size_t k = 0; k < columns.counters.size(); ++k)
    entries_.push_back({.name = columns.counters[k].name,
                        .kind = MetricKind::counter,
                        .columns = {columns.measured.size() + k},
                        .steps_per_unit = columns.counters[k].steps_per_unit});

  std::set<std::size_t> of_counts;
  for (const auto& entry : entries_)
    if (is_count(entry.kind))
      of_counts.insert(entry.columns.begin(), entry.columns.end());
  count_columns_.assign(of_counts.begin(), of_counts.end());
}

std::vector<Wide> CondensedForm::column_sums(const CallPathProfile& profile) const {
  // In 64 bits; where values are so large that the sums may have more, once more in 128.
  std::vector<std::uint64_t> low(columns_);
  std::uint64_t bits = 0;  // of any value
  for (const auto& [column, value] : profile.values) {
    low[column] += value;
    bits |= value;
  }

  if (bits <= ~std::uint64_t{0} / std::max<std::size_t>(profile.rows.size(), 1)) [[likely]]
    return {low.begin(), low.end()};

  std::vector<Wide> sums(columns_);
  for (const auto& [column, value] : profile.values)
    sums[column] += value;

  return sums;
}

std::vector<Wide> CondensedForm::column_sums(const ProfileSums& profile) const {
  std::vector<Wide> sums(columns_);
  for (std::size_t place = 0; place < profile.places(); ++place)
    sums[profile.column(place)] += profile.value(place);

  return sums;
}

bool is_same_name(const std::string& a, const std::string& b) {
  return normalize(a) == normalize(b);
}

std::optional<CondensedForm::Entry> find_entry(const std::vector<CondensedForm::Entry>& entries,
                                               const std::string& name) {
  for (const auto& entry : entries)
    if (normalize(entry.name) == normalize(name))
      return entry;

  for (const auto& entry : entries)
    if (entry.kind == MetricKind::counter &&
        normalize(counter_prefix + entry.name) == normalize(name))
      return entry;

  return std::nullopt;
}

std::vector<std::string> list_names(const std::vector<CondensedForm::Entry>& entries) {
  std::vector<std::string> out;
  for (const auto& entry : entries) {
    const bool again = std::any_of(out.begin(), out.end(), [&](const auto& known) {
      return normalize(known) == normalize(entry.name);
    });
    out.push_back(again && entry.kind == MetricKind::counter ? counter_prefix + entry.name
                                                             : entry.name);
  }

  return out;
}

std::size_t CallTreeClasses::Hash::operator()(const Key& key) const {
  return hash_numbers(key);
}

CallTreeClasses::CallTreeClasses(const MetricColumns& columns, bool sampled)
    : visits_(visits_column(columns)), sampled_(sampled) {}

void CallTreeClasses::make_keys(const CallPathProfile& profile) {
  paths_.clear();
  visited_.assign(1, 0);
  for (std::size_t k = 0; k < profile.rows.size(); ++k) {
    const auto& row = profile.rows[k];
    if (!sampled_ || row.kind != PathKind::usr)
      paths_.push_back(static_cast<std::uint64_t>(row.path));
    if (!sampled_ || row.kind == PathKind::mpi)
      visited_.push_back(profile.value(k, visits_));
  }
}

std::uint32_t CallTreeClasses::find_or_add_index(Map& map, const Key& key) {
  if (const auto found = map.find(key); found != map.end())
    return found->second;
  bytes_ += sizeof(Map::value_type) + 3 * sizeof(void*) + key.size() * sizeof(Key::value_type);
  return map.emplace(key, static_cast<std::uint32_t>(map.size())).first->second;
}

CallTreeClasses::Indexes CallTreeClasses::classify(const CallPathProfile& profile) {
  make_keys(profile);
  const auto weak = find_or_add_index(weak_, paths_);
  visited_[0] = weak;
  return {strong_counts_ ? find_or_add_index(strong_, visited_) : 0, weak};
}

TreeHash CallTreeClasses::hash(const CallPathProfile& profile) {
  make_keys(profile);
  const auto weak = hash_numbers(paths_);
  visited_[0] = weak;
  return {weak, hash_numbers(visited_)};
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
