#include "model/plan.hpp"

#include "base/error.hpp"
#include "base/packed_file.hpp"
#include "base/ranges.hpp"
#include "base/read_file.hpp"
#include "base/sha256.hpp"
#include "base/whole_number.hpp"
#include "model/describe_group.hpp"
#include "model/errors/fold_errors.hpp"
#include "model/iterations/kept_folds.hpp"
#include "model/messages/messages.hpp"
#include "model/messages/rank_list.hpp"
#include "model/plan_fields.hpp"
#include "model/plan_iterations.hpp"
#include "model/plan_processes.hpp"
#include "model/profile/function_names.hpp"
#include "model/trace_name.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <unordered_map>

namespace tracefold {

using Json = nlohmann::ordered_json;

namespace {

TimeSpans read_spans(const Json& in) {
  TimeSpans spans;
  for (const auto& span : in)
    spans.push_back(read_span(span));
  if (!are_ascending(spans))
    throw Error(ErrorKind::input, "this is no valid plan: spans of time do not ascend");
  return spans;
}

// The trace has so many locations.
TimeWindow read_window(const Json& in, std::size_t locations) {
  constexpr std::size_t most_locations = std::size_t{1} << 22;
  TimeWindow window;
  window.first_event = read_id(in.at("first_event").get_ref<const std::string&>());
  window.spans = read_spans(in.at("spans"));

  auto left = most_spans - std::min(most_spans, window.spans.size());
  for (const auto& own : in.at("own")) {
    const auto room = std::min(most_locations, locations) - window.own.size();
    const auto ids = parse_ranges(own.at("locations").get_ref<const std::string&>(), room);
    const auto spans = read_spans(own.at("spans"));
    if (!spans.empty() && ids.size() > left / spans.size())
      throw Error(ErrorKind::input,
                  fmt::format("this is no valid plan: its window in time has more "
                              "than {} parts",
                              most_spans));
    left -= ids.size() * spans.size();
    for (const auto location : ids)
      if (!window.own.emplace(location, spans).second)
        throw Error(ErrorKind::input,
                    fmt::format("this is no valid plan: it has two lists of times of location {}",
                                location));
  }

  return window;
}

FilterSection read_filter(const Json& in, std::size_t locations) {
  auto filter = in.get<FilterSection>();
  if (in.contains("time"))
    filter.time = read_window(in["time"], locations);
  return filter;
}

void read_filters(const Json& in, Plan& plan) {
  for (const auto& one : in) {
    if (one.contains("time") && find_window(plan.filters))
      throw Error(ErrorKind::input, "this is no valid plan: it has two windows in time");
    plan.filters.push_back(read_filter(one, plan.trace.locations));
  }
}

FunctionIndex known_function(const Json& index, const Plan& plan) {
  const auto i = read_whole(index);
  if (i >= plan.functions.size())
    throw Error(ErrorKind::input,
                fmt::format("the plan names function {} of {}", i, plan.functions.size()));
  return static_cast<FunctionIndex>(i);
}

void read_intents(const Json& in, Plan& plan) {
  for (const auto& one : in) {
    PlanIntent intent;
    intent.set.type = read_whole(one.at("type"));
    const auto& pairs = one.at("pairs");
    if (pairs.size() % 2)
      throw Error(ErrorKind::input, "an intent of the plan has half a call pair");
    for (std::size_t k = 0; k + 1 < pairs.size(); k += 2)
      intent.set.pairs.push_back(
          {pairs[k] == Json(-1) ? virtual_root : known_function(pairs[k], plan),
           known_function(pairs[k + 1], plan)});

    std::sort(intent.set.pairs.begin(), intent.set.pairs.end());
    intent.set.metrics = one.at("metrics").get<std::vector<std::string>>();
    for (const auto& f : one.at("functions"))
      intent.functions.push_back(known_function(f, plan));

    plan.intents.push_back(std::move(intent));
  }
}

void read_processes(const Json& in, Plan& plan) {
  for (const auto& one : in) {
    auto p = one.get<Process>();
    if (p.weight == 0)
      throw Error(ErrorKind::input, fmt::format("process {} stands for none in the plan", p.id));
    if (p.intent >= plan.intents.size() ||
        p.exclusive.size() != plan.intents[p.intent].functions.size())
      throw Error(ErrorKind::input,
                  fmt::format("the profile of process {} does not fit its intent", p.id));

    if (!plan.processes.empty() && plan.processes.back().id >= p.id)
      throw Error(ErrorKind::input, "the profiles of the plan are not in ascending order");

    plan.processes.push_back(std::move(p));
  }
}

class ProcessIndex {
 public:
  explicit ProcessIndex(const Plan& plan) {
    for (std::size_t k = 0; k < plan.processes.size(); ++k)
      at_.emplace(plan.processes[k].id, k);
  }
  std::size_t of(std::uint64_t id) const {
    auto found = at_.find(id);
    if (found == at_.end())
      throw Error(ErrorKind::input,
                  fmt::format("the plan names process {} and has no profile of it", id));
    return found->second;
  }
  std::vector<std::size_t> of(const Json& ranges) const {
    std::vector<std::size_t> found;
    for (auto id : parse_ranges(ranges.get_ref<const std::string&>()))
      found.push_back(of(id));
    if (found.empty())
      throw Error(ErrorKind::input, "the plan has a group without members");

    return found;
  }

