#include "model/summary/related_runs.hpp"

#include "model/summary/summary.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace tracefold {

namespace {

using Times = std::map<std::string, double>;  // by function

Times list_functions(const Summary& run, bool with_all) {
  Times out;
  for (const auto& call : run.calls)
    if (with_all || !(call.is_mpi || call.function == "main" || call.function == "MAIN__"))
      out.emplace(call.function, call.seconds);
  return out;
}

// The share of the time of `own` in functions that the other one has, too.
double find_common_share(const Times& own, const Times& other) {
  double all = 0, common = 0;
  for (const auto& [function, seconds] : own) {
    all += seconds;
    if (other.contains(function))
      common += seconds;
  }
  return all > 0 ? common / all : 0;
}

}  // namespace

bool are_related(const Summary& a, const Summary& b) {
  auto of_a = list_functions(a, false), of_b = list_functions(b, false);
  if (of_a.empty() || of_b.empty()) {
    of_a = list_functions(a, true);
    of_b = list_functions(b, true);
  }
  const auto common =
      static_cast<std::size_t>(std::count_if(of_a.begin(), of_a.end(), [&](const auto& function) {
        return of_b.contains(function.first);
      }));
  return 2 * common >= std::min(of_a.size(), of_b.size()) ||
         (find_common_share(of_a, of_b) >= 0.5 && find_common_share(of_b, of_a) >= 0.5);
}

bool are_related(const std::vector<Summary>& runs) {
  return std::all_of(runs.begin(), runs.end(),
                     [&](const Summary& run) { return are_related(runs.front(), run); });
}

}  // namespace tracefold
