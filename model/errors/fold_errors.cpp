#include "model/errors/fold_errors.hpp"

#include "base/json_fields.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>

namespace tracefold {

using Json = nlohmann::ordered_json;

namespace {

constexpr Word<TimeKind> kind_words[] = {{TimeKind::computation, "computation"},
                                         {TimeKind::communication, "communication"},
                                         {TimeKind::waiting, "waiting"}};

}  // namespace

const char* to_text(TimeKind kind) {
  return get_word(kind_words, kind);
}

ErrorGrade grade_error(double share) {
  if (share <= largest_good_error)
    return ErrorGrade::good;
  return share <= largest_fair_error ? ErrorGrade::fair : ErrorGrade::poor;
}

const char* to_text(ErrorGrade grade) {
  constexpr const char* words[] = {"good", "fair", "poor"};
  return words[static_cast<std::size_t>(grade)];
}

double measure_rows(const FoldErrors& errors) {
  return std::max(errors.of_processes.useful, errors.hidden ? errors.hidden->of_run : 0);
}

ErrorGrade grade_rows(const FoldErrors& errors) {
  return grade_error(measure_rows(errors));
}

ErrorGrade grade_iterations(const FoldErrors& errors) {
  return grade_error(errors.of_iterations ? errors.of_iterations->useful : 0);
}

std::string format_percent(double share) {
  const auto percent = 100 * share;
  return percent < 999.5 ? fmt::format("{:.3g} %", percent) : fmt::format("{:.0f} %", percent);
}

std::string describe(const FoldError& error) {
  return fmt::format(
      "{} of computation, {} of communication{}, {} of all time",
      format_percent(error.computation.of_own), format_percent(error.communication.of_own),
      error.waiting ? fmt::format(", {} of waiting", format_percent(error.waiting->of_own))
                    : " with waiting",
      format_percent(error.all));
}

namespace {

TimeKind read_kind(const Json& in) {
  const auto kind =
      in.is_string() ? find_by_word(kind_words, in.get_ref<const std::string&>()) : std::nullopt;
  if (!kind)
    throw Error(ErrorKind::input, "the plan has an error of a kind of time that is not known");
  return *kind;
}

}  // namespace

void list_fields(JsonFields& fields, TimeError& error) {
  fields.field("of_own_time", error.of_own);
  fields.field("of_all_time", error.of_all);
}

void list_fields(JsonFields& fields, FunctionError& error) {
  fields.field("function", error.function);
  fields.form("kind", error.kind, word_writer(kind_words), read_kind);
  fields.field("of_all_time", error.of_all);
}

void list_fields(JsonFields& fields, FoldError& error) {
  fields.field("of_all_time", error.all);
  fields.field("computation", error.computation);
  fields.field("communication", error.communication);
  fields.nullable("waiting", error.waiting);
  fields.field("useful_of_all_time", error.useful);
}

void list_fields(JsonFields& fields, HiddenDifference& hidden) {
  fields.field("process", hidden.process);
  fields.field("row", hidden.row);
  fields.unless("function", hidden.function, {});
  fields.field("is_longer", hidden.is_longer);
  fields.field("of_run", hidden.of_run);
}

void list_fields(JsonFields& fields, FoldErrors& errors) {
  fields.field("processes", errors.processes);
  fields.object("of_processes", [&](JsonFields& of_processes) {
    list_fields(of_processes, errors.of_processes);
    of_processes.field("functions", errors.functions_of_processes);
    of_processes.field("hidden", errors.hidden);
    of_processes.object("untypical_rows", [&](JsonFields& rows) {
      rows.field("useful", errors.untypical.in_useful);
      rows.field("waiting", errors.untypical.in_waiting);
    });
  });
  if (!fields.has("of_iterations", errors.of_iterations.has_value()))
    return;
  if (!errors.of_iterations)
    errors.of_iterations.emplace();
  fields.object("of_iterations", [&](JsonFields& of_iterations) {
    list_fields(of_iterations, *errors.of_iterations);
    of_iterations.field("loops", errors.of_loops);
    of_iterations.field("unmeasured_processes", errors.unmeasured);
  });
}

}  // namespace tracefold
