// Incremental clustering of the iterations of a process by their call-path profiles.
//
// Iterations are added one by one and not stored; online_clusters.hpp decides which of them form a
// cluster. Each cluster has the exact sum of its iterations' profiles, and all clusters together
// the exact profile of the loop. Without sampling, all iterations of a cluster visited the same
// call paths.
//
// Memory (see bytes()): max(max_clusters, weak classes) + 1 profiles of 12 bytes for each non-zero
// value (20 where sums exceed 64 bits), condensed vectors and distances, and 4 bytes for each
// iteration. One thread at a time; the result depends only on the profiles and their order.
//
// Source: dynamics 4.1, and 5.4.2 for sampled traces.
#pragma once

#include "filters/iterations/iteration_features.hpp"
#include "filters/iterations/online_clusters.hpp"
#include "filters/iterations/profile_sums.hpp"

namespace tracefold {

class ProcessClusters {
 public:
  // Throws Error(usage) where the columns do not include visits.
  explicit ProcessClusters(const MetricColumns& columns, const ClusterOptions& options = {});

  // Throws Error(input) for more than 2^31 - 1 iterations.
  void add(const CallPathProfile& profile);

  std::size_t iterations() const { return clusters_.iterations(); }
  std::size_t size() const { return clusters_.size(); }        // clusters
  std::size_t classes() const { return clusters_.classes(); }  // of equivalence() call trees
  CallTreeEquivalence equivalence() const { return clusters_.equivalence(); }
  const CondensedForm& form() const { return form_; }

  // By cluster, ascending by first iteration; valid until the next iteration is added.
  std::vector<const ProfileSums*> profiles() const;
  // By iteration: index into profiles().
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
      class_rows_;  // by weak class: the rows of its first iteration
};

}  // namespace tracefold
