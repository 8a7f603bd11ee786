#include "model/plan_iterations.hpp"

#include "base/error.hpp"
#include "base/ranges.hpp"
#include "base/whole_number.hpp"
#include "model/aggregates/kept_series.hpp"
#include "model/plan.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace tracefold {

using Json = nlohmann::ordered_json;

namespace {

Json summary_to_json(const ErrorSummary& e) {
  Json out{{"mean_error", e.mean},
           {"maximum_error", e.maximum},
           {"time_mean_error", e.time_mean},
           {"time_maximum_error", e.time_maximum},
           {"count_mean_error", e.count_mean},
           {"count_maximum_error", e.count_maximum},
           {"mean_error_by_sum", e.mean_by_sum},
           {"time_mean_error_by_sum", e.time_by_sum},
           {"counts_exact", e.counts_exact}};
  if (e.waiting_by_sum)
    out["waiting_error_by_sum"] = *e.waiting_by_sum;

  return out;
}

ErrorSummary summary_from(const Json& in) {
  ErrorSummary e;
  e.mean = in.at("mean_error");
  e.maximum = in.at("maximum_error");
  e.time_mean = in.at("time_mean_error");
  e.time_maximum = in.at("time_maximum_error");
  e.count_mean = in.at("count_mean_error");
  e.count_maximum = in.at("count_maximum_error");
  e.mean_by_sum = in.value("mean_error_by_sum", 0.0);
  e.time_by_sum = in.value("time_mean_error_by_sum", 0.0);
  e.counts_exact = in.at("counts_exact");
  if (const auto waiting = in.find("waiting_error_by_sum"); waiting != in.end())
    e.waiting_by_sum = waiting->get<double>();

  return e;
}

}  // namespace

Json to_json(const IterationFidelity& f) {
  auto out = summary_to_json(f);
  out["times_above"] = f.times_above;
  out["counts_above"] = f.counts_above;
  out["call_paths"] = f.call_paths;
  out["call_paths_only_in_stand_in"] = f.phantoms;
  out["mpi_call_paths_only_in_stand_in"] = f.mpi_phantoms;
  if (f.functions)
    out["functions"] = to_json(*f.functions);

  return out;
}

Json to_json(const FoldingErrors& errors) {
  return {{"processes", errors.processes},
          {"unmeasured_processes", errors.unmeasured},
          {"all", summary_to_json(errors.all)},
          {"of_processes", summary_to_json(errors.of_processes)},
          {"of_iterations", summary_to_json(errors.of_iterations)}};
}

const char* to_text(CallTreeEquivalence equivalence) {
  switch (equivalence) {
    case CallTreeEquivalence::strong: return "strong";
    case CallTreeEquivalence::weak: return "weak";
    default: return "merged";
  }
}

namespace {

constexpr std::array sources{LoopSource::asked, LoopSource::asked_begin, LoopSource::marked,
                             LoopSource::call_path, LoopSource::sequence};

CallTreeEquivalence equivalence_from(const Json& in) {
  return in == "strong" ? CallTreeEquivalence::strong
         : in == "weak" ? CallTreeEquivalence::weak
                        : CallTreeEquivalence::merged;
}

std::vector<std::uint32_t> kept_from(const Json& in) {
  std::vector<std::uint32_t> kept;
  for (auto id : parse_ranges(in.get_ref<const std::string&>(), most_series_iterations))
    kept.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(id, 0xffffffff)));
  return kept;
}

IterationFidelity fidelity_from(const Json& in) {
  IterationFidelity f;
  static_cast<ErrorSummary&>(f) = summary_from(in);
  f.times_above = in.at("times_above");
  f.counts_above = in.at("counts_above");
  f.call_paths = read_whole(in.at("call_paths"));
  f.phantoms = read_whole(in.at("call_paths_only_in_stand_in"));
  f.mpi_phantoms = read_whole(in.at("mpi_call_paths_only_in_stand_in"));
  if (in.contains("functions"))
    f.functions = function_errors_from_json(in["functions"]);

  return f;
}

FoldingErrors folding_errors_from(const Json& in) {
  return {read_whole(in.at("processes")), read_whole(in.at("unmeasured_processes")),
          summary_from(in.at("all")), summary_from(in.at("of_processes")),
          summary_from(in.at("of_iterations"))};
}

Json to_json(const FoldedLoop& loop) {
  const auto& c = loop.choice;
  Json out{{"iterations", c.kept_of.size()},
           {"kept", to_ranges({c.kept.begin(), c.kept.end()})},
           {"kept_of", c.kept_of},
           {"cluster_of", c.cluster_of},
           {"clusters", c.clusters},
           {"call_tree_classes", c.classes},
           {"call_trees", to_text(c.equivalence)}};

  if (loop.kept)
    out["fidelity"] = to_json(*loop.kept);
  if (loop.all)
    out["errors_of_all_processes"] = to_json(*loop.all);

  return out;
}

