// The features by which iterations are compared: a vector of metrics, and a class of call trees.
//
// Source: dynamics 4.1.2 (condensed vectors), 4.1.4 and 5.4.2 (call trees).
#pragma once

#include "filters/iterations/profile_sums.hpp"
#include "model/profile/call_path_profile.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

// The condensed vector of an iteration: each metric, derived ones included, summed over all call
// paths.
//
// Its entries are the metrics of Table 1.1 that some column contributes to, in the order of Metric,
// followed by the counters; all other metrics are always 0. Immutable, thread-safe.
class CondensedForm {
 public:
  struct Entry {
    std::string name;
    MetricKind kind = MetricKind::count;
    std::vector<std::size_t> columns;  // their sum is the entry
    bool is_execution_time = false;
    // Whether iterations are compared by it, and errors averaged over it. Late senders are the only
    // waiting in dynamics.
    bool is_compared = true;
    bool is_waiting = false;
    std::uint64_t steps_per_unit = 1;  // steps in which its columns count (MetricColumns)
  };

  explicit CondensedForm(const MetricColumns& columns);

  std::size_t size() const { return entries_.size(); }
  std::size_t columns() const { return columns_; }
  const std::vector<Entry>& entries() const { return entries_; }
  // The columns that counts are sums of, ascending.
  const std::vector<std::size_t>& count_columns() const { return count_columns_; }

  // Exact below 2^32 rows. Takes O(columns) and O(non-zero values).
  std::vector<Wide> column_sums(const CallPathProfile& profile) const;
  std::vector<Wide> column_sums(const ProfileSums& profile) const;

  // Computes the entries from the sums of the columns. Takes O(entries).
  template <class Sums>
  void condense(const Sums& sums, std::span<Wide> entries) const {
    for (std::size_t e = 0; e < size(); ++e) {
      Wide sum = 0;
      for (auto column : entries_[e].columns)
        sum += sums[column];
      entries[e] = sum;
    }
  }

 private:
  std::size_t columns_;
  std::vector<Entry> entries_;
  std::vector<std::size_t> count_columns_;
};

// Ignores upper and lower case, and takes '-', '_' and ' ' as equal.
bool is_same_name(const std::string& a, const std::string& b);

// The entry with this name, compared by is_same_name(). A counter that is named like a metric is
// "counter:NAME".
std::optional<CondensedForm::Entry> find_entry(const std::vector<CondensedForm::Entry>& entries,
                                               const std::string& name);

// The name by which each entry is found.
std::vector<std::string> list_names(const std::vector<CondensedForm::Entry>& entries);

// Hashes of an iteration's weak and strong class, equal on all machines. Different classes have
// equal hashes with a chance of 2^-64.
struct TreeHash {
  std::uint64_t weak = 0, strong = 0;

  auto operator<=>(const TreeHash&) const = default;
};
auto list_members(Like<TreeHash> auto& hash) {
  return std::tie(hash.weak, hash.strong);
}

// Numbers classes of iterations with equivalent call trees.
//
// Call trees are weakly equivalent if the same call paths were visited, and strongly if also the
// numbers of visits are equal. In sampled traces only call paths that lead to MPI are certain, and
// visits only for calls of MPI, so nothing else is compared. Classes are numbered in the order in
// which they first occur. Call paths and visits are compared completely; hashes only speed this up.
//
// Memory: a list of numbers for each class, 8 bytes for each call path. Time: O(call paths +
// values) for each iteration. One thread at a time.
class CallTreeClasses {
 public:
  struct Indexes {
    std::uint32_t strong = 0, weak = 0;
  };
  CallTreeClasses(const MetricColumns& columns, bool sampled);

  // After forget_strong(), `strong` is 0.
  Indexes classify(const CallPathProfile& profile);
  TreeHash hash(const CallPathProfile& profile);
  void forget_strong();

  std::size_t bytes() const { return bytes_; }

 private:
  using Key = std::vector<std::uint64_t>;
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  using Map = std::unordered_map<Key, std::uint32_t, Hash>;
  std::uint32_t find_or_add_index(Map& map, const Key& key);
  void make_keys(const CallPathProfile& profile);

  std::size_t visits_;  // column
  bool sampled_;
  bool strong_counts_ = true;
  Map weak_, strong_;
  Key paths_, visited_;  // of the current iteration: its call paths; the weak class or 0,
                         // and its visits
  std::size_t bytes_ = 0;
};

}  // namespace tracefold
