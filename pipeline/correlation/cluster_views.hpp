// Clusters views by leaders: a view joins the first leader that it correlates with at least as much
// as a threshold says, and is a leader where there is none.
//
// Most pairs are never correlated, since they cannot reach the threshold:
//  - by the bound of correlator.hpp, which takes no transform;
//  - by the triangle inequality: where a view and a leader differ too much in their distances
//    arccos |r| from an earlier leader, they are far from each other.
// What is pruned does not reach the threshold by rounding either, so clusters are the same with
// and without pruning.
//
// Views come in slices; the clusters do not depend on how they are cut. Memory: that of a slice
// with 2 bytes for each point of the larger grid and view, 8 bytes for each view of a slice and
// each of the first 64 leaders, and what is given for the values of leaders: those that it has no
// room for are read again for every slice. One thread calls, batches are correlated in parallel.
//
// Sources: frequency 3; Hartigan 1975 (leader clustering); Elkan 2003 (triangle inequality).
#pragma once

#include "model/correlation/correlation.hpp"
#include "pipeline/correlation/batch_runner.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace tracefold {

class ViewClusters {
 public:
  struct Member {
    std::size_t view = 0;
    ViewMatch match;  // of the leader with it
  };
  struct Cluster {
    std::size_t leader = 0;
    std::vector<Member> members;
  };

  // Reads the values of views again that were added before.
  using ReadColumns = std::function<std::vector<ViewColumn>(const std::vector<std::size_t>&)>;

  // The threshold is above 0, and at most 1. One half of the memory is for values that are kept,
  // the other for those that are read again.
  ViewClusters(const BatchRunner& runner, double threshold, ReadColumns read, std::uint64_t memory,
               bool prunes = true)
      : runner_(runner),
        threshold_(threshold),
        read_(std::move(read)),
        memory_(memory),
        prunes_(prunes) {}

  // Bytes that each view of a slice takes besides its values.
  static std::uint64_t count_bytes(const BatchRunner& runner);

  // Views with their values; what comes first is a leader first.
  void add(const std::vector<std::size_t>& views, const std::vector<const ViewColumn*>& columns);

  // By leader, in the order in which these came.
  const std::vector<Cluster>& clusters() const { return clusters_; }
  // Views that correlate with nothing.
  std::size_t constant() const { return constant_; }
  PairCounts pairs() const;

 private:
  // The distance from one of the first leaders.
  struct Range {
    float least = 0;
    float most = 0;
  };
  using Ranges = std::vector<Range>;  // by leader
  using Strengths = std::vector<float>;

  // A view of the slice at hand that has no leader yet.
  struct Candidate {
    std::size_t view = 0;
    const ViewColumn* column = nullptr;
    const Strengths* strengths = nullptr;
    Ranges ranges;
  };

  // What correlating with a leader takes.
  struct LeaderValues {
    ViewColumn column;
    Strengths strengths;
  };

  // What can be said of a pair without correlating it.
  enum class Verdict { unknown, pruned_by_bound, pruned_by_triangle };
  Verdict judge(std::size_t leader, const Strengths& strengths, const Candidate& candidate,
                Range& range) const;

  // Candidates that the leader does not take stay.
  void choose_members(std::size_t leader, const ViewColumn& column, const Strengths& strengths,
                      std::vector<Candidate>& candidates);
  // From the first leader on whose values are not kept.
  void choose_members_of_read_ones(std::vector<Candidate>& candidates);
  void make_leader(Candidate& candidate);

  const BatchRunner& runner_;
  double threshold_;
  ReadColumns read_;
  std::uint64_t memory_;
  bool prunes_;
  std::vector<Cluster> clusters_;
  std::vector<LeaderValues> kept_;  // of the first leaders
  std::uint64_t kept_bytes_ = 0;
  std::vector<Ranges> ranges_;  // by leader
  std::uint64_t views_ = 0;     // that vary
  std::size_t constant_ = 0;
  PairCounts pairs_;
};

}  // namespace tracefold
