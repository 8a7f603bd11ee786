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
// shifts: to correlate, and to correlate surrogates as well.
std::uint64_t count_least_bytes(std::uint64_t grid_points, std::uint64_t points,
                                bool uses_surrogates);

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
  // Bytes of the strengths of a view; and of these with the most that the view's values take while
  // they are read.
  std::uint64_t strength_bytes() const;
  std::uint64_t count_bytes_of_a_view() const;

  const correlation::Correlator& correlator() const { return correlator_; }

  // How each column correlates with the queried view, in the order of the columns; at the shifts of
  // a mask of the correlator.
  std::vector<ViewMatch> correlate(const Query& query, std::span<const ViewColumn* const> columns,
                                   const correlation::ShiftMask& mask) const;
  std::vector<ViewMatch> correlate(const Query& query,
                                   std::span<const ViewColumn* const> columns) const {
    return correlate(query, columns, correlator_.usual_mask());
  }

  // The strengths of the frequencies of each column; empty for a column that correlates with
  // nothing.
  std::vector<std::vector<float>> find_strengths(std::span<const ViewColumn* const> columns) const;

  // How high surrogates of the queried view come with any of these.
  correlation::SurrogateMaxima find_surrogate_maxima(const Query& query,
                                                     std::span<const ViewColumn* const> columns,
                                                     std::size_t surrogates,
                                                     const correlation::ShiftMask& mask) const;
  correlation::SurrogateMaxima find_surrogate_maxima(const Query& query,
                                                     std::span<const ViewColumn* const> columns,
                                                     std::size_t surrogates) const {
    return find_surrogate_maxima(query, columns, surrogates, correlator_.usual_mask());
  }

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
