// How the iterations of loops were folded, and how far the kept iterations are from all iterations:
// for one number of clusters, or for several beside each other.
//
// Tables have the errors of model/errors/fold_errors.hpp. CSV and JSON have averages over
// iterations and metrics, too, of the mean and of the maximum over processes: of the kept
// iterations, and of each process's own clusters.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

struct ComparedClusters;
struct Plan;

// The plan must have the section. Where it has no loop, the text says that.
std::string folded_table(const Plan& plan);
// The same in few lines, for the end of a command that wrote a trace: of more than `most_loops`
// loops those with most iterations have a row.
std::string short_folded_table(const Plan& plan, std::size_t most_loops);

// A row for each number of clusters and loop.
std::string sweep_table(const Plan& plan, const std::vector<ComparedClusters>& sweep);
// Errors as shares. One header.
std::string sweep_csv(const Plan& plan, const std::vector<ComparedClusters>& sweep);
std::string sweep_json(const Plan& plan, const std::vector<ComparedClusters>& sweep);

}  // namespace tracefold
