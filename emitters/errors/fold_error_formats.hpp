// What folding costs, for people (model/errors/fold_errors.hpp). Pure functions.
#pragma once

#include "model/errors/fold_errors.hpp"

#include <string>
#include <vector>

namespace tracefold {

// The errors of processes and of iterations, a row each, and below it what they are of.
std::string fold_errors_table(const FoldErrors& errors);

// The same as lines of CSV: what the error is of, two empty fields, and the error as a share, of
// each kind over the time of its kind. An error that is not known has no line.
std::string fold_errors_csv(const FoldErrors& errors);

// A share in percent, in few characters: "2.7 %", "<0.01 %".
std::string show_fold_error(double share);

// "good", "fair" or "poor", in its style.
std::string show_error_grade(ErrorGrade grade);

// A sentence each, without a full stop; empty where there is nothing to say.
struct QualityWords {
  std::string verdict;    // how good the rows are, and who differs most
  std::string others;     // what differs beside computation, by over 1 % of all time
  std::string untypical;  // which rows are not typical
};
QualityWords describe_rows(const FoldErrors& errors);

// The first of the functions that differ most: "MPI_Wait 5.1 % (waiting)"; "" where there is none.
std::string describe_largest(const std::vector<FunctionError>& functions);

// Three cells, of computation, communication and waiting, each over the time of its kind.
std::vector<std::string> list_own_errors(const FoldError* error);

}  // namespace tracefold
