// What a fold costs, of all processes of a program. Plain data.
//
// Two sums of differences of time are told, each as a share of the sum of the times themselves:
//
//   of processes   over processes and call paths: |time - time of the process that stands for it|.
//                  Times are exclusive, of the whole run. MPI_Init is left out of both sums: how
//                  long processes take to start is no behaviour of the program.
//   of iterations  over processes and iterations of the loops that are folded: |time - time of the
//                  kept iteration that stands for it|, on the same process. An iteration's times
//                  are those of all of its call paths together.
//
// Both are told of all time, and apart for three kinds of it: computation (all that is not in MPI,
// so also files and OpenMP), communication (in MPI, without waiting) and waiting (all times of
// waiting that are known). The error of all time is that of each call path's, or each iteration's,
// whole time: what one kind has too much and another too little is no error there.
//
// What was not measured is not there, and never 0.
//
// Source: dynamics 4.2.2 and structural VIII compare means over processes, in which such
// differences cancel.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

enum class TimeKind : std::uint8_t { computation, communication, waiting };
inline constexpr std::size_t time_kinds = 3;
const char* to_text(TimeKind kind);

// Shares: 0.1 is 10 %, and there may be more than 1.
struct TimeError {
  double of_own = 0;  // of the time of its kind; 0 also where there is no such time
  double of_all = 0;  // of all time

  bool operator==(const TimeError&) const = default;
};

// What a function adds to an error of one kind: the sum of its call paths, as a share of all time.
struct FunctionError {
  std::string function;  // as people are shown it
  TimeKind kind = TimeKind::computation;
  double of_all = 0;

  bool operator==(const FunctionError&) const = default;
};

inline constexpr std::size_t most_function_errors = 5;

struct FoldError {
  double all = 0;
  TimeError computation, communication;
  // None: not known, so that communication is with waiting.
  std::optional<TimeError> waiting;

  bool operator==(const FoldError&) const = default;
};

struct FoldErrors {
  std::uint64_t processes = 0;  // of the program
  FoldError of_processes;
  std::vector<FunctionError> functions_of_processes = {};  // the largest ones, largest first

  // What follows is only there where loops are folded.
  std::optional<FoldError> of_iterations = {};  // of all loops together
  std::vector<FoldError> of_loops = {};
  // Processes that have other loops than what stands for them: they are in no error of iterations.
  std::uint64_t unmeasured = 0;

  bool operator==(const FoldErrors&) const = default;
};

// What an error of all time means for who looks at the trace.
enum class ErrorGrade : std::uint8_t { good, fair, poor };
inline constexpr double largest_good_error = 0.05, largest_fair_error = 0.15;
ErrorGrade grade_error(double share);
const char* to_text(ErrorGrade grade);

// "14.2 %", and from 1,000 % on without fractions.
std::string format_percent(double share);
// "9.1 % of computation, 31.2 % of communication, 34 % of waiting, 14.2 % of all time".
std::string describe(const FoldError& error);

nlohmann::ordered_json to_json(const FoldErrors& errors);
nlohmann::ordered_json to_json(const FoldError& error);
nlohmann::ordered_json to_json(const std::vector<FunctionError>& functions);
// Throw what the JSON library throws, and Error(input).
FoldErrors fold_errors_from_json(const nlohmann::ordered_json& in);
std::vector<FunctionError> function_errors_from_json(const nlohmann::ordered_json& in);

}  // namespace tracefold
