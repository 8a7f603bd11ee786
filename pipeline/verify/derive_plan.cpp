#include "pipeline/verify/derive_plan.hpp"

#include "filters/groups/select.hpp"
#include "model/iterations/iteration_section.hpp"
#include "pipeline/facts/whole_program.hpp"
#include "pipeline/iterations/stored_folds.hpp"
#include "pipeline/reduce/choose_rows.hpp"
#include "pipeline/reduce/fold_plan.hpp"
#include "pipeline/reduce/like_run.hpp"
#include "pipeline/reduce/plan_session.hpp"
#include "pipeline/reduce/reduce.hpp"
#include "pipeline/rewrite/find_halo.hpp"
#include "pipeline/rewrite/write_trace.hpp"
#include "pipeline/verify/rule_words.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

using Json = nlohmann::ordered_json;

// Adds the places at which two documents differ to a rule.
class DocumentComparison {
 public:
  explicit DocumentComparison(RuleBook& rules) : rules_(rules) {}

  void compare(const std::string& path, const Json& found, const Json& expected) {
    if (found == expected)
      return;

    if (found.is_object() && expected.is_object())
      compare_objects(path, found, expected);
    else if (found.is_array() && expected.is_array() && found.size() == expected.size())
      for (std::size_t k = 0; k < found.size(); ++k)
        compare(fmt::format("{}[{}]", path, k), found[k], expected[k]);
    else if (found.is_array() && expected.is_array())
      add(path, fmt::format("has {} entries, and should have {}", found.size(), expected.size()));
    else
      add(path, fmt::format("is {}, and should be {}", describe(found), describe(expected)));
  }

 private:
  void compare_objects(const std::string& path, const Json& found, const Json& expected) {
    const auto join = [&](const std::string& name) {
      return path.empty() ? name : path + "." + name;
    };
    for (const auto& [name, value] : expected.items())
      if (const auto at = found.find(name); at != found.end())
        compare(join(name), *at, value);
      else
        add(join(name), "is missing");
    for (const auto& [name, value] : found.items())
      if (!expected.contains(name))
        add(join(name), "should not be there");
  }

  static std::string describe(const Json& value) {
    constexpr std::size_t longest = 60;
    auto text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() > longest) {
      text.resize(longest);
      text += "…";
    }

    return text;
  }

  void add(const std::string& path, const std::string& words) {
    rules_.add_violation(fmt::format("{}: {} {}", plan_name, path, words));
  }

  RuleBook& rules_;
};

// Another version of zstd packs the same messages into other bytes.
bool has_same_messages_packed(const PlanBeside& beside, const Plan& derived, const Json& told,
                              const Json& right) {
  const auto is_packed = [](const Json& plan) {
    return plan.contains("messages") && plan["messages"].contains("packed");
  };
  return is_packed(told) && is_packed(right) && *beside.plan->messages == *derived.messages;
}

// The same of what all processes did.
bool has_same_program_packed(const PlanBeside& beside, const std::string& profiles,
                             const Json& told, const Json& right) {
  return told.contains("program") && right.contains("program") &&
         told["program"]["sha256"] != right["program"]["sha256"] &&
         has_same_profiles(beside, profiles);
}

}  // namespace

Plan derive_plan(const Archive& original, const Plan& plan, const ReadOptions& options) {
  Diagnostics quiet;  // what is odd in the original was told when it was reduced
  const Context context{quiet, options};
  // The session does not outlive the archive.
  PlanSession session(std::shared_ptr<const Archive>(std::shared_ptr<void>(), &original), context);
  auto& derived = session.plan();
  derived = make_plan(original, plan.filters);
  derived.chosen = plan.chosen;

  const auto grouping = list_grouping(plan);
  const auto folding =
      plan.iterations ? std::optional(list_options(*plan.iterations)) : std::nullopt;
  const auto most_profiles = plan.write ? plan.write->most_profiles : 0;
  const bool member_metrics = plan.write && plan.write->member_metrics;
  const auto record = choose_record(original, most_profiles, member_metrics);
  const auto messages = plan.messages ? KeepMessages::yes : KeepMessages::no;
  if (!plan.processes.empty())
    session.profile(choose_extras(grouping, messages, folding, record));
  if (plan.groups)
    session.group(grouping);
  if (plan.like)
    session.group_as(plan);
  if (plan.messages)
    session.keep_messages(messages);
  const auto halo = plan.halo ? plan.halo->asked : HaloOptions{0, false};
  if (plan.selection && plan.selection->rows > 0)
    ChosenRows(session, *plan.selection, halo).take(plan.selection->rows);
  else if (plan.selection)
    session.select(*plan.selection, halo);
  else if (plan.halo)
    ask_for_halo(derived, plan.halo->asked);
  if (plan.like && plan.representatives && derived.like)
    derived.representatives = plan.representatives;
  if (folding)
    fold_plan(session, *folding, record);
  carry_folds(original, derived);
  complete_program(session, most_profiles, member_metrics);
  find_halo(original, derived, options);

  return std::move(derived);
}

void compare_plan(RuleBook& rules, const PlanBeside& beside, const Archive& original,
                  const Plan& derived, std::uint64_t events_read) {
  auto expected = derived;
  const auto told = Json::parse(beside.text);
  expected.trace.anchor = told.at("trace").at("anchor").get<std::string>();
  const auto& write = *beside.plan->write;
  const auto prepared = prepare_plan(original, expected,
                                     {.keep_ids = write.keep_ids,
                                      .plain_names = write.plain_names,
                                      .most_profiles = write.most_profiles,
                                      .member_metrics = write.member_metrics,
                                      .draws_messages = write.draws_messages,
                                      .tree = write.tree});
  const auto files =
      prepared.was_profiled ? prepared.files : format_unprofiled(prepared.plan, events_read);
  rules.add_rule(rule_words::plan_fields);
  if (files.plan == beside.text)
    return;

  auto right = Json::parse(files.plan);
  const bool has_other_messages = has_same_messages_packed(beside, expected, told, right);
  if (has_other_messages)
    right["messages"]["packed"] = told["messages"]["packed"];
  const bool has_other_program = has_same_program_packed(beside, files.profiles, told, right);
  if (has_other_program)
    right["program"]["sha256"] = told["program"]["sha256"];

  DocumentComparison(rules).compare("", told, right);
  if (!rules.has_violations() && !has_other_messages && !has_other_program)
    rules.add_violation(fmt::format("{} is written in another way", plan_name));
}

}  // namespace tracefold
