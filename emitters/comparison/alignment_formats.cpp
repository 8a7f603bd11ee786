#include "emitters/comparison/alignment_formats.hpp"

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "emitters/layout.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/table.hpp"
#include "emitters/text_table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <vector>

namespace tracefold {

namespace {

using AlignmentJson = nlohmann::ordered_json;

std::string show_gain(double a, double b) {
  return a == b ? "=" : (b > a ? "+" : "-") + format_seconds(std::abs(b - a));
}

std::string show_path(const AlignedCall& call) {
  const auto path = make_printable(call.path);
  return call.function_in_b.empty() ? path
                                    : path + " (B: " + make_printable(call.function_in_b) + ")";
}

std::string show_iteration(const AlignedCall& call) {
  return call.iteration ? std::to_string(*call.iteration) : "";
}

std::string describe_sums(const CallAlignment& alignment) {
  auto out = fmt::format("{} calls are in both: {} and {} without what they call\n",
                         show_count(alignment.same.calls), format_seconds(alignment.same.a),
                         format_seconds(alignment.same.b));
  const auto tell = [&](const ChangedCalls& calls, const char* words) {
    if (calls.calls > 0)
      out += fmt::format("{} {}: {} in A, {} in B\n", show_count(calls.calls), words,
                         format_seconds(calls.a), format_seconds(calls.b));
  };
  tell(alignment.changed, "changed (another function at the same place)");
  tell(alignment.inserted, "inserted (in B alone)");
  tell(alignment.deleted, "deleted (in A alone)");
  return out;
}

AlignmentJson to_sum_json(const ChangedCalls& calls) {
  return {{"calls", calls.calls}, {"seconds_a", calls.a}, {"seconds_b", calls.b}};
}

}  // namespace

// "main > solve takes 2 s more in B in iteration 5"
std::string write_headline(const CallAlignment& alignment, std::size_t longest_path) {
  if (alignment.costly.empty())
    return "all calls are in both, and take as long";

  const auto& most = alignment.costly.front();
  const auto where =
      most.iteration ? fmt::format(" in iteration {}", *most.iteration) : std::string();
  const auto path = shorten_name(make_printable(most.path), longest_path);
  const auto time = format_seconds(most.cost());
  switch (most.change) {
    case CallChange::inserted: return fmt::format("only B calls {}{}, for {}", path, where, time);
    case CallChange::deleted: return fmt::format("only A calls {}{}, for {}", path, where, time);
    case CallChange::changed:
      return fmt::format("B calls {} where A calls {}{}: {} in A, {} in B",
                         make_printable(most.function_in_b), path, where, format_seconds(most.a),
                         format_seconds(most.b));
    default:
      return fmt::format("a call of {}{} takes {} more in {}: {} in A, {} in B", path, where, time,
                         most.b > most.a ? "B" : "A", format_seconds(most.a),
                         format_seconds(most.b));
  }
}

std::string describe_limits(const CallAlignment& alignment) {
  std::string out;
  if (alignment.iterations_a && alignment.iterations_a != alignment.iterations_b)
    out += fmt::format("A has {} iterations, and B has {}\n", show_count(*alignment.iterations_a),
                       show_count(*alignment.iterations_b));
  if (!alignment.iterations_a)
    out += "no loop is in both: calls are not aligned iteration by iteration\n";
  if (alignment.cut_sequences > 0)
    out += fmt::format("{} sequence{} of calls differ in too much: more may be in both\n",
                       alignment.cut_sequences, alignment.cut_sequences == 1 ? "" : "s");
  if (alignment.least_depth)
    out +=
        fmt::format("there are too many calls: those with {} or more around them count for these\n",
                    *alignment.least_depth);
  if (!alignment.has_end)
    out += "there are too many calls: later ones are not looked at\n";
  return out;
}

std::string to_table(const CallAlignment& alignment) {
  auto out = apply_style(write_headline(alignment), TextStyle::heading) + "\n\n";
  out += fmt::format("A {}: {} calls, {}\n", make_printable(alignment.process_a),
                     show_count(alignment.calls_a), format_seconds(alignment.time_a));
  out += fmt::format("B {}: {} calls, {}\n", make_printable(alignment.process_b),
                     show_count(alignment.calls_b), format_seconds(alignment.time_b));
  out += "\n" + describe_sums(alignment) + describe_limits(alignment);
  if (alignment.costly.empty())
    return out;

  TableRows rows{{"difference", "A", "B", "iteration", "call", "call path"}};
  for (const auto& call : alignment.costly)
    rows.push_back({show_gain(call.a, call.b),
                    call.change == CallChange::inserted ? "-" : format_seconds(call.a),
                    call.change == CallChange::deleted ? "-" : format_seconds(call.b),
                    show_iteration(call), to_text(call.change), show_path(call)});
  return out + "\nthe calls that cost most:\n" + text_table(std::move(rows), {2, {"iteration"}});
}

std::string to_csv(const CallAlignment& alignment) {
  std::string out = "call,call_path,function_in_b,iteration,seconds_a,seconds_b\r\n";
  for (const auto& call : alignment.costly)
    out += fmt::format("{},{},{},{},{},{}\r\n", to_text(call.change), quote_csv(call.path),
                       quote_csv(call.function_in_b), show_iteration(call), call.a, call.b);
  return out;
}

std::string to_json(const CallAlignment& alignment) {
  auto calls = AlignmentJson::array();
  for (const auto& call : alignment.costly) {
    AlignmentJson one{{"call", to_text(call.change)}, {"call_path", make_printable(call.path)}};
    if (!call.function_in_b.empty())
      one["function_in_b"] = make_printable(call.function_in_b);
    one["iteration"] = make_json_value(call.iteration);
    one["seconds_a"] = call.a;
    one["seconds_b"] = call.b;
    calls.push_back(std::move(one));
  }
  const AlignmentJson document{{"tracefold_alignment", 1},
                               {"headline", write_headline(alignment)},
                               {"process_a", make_printable(alignment.process_a)},
                               {"process_b", make_printable(alignment.process_b)},
                               {"calls_a", alignment.calls_a},
                               {"calls_b", alignment.calls_b},
                               {"seconds_a", alignment.time_a},
                               {"seconds_b", alignment.time_b},
                               {"iterations_a", make_json_value(alignment.iterations_a)},
                               {"iterations_b", make_json_value(alignment.iterations_b)},
                               {"same", to_sum_json(alignment.same)},
                               {"changed", to_sum_json(alignment.changed)},
                               {"inserted", to_sum_json(alignment.inserted)},
                               {"deleted", to_sum_json(alignment.deleted)},
                               {"cut_sequences", alignment.cut_sequences},
                               {"deepest_calls_from", make_json_value(alignment.least_depth)},
                               {"has_all_calls", alignment.has_end},
                               {"costly_calls", std::move(calls)}};
  return write_json_text(document);
}

}  // namespace tracefold
