// How the iterations of loops were folded, and how near what stays comes to all: for
// one number of clusters, or beside each other for several.
//
// Errors are averages over iterations and metrics, of the mean and of the maximum over
// processes: of the kept iterations, and of each process's own clusters.
#pragma once

#include "emitters/tables.hpp"
#include "model/plan.hpp"

#include <string>
#include <vector>

namespace tracefold {

// Of a plan that has the section; says so where there is no loop.
std::string folded_table(const Plan& plan, LongCells cells = LongCells::cut);

// A row for each number of clusters and loop.
std::string sweep_table(const std::vector<IterationSection>& sweep);
// Errors as shares. One header.
std::string sweep_csv(const std::vector<IterationSection>& sweep);
std::string sweep_json(const Plan& plan, const std::vector<IterationSection>& sweep);

}  // namespace tracefold
