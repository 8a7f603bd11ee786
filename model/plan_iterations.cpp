#include "model/plan_iterations.hpp"

#include "base/error.hpp"
#include "base/json_fields.hpp"
#include "base/ranges.hpp"
#include "base/whole_number.hpp"
#include "model/iterations/kept_folds.hpp"
#include "model/plan.hpp"
#include "model/profile/function_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace tracefold {

using Json = nlohmann::ordered_json;

namespace {

constexpr Word<CallTreeEquivalence> equivalence_words[] = {{CallTreeEquivalence::strong, "strong"},
                                                           {CallTreeEquivalence::weak, "weak"},
                                                           {CallTreeEquivalence::merged, "merged"}};

}  // namespace

const char* to_text(CallTreeEquivalence equivalence) {
  return get_word(equivalence_words, equivalence);
}

namespace {

constexpr std::array sources{LoopSource::asked, LoopSource::asked_begin, LoopSource::marked,
                             LoopSource::call_path, LoopSource::sequence};

constexpr const char* unfit_loop = "the kept iterations of the plan do not fit its loop";

std::string write_kept(const std::vector<std::uint32_t>& kept) {
  return to_ranges({kept.begin(), kept.end()});
}

std::vector<std::uint32_t> read_kept(const std::string& text) {
  std::vector<std::uint32_t> kept;
  for (auto id : parse_ranges(text, most_fold_iterations))
    kept.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(id, 0xffffffff)));
  return kept;
}

CallTreeEquivalence read_equivalence(const Json& in) {
  return in == "strong" ? CallTreeEquivalence::strong
         : in == "weak" ? CallTreeEquivalence::weak
                        : CallTreeEquivalence::merged;
}

}  // namespace

void list_fields(JsonFields& fields, ErrorSummary& errors) {
  fields.field("mean_error", errors.mean);
  fields.field("maximum_error", errors.maximum);
  fields.field("time_mean_error", errors.time_mean);
  fields.field("time_maximum_error", errors.time_maximum);
  fields.field("count_mean_error", errors.count_mean);
  fields.field("count_maximum_error", errors.count_maximum);
  fields.if_there("mean_error_by_sum", errors.mean_by_sum);
  fields.if_there("time_mean_error_by_sum", errors.time_by_sum);
  fields.field("counts_exact", errors.counts_exact);
  fields.field("waiting_error_by_sum", errors.waiting_by_sum);
}

void list_fields(JsonFields& fields, IterationFidelity& errors) {
  list_fields(fields, static_cast<ErrorSummary&>(errors));
  fields.field("times_above", errors.times_above);
  fields.field("counts_above", errors.counts_above);
  fields.field("call_paths", errors.call_paths);
  fields.field("call_paths_only_in_stand_in", errors.phantoms);
  fields.field("mpi_call_paths_only_in_stand_in", errors.mpi_phantoms);
  fields.field("functions", errors.functions);
}

void list_fields(JsonFields& fields, FoldingErrors& errors) {
  fields.field("processes", errors.processes);
  fields.field("unmeasured_processes", errors.unmeasured);
  fields.field("all", errors.all);
  fields.field("of_processes", errors.of_processes);
  fields.field("of_iterations", errors.of_iterations);
}

void list_fields(JsonFields& fields, LoopRule& rule) {
  fields.field("path", rule.path);
  fields.field("function", rule.function);
  fields.field("place", rule.place);
  fields.text("kept", rule.kept, write_kept, read_kept);
  fields.field("kept_of", rule.kept_of);
  fields.form("call_trees", rule.equivalence, word_writer(equivalence_words), read_equivalence);
}

void list_fields(JsonFields& fields, FoldedLoop& loop) {
  auto& choice = loop.choice;
  auto iterations = choice.kept_of.size();
  fields.field("iterations", iterations);
  fields.text("kept", choice.kept, write_kept, read_kept);
  fields.field("kept_of", choice.kept_of);
  fields.field("cluster_of", choice.cluster_of);
  fields.field("clusters", choice.clusters);
  fields.field("call_tree_classes", choice.classes);
  fields.form("call_trees", choice.equivalence, word_writer(equivalence_words), read_equivalence);
  fields.field("fidelity", loop.kept);
  fields.field("errors_of_all_processes", loop.all);
  if (choice.kept_of.size() != iterations)
    throw Error(ErrorKind::input, unfit_loop);
}

