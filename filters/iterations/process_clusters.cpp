#include "filters/iterations/process_clusters.hpp"

#include <algorithm>
#include <cassert>

namespace tracefold {

namespace {

std::size_t count_compared(const CondensedForm& form) {
  return static_cast<std::size_t>(
      std::count_if(form.entries().begin(), form.entries().end(),
                    [](const auto& entry) { return entry.is_compared; }));
}

}  // namespace

ProcessClusters::ProcessClusters(const MetricColumns& columns, const ClusterOptions& options)
    : form_(columns), trees_(columns, options.sampled), clusters_(count_compared(form_), options) {}

void ProcessClusters::add(const CallPathProfile& profile) {
  assert(profile.ends.size() == profile.rows.size());
  std::vector<Wide> condensed(form_.size());
  form_.condense(form_.column_sums(profile), condensed);
  std::vector<double> vector;
  vector.reserve(condensed.size());
  for (std::size_t e = 0; e < condensed.size(); ++e)
    if (form_.entries()[e].is_compared)
      vector.push_back(static_cast<double>(condensed[e]));

  const auto tree = trees_.classify(profile);
  const auto added = clusters_.add(tree.strong, tree.weak, vector);
  if (added.slot == profiles_.size())
    profiles_.emplace_back();

  profiles_[added.slot] = ProfileSums(profile, share_rows(profile, tree.weak));
  for (const auto& merge : added.merges) {
    profiles_[merge.into].add(profiles_[merge.from]);
    profiles_[merge.from] = {};
  }

  if (equivalence() == CallTreeEquivalence::weak)
    trees_.forget_strong();
}

std::shared_ptr<const ProfileSums::Rows> ProcessClusters::share_rows(const CallPathProfile& profile,
                                                                     std::uint32_t weak) {
  if (weak == class_rows_.size())
    class_rows_.push_back(std::make_shared<const ProfileSums::Rows>(profile.rows));
  if (*class_rows_[weak] == profile.rows)
    return class_rows_[weak];
  return std::make_shared<const ProfileSums::Rows>(profile.rows);
}

std::vector<const ProfileSums*> ProcessClusters::profiles() const {
  std::vector<const ProfileSums*> profiles;
  for (auto slot : clusters_.slots())
    profiles.push_back(&profiles_[slot]);
  return profiles;
}

std::size_t ProcessClusters::bytes() const {
  std::size_t bytes =
      clusters_.bytes() + trees_.bytes() + profiles_.capacity() * sizeof(ProfileSums);
  for (const auto& rows : class_rows_)
    bytes += rows->capacity() * sizeof(PathRow);

  for (auto slot : clusters_.slots()) {
    const auto& profile = profiles_[slot];
    bytes += profile.value_bytes();
    const bool shared = std::any_of(class_rows_.begin(), class_rows_.end(), [&](const auto& rows) {
      return rows.get() == &profile.rows();
    });
    if (!shared)
      bytes += profile.rows().capacity() * sizeof(PathRow);
  }

  return bytes;
}

}  // namespace tracefold
