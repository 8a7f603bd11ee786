// On-line clustering of one process's iterations by their call-path profiles.
//
// Iterations are added in their order, each as soon as it is known, and then
// forgotten; which ones become a cluster says online_clusters.hpp. What
// remains is, per cluster, the exact sum of its iterations' profiles, and so over all
// clusters the exact profile of the loop. In traces that are not sampled all
// iterations of a cluster visited the same call paths.
//
// Memory: max(max_clusters, weak classes) + 1 profiles of 12 bytes for each value that is not 0
// (20 where sums exceed 64 bits), condensed vectors and distances, and 4 bytes per iteration;
// bytes() tells. One thread at a time; the result depends on the profiles and their
// order only.
//
// Source: dynamics 4.1, and 5.4.2 for sampled traces.
#pragma once

#include "filters/iterations/iteration_features.hpp"
#include "filters/iterations/online_clusters.hpp"
#include "filters/iterations/profile_sums.hpp"

namespace tracefold {

class ProcessClusters {
 public:
  // Throws Error(usage) where visits are not among the columns.
  explicit ProcessClusters(const MetricColumns& columns, const ClusterOptions& options = {});

  // Throws Error(input) past 2^31 - 1 iterations.
  void add(const CallPathProfile& profile);

  std::size_t iterations() const { return clusters_.iterations(); }
  std::size_t size() const { return clusters_.size(); }        // clusters
  std::size_t classes() const { return clusters_.classes(); }  // of equivalence() call trees
  CallTreeEquivalence equivalence() const { return clusters_.equivalence(); }
  const CondensedForm& form() const { return form_; }

  // By cluster, ascending by first iteration; valid until the next iteration is added.
  std::vector<const ProfileSums*> profiles() const;
  // By iteration, as an index into profiles().
  std::vector<std::uint32_t> number_clusters() { return clusters_.number_clusters(); }
  std::size_t bytes() const;

 private:
  std::shared_ptr<const ProfileSums::Rows> share_rows(const CallPathProfile& profile,
                                                      std::uint32_t weak);

  CondensedForm form_;
  CallTreeClasses trees_;
  OnlineClusters clusters_;
  std::vector<ProfileSums> profiles_;  // by slot
  std::vector<std::shared_ptr<const ProfileSums::Rows>>
      class_rows_;  // by weak class: those of its first iteration
};

}  // namespace tracefold
