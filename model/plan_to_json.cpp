#include "model/plan.hpp"

#include "base/json_text.hpp"
#include "base/packed_file.hpp"
#include "base/ranges.hpp"
#include "base/sha256.hpp"
#include "model/aggregates/aggregates.hpp"
#include "model/errors/fold_errors.hpp"
#include "model/groups/like_section.hpp"
#include "model/messages/messages.hpp"
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

std::string id_text(std::uint64_t id) {
  return std::to_string(id);
}

Json to_json(const TimeSpans& spans) {
  Json out = Json::array();
  for (const auto& span : spans)
    out.push_back(Json::array({id_text(span.begin), id_text(span.end)}));
  return out;
}

Json to_json(const TimeWindow& window) {
  std::map<TimeSpans, std::vector<std::uint64_t>> locations;
  for (const auto& [location, spans] : window.own)
    locations[spans].push_back(location);

  Json own = Json::array();
  for (const auto& [spans, ids] : locations)
    own.push_back({{"locations", to_ranges(ids)}, {"spans", to_json(spans)}});
  return {
      {"first_event", id_text(window.first_event)}, {"spans", to_json(window.spans)}, {"own", own}};
}

Json functions_json(const Plan& plan) {
  Json out = Json::array();
  for (const auto& f : plan.functions) {
    out.push_back({{"name", f.name},
                   {"canonical", f.canonical},
                   {"file", f.file},
                   {"line", f.line},
                   {"paradigm", f.paradigm}});
    if (f.role > otf2_value::region_role_function)
      out.back()["role"] = f.role;
  }

  return out;
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

Json profile_json(const Process& p) {
  Json one{{"id", id_text(p.id)}, {"name", p.name}, {"location_group", id_text(p.location_group)}};
  if (!p.location_group_name.empty())
    one["location_group_name"] = p.location_group_name;
  if (p.creator)
    one["created_by"] = id_text(*p.creator);
  if (p.rank)
    one["rank"] = *p.rank;

  one["thread"] = p.thread;
  if (p.is_mpi_endpoint)
    one["listed"] = true;
  if (p.weight != 1)
    one["weight"] = p.weight;
  if (p.has_messages)
    one["talks"] = true;
  if (p.damaged)
    one["damaged"] = true;

  one["events"] = p.events;
  one["intent"] = p.intent;
  one["exclusive"] = p.exclusive;
  one["rest"] = p.rest;
  return one;
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

Json grid_json(const std::vector<GridAxis>& axes) {
  Json out = Json::array();
  for (const auto& axis : axes)
    out.push_back({{"size", axis.size}, {"periodic", axis.periodic}});

  return out;
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

// With the place of one list, which is that of profiles.
Json plan_to_json(const Plan& plan, PlanFiles* files) {
  const auto& t = plan.trace;

  Json out{{"tracefold_plan", plan_version},
           {"trace",
            {{"anchor", t.anchor},
             {"locations", t.locations},
             {"events", id_text(t.events)},
             {"clock", {{"ticks_per_second", id_text(t.ticks_per_second)}}},
             {"identity", {{"size", id_text(t.identity.size)}, {"sha256", t.identity.sha256}}}}}};
  if (t.messages)
    out["trace"]["messages"] = id_text(*t.messages);
  if (t.run)
    out["trace"]["run"] = to_json(TimeSpans{{t.run->begin, t.run->end}})[0];

  Json filters = Json::array();
  for (const auto& f : plan.filters) {
    filters.push_back({{"drop", f.drop}, {"keep", f.keep}, {"locations", f.locations}});
    if (f.time)
      filters.back()["time"] = to_json(*f.time);
  }
  if (!filters.empty())
    out["filters"] = filters;

  if (!plan.processes.empty() || plan.groups) {
    out["functions"] = functions_json(plan);
    if (plan.lacks_profiles) {
      out["processes"] = named_processes_to_json(plan.processes);
    } else {
      out["intents"] = intents_json(plan);
      out["profiles"] = make_place_of_list(0);
    }
  }

  if (!plan.grid.empty())
    out["grid"] = grid_json(plan.grid);

  if (plan.groups)
    out["groups"] = {{"threshold", plan.threshold},
                     {"comparison", to_json(plan.comparison)},
                     {"ignored", plan.ignored},
                     {"list", groups_json(plan)}};

  if (plan.representatives) {
    Json list = Json::array();
    for (const auto& r : *plan.representatives)
      list.push_back({{"group", r.group},
                      {"representative", id_text(plan.processes[r.process].id)},
                      {"members", format_ids(plan, r.members)},
                      {"why", r.why}});

    if (plan.selection)
      out["selection"] = to_json(*plan.selection);

    out["representatives"] = list;
  }

  if (plan.like)
    out["like"] = {{"run", plan.like->run},
                   {"processes", id_text(plan.like->processes)},
                   {"groups", id_text(plan.like->groups)},
                   {"by_place", plan.like->is_by_place},
                   {"misfits", plan.like->misfits}};

  if (plan.halo)
    out["halo"] = to_json(*plan.halo);

  if (plan.iterations)
    out["iterations"] = iteration_section_to_json(plan);

  if (plan.errors)
    out["errors"] = to_json(*plan.errors);

  if (plan.aggregates)
    out["aggregates"] = aggregates_to_json(*plan.aggregates);

  if (plan.messages)
    out["messages"] = put_messages(*plan.messages, files);

  if (plan.program_file) {
    const auto& detail = plan.program_file->detail;
    out["program"] = {{"file", profiles_name},
                      {"sha256", plan.program_file->sha256},
                      {"percent", detail.percent},
                      {"iterations_per_column", detail.iterations_per_column}};
    if (!detail.left_out.empty())
      out["program"]["left_out"] = detail.left_out;
  }

  if (plan.write)
    out["write"] = {{"version", plan.write->version},
                    {"keep_ids", plan.write->keep_ids},
                    {"plain_names", plan.write->plain_names},
                    {"most_profiles", id_text(plan.write->most_profiles)},
                    {"member_metrics", plan.write->member_metrics},
                    {"messages_drawn", plan.write->draws_messages},
                    {"tree", to_text(plan.write->tree)}};

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
  write_json(
      plan_to_json(plan, files),
      {{plan.processes.size(), [&](std::size_t p) { return profile_json(plan.processes[p]); }}},
      put);
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
