// Correlates views with each other, a batch of them at a time, in parallel.
//
// Answers do not depend on the number of threads: every batch has its own place in them. As many
// threads work at once as the given memory holds rooms for, and at least one. What one thread needs
// can be asked for before there is a correlator.
//
// Source: frequency 3.
#pragma once

#include "filters/correlation/chance.hpp"
#include "filters/correlation/correlator.hpp"
#include "pipeline/correlation/views.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace tracefold {

// The values of one view where they are not 0: by point of the grid, and in that order.
using ViewColumn = std::vector<ViewCell>;

// How one view correlates with the queried one.
struct ViewMatch {
  correlation::Match match;
  double plain = 0;
};

// Bytes that one thread needs at least for a grid of so many points, and so many with room for
// shifts: to correlate, and to try luck as well.
std::uint64_t count_least_bytes(std::uint64_t grid_points, std::uint64_t points, bool tries_luck);

class BatchRunner {
 public:
  BatchRunner(const correlation::Correlator& correlator, std::uint64_t memory);

  // What a query needs of the queried view.
  struct Query {
    correlation::Query frequencies;
    std::vector<double> values;  // of each point
  };
  Query make_query(const ViewColumn& column) const;
  std::uint64_t query_bytes() const;
  // Of the strengths of a view, and with these the most that its values take while they are read.
  std::uint64_t strength_bytes() const;
  std::uint64_t count_bytes_of_a_view() const;

  // Of each column, in that order.
  std::vector<ViewMatch> correlate(const Query& query,
                                   std::span<const ViewColumn* const> columns) const;

  // Of each column the strengths of its frequencies; empty where it correlates with nothing.
  std::vector<std::vector<float>> find_strengths(std::span<const ViewColumn* const> columns) const;

  // How high surrogates of the queried view come with any of these.
  correlation::Luck try_luck(const Query& query, std::span<const ViewColumn* const> columns,
                             std::size_t surrogates) const;

 private:
  // Values of at most 32 columns, as the correlator takes them.
  void fill(std::span<const ViewColumn* const> columns, std::vector<double>& values) const;
  // Calls make_worker() on each thread that there is memory for, and what it gives for each task.
  void run(std::size_t tasks, std::uint64_t bytes,
           const std::function<std::function<void(std::size_t)>()>& make_worker) const;

  const correlation::Correlator& correlator_;
  std::uint64_t memory_;
};

}  // namespace tracefold
