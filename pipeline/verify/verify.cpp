#include "pipeline/verify/verify.hpp"

#include "base/text.hpp"
#include "base/version.hpp"
#include "model/plan.hpp"
#include "otf2/name_codes.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/verify/check_structure.hpp"
#include "pipeline/verify/derive_plan.hpp"
#include "pipeline/verify/make_again.hpp"
#include "pipeline/verify/rule_book.hpp"
#include "pipeline/verify/rule_words.hpp"
#include "pipeline/window/find_crossing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tracefold {

namespace {

// False for a trace that says nothing of a reduction, as where both were given the other way round.
bool is_reduced(const Archive& archive) {
  return archive.facts().properties.contains("TRACEFOLD::REDUCTIONS") ||
         std::ranges::any_of(read_stand_in_properties(archive.definitions()),
                             [](const auto& one) { return one.second.source.has_value(); });
}

Verification tell_one_thing(std::string rule, std::string violation) {
  Verification out;
  RuleBook(out.rules).add_rule(std::move(rule), {std::move(violation)});
  return out;
}

Verification tell_not_related() {
  auto out = tell_one_thing(rule_words::is_related, "not made from this trace");
  out.is_related = false;
  return out;
}

// The plan of another version may choose otherwise. Of it the trace is made again by what the plan
// says; only what the metrics of members are of has to be measured.
Plan derive(const Archive& original, const Plan& plan, bool is_this_version,
            const ReadOptions& options) {
  return is_this_version || plan.write->member_metrics ? derive_plan(original, plan, options)
                                                       : plan;
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
    const auto derived = derive(original, plan, is_this_version, options);
    auto made = make_again(reduced, original, beside, derived, words, options);
    out.was_made_again = true;
    if (is_this_version) {
      if (derived.errors)
        out.errors = *derived.errors;
      rules.add_rule(rule_words::plan_fields,
                     compare_plan(beside, original, derived, made.events_read));
    }
    rules.add_rule(rule_words::events, std::move(made.differences.events));
    rules.add_rule(rule_words::definitions, std::move(made.differences.definitions));
    rules.add_rule(rule_words::rest, std::move(made.differences.rest));
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
    return tell_not_related();

  Verification out;
  RuleBook rules(out.rules);
  check_structure(rules, reduced, read_plan_beside(reduced), TraceWords(reduced.definitions()),
                  WithOriginal::no, options, diagnostics);
  return out;
}

Verification verify(const Archive& reduced, const Archive& original, const ReadOptions& options,
                    Diagnostics& diagnostics) {
  auto beside = read_plan_beside(reduced);
  if (!is_reduced(reduced))
    return tell_not_related();
  if (const auto code = find_other_code(reduced.definitions(), original.definitions())) {
    auto out = tell_one_thing(
        rule_words::names,
        fmt::format("names in the reduced trace are codes that the original lacks ({}, …)",
                    make_printable(*code)));
    out.code = *code;
    return out;
  }
  // A plan that it was not written with tells nothing of where it comes from.
  const bool is_of_original = beside.plan && beside.plan->trace.identity == original.identity();
  if (beside.plan && beside.is_that && !is_of_original)
    return tell_not_related();

  Verification out;
  RuleBook rules(out.rules);
  const TraceWords words(reduced.definitions());
  check_structure(rules, reduced, beside, words, WithOriginal::yes, options, diagnostics);
  if (is_of_original && beside.plan->write)
    compare_with_original(out, rules, reduced, original, beside, words, options);

  return out;
}

}  // namespace tracefold
