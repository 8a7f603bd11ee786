#include "pipeline/verify/verify.hpp"

#include "base/text.hpp"
#include "base/version.hpp"
#include "model/plan.hpp"
#include "otf2/name_codes.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/messages/find_crossing.hpp"
#include "pipeline/verify/check_structure.hpp"
#include "pipeline/verify/derive_plan.hpp"
#include "pipeline/verify/make_again.hpp"
#include "pipeline/verify/rule_book.hpp"
#include "pipeline/verify/rule_words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tracefold {

namespace {

// Whether the trace says that it was reduced. One that was reduced may lack the number of
// reductions or what its locations stand for, which is a violation then.
bool is_reduced(const Archive& archive) {
  return count_reductions(archive.facts()) > 0 ||
         std::ranges::any_of(read_location_properties(archive.definitions()),
                             [](const auto& one) { return one.second.source.has_value(); });
}

Verification make_verdict(std::string rule, std::string violation) {
  Verification out;
  RuleBook(out.rules).add_rule(std::move(rule), {std::move(violation)});
  return out;
}

Verification make_unrelated(bool was_reduced) {
  auto out = make_verdict(rule_words::is_related, "not made from this trace");
  out.was_reduced = was_reduced;
  out.is_related = false;
  return out;
}

void compare_with_original(Verification& out, RuleBook& rules, const Archive& reduced,
                           const Archive& original, PlanBeside& beside, const TraceWords& words,
                           const ReadOptions& options) {
  auto& plan = *beside.plan;
  const bool is_this_version = plan.write->version == version;
  if (!is_this_version)
    out.other_version = plan.write->version;

  try {
    look_at_window(original, plan.filters, options);
    // The plan of another version is only derived where metrics of members have to be measured.
    const bool derives = is_this_version || plan.write->member_metrics;
    const auto derived = derives ? derive_plan(original, plan, options) : plan;
    const auto events_read = make_again(rules, reduced, original, beside, derived, words, options);
    out.was_made_again = true;
    if (is_this_version) {
      if (derived.errors)
        out.errors = *derived.errors;
      compare_plan(rules, beside, original, derived, events_read);
    }
  } catch (const Error& problem) {
    if (problem.kind() != ErrorKind::usage)
      throw;
    rules.add_rule(rule_words::fits, {fmt::format("{}: {}", plan_name, problem.what())});
  }
}

}  // namespace

bool Verification::holds() const {
  return std::all_of(rules.begin(), rules.end(),
                     [](const auto& r) { return r.violations.empty(); });
}

Verification verify_structure(const Archive& reduced, const ReadOptions& options,
                              Diagnostics& diagnostics) {
  if (!is_reduced(reduced))
    return make_unrelated(false);

  Verification out;
  RuleBook rules(out.rules);
  out.accuracy =
      check_structure(rules, reduced, read_plan_beside(reduced), TraceWords(reduced.definitions()),
                      WithOriginal::no, options, diagnostics);
  return out;
}

Verification verify(const Archive& reduced, const Archive& original, const ReadOptions& options,
                    Diagnostics& diagnostics) {
  auto beside = read_plan_beside(reduced);
  if (!is_reduced(reduced))
    return make_unrelated(false);
  if (const auto code = find_other_code(reduced.definitions(), original.definitions())) {
    auto out = make_verdict(
        rule_words::names,
        fmt::format("names in the reduced trace are codes that the original lacks ({}, …)",
                    make_printable(*code)));
    out.code = *code;
    return out;
  }
  // Only the plan that it was written with, as the anchor says, names its original.
  const bool is_of_original = beside.plan && beside.plan->trace.identity == original.identity();
  if (beside.plan && beside.is_that && !is_of_original)
    return make_unrelated(true);

  Verification out;
  RuleBook rules(out.rules);
  const TraceWords words(reduced.definitions());
  out.accuracy =
      check_structure(rules, reduced, beside, words, WithOriginal::yes, options, diagnostics);
  if (is_of_original && beside.plan->write)
    compare_with_original(out, rules, reduced, original, beside, words, options);

  return out;
}

}  // namespace tracefold