 private:
  std::unordered_map<std::uint64_t, std::size_t> at_;
};

void read_group_intents(const Json& in, const Plan& plan, Group& group) {
  group.similarity = in.at("similarity").get<std::vector<double>>();
  for (auto m : group.members)
    group.intents.push_back(plan.processes[m].intent);

  std::sort(group.intents.begin(), group.intents.end());
  group.intents.erase(std::unique(group.intents.begin(), group.intents.end()), group.intents.end());
  if (group.intents != read_all_whole<std::uint32_t>(in.at("intents")))
    throw Error(ErrorKind::input,
                fmt::format("group {} of the plan has other intents than its members",
                            plan.groups->size()));
}

// The sets that were merged into a group hold each of its members once.
std::vector<std::vector<std::size_t>> read_merged(const Json& in, const Group& group,
                                                  const ProcessIndex& index) {
  std::vector<std::vector<std::size_t>> sets;
  std::vector<std::size_t> all;
  for (const auto& set : in) {
    sets.push_back(index.of(set));
    all.insert(all.end(), sets.back().begin(), sets.back().end());
  }

  std::sort(all.begin(), all.end());
  if (all != group.members)
    throw Error(ErrorKind::input, "the plan has a group that was merged from other processes");

  return sets;
}

std::vector<GridAxis> read_grid(const Json& in) {
  constexpr std::size_t most_axes = 8;
  constexpr std::uint64_t most_ranks = std::uint64_t{1} << 24;
  std::vector<GridAxis> axes;
  std::uint64_t ranks = 1;
  for (const auto& one : in) {
    const auto& axis = axes.emplace_back(one.get<GridAxis>());
    if (axes.size() > most_axes || axis.size == 0 || axis.size > most_ranks / ranks)
      throw Error(ErrorKind::input, "the grid of the plan holds no ranks, or too many");
    ranks *= axis.size;
  }
  return axes;
}

std::string read_group_name(const Json& in, std::size_t group) {
  auto name = in.value("name", "");
  if (name.size() > most_group_name_bytes)
    throw Error(ErrorKind::input,
                fmt::format("the name of group {} of the plan takes {} bytes, and may take {}",
                            group, name.size(), most_group_name_bytes));
  return name;
}

void read_groups(const Json& in, Plan& plan, const ProcessIndex& index) {
  plan.threshold = in.at("threshold");
  if (!(plan.threshold >= 0 && plan.threshold <= 1))
    throw Error(ErrorKind::input,
                fmt::format("the plan has a threshold of {}, which is not between 0 and 1",
                            plan.threshold));

  if (in.contains("comparison"))
    plan.comparison = in["comparison"].get<Comparison>();
  if (in.contains("ignored"))
    for (const auto& function : in["ignored"])
      plan.ignored.push_back(known_function(function, plan));

  auto& groups = plan.groups.emplace();
  std::vector<bool> grouped(plan.processes.size());

  for (const auto& one : in.at("list")) {
    Group group{index.of(one.at("members")), {}, {}, {}};
    group.name = read_group_name(one, groups.size());
    if (one.contains("merged"))
      group.merged = read_merged(one["merged"], group, index);
    if (one.contains("main"))
      group.clusters = {
          read_whole<std::uint32_t>(one["main"]), read_whole<std::uint32_t>(one.at("sub")),
          rank_list_text(parse_rank_list(one.at("ranks").get_ref<const std::string&>()))};

    for (auto m : group.members) {
      if (grouped[m])
        throw Error(ErrorKind::input,
                    fmt::format("process {} is in two groups of the plan", plan.processes[m].id));
      grouped[m] = true;
    }

    if (!plan.lacks_profiles)
      read_group_intents(one, plan, group);
    groups.push_back(std::move(group));
  }

  const auto alone = std::find(grouped.begin(), grouped.end(), false);
  if (alone != grouped.end())
    throw Error(ErrorKind::input,
                fmt::format("process {} is in no group of the plan",
                            plan.processes[static_cast<std::size_t>(alone - grouped.begin())].id));

  for (const auto& group : groups)
    if (!group.similarity.empty() && group.similarity.size() != groups.size())
      throw Error(ErrorKind::input, "the similarities of the plan do not fit its groups");
}

void read_representatives(const Json& in, Plan& plan, const ProcessIndex& index) {
  if (!plan.groups)
    throw Error(ErrorKind::input, "the plan has representatives and no groups");

  std::vector<bool> stood_for(plan.processes.size());
  auto& list = plan.representatives.emplace();

  for (const auto& one : in) {
    Representative r{read_whole<std::uint32_t>(one.at("group")),
                     index.of(read_id(one.at("representative").get_ref<const std::string&>())),
                     index.of(one.at("members")), one.at("why")};
    if (r.group >= plan.groups->size())
      throw Error(ErrorKind::input,
                  fmt::format("the plan has a representative of group {}, and {} groups", r.group,
                              plan.groups->size()));

    const auto& group = (*plan.groups)[r.group].members;

    for (auto m : r.members) {
      if (stood_for[m])
        throw Error(ErrorKind::input, fmt::format("process {} has two representatives in the plan",
                                                  plan.processes[m].id));

      if (!std::binary_search(group.begin(), group.end(), m))
        throw Error(
            ErrorKind::input,
            fmt::format("process {} of the plan is represented in group {}, which it is not in",
                        plan.processes[m].id, r.group));

      stood_for[m] = true;
    }

    if (!std::binary_search(r.members.begin(), r.members.end(), r.process))
      throw Error(ErrorKind::input,
                  fmt::format("process {} represents others but not itself in the plan",
                              plan.processes[r.process].id));

    list.push_back(std::move(r));
  }
}

// The packed file of a plan that stands in `folder`.
PackedSections read_packed(const Json& named, const std::optional<std::filesystem::path>& folder) {
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 32;
  if (named.at("file") != messages_name)
    throw Error(ErrorKind::input, "the plan names a file for its messages that is none of it");
  if (!folder)
    throw Error(
        ErrorKind::input,
        fmt::format("the plan keeps its messages in {}, which stands beside it", messages_name))
        .hint("give the plan as a file, beside which that stands");

  const auto file = *folder / messages_name;
  try {
    const auto bytes = read_file(file);
    if (!bytes)
      throw Error(ErrorKind::input, "is missing, and the plan keeps its messages there")
          .hint("keep it beside tracefold.json, or reduce the original again");
    if (hash_text(*bytes) != named.at("sha256").get_ref<const std::string&>())
      throw Error(ErrorKind::input, "is another file than the plan was written with")
          .hint("reduce the original again");
    return unpack_sections(*bytes, most_bytes);
  } catch (Error& problem) {
    throw problem.in(file.string());
  }
}

Messages read_messages(const Json& in, const std::optional<std::filesystem::path>& folder) {
  if (!in.contains("packed"))
    return messages_from_json(in);
  const auto sections = read_packed(in["packed"], folder);
  return messages_from_json(in, {}, &sections);
}

std::shared_ptr<const FoldErrors> read_errors(const Json& in, const Plan& plan) {
  auto errors = in.get<FoldErrors>();
  const auto loops = plan.iterations ? plan.iterations->loops.size() : 0;
  if (errors.of_loops.size() != loops)
    throw Error(ErrorKind::input, "the plan has errors of other loops than it folds");
  return std::make_shared<const FoldErrors>(std::move(errors));
}

ProgramFile read_program_file(const Json& in) {
  if (in.at("file") != profiles_name)
    throw Error(ErrorKind::input, "the plan names a file for its profiles that is none of it");
  auto program = in.get<ProgramFile>();
  constexpr std::size_t most_left_out = 8;
  if (program.detail.left_out.size() > most_left_out)
    throw Error(ErrorKind::input, "the plan names too much that its profiles lack");
  return program;
}

}  // namespace

Plan plan_from_json(const std::string& text, const std::optional<std::filesystem::path>& folder) {
  Plan plan;

  try {
    const Json in = Json::parse(text);
    const bool is_plan = in.is_object() && in.contains("tracefold_plan");
    if (is_plan && in["tracefold_plan"].is_number_integer() && in["tracefold_plan"] != plan_version)
      throw Error(ErrorKind::input,
                  fmt::format("this is a plan of version {}, and version {} is read",
                              in["tracefold_plan"].get<std::int64_t>(), plan_version))
          .hint("make it again with this version of tracefold");
    if (!is_plan || in["tracefold_plan"] != plan_version)
      throw Error(ErrorKind::input, fmt::format("this is not a plan of version {}", plan_version))
          .hint("a plan comes from 'tracefold group TRACE.otf2'");

    in.at("trace").get_to(plan.trace);
    if (folder)
      plan.trace.anchor = find_trace_from(plan.trace.anchor, *folder);
    if (in.contains("filters"))
      read_filters(in["filters"], plan);
    if (in.contains("chosen"))
      plan.chosen =
          std::make_shared<const ChosenIterations>(chosen_iterations_from_json(in["chosen"]));

    if (in.contains("folds"))
      plan.folds = std::make_shared<const KeptFolds>(kept_folds_from_json(in["folds"]));

    if (in.contains("messages"))
      plan.messages = std::make_shared<const Messages>(read_messages(in["messages"], folder));

    if (in.contains("write"))
      plan.write = in["write"].get<WriteSection>();

    if (in.contains("halo"))
      plan.halo = in["halo"].get<HaloSection>();

    if (in.contains("program"))
      plan.program_file = read_program_file(in["program"]);

    if (in.contains("profiles") || in.contains("processes")) {
      in.at("functions").get_to(plan.functions);
      make_names_unique(plan.functions);

      if (in.contains("profiles")) {
        read_intents(in.at("intents"), plan);
        read_processes(in["profiles"], plan);
      } else {
        plan.lacks_profiles = true;
        plan.processes = named_processes_from_json(in["processes"]);
      }
      const ProcessIndex index(plan);
      if (in.contains("grid"))
        plan.grid = read_grid(in["grid"]);
      if (in.contains("groups"))
        read_groups(in["groups"], plan, index);
      if (in.contains("selection"))
        plan.selection = in["selection"].get<Selection>();
      if (in.contains("representatives"))
        read_representatives(in["representatives"], plan, index);
      if (in.contains("like"))
        plan.like = std::make_shared<const LikeSection>(in["like"].get<LikeSection>());
      if (in.contains("iterations"))
        plan.iterations = std::make_shared<const IterationSection>(
            iteration_section_from_json(in["iterations"], plan));
    }
    if (in.contains("errors"))
      plan.errors = read_errors(in["errors"], plan);
  } catch (const Json::exception& problem) {
    std::string words = problem.what();  // "[json.exception.type_error.302] type must be …"
    if (auto end = words.find("] "); end != std::string::npos)
      words = words.substr(end + 2);
    if (auto colon = words.find(':');
        words.starts_with("parse error at") && colon != std::string::npos)
      words.resize(colon);

    throw Error(ErrorKind::input, "this is not a plan: " + words)
        .hint("a plan comes from 'tracefold group TRACE.otf2'");
  } catch (const Error& problem) {
    if (problem.kind() == ErrorKind::usage)
      throw Error(ErrorKind::input, problem.what());
    throw;
  }

  return plan;
}

}  // namespace tracefold
