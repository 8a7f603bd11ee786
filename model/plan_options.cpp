#include "model/plan_options.hpp"

#include "base/error.hpp"
#include "base/ranges.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>

namespace tracefold {

using Json = nlohmann::ordered_json;

std::string_view to_text(CompareBy by) {
  return by == CompareBy::pairs ? "pairs" : "functions";
}

namespace {

std::string_view to_text(Choice choice) {
  switch (choice) {
    case Choice::first: return "first";
    case Choice::slowest: return "slowest";
    default: return "medoid";
  }
}

}  // namespace

Comparison change_comparison(Comparison comparison, const ComparisonOptions& options) {
  if (options.by)
    comparison.by = *options.by;
  if (!options.ignore.empty())
    comparison.ignore = options.ignore;
  if (options.ignore_root)
    comparison.ignore_root = true;
  if (!options.combine.empty())
    comparison.combine = options.combine;

  return comparison;
}

CompareBy parse_compare_by(std::string_view word) {
  for (auto by : {CompareBy::pairs, CompareBy::functions})
    if (word == to_text(by))
      return by;
  throw Error(ErrorKind::usage, fmt::format("'{}' is nothing to compare processes by", word))
      .hint("pairs or functions");
}

Choice parse_choice(std::string_view word) {
  for (auto choice : {Choice::first, Choice::medoid, Choice::slowest})
    if (word == to_text(choice))
      return choice;
  throw Error(ErrorKind::usage, fmt::format("'{}' is no way to choose a representative", word))
      .hint("first, medoid or slowest");
}

std::size_t parse_per_group(std::string_view word) {
  if (word == "auto")
    return auto_per_group;

  std::uint32_t number = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (code != std::errc{} || end != word.data() + word.size() || number == 0)
    throw Error(ErrorKind::usage,
                fmt::format("'{}' is no number of processes to keep per group", word))
        .hint("1 or more, or auto");

  return number;
}

Json to_json(const Comparison& c) {
  return {{"by", to_text(c.by)},
          {"ignore", c.ignore},
          {"ignore_root", c.ignore_root},
          {"combine", c.combine}};
}

Json to_json(const Selection& s) {
  Json out{{"by", to_text(s.choice)}};
  out["per_group"] = s.per_group == auto_per_group ? "auto" : std::to_string(s.per_group);
  out["keep_extremes"] = s.keep_extremes;
  out["always"] = to_ranges(s.always);
  return out;
}

Comparison comparison_from_json(const Json& in) {
  return {parse_compare_by(in.at("by").get_ref<const std::string&>()),
          in.at("ignore").get<std::vector<std::string>>(), in.at("ignore_root"),
          in.at("combine").get<std::vector<std::string>>()};
}

Selection selection_from_json(const Json& in) {
  return {parse_choice(in.at("by").get_ref<const std::string&>()),
          parse_per_group(in.at("per_group").get_ref<const std::string&>()), in.at("keep_extremes"),
          from_ranges(in.at("always").get_ref<const std::string&>())};
}

}  // namespace tracefold