// Without processes.
void list_fields(JsonFields& fields, IterationSection& section) {
  fields.field("region", section.asked.region);
  if (fields.has("begin_at", !section.asked.begin_at.empty())) {
    fields.field("begin_at", section.asked.begin_at);
    fields.field("every", section.asked.every);
  }
  fields.field("max_clusters", section.max_clusters);
  fields.unless("unsure", section.folds_unsure, false);
  if (fields.has("keep_iterations", !section.keep.empty()))
    fields.ranges("keep_iterations", section.keep);
  fields.unless("like", section.like, {});
  fields.field("loops", section.loops);
}

namespace {

// Counts what each iteration stands for.
void complete(FoldedLoop& loop) {
  auto& c = loop.choice;
  c.counts.resize(c.kept.size());
  const auto iterations = c.kept_of.size();
  bool fits = c.cluster_of.size() == iterations && iterations > 0;
  for (std::size_t i = 0; fits && i < iterations; ++i) {
    fits = c.kept_of[i] < c.kept.size();
    if (fits)
      ++c.counts[c.kept_of[i]];
  }

  for (std::size_t k = 0; fits && k < c.kept.size(); ++k)
    fits = c.kept[k] < iterations && c.kept_of[c.kept[k]] == k;
  if (!fits)
    throw Error(ErrorKind::input, unfit_loop);
}

void check(const LoopRule& rule) {
  bool fits = !rule.kept.empty() && std::is_sorted(rule.kept.begin(), rule.kept.end());
  for (auto place : rule.kept_of)
    fits = fits && place < rule.kept.size();
  for (std::size_t k = 0; fits && k < rule.kept.size(); ++k)
    fits = rule.kept[k] < rule.kept_of.size() && rule.kept_of[rule.kept[k]] == k;
  if (!fits)
    throw Error(ErrorKind::input, "the kept iterations of another run do not fit its loop");
}

Json to_json(const Loop& loop) {
  Json lengths = Json::array(), gaps = Json::array();
  bool apart = false;

  for (std::size_t k = 0; k < loop.iterations.size(); ++k) {
    const auto& i = loop.iterations[k];
    lengths.push_back(i.end - i.begin);
    if (k == 0)
      continue;
    gaps.push_back(i.begin - loop.iterations[k - 1].end);
    apart = apart || i.begin != loop.iterations[k - 1].end;
  }

  Json out{{"source", to_text(loop.source)},
           {"function", loop.function},
           {"path", loop.path},
           {"begin", std::to_string(loop.begin())},
           {"lengths", lengths}};

  if (apart)
    out["gaps"] = gaps;
  if (!loop.orders.empty())
    out["orders"] = loop.orders;
  if (loop.end_order)
    out["end_order"] = loop.end_order;

  return out;
}

FunctionIndex function_from(const Json& in, const std::vector<Function>& functions) {
  const auto function = read_whole(in);
  if (function >= functions.size() && function != virtual_root)
    throw Error(ErrorKind::input,
                fmt::format("the plan names function {} of {}", function, functions.size()));
  return static_cast<FunctionIndex>(function);
}

std::uint64_t add_ticks(std::uint64_t a, std::uint64_t b) {
  if (a + b < a)
    throw Error(ErrorKind::input, "an iteration of the plan ends beyond all time");
  return a + b;
}

Loop loop_from(const Json& in, const std::vector<Function>& functions) {
  Loop loop;
  const auto source = std::find_if(sources.begin(), sources.end(),
                                   [&](auto s) { return in.at("source") == to_text(s); });
  if (source == sources.end())
    throw Error(ErrorKind::input, "the plan has a loop that was found in no way that is known");

  loop.source = *source;
  loop.function = function_from(in.at("function"), functions);
  for (const auto& f : in.at("path"))
    loop.path.push_back(function_from(f, functions));

  const auto lengths = read_all_whole(in.at("lengths"));
  const auto gaps = in.contains("gaps")
                        ? read_all_whole(in["gaps"])
                        : std::vector<std::uint64_t>(lengths.empty() ? 0 : lengths.size() - 1);
  const auto begin = parse_ranges(in.at("begin").get_ref<const std::string&>(), 1);
  if (begin.size() != 1 || lengths.empty() || gaps.size() + 1 != lengths.size())
    throw Error(ErrorKind::input, "the iterations of a process of the plan do not fit together");

  auto time = begin[0];

  for (std::size_t k = 0; k < lengths.size(); ++k) {
    if (k > 0)
      time = add_ticks(time, gaps[k - 1]);
    loop.iterations.push_back({time, add_ticks(time, lengths[k])});
    loop.ticks += lengths[k];
    time = loop.iterations.back().end;
  }

  if (in.contains("orders"))
    loop.orders = read_all_whole<std::uint32_t>(in["orders"]);
  if (in.contains("end_order"))
    loop.end_order = read_whole<std::uint32_t>(in["end_order"]);
  if (!loop.orders.empty() && loop.orders.size() != lengths.size())
    throw Error(ErrorKind::input, "the iterations of a process of the plan do not fit together");

  return loop;
}

std::size_t process_from(const Json& in, const Plan& plan) {
  const auto ids = parse_ranges(in.get_ref<const std::string&>(), 1);
  const auto at =
      ids.empty() ? plan.processes.end()
                  : std::lower_bound(plan.processes.begin(), plan.processes.end(), ids[0],
                                     [](const Process& p, std::uint64_t id) { return p.id < id; });

  if (at == plan.processes.end() || at->id != ids[0])
    throw Error(ErrorKind::input, "the plan has iterations of a process that it has no profile of");

  return static_cast<std::size_t>(at - plan.processes.begin());
}

}  // namespace

