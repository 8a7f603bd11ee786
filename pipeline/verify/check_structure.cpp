#include "pipeline/verify/check_structure.hpp"

#include "base/ranges.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "pipeline/answers/play_stored.hpp"
#include "pipeline/events/function_table.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/facts/whole_program.hpp"
#include "pipeline/iterations/collapsed_iteration.hpp"
#include "pipeline/verify/rule_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace tracefold {

using K = DefinitionKind;
using E = EventKind;

namespace {

// What each location says of itself, also where that is nothing.
using PropertiesByLocation = std::map<std::uint64_t, LocationProperties>;

PropertiesByLocation read_stand_ins(const Definitions& definitions) {
  PropertiesByLocation stand_ins;
  for (auto id : definitions.locations())
    stand_ins[id];
  for (auto& [id, properties] : read_location_properties(definitions))
    if (const auto at = stand_ins.find(id); at != stand_ins.end())
      at->second = std::move(properties);

  return stand_ins;
}

void check_plan_file(RuleBook& rules, const Archive& reduced, const PlanBeside& beside) {
  rules.add_rule(rule_words::plan_file);
  const auto& properties = reduced.facts().properties;
  for (const auto* name : {version_property, plan_hash_property, reductions_property})
    if (!properties.contains(name))
      rules.add_violation(fmt::format("traces.otf2: the property {} is missing", name));

  if (beside.is_missing())
    rules.add_violation(
        fmt::format("{} is missing, so that the trace cannot be made again", plan_name));
  else if (beside.is_named && !beside.is_that)
    rules.add_violation(fmt::format("{}: its SHA-256 is {}, and the anchor names {}", plan_name,
                                    hash_text(beside.text), properties.at(plan_hash_property)));
  if (beside.error)
    rules.add_violation(fmt::format("{}: {}", plan_name, beside.error->what()));
  if (beside.plan && !beside.plan->write)
    rules.add_violation(fmt::format("{}: write is missing", plan_name));

  const auto id = fmt::format("{:016x}", reduced.facts().trace_id);
  if (beside.is_named && !properties.at(plan_hash_property).starts_with(id))
    rules.add_violation(fmt::format(
        "traces.otf2: the identifier of the trace is {}, and should begin the hash of the plan",
        id));
}

// Gives how near the run that is played from it comes to the recorded one.
std::optional<double> check_other_files(RuleBook& rules, const Archive& reduced,
                                        const PlanBeside& beside) {
  rules.add_rule(rule_words::profiles_file);
  if (!beside.plan)
    return std::nullopt;
  auto [stored, fault] = check_profiles_file(reduced, beside);
  std::optional<double> accuracy;
  try {
    if (stored)
      accuracy = measure_accuracy(*stored);
  } catch (const Error& problem) {
    if (problem.kind() != ErrorKind::input)
      throw;
    fault = fmt::format("{}: {}", profiles_name, problem.what());
  }
  if (!fault.empty())
    rules.add_violation(std::move(fault));
  return accuracy;
}

// Ids of locations may be those of the original.
void check_ids(RuleBook& rules, const Definitions& definitions, bool keeps_ids) {
  rules.add_rule(rule_words::ids);
  if (definitions.duplicates() + definitions.unusable() > 0)
    rules.add_violation(fmt::format("{} definitions have the id of another one, or are damaged",
                                    definitions.duplicates() + definitions.unusable()));

  std::array<std::uint64_t, ref_kinds> next{};
  for (const auto& d : definitions.all()) {
    const auto& first = get_row(d.kind).fields[0];
    if (first.role != FieldRole::self || first.target == Ref::paradigm ||
        (first.target == Ref::location && keeps_ids))
      continue;
    auto& expected = next[static_cast<std::size_t>(first.target)];
    if (d.id() != expected)
      rules.add_violation(fmt::format("{} stands where {} {} should",
                                      describe_definition(definitions, d), get_row(d.kind).name,
                                      expected));
    expected = d.id() + 1;
  }

  for (const auto& d : definitions.all())
    for_each_ref(get_row(d.kind).shape(), d.fields, d.list, [&](Ref kind, std::uint64_t id) {
      if (kind != Ref::paradigm && id != undefined_id(kind) && !definitions.find(kind, id))
        rules.add_violation(fmt::format("{} names an id {} that is not defined",
                                        describe_definition(definitions, d), id));
    });
}

// The ids of a list of members; none where it is no list, or one of more than so many.
std::optional<std::vector<std::uint64_t>> read_members(const std::string& members,
                                                       std::size_t most) {
  try {
    return parse_ranges(members, most);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// What is the matter with what a location says of itself; empty where nothing is.
std::string find_fault(const LocationProperties& properties,
                       const std::optional<std::vector<std::uint64_t>>& members) {
  if (properties.is_halo())
    return !properties.source || properties.group || properties.members
               ? "it is to be there for its messages alone, and its properties say something else"
               : "";

  const std::pair<const char*, bool> needed[]{{"source", properties.source.has_value()},
                                              {"group", properties.group.has_value()},
                                              {"count", properties.count.has_value()},
                                              {"members", properties.members.has_value()}};
  for (const auto& [name, is_there] : needed)
    if (!is_there)
      return fmt::format("the property tracefold::{} is missing", name);

  if (!members)
    return fmt::format("its members '{}' are no list", *properties.members);
  if (members->size() != *properties.count)
    return fmt::format("it is to stand for {}, and has {} members", *properties.count,
                       members->size());
  if (!std::binary_search(members->begin(), members->end(), *properties.source))
    return fmt::format("its source {} is none of its members {}", *properties.source,
                       *properties.members);

  return {};
}

void check_stand_ins(RuleBook& rules, const PropertiesByLocation& stand_ins,
                     const TraceWords& words) {
  rules.add_rule(rule_words::stand_ins);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> stood_for;  // members, and by which location
  for (const auto& [id, properties] : stand_ins) {
    const auto members = properties.members
                             ? read_members(*properties.members, most_members - stood_for.size())
                             : std::nullopt;
    if (const auto fault = find_fault(properties, members); !fault.empty())
      rules.add_violation(fmt::format("{}: {}", words.describe_location(id), fault));
    if (members)
      for (auto member : *members)
        stood_for.emplace_back(member, id);
  }

  std::ranges::sort(stood_for);
  for (std::size_t k = 1; k < stood_for.size(); ++k)
    if (stood_for[k].first == stood_for[k - 1].first)
      rules.add_violation(fmt::format(
          "{} stands for {}, and so does {}", words.describe_location(stood_for[k].second),
          stood_for[k].first, words.describe_location(stood_for[k - 1].second)));
}

// A location that is not halo, as the plan has it: its group, and where the trace was an original,
// also its source and its members.
using PlannedLocation = std::tuple<std::uint64_t, std::uint64_t, std::string>;

void check_plan_agrees(RuleBook& rules, const Archive& reduced, const PlanBeside& beside,
                       const PropertiesByLocation& stand_ins, const TraceWords& words) {
  rules.add_rule(rule_words::locations);
  if (!beside.plan || !beside.plan->representatives)
    return;

  const auto& plan = *beside.plan;
  const bool names_originals = count_reductions(reduced.facts()) == 1;
  std::multiset<PlannedLocation> expected;
  for (const auto& one : *plan.representatives)
    expected.insert({one.group, names_originals ? plan.processes[one.process].id : 0,
                     names_originals ? format_ids(plan, one.members) : ""});

  for (const auto& [id, properties] : stand_ins) {
    if (properties.is_halo() || !properties.group)
      continue;
    const auto source = properties.source.value_or(id);
    const auto members = properties.members.value_or("");
    const auto at = expected.find(
        {*properties.group, names_originals ? source : 0, names_originals ? members : ""});
    if (at != expected.end())
      expected.erase(at);
    else
      rules.add_violation(
          fmt::format("{}: no representative of the plan is {} in group {} and stands for {}",
                      words.describe_location(id), source, *properties.group, members));
  }
  if (!expected.empty())
    rules.add_violation(fmt::format("a representative of group {} of the plan is missing",
                                    std::get<0>(*expected.begin())));
}

void check_groups(RuleBook& rules, const Definitions& definitions,
                  const PropertiesByLocation& stand_ins) {
  rules.add_rule(rule_words::groups);
  // "tracefold group 2" of a Group that is called 'tracefold group 2: …', and its locations.
  std::set<std::pair<std::string_view, std::vector<std::uint64_t>>> named_groups;
  for (const auto& d : definitions.all()) {
    if (d.kind != K::Group)
      continue;
    const std::string_view name = definitions.text(get_field<"name", K::Group>(d));
    if (name.starts_with("tracefold group "))
      named_groups.emplace(name.substr(0, name.find(": ")), d.list);

    const auto type = get_field<"groupType", K::Group>(d);
    if (type != otf2_value::group_locations && type != otf2_value::group_comm_locations &&
        type != otf2_value::group_comm_group)
      continue;
    for (auto member : definitions.members(d))
      if (!definitions.find(Ref::location, member))
        rules.add_violation(fmt::format("{} has location {}, which is not defined",
                                        describe_definition(definitions, d), member));
  }

  std::map<std::uint64_t, std::vector<std::uint64_t>> locations_of;  // by number of the group
  for (const auto& [id, properties] : stand_ins)
    if (properties.group)
      locations_of[*properties.group].push_back(id);
  for (const auto& [number, locations] : locations_of) {
    const auto name = fmt::format("tracefold group {}", number);
    if (!named_groups.contains({name, locations}))
      rules.add_violation(fmt::format("no Group '{}: …' has just the locations that say so: {}",
                                      name, to_ranges(locations)));
  }
}

// Sender, receiver and tag; senders and receivers are endpoints of ranks. Lengths may differ at
// both ends, as some tools record them.
using MessageKey = std::array<std::uint64_t, 3>;

// A loop and its iteration that stands for others.
using CollapsedKey = std::pair<std::size_t, std::size_t>;

std::optional<CollapsedKey> find_collapsed(std::string_view words) {
  const auto found = find_collapsed_iteration(words);
  return found ? std::optional(CollapsedKey(found->loop, found->iteration)) : std::nullopt;
}

// What the records of a location tell. Messages are only collected without an original.
struct LocationFacts {
  LocationRead read;
  std::uint64_t message_records = 0, undefined = 0;
  std::string first_undefined;
  std::map<MessageKey, std::uint64_t> sent, received;
  std::set<std::uint64_t> open_receives;  // requests of non-blocking receives without an end
  bool ends_receives = false;             // non-blocking ones
  std::map<CollapsedKey, std::uint64_t> collapsed;  // calls that stand for iterations
};

class FactsSink {
 public:
  FactsSink(const Definitions& definitions, const FunctionTable& functions, const TraceWords& words,
            std::uint64_t location, WithOriginal with_original, LocationFacts& out)
      : definitions_(definitions),
        functions_(functions.functions()),
        words_(words),
        location_(location),
        collects_messages_(with_original == WithOriginal::no),
        out_(out) {}

  void enter(const CallBegin& call, std::span<const Attribute>) {
    if (const auto& function = functions_[call.function]; is_collapsed_iteration(function))
      if (const auto collapsed = find_collapsed(function.name))
        ++out_.collapsed[*collapsed];
  }
  void leave(const CallEnd&, std::span<const Attribute>) {}
  void other(const Event& event) {
    for_each_ref(
        get_row(event.kind).shape(), event.fields, event.list, [&](Ref kind, std::uint64_t id) {
          if (kind != Ref::paradigm && id != undefined_id(kind) && !definitions_.find(kind, id))
            add_undefined(event, fmt::format("id {}", id));
        });
    if (collects_messages_)
      follow_receive(event);

    const bool sends = event.kind == E::MpiSend || event.kind == E::MpiIsend;
    if (sends || event.kind == E::MpiRecv || event.kind == E::MpiIrecv)
      add_message(event, sends);
  }
  void unknown(std::uint64_t) {}

 private:
  void add_undefined(const Event& event, const std::string& what) {
    if (out_.undefined++ == 0)
      out_.first_undefined =
          fmt::format("{} at {} names {}, which is not defined",
                      words_.describe_event(event.kind, 0), words_.describe_time(event.time), what);
  }
  void follow_receive(const Event& event) {
    if (event.kind == E::MpiIrecvRequest)
      out_.open_receives.insert(get_field<"requestID", E::MpiIrecvRequest>(event));
    if (event.kind == E::MpiIrecv) {
      out_.open_receives.erase(get_field<"requestID", E::MpiIrecv>(event));
      out_.ends_receives = true;
    }
    if (event.kind == E::MpiRequestCancelled)
      out_.open_receives.erase(get_field<"requestID", E::MpiRequestCancelled>(event));
  }
  void add_message(const Event& event, bool sends) {
    ++out_.message_records;
    const auto comm =
        get_field<"communicator", E::MpiSend, E::MpiIsend, E::MpiRecv, E::MpiIrecv>(event);
    const auto rank = sends ? get_field<"receiver", E::MpiSend, E::MpiIsend>(event)
                            : get_field<"sender", E::MpiRecv, E::MpiIrecv>(event);
    const auto partner = definitions_.partner(location_, comm, rank);
    if (!partner) {
      if (!definitions_.has_rank(location_, comm, rank))
        add_undefined(event, fmt::format("rank {}", rank));
      return;
    }
    if (!collects_messages_)
      return;

    const auto tag = get_field<"msgTag", E::MpiSend, E::MpiIsend, E::MpiRecv, E::MpiIrecv>(event);
    const auto own = definitions_.endpoint(location_);
    if (sends)
      ++out_.sent[{own, *partner, tag}];
    else
      ++out_.received[{*partner, own, tag}];
  }

  const Definitions& definitions_;
  const std::vector<Function>& functions_;
  const TraceWords& words_;
  std::uint64_t location_;
  bool collects_messages_;
  LocationFacts& out_;
};

using FactsOfLocations = std::map<std::uint64_t, LocationFacts>;

FactsOfLocations read_facts(const Archive& reduced, const TraceWords& words,
                            WithOriginal with_original, const ReadOptions& options,
                            Diagnostics& diagnostics) {
  const auto& definitions = reduced.definitions();
  const FunctionTable functions(definitions, {});
  const auto& ids = definitions.locations();
  std::vector<LocationFacts> found(ids.size());
  for_each_location(reduced, ids, options, diagnostics, [&](EventReader& reader, std::size_t i) {
    FactsSink sink(definitions, functions, words, ids[i], with_original, found[i]);
    found[i].read = read_clean_events(reader, ids[i], functions, sink);
  });

  FactsOfLocations facts;
  for (std::size_t i = 0; i < ids.size(); ++i)
    facts.emplace(ids[i], std::move(found[i]));

  return facts;
}

// Each call that stands for iterations has a marker with the same loop and the same kept iteration,
// where there are markers of iterations.
void check_collapsed(RuleBook& rules, const ArchiveFacts& anchor, const FactsOfLocations& facts,
                     const TraceWords& words) {
  rules.add_rule(rule_words::iterations);
  std::map<CollapsedKey, std::uint64_t> marked;
  for (const auto& marker : anchor.markers)
    if (marker.text.starts_with("iteration "))
      if (const auto collapsed = find_collapsed(marker.text))
        ++marked[*collapsed];

  for (const auto& [id, found] : facts)
    for (const auto& [collapsed, calls] : found.collapsed) {
      const auto at = marked.find(collapsed);
      if (at != marked.end() && calls > at->second)
        rules.add_violation(fmt::format(
            "{}: {} calls stand for iterations of loop {} that are like iteration {}, and there "
            "are {} of these",
            words.describe_location(id), calls, collapsed.first + 1, collapsed.second, at->second));
    }
}

void check_events(RuleBook& rules, const Archive& reduced, const PropertiesByLocation& stand_ins,
                  const FactsOfLocations& facts, const TraceWords& words) {
  const auto add = [&](std::uint64_t location, const std::string& what) {
    rules.add_violation(fmt::format("{}: {}", words.describe_location(location), what));
  };

  rules.add_rule(rule_words::named_by_events);
  for (const auto& [id, found] : facts) {
    if (found.undefined > 0)
      add(id, fmt::format(
                  "{}{}", found.first_undefined,
                  found.undefined > 1 ? fmt::format(" (and {} more)", found.undefined - 1) : ""));
    if (const auto times = found.read.oddities.calls_of_undefined_regions)
      add(id, fmt::format("{} calls are of regions that are not defined", times));
  }

  rules.add_rule(rule_words::calls);
  for (const auto& [id, found] : facts) {
    const auto& oddities = found.read.oddities;
    if (oddities.backward_times)
      add(id, fmt::format("{} time stamps step back", oddities.backward_times));
    if (oddities.leaves_without_enter)
      add(id,
          fmt::format("{} calls are left that were never entered", oddities.leaves_without_enter));
    if (oddities.calls_open_at_end)
      add(id, fmt::format("{} calls are never left", oddities.calls_open_at_end));
  }

  rules.add_rule(rule_words::counts);
  const auto& stated = reduced.facts();
  const auto& definitions = reduced.definitions();
  if (stated.stated_locations != facts.size())
    rules.add_violation(fmt::format("traces.otf2 states {} locations, and there are {}",
                                    stated.stated_locations, facts.size()));
  if (stated.stated_definitions != definitions.all().size())
    rules.add_violation(fmt::format("traces.otf2 states {} definitions, and there are {}",
                                    stated.stated_definitions, definitions.all().size()));
  for (const auto& [id, found] : facts) {
    const auto events =
        get_field<"numberOfEvents", K::Location>(*definitions.find(Ref::location, id));
    if (events != found.read.records)
      add(id, fmt::format("its definition states {} events, and there are {}", group_digits(events),
                          group_digits(found.read.records)));
    if (const auto halo = stand_ins.at(id).halo; halo && *halo != found.message_records)
      add(id, fmt::format("tracefold::halo states {} records of messages, and there are {}", *halo,
                          found.message_records));
  }
}

// Some tools record no end of any non-blocking receive.
bool lacks_ends_of_receives(const Definitions& definitions, const FactsOfLocations& facts) {
  const auto ends = [](const auto& one) { return one.second.ends_receives; };
  const auto begins = [](const auto& one) { return !one.second.open_receives.empty(); };
  const auto is_mpi_irecv = [&](const Definition& d) {
    return d.kind == K::Region && to_upper(definitions.text(get_field<"name", K::Region>(d)))
                                      .starts_with("MPI_IRECV");  // in Fortran mpi_irecv_
  };
  return std::ranges::none_of(facts, ends) &&
         (std::ranges::any_of(facts, begins) ||
          std::ranges::any_of(definitions.all(), is_mpi_irecv));
}

// A send without a receive may be the original's, where the end of a non-blocking receive was not
// recorded: one of this receiver is open, or the trace lacks all of these ends.
void check_messages(RuleBook& rules, const Definitions& definitions, const FactsOfLocations& facts,
                    const TraceWords& words) {
  rules.add_rule(rule_words::messages);
  std::map<MessageKey, std::pair<std::uint64_t, std::uint64_t>> counts;  // sent, received
  std::map<std::uint64_t, std::uint64_t> open;                           // receives, by endpoint
  for (const auto& [id, found] : facts) {
    for (const auto& [message, times] : found.sent)
      counts[message].first += times;
    for (const auto& [message, times] : found.received)
      counts[message].second += times;
    open[definitions.endpoint(id)] += found.open_receives.size();
  }

  const bool lacks_ends = lacks_ends_of_receives(definitions, facts);
  for (const auto& [message, times] : counts) {
    const auto& [from, to, tag] = message;
    const auto [sent, received] = times;
    if (sent == received)
      continue;
    if (sent > received && (lacks_ends || sent - received <= open[to])) {
      open[to] -= std::min(open[to], sent - received);
      continue;
    }
    rules.add_violation(fmt::format(
        "messages with tag {} from {} to {}: {} sent, {} received (the original may lack them, "
        "too)",
        tag, words.describe_location(from), words.describe_location(to), sent, received));
  }
}

void check_anchor(RuleBook& rules, const ArchiveFacts& anchor,
                  const PropertiesByLocation& stand_ins, const FactsOfLocations& facts) {
  rules.add_rule(rule_words::left_out);
  const auto find = [&](const std::string& name) -> std::optional<std::string> {
    const auto at = anchor.properties.find(name);
    return at == anchor.properties.end() ? std::nullopt : std::optional(at->second);
  };

  for (const auto& [name, value] : anchor.properties) {
    const bool is_number = !value.empty() && value != "0" &&
                           std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
    if (name.starts_with(cut_prefix) && !is_number)
      rules.add_violation(
          fmt::format("traces.otf2: the property {} is '{}', and no number of "
                      "what was left out",
                      name, value));
  }

  const auto cut = count_cut_records(anchor);
  bool is_cut = false, is_communication_cut = false;
  for (std::size_t k = 0; k < event_kinds; ++k)
    if (cut[k] > 0) {
      is_cut = true;
      is_communication_cut |= is_communication(static_cast<EventKind>(k));
    }

  if (is_communication_cut && find(complete_property) != "false")
    rules.add_violation(
        fmt::format("traces.otf2: records of communication were left out, and {} is not false",
                    complete_property));

  const bool is_folded = std::ranges::any_of(stand_ins, [](const auto& one) {
    return one.second.is_halo() || one.second.count.value_or(1) > 1;
  });
  if (find(whole_property) && (is_cut || is_folded || find(whole_property) != "true"))
    rules.add_violation(
        fmt::format("traces.otf2: {} is there, and something was left out", whole_property));

  const auto messages = find(messages_property);
  const bool has_messages =
      std::ranges::any_of(facts, [](const auto& one) { return one.second.message_records > 0; });
  if (messages && (*messages != messages_are_not_drawn || has_messages))
    rules.add_violation(fmt::format("traces.otf2: {} is '{}', and there {} records of messages",
                                    messages_property, *messages, has_messages ? "are" : "are no"));
}

}  // namespace

std::optional<double> check_structure(RuleBook& rules, const Archive& reduced,
                                      const PlanBeside& beside, const TraceWords& words,
                                      WithOriginal with_original, const ReadOptions& options,
                                      Diagnostics& diagnostics) {
  const auto& definitions = reduced.definitions();
  const auto stand_ins = read_stand_ins(definitions);
  const bool keeps_ids = !beside.plan || (beside.plan->write && beside.plan->write->keep_ids);

  check_plan_file(rules, reduced, beside);
  const auto accuracy = check_other_files(rules, reduced, beside);
  check_ids(rules, definitions, keeps_ids);
  check_stand_ins(rules, stand_ins, words);
  check_plan_agrees(rules, reduced, beside, stand_ins, words);
  check_groups(rules, definitions, stand_ins);

  const auto facts = read_facts(reduced, words, with_original, options, diagnostics);
  check_events(rules, reduced, stand_ins, facts, words);
  check_collapsed(rules, reduced.facts(), facts, words);
  if (with_original == WithOriginal::no)
    check_messages(rules, definitions, facts, words);
  check_anchor(rules, reduced.facts(), stand_ins, facts);

  rules.add_rule(rule_words::oddities, diagnostics.warnings());
  return accuracy;
}

}  // namespace tracefold
