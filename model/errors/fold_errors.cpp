#include "model/errors/fold_errors.hpp"

#include "base/error.hpp"
#include "base/whole_number.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace tracefold {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::array kinds{TimeKind::computation, TimeKind::communication, TimeKind::waiting};

Json time_error_to_json(const TimeError& error) {
  return {{"of_own_time", error.of_own}, {"of_all_time", error.of_all}};
}

TimeError time_error_from(const Json& in) {
  return {in.at("of_own_time"), in.at("of_all_time")};
}

FoldError fold_error_from(const Json& in) {
  FoldError out{in.at("of_all_time"), time_error_from(in.at("computation")),
                time_error_from(in.at("communication")), std::nullopt};
  if (const auto& waiting = in.at("waiting"); !waiting.is_null())
    out.waiting = time_error_from(waiting);
  return out;
}

}  // namespace

const char* to_text(TimeKind kind) {
  switch (kind) {
    case TimeKind::computation: return "computation";
    case TimeKind::communication: return "communication";
    default: return "waiting";
  }
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

Json to_json(const FoldError& error) {
  return {{"of_all_time", error.all},
          {"computation", time_error_to_json(error.computation)},
          {"communication", time_error_to_json(error.communication)},
          {"waiting", error.waiting ? time_error_to_json(*error.waiting) : Json(nullptr)}};
}

Json to_json(const std::vector<FunctionError>& functions) {
  auto out = Json::array();
  for (const auto& one : functions)
    out.push_back(
        {{"function", one.function}, {"kind", to_text(one.kind)}, {"of_all_time", one.of_all}});
  return out;
}

Json to_json(const FoldErrors& errors) {
  auto of_processes = to_json(errors.of_processes);
  of_processes["functions"] = to_json(errors.functions_of_processes);
  Json out{{"processes", errors.processes}, {"of_processes", std::move(of_processes)}};
  if (!errors.of_iterations)
    return out;

  auto of_iterations = to_json(*errors.of_iterations);
  auto loops = Json::array();
  for (const auto& loop : errors.of_loops)
    loops.push_back(to_json(loop));
  of_iterations["loops"] = std::move(loops);
  of_iterations["unmeasured_processes"] = errors.unmeasured;
  out["of_iterations"] = std::move(of_iterations);

  return out;
}

std::vector<FunctionError> function_errors_from_json(const Json& in) {
  std::vector<FunctionError> out;
  for (const auto& one : in) {
    const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                   [&](auto k) { return one.at("kind") == to_text(k); });
    if (kind == kinds.end())
      throw Error(ErrorKind::input, "the plan has an error of a kind of time that is not known");
    out.push_back({one.at("function"), *kind, one.at("of_all_time")});
  }

  return out;
}

FoldErrors fold_errors_from_json(const Json& in) {
  const auto& of_processes = in.at("of_processes");
  FoldErrors out{read_whole(in.at("processes")), fold_error_from(of_processes),
                 function_errors_from_json(of_processes.at("functions"))};
  if (!in.contains("of_iterations"))
    return out;

  const auto& of_iterations = in["of_iterations"];
  out.of_iterations = fold_error_from(of_iterations);
  for (const auto& loop : of_iterations.at("loops"))
    out.of_loops.push_back(fold_error_from(loop));
  out.unmeasured = read_whole(of_iterations.at("unmeasured_processes"));

  return out;
}

}  // namespace tracefold