Json iteration_section_to_json(const Plan& plan) {
  const auto& section = *plan.iterations;
  Json processes = Json::array();
  for (const auto& p : section.processes) {
    Json one{{"process", std::to_string(plan.processes[p.process].id)}};
    if (p.loops.taken_from)
      one["taken_from"] = std::to_string(plan.processes[*p.loops.taken_from].id);
    one["loops"] = Json::array();
    for (const auto& loop : p.loops.loops)
      one["loops"].push_back(to_json(loop));
    processes.push_back(std::move(one));
  }

  Json out = section;
  out["processes"] = std::move(processes);

  return out;
}

IterationSection iteration_section_from_json(const Json& in, const Plan& plan) {
  auto section = in.get<IterationSection>();
  for (const auto& rule : section.like)
    check(rule);
  for (auto& loop : section.loops)
    complete(loop);

  for (const auto& one : in.at("processes")) {
    AlignedProcess p{process_from(one.at("process"), plan), {}};
    if (one.contains("taken_from"))
      p.loops.taken_from = process_from(one["taken_from"], plan);
    for (const auto& loop : one.at("loops"))
      p.loops.loops.push_back(loop_from(loop, plan.functions));

    bool fits = p.loops.loops.size() == section.loops.size();
    for (std::size_t l = 0; fits && l < section.loops.size(); ++l)
      fits = p.loops.loops[l].iterations.size() == section.loops[l].choice.kept_of.size();
    if (!fits || (!section.processes.empty() && section.processes.back().process >= p.process))
      throw Error(ErrorKind::input,
                  fmt::format("the iterations of process {} do not fit those of the plan",
                              plan.processes[p.process].id));

    section.processes.push_back(std::move(p));
  }

  return section;
}

Json chosen_iterations_to_json(const ChosenIterations& chosen) {
  Json loops = Json::array();
  for (const auto& [location, loop] : chosen.loops)
    loops.push_back({{"location", write_id(location)},
                     {"confidence", loop.confidence},
                     {"explained", loop.explained},
                     {"loop", to_json(loop)}});
  return {{"numbers", to_ranges(chosen.numbers)},
          {"functions", chosen.functions},
          {"loops", std::move(loops)}};
}

ChosenIterations chosen_iterations_from_json(const Json& in) {
  ChosenIterations chosen;
  chosen.numbers = parse_ranges(in.at("numbers").get_ref<const std::string&>());
  in.at("functions").get_to(chosen.functions);
  for (const auto& one : in.at("loops")) {
    auto loop = loop_from(one.at("loop"), chosen.functions);
    loop.confidence = one.at("confidence");
    loop.explained = one.at("explained");
    const auto is_known = [&](auto function) { return function < chosen.functions.size(); };
    const bool fits = loop.iterations.size() <= chosen.numbers.size() && is_known(loop.function) &&
                      std::all_of(loop.path.begin(), loop.path.end(), is_known);
    const auto location = read_id(one.at("location").get_ref<const std::string&>());
    if (!fits || !chosen.loops.emplace(location, std::move(loop)).second)
      throw Error(ErrorKind::input,
                  fmt::format("the chosen iterations of location {} do not fit those of the plan",
                              location));
  }
  if (chosen.loops.empty())
    throw Error(ErrorKind::input, "no location of the plan has the chosen iterations");
  return chosen;
}

}  // namespace tracefold
