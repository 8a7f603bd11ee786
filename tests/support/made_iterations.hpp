// Iteration profiles made for tests and benchmarks: by hand, and in streams like
// those of the applications in dynamics 3.2 and Appendix B.
#pragma once

#include "filters/iterations/process_clusters.hpp"
#include "model/profile/call_path_profile.hpp"

#include <initializer_list>
#include <random>
#include <span>
#include <utility>

namespace tracefold::testing {

// What a pure MPI program records.
inline MetricColumns mpi_columns() {
  return {{Metric::execution_time, Metric::mpi_collective_synchronization_time,
           Metric::mpi_point_to_point_time, Metric::mpi_late_sender_time,
           Metric::mpi_collective_time, Metric::visits, Metric::collective_synchronizations,
           Metric::sends, Metric::receives, Metric::collectives, Metric::collectives_as_source,
           Metric::collectives_as_destination, Metric::bytes_sent, Metric::bytes_received,
           Metric::collective_bytes_outgoing, Metric::collective_bytes_incoming},
          {{"PAPI_TOT_INS"}}};
}

// Adds a row behind the last one, which has a lower path. `by_column` holds zeros, too.
inline void add_row(CallPathProfile& profile, const PathRow& row,
                    std::span<const std::uint64_t> by_column) {
  for (std::size_t c = 0; c < by_column.size(); ++c)
    if (by_column[c] != 0)
      profile.values.push_back({static_cast<std::uint32_t>(c), by_column[c]});
  profile.rows.push_back(row);
  profile.ends.push_back(static_cast<std::uint32_t>(profile.values.size()));
}

struct MadeRow {
  std::uint32_t path = 0;
  PathKind kind = PathKind::usr;
  std::vector<std::uint64_t> values;
};

inline CallPathProfile profile_of(std::initializer_list<MadeRow> rows) {
  CallPathProfile profile;
  for (const auto& row : rows)
    add_row(profile, {row.path, row.kind}, row.values);

  return profile;
}

// The profile of all iterations: what the clusters add up to.
inline ProfileSums add_up(const ProcessClusters& clusters) {
  ProfileSums all;
  for (const auto* profile : clusters.profiles())
    all.add(*profile);
  return all;
}

// What an iteration is like. Levels multiply what the steady iteration has.
struct Shape {
  double compute = 1, wait = 1;
  std::uint64_t messages = 1;  // on each call path that sends or receives
  bool extra = false;          // visits one more call path
};

// Iterations of one process in mpi_columns(). Of each five call paths one computes, one
// sends, one receives, one calls MPI_Allreduce and one leads to the next. Times have
// relative noise.
class MadeProcess {
 public:
  MadeProcess(std::size_t paths, std::uint64_t seed, double noise)
      : paths_(paths), noise_(noise), random_(seed) {}

  CallPathProfile iteration(const Shape& shape) {
    CallPathProfile profile;
    for (std::size_t path = 0; path < paths_ + shape.extra; ++path)
      add_path(profile, path, shape);
    return profile;
  }

 private:
  std::uint64_t noisy(double ticks) {
    const double uniform = static_cast<double>(random_() >> 11) * 0x1p-53;
    return static_cast<std::uint64_t>(ticks * (1 + noise_ * (2 * uniform - 1)));
  }

  void add_path(CallPathProfile& profile, std::size_t path, const Shape& shape) {
    static const auto columns = mpi_columns();
    std::vector<std::uint64_t> row(columns.size());
    const auto at = [&](Metric metric) -> std::uint64_t& { return row[*columns.find(metric)]; };
    const auto kind = path % 5;
    const double weight = static_cast<double>(1 + path % 7);
    at(Metric::visits) = kind == 1 || kind == 2 ? shape.messages : 1;
    at(Metric::execution_time) = noisy(weight * (kind == 0   ? 100'000 * shape.compute
                                                 : kind == 4 ? 1'000
                                                             : 20'000 * shape.wait));

    if (kind == 1 || kind == 2) {
      at(Metric::mpi_point_to_point_time) = at(Metric::execution_time);
      at(Metric::mpi_late_sender_time) = kind == 2 ? at(Metric::execution_time) / 3 : 0;
      at(kind == 1 ? Metric::sends : Metric::receives) = shape.messages;
      at(kind == 1 ? Metric::bytes_sent : Metric::bytes_received) = shape.messages * 8192;
    }

    if (kind == 3) {
      at(Metric::mpi_collective_time) = at(Metric::execution_time);
      at(Metric::collectives) = at(Metric::collectives_as_source) =
          at(Metric::collectives_as_destination) = 1;
      at(Metric::collective_bytes_outgoing) = at(Metric::collective_bytes_incoming) = 64;
    }

    row.back() = at(Metric::execution_time) * 2;
    testing::add_row(profile,
                     {static_cast<PathIndex>(path), kind == 0   ? PathKind::usr
                                                    : kind == 4 ? PathKind::com
                                                                : PathKind::mpi},
                     row);
  }

  std::size_t paths_;
  double noise_;
  std::mt19937_64 random_;
};

}  // namespace tracefold::testing
