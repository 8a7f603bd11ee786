#include "model/plan.hpp"

#include "base/json_text.hpp"
#include "base/packed_file.hpp"
#include "base/ranges.hpp"
#include "base/sha256.hpp"
#include "model/errors/fold_errors.hpp"
#include "model/iterations/kept_folds.hpp"
#include "model/messages/messages.hpp"
#include "model/plan_fields.hpp"
#include "model/plan_iterations.hpp"
#include "model/plan_processes.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

using Json = nlohmann::ordered_json;

namespace {

Json to_json(const TimeSpans& spans) {
  Json out = Json::array();
  for (const auto& span : spans)
    out.push_back(write_span(span));
  return out;
}

Json to_json(const TimeWindow& window) {
  std::map<TimeSpans, std::vector<std::uint64_t>> locations;
  for (const auto& [location, spans] : window.own)
    locations[spans].push_back(location);

  Json own = Json::array();
  for (const auto& [spans, ids] : locations)
    own.push_back({{"locations", to_ranges(ids)}, {"spans", to_json(spans)}});
  return {{"first_event", write_id(window.first_event)},
          {"spans", to_json(window.spans)},
          {"own", own}};
}

// Pairs as one flat list: caller, callee, caller, callee, …; the virtual root is -1.
Json intents_json(const Plan& plan) {
  Json out = Json::array();
  for (const auto& intent : plan.intents) {
    Json pairs = Json::array();
    for (auto [caller, callee] : intent.set.pairs) {
      pairs.push_back(caller == virtual_root ? Json(-1) : Json(caller));
      pairs.push_back(callee);
    }

    out.push_back({{"type", intent.set.type},
                   {"pairs", pairs},
                   {"metrics", intent.set.metrics},
                   {"functions", intent.functions}});
  }

  return out;
}

// Neighbours are often equal, and a list has one number for each group.
Json similarities_json(const std::vector<double>& similarities) {
  std::string text, number;
  for (std::size_t k = 0; k < similarities.size(); ++k) {
    if (k == 0 || similarities[k] != similarities[k - 1])
      number = Json(similarities[k]).dump();
    (text += k == 0 ? '[' : ',') += number;
  }

  return similarities.empty() ? Json::array() : make_written_list(text += ']');
}

Json groups_json(const Plan& plan) {
  Json list = Json::array();

  for (const auto& g : *plan.groups) {
    Json one{{"members", format_ids(plan, g.members)}};
    if (!g.name.empty())
      one["name"] = g.name;
    if (!g.merged.empty()) {
      auto& merged = one["merged"] = Json::array();
      for (const auto& set : g.merged)
        merged.push_back(format_ids(plan, set));
    }
    if (!plan.lacks_profiles) {
      one["intents"] = g.intents;
      one["similarity"] = similarities_json(g.similarity);
    }
    if (g.clusters) {
      one["ranks"] = g.clusters->ranks;
      one["main"] = g.clusters->main;
      one["sub"] = g.clusters->sub;
    }

    list.push_back(std::move(one));
  }

  return list;
}

// Where there is a file for them, many messages are put there.
Json put_messages(const Messages& messages, PlanFiles* files) {
  if (!files || !should_be_packed(messages))
    return messages_to_json(messages);

  PackedSections sections;
  auto out = messages_to_json(messages, &sections);
  files->messages = pack_sections(sections);
  out["packed"] = {{"file", messages_name}, {"sha256", hash_text(files->messages)}};
  return out;
}

// Without the elements of `profiles`.
Json plan_to_json(const Plan& plan, PlanFiles* files) {
  Json out{{"tracefold_plan", plan_version}, {"trace", plan.trace}};

  Json filters = Json::array();
  for (const auto& f : plan.filters) {
    filters.push_back(f);
    if (f.time)
      filters.back()["time"] = to_json(*f.time);
  }
  if (!filters.empty())
    out["filters"] = filters;
  if (plan.chosen)
    out["chosen"] = chosen_iterations_to_json(*plan.chosen);

  if (!plan.processes.empty() || plan.groups) {
    out["functions"] = plan.functions;
    if (plan.lacks_profiles) {
      out["processes"] = named_processes_to_json(plan.processes);
    } else {
      out["intents"] = intents_json(plan);
      out["profiles"] = Json::array();
    }
  }

  if (!plan.grid.empty())
    out["grid"] = plan.grid;

  if (plan.groups)
    out["groups"] = {{"threshold", plan.threshold},
                     {"comparison", plan.comparison},
                     {"ignored", plan.ignored},
                     {"list", groups_json(plan)}};

  if (plan.representatives) {
    Json list = Json::array();
    for (const auto& r : *plan.representatives)
      list.push_back({{"group", r.group},
                      {"representative", write_id(plan.processes[r.process].id)},
                      {"members", format_ids(plan, r.members)},
                      {"why", r.why}});

    if (plan.selection)
      out["selection"] = *plan.selection;

    out["representatives"] = list;
  }

  if (plan.like)
    out["like"] = *plan.like;

  if (plan.halo)
    out["halo"] = *plan.halo;

  if (plan.iterations)
    out["iterations"] = iteration_section_to_json(plan);

  if (plan.errors)
    out["errors"] = *plan.errors;

  if (plan.folds)
    out["folds"] = kept_folds_to_json(*plan.folds);

  if (plan.messages)
    out["messages"] = put_messages(*plan.messages, files);

  if (plan.program_file) {
    out["program"]["file"] = profiles_name;
    write_fields(*plan.program_file, out["program"]);
  }

  if (plan.write)
    out["write"] = *plan.write;

  return out;
}

void put_behind(std::string& text, std::string piece) {
  if (text.empty())
    text = std::move(piece);
  else
    text += piece;
}

void write_plan(const Plan& plan, PlanFiles* files,
                const std::function<void(std::string text)>& put) {
  const auto make_profile = [&](std::size_t p) { return Json(plan.processes[p]); };
  write_json(plan_to_json(plan, files), {{"profiles", {plan.processes.size(), make_profile}}}, put);
}

}  // namespace

void write_json(const Plan& plan, const std::function<void(std::string text)>& put) {
  write_plan(plan, nullptr, put);
}

std::string to_json(const Plan& plan) {
  std::string text;
  write_json(plan, [&](std::string piece) { put_behind(text, std::move(piece)); });
  return text;
}

PlanFiles make_plan_files(const Plan& plan) {
  PlanFiles files;
  write_plan(plan, &files, [&](std::string piece) { put_behind(files.plan, std::move(piece)); });
  return files;
}

}  // namespace tracefold