FoldedLoop folded_from(const Json& in) {
  FoldedLoop out;
  auto& c = out.choice;
  c.kept = kept_from(in.at("kept"));
  c.kept_of = read_all_whole<std::uint32_t>(in.at("kept_of"));
  c.cluster_of = read_all_whole<std::uint32_t>(in.at("cluster_of"));
  c.clusters = read_whole(in.at("clusters"));
  c.classes = read_whole(in.at("call_tree_classes"));
  c.equivalence = equivalence_from(in.at("call_trees"));
  c.counts.resize(c.kept.size());
  const auto iterations = read_whole(in.at("iterations"));
  bool fits = c.kept_of.size() == iterations && c.cluster_of.size() == iterations && iterations > 0;
  for (std::size_t i = 0; fits && i < iterations; ++i) {
    fits = c.kept_of[i] < c.kept.size();
    if (fits)
      ++c.counts[c.kept_of[i]];
  }

  for (std::size_t k = 0; fits && k < c.kept.size(); ++k)
    fits = c.kept[k] < iterations && c.kept_of[c.kept[k]] == k;
  if (!fits)
    throw Error(ErrorKind::input, "the kept iterations of the plan do not fit its loop");
  if (in.contains("fidelity"))
    out.kept = fidelity_from(in["fidelity"]);
  if (in.contains("errors_of_all_processes"))
    out.all = folding_errors_from(in["errors_of_all_processes"]);

  return out;
}

Json to_json(const LoopRule& rule) {
  return {{"path", rule.path},       {"function", rule.function},
          {"place", rule.place},     {"kept", to_ranges({rule.kept.begin(), rule.kept.end()})},
          {"kept_of", rule.kept_of}, {"call_trees", to_text(rule.equivalence)}};
}

LoopRule rule_from(const Json& in) {
  LoopRule rule{in.at("path").get<std::vector<std::string>>(),
                in.at("function"),
                read_whole(in.at("place")),
                kept_from(in.at("kept")),
                read_all_whole<std::uint32_t>(in.at("kept_of")),
                equivalence_from(in.at("call_trees"))};
  bool fits = !rule.kept.empty() && std::is_sorted(rule.kept.begin(), rule.kept.end());
  for (auto place : rule.kept_of)
    fits = fits && place < rule.kept.size();
  for (std::size_t k = 0; fits && k < rule.kept.size(); ++k)
    fits = rule.kept[k] < rule.kept_of.size() && rule.kept_of[rule.kept[k]] == k;
  if (!fits)
    throw Error(ErrorKind::input, "the kept iterations of another run do not fit its loop");
  return rule;
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

FunctionIndex function_from(const Json& in, const Plan& plan) {
  const auto function = read_whole(in);
  if (function >= plan.functions.size() && function != virtual_root)
    throw Error(ErrorKind::input,
                fmt::format("the plan names function {} of {}", function, plan.functions.size()));
  return static_cast<FunctionIndex>(function);
}

std::uint64_t add_ticks(std::uint64_t a, std::uint64_t b) {
  if (a + b < a)
    throw Error(ErrorKind::input, "an iteration of the plan ends beyond all time");
  return a + b;
}

Loop loop_from(const Json& in, const Plan& plan) {
  Loop loop;
  const auto source = std::find_if(sources.begin(), sources.end(),
                                   [&](auto s) { return in.at("source") == to_text(s); });
  if (source == sources.end())
    throw Error(ErrorKind::input, "the plan has a loop that was found in no way that is known");

  loop.source = *source;
  loop.function = function_from(in.at("function"), plan);
  for (const auto& f : in.at("path"))
    loop.path.push_back(function_from(f, plan));

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
  Json loops = Json::array(), processes = Json::array();
  for (const auto& loop : section.loops)
    loops.push_back(to_json(loop));

  for (const auto& p : section.processes) {
    Json one{{"process", std::to_string(plan.processes[p.process].id)}};
    if (p.loops.taken_from)
      one["taken_from"] = std::to_string(plan.processes[*p.loops.taken_from].id);
    one["loops"] = Json::array();
    for (const auto& loop : p.loops.loops)
      one["loops"].push_back(to_json(loop));
    processes.push_back(std::move(one));
  }

  Json out{{"region", section.asked.region}};
  if (!section.asked.begin_at.empty()) {
    out["begin_at"] = section.asked.begin_at;
    out["every"] = section.asked.every;
  }
  out["max_clusters"] = section.max_clusters;
  if (section.folds_unsure)
    out["unsure"] = true;
  if (!section.keep.empty())
    out["keep_iterations"] = to_ranges(section.keep);
  for (const auto& rule : section.like)
    out["like"].push_back(to_json(rule));
  out["loops"] = std::move(loops);
  out["processes"] = std::move(processes);

  return out;
}

IterationSection iteration_section_from_json(const Json& in, const Plan& plan) {
  IterationSection section;
  section.asked.region = in.at("region");
  if (in.contains("begin_at")) {
    section.asked.begin_at = in["begin_at"];
    section.asked.every = read_whole(in.at("every"));
  }
  section.max_clusters = read_whole(in.at("max_clusters"));
  section.folds_unsure = in.value("unsure", false);
  if (in.contains("keep_iterations"))
    section.keep = parse_ranges(in["keep_iterations"].get_ref<const std::string&>());
  if (in.contains("like"))
    for (const auto& rule : in["like"])
      section.like.push_back(rule_from(rule));
  for (const auto& loop : in.at("loops"))
    section.loops.push_back(folded_from(loop));

  for (const auto& one : in.at("processes")) {
    AlignedProcess p{process_from(one.at("process"), plan), {}};
    if (one.contains("taken_from"))
      p.loops.taken_from = process_from(one["taken_from"], plan);
    for (const auto& loop : one.at("loops"))
      p.loops.loops.push_back(loop_from(loop, plan));

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

}  // namespace tracefold
