// The errors that folding causes, over all processes of a program. Plain data.
//
// There are two errors, each a sum of differences of times, divided by the sum of the times:
//
//   of processes   over processes and call paths: |time - time of the process that stands for it|.
//                  Times are exclusive, of the whole run. MPI_Init is in neither sum, since the
//                  time that processes take to start is no behaviour of the program.
//   of iterations  over processes and iterations of the folded loops: |time - time of the kept
//                  iteration that stands for it|, on the same process. The time of an iteration
//                  is that of all of its call paths together.
//
// Both are given for all time and for three kinds of it: computation (all outside of MPI, including
// files and OpenMP), communication (in MPI, without waiting) and waiting (all known times of
// waiting). The error of all time compares the whole time of each call path or iteration, so
// differences of its kinds may cancel there.
//
// How good a trace is goes by *useful* time alone: computation without files, OpenMP's own time and
// waits for accelerators. How long a process waits follows from all others, and no choice of rows
// could show it.
//
// What was not measured is absent, never 0.
//
// Source: dynamics 4.2.2 and structural VIII compare means over processes, in which such
// differences cancel. docs/science.md, "Which rows stay" (hidden, typical).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

class JsonFields;

enum class TimeKind : std::uint8_t { computation, communication, waiting };
inline constexpr std::size_t time_kinds = 3;
const char* to_text(TimeKind kind);

// Shares: 0.1 is 10 %. They may exceed 1.
struct TimeError {
  double of_own = 0;  // as a share of the time of its kind; 0 also where there is no such time
  double of_all = 0;  // as a share of all time

  bool operator==(const TimeError&) const = default;
};

// What a function contributes to an error of one kind: the sum of its call paths, as a share of all
// time.
struct FunctionError {
  std::string function;  // for people
  TimeKind kind = TimeKind::computation;
  double of_all = 0;

  bool operator==(const FunctionError&) const = default;
};

inline constexpr std::size_t most_function_errors = 5;

struct FoldError {
  double all = 0;
  TimeError computation, communication;
  // None: not known; communication then includes waiting.
  std::optional<TimeError> waiting;
  double useful = 0;  // differences of useful time as a share of all time

  bool operator==(const FoldError&) const = default;
};

// The largest difference of useful time between a process and its row, in all functions together,
// or in one that has nearly all of it. Names are for people.
struct HiddenDifference {
  std::string process, row;
  std::string function = {};  // empty: in all together
  bool is_longer = true;      // the process computes longer than its row
  double of_run = 0;          // as a share of the duration of the run

  bool operator==(const HiddenDifference&) const = default;
};

// Names of rows that lie outside of the middle half of those that they stand for, by over 1 % of
// the run.
struct UntypicalRows {
  std::vector<std::string> in_useful, in_waiting;

  bool operator==(const UntypicalRows&) const = default;
};

struct FoldErrors {
  std::uint64_t processes = 0;  // of the program
  FoldError of_processes;
  std::optional<HiddenDifference> hidden = {};  // none: no process differs
  UntypicalRows untypical = {};
  std::vector<FunctionError> functions_of_processes = {};  // the largest ones, largest first

  // The following exist only where loops are folded.
  std::optional<FoldError> of_iterations = {};  // of all loops together
  std::vector<FoldError> of_loops = {};
  // Processes whose loops differ from those of their representative. No error of iterations
  // includes them.
  std::uint64_t unmeasured = 0;

  bool operator==(const FoldErrors&) const = default;
};

enum class ErrorGrade : std::uint8_t { good, fair, poor };
inline constexpr double largest_good_error = 0.01, largest_fair_error = 0.05;
ErrorGrade grade_error(double share);
const char* to_text(ErrorGrade grade);
// The larger one of the error of useful time and of what is hidden.
double measure_rows(const FoldErrors& errors);
// Of the rows, and of the iterations that stay where some were folded.
ErrorGrade grade_rows(const FoldErrors& errors);
ErrorGrade grade_iterations(const FoldErrors& errors);

// "14.2 %"; from 1,000 % on without a fraction.
std::string format_percent(double share);
// "9.1 % of computation, 31.2 % of communication, 34 % of waiting, 14.2 % of all time".
std::string describe(const FoldError& error);

// For JSON (base/json_fields.hpp).
void list_fields(JsonFields& fields, FoldErrors& errors);
void list_fields(JsonFields& fields, FoldError& error);
void list_fields(JsonFields& fields, FunctionError& error);
void list_fields(JsonFields& fields, HiddenDifference& hidden);

}  // namespace tracefold
