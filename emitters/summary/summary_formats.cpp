#include "emitters/summary/summary_formats.hpp"

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "emitters/layout.hpp"
#include "emitters/messages/waiting_formats.hpp"
#include "emitters/summary/headline.hpp"
#include "emitters/tables.hpp"
#include "model/process_names.hpp"
#include "model/trace_name.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

namespace tracefold {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_calls = 6, most_waits = 5, most_groups = 6;
constexpr std::size_t longest_name = 30;

struct EfficiencyName {
  const char* name;
  const char* key;
  std::size_t level;
  std::optional<double> Efficiencies::*value;
};
constexpr std::array<EfficiencyName, 8> efficiency_names{{
    {"hybrid efficiency", "hybrid", 0, &Efficiencies::hybrid},
    {"parallel efficiency", "parallel", 0, &Efficiencies::parallel},
    {"load balance", "load_balance", 1, &Efficiencies::load_balance},
    {"communication", "communication", 1, &Efficiencies::communication},
    {"serialisation", "serialisation", 2, &Efficiencies::serialisation},
    {"transfer", "transfer", 2, &Efficiencies::transfer},
    {"OpenMP efficiency", "openmp", 0, &Efficiencies::openmp},
    {"accelerator efficiency", "accelerator", 0, &Efficiencies::accelerator},
}};

std::string show_efficiency(const std::optional<double>& value) {
  if (!value)
    return "not known";
  const auto text = fmt::format("{:.3f}", *value);
  switch (grade_efficiency(*value)) {
    case EfficiencyGrade::good: return apply_style(text, TextStyle::good);
    case EfficiencyGrade::fair: return apply_style(text, TextStyle::fair);
    default: return apply_style(text, TextStyle::poor);
  }
}

// Whether a row of efficiencies says anything of these runs: without MPI there are none of it.
bool matters(const EfficiencyName& row, const std::vector<Summary>& runs) {
  return std::any_of(runs.begin(), runs.end(), [&](const Summary& run) {
    const bool is_of_threads = row.value == &Efficiencies::openmp ||
                               row.value == &Efficiencies::hybrid ||
                               row.value == &Efficiencies::accelerator;
    return is_of_threads ? (run.efficiencies.*row.value).has_value() : run.has_mpi;
  });
}

std::string heading(const std::string& text) {
  return apply_style(text, TextStyle::heading) + "\n";
}

std::string show_short_name(const std::string& name) {
  return fit_name(make_printable(name), longest_name);
}

std::string name_master(const Summary& run, std::size_t process) {
  return name_process(run.processes[process]);
}

std::string describe_run(const Summary& run) {
  auto out = fmt::format("{}\n  {}", make_printable(run.trace), describe_size(run, ": "));
  if (run.kept_of)
    out += fmt::format("\n  of the {} kept processes only, of {}", show_count(run.processes.size()),
                       show_count(*run.kept_of));
  return out + "\n";
}

std::string efficiency_table(const Summary& run) {
  std::string out;
  const std::vector<Summary> one{run};
  for (const auto& row : efficiency_names)
    if (matters(row, one))
      out += fmt::format("  {:<26}{:>10}\n", std::string(2 * row.level, ' ') + row.name,
                         show_efficiency(run.efficiencies.*row.value));
  if (!run.has_mpi)
    out += "  no MPI was recorded: its efficiencies are not known\n";
  else if (!run.efficiencies.transfer)
    out += "  times of waiting are not known, and so neither serialisation nor transfer\n";
  return out;
}

std::string paradigm_table(const Summary& run) {
  TableRows rows{{"", "time", "share", "waiting"}};
  for (std::size_t k = 0; k < paradigm_count; ++k) {
    const auto& of = run.paradigms[k];
    if (of.seconds <= 0)
      continue;
    const bool is_of_streams =
        k == static_cast<std::size_t>(Paradigm::accelerator) && run.streams > 0;
    rows.push_back({name_paradigm(static_cast<Paradigm>(k)), format_seconds(of.seconds),
                    is_of_streams || run.time <= 0 ? "" : show_percent(of.seconds / run.time),
                    of.waiting ? format_seconds(*of.waiting) : ""});
  }
  return text_table(rows);
}

std::string call_table(const Summary& run) {
  TableRows rows{{"call", "total", "share", "max/mean", "slowest"}};
  for (const auto& call : run.calls) {
    if (rows.size() > most_calls && !shows_all())
      break;
    rows.push_back({show_short_name(call.function), format_seconds(call.seconds),
                    show_percent(call.share),
                    call.mean > 0 ? fmt::format("{:.2f}", call.most / call.mean) : "",
                    name_master(run, call.slowest)});
  }
  return text_table(rows);
}

std::string wait_table(const Summary& run) {
  TableRows rows{{"call", "called by", "waiting", "share", "of call", "most of it"}};
  for (const auto& wait : run.waits) {
    if (rows.size() > most_waits && !shows_all())
      break;
    rows.push_back({show_short_name(wait.call.function), show_short_name(wait.call.caller),
                    format_seconds(wait.seconds), show_percent(wait.share),
                    show_percent(wait.of_call), name_wait(wait.kind)});
  }
  return text_table(rows);
}

std::string group_table(const Summary& run) {
  TableRows rows{{"group", "processes", "min", "average", "max", ""}};
  const auto shown = shows_all() ? run.groups.size() : std::min(run.groups.size(), most_groups);
  for (std::size_t g = 0; g < shown; ++g) {
    const auto& group = run.groups[g];
    rows.push_back({std::to_string(g), show_count(group.members), format_seconds(group.least),
                    format_seconds(group.mean), format_seconds(group.most),
                    show_short_name(group.name)});
  }
  auto out = text_table(rows);
  if (run.groups.size() > shown)
    out += tell_more(run.groups.size() - shown, "group");
  return out;
}

std::string process_table(const Summary& run) {
  TableRows rows{{"", "time", "useful", "waiting", "transfer", "I/O"}};
  if (run.efficiencies.openmp)
    rows[0].insert(rows[0].begin() + 3, "threads");
  for (const auto& rank : run.ranks) {
    rows.push_back(
        {name_master(run, rank.master), format_seconds(rank.time), format_seconds(rank.useful),
         rank.waiting ? format_seconds(*rank.waiting) : "not known",
         rank.waiting ? format_seconds(rank.transfer) : "not known", format_seconds(rank.io)});
    if (run.efficiencies.openmp) {
      double computation = 0;
      for (auto one : rank.computation)
        computation += one;
      rows.back().insert(rows.back().begin() + 3,
                         fmt::format("{} of {}", format_seconds(computation), rank.threads.size()));
    }
  }
  return text_table(rows);
}

std::string show_one(const Summary& run, const SummaryView& view) {
  auto out = describe_run(run);
  for (const auto& line : write_headline(run, choose_name_length()))
    out += line + "\n";
  if (view.per_process)
    return out + "\n" + process_table(run);

  // The first sentence is of something else then.
  const auto part = run.finding_is_around ? ", in " + describe_part(run) : std::string();
  out += "\n" + heading("efficiencies" + part) + efficiency_table(run);
  if (run.time > 0)
    out += "\n" + heading("time by paradigm, all threads" + part) + paradigm_table(run);
  if (!run.calls.empty())
    out += "\n" + heading("calls with most time, without callees" + part) + call_table(run);
  if (!run.waits.empty())
    out += "\n" + heading("calls that wait longest" + part) + wait_table(run);
  if (!run.groups.empty())
    out += "\n" + heading("computation by group" + part) + group_table(run);
  return out;
}

// Computation of the first run over that of another one: how it grows with the number of ranks. Of
// loops that of an iteration on average, since runs may have different numbers of these. Unknown
// where only one of them has a loop.
std::optional<double> find_scaling(const std::vector<Summary>& runs, std::size_t k) {
  if ((runs[0].iterations > 0) != (runs[k].iterations > 0))
    return std::nullopt;
  const auto sum = [](const Summary& run) {
    double all = 0;
    for (const auto& rank : run.ranks)
      for (auto one : rank.computation)
        all += one;
    return run.iterations > 0 ? all / static_cast<double>(run.iterations) : all;
  };
  const auto own = sum(runs[k]);
  return own > 0 ? std::optional(sum(runs[0]) / own) : std::nullopt;
}

std::string show_beside(const std::vector<Summary>& runs, const SummaryView& view) {
  std::string out;
  for (const auto& run : runs) {
    out += describe_run(run);
    for (const auto& line : write_headline(run, choose_name_length()))
      out += line + "\n";
    if (view.per_process)
      out += process_table(run);
    out += "\n";
  }

  TableRows rows{{""},           {"ranks"}, {"threads"},
                 {"iterations"}, {"time"},  {"computation, all threads"}};
  for (std::size_t k = 0; k < runs.size(); ++k) {
    double computation = 0;
    for (const auto& rank : runs[k].ranks)
      for (auto one : rank.computation)
        computation += one;
    rows[0].push_back(fit_name(make_printable(name_run(runs[k].trace)), 16));
    rows[1].push_back(show_count(runs[k].ranks.size()));
    rows[2].push_back(show_count(runs[k].threads));
    rows[3].push_back(runs[k].iterations > 0 ? show_count(runs[k].iterations) : "no loop");
    rows[4].push_back(format_seconds(runs[k].runtime));
    rows[5].push_back(format_seconds(computation));
  }
  for (const auto& one : list_efficiencies(runs)) {
    auto& row =
        rows.emplace_back(std::vector<std::string>{std::string(2 * one.level, ' ') + one.name});
    for (const auto& value : one.of_runs)
      row.push_back(show_efficiency(value));
  }
  return out + text_table(rows);
}

Json to_value(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

const char* name_part(RunPart part) {
  switch (part) {
    case RunPart::loop: return "loop";
    case RunPart::mpi: return "mpi";
    case RunPart::window: return "window";
    default: return "run";
  }
}

constexpr std::array loss_words{"none",     "load_balance",  "serialisation",
                                "transfer", "communication", "openmp",
                                "io",       "iterations",    "accelerator"};

Json make_call(const NamedCall& call) {
  if (call.empty())
    return nullptr;
  return {{"function", call.function}, {"caller", call.caller}};
}

Json list_names(const Summary& run, const std::vector<std::size_t>& processes) {
  auto out = Json::array();
  for (auto p : processes)
    out.push_back(name_process(run.processes[p]));
  return out;
}

// Null where it is not known.
Json make_kernel(const Summary& run, const WaitedKernel& kernel) {
  if (kernel.name.empty())
    return nullptr;
  auto streams = Json::array();
  for (auto p : kernel.streams)
    streams.push_back(
        {{"name", run.processes[p].name}, {"location", std::to_string(run.processes[p].id)}});
  return {{"name", kernel.name}, {"seconds", kernel.seconds}, {"streams", std::move(streams)}};
}

Json make_finding(const Summary& run) {
  const auto& found = run.finding;
  Json out{{"loss", loss_words[static_cast<std::size_t>(found.loss)]},
           {"scope", name_part(run.finding_is_around ? RunPart::mpi : run.part)},
           {"useful", to_value(find_useful(run.finding_is_around ? run.around : run.efficiencies))},
           {"share", found.share},
           {"efficiency", to_value(found.efficiency)},
           {"who", list_names(run, found.who)},
           {"call", make_call(found.call)},
           {"waits_in", make_call(found.wait_call)}};
  if (!found.node.empty())
    out["node"] = found.node;
  if (found.wait != Metric::none)
    out["wait"] = get_entry(found.wait).name;
  if (found.loss == Loss::iterations)
    out["iterations"] = {{"loop", found.loop}, {"first", found.first}, {"last", found.last}};
  if (!found.kernel.name.empty())
    out["kernel"] = make_kernel(run, found.kernel);
  return out;
}

Json make_accelerator_waiting(const Summary& run) {
  if (!run.accelerator_waiting)
    return nullptr;
  const auto& waiting = *run.accelerator_waiting;
  return {{"call", make_call(waiting.call)},
          {"seconds", waiting.seconds},
          {"share", waiting.share},
          {"kernel", make_kernel(run, waiting.kernel)}};
}

Json make_run(const std::vector<Summary>& runs, std::size_t k) {
  const auto& run = runs[k];
  Json out{{"trace", run.trace},
           {"scope", name_part(run.part)},
           {"ranks", run.ranks.size()},
           {"threads", run.threads},
           {"streams", run.streams},
           {"loops", run.loops},
           {"loops_unsure", run.loops_are_unsure},
           {"iterations", run.iterations},
           {"percent", run.percent},
           {"kept_only", run.kept_of.has_value()},
           {"headline", write_headline(run, NameLength::whole)},
           {"finding", make_finding(run)},
           {"runtime_s", run.runtime},
           {"ideal_runtime_s", to_value(run.ideal)}};
  auto efficiencies = Json::object();
  for (const auto& row : efficiency_names)
    efficiencies[row.key] = to_value(run.efficiencies.*row.value);
  efficiencies["computation_scaling"] =
      runs.size() > 1 ? to_value(find_scaling(runs, k)) : Json(nullptr);
  out["efficiencies"] = std::move(efficiencies);
  auto paradigms = Json::array();
  for (std::size_t p = 0; p < paradigm_count; ++p)
    if (run.paradigms[p].seconds > 0)
      paradigms.push_back({{"paradigm", name_paradigm(static_cast<Paradigm>(p))},
                           {"seconds", run.paradigms[p].seconds},
                           {"waiting_s", to_value(run.paradigms[p].waiting)}});
  out["paradigms"] = std::move(paradigms);
  auto calls = Json::array();
  for (const auto& call : run.calls)
    calls.push_back({{"function", call.function},
                     {"seconds", call.seconds},
                     {"share", call.share},
                     {"mean_s", call.mean},
                     {"max_s", call.most},
                     {"slowest", name_process(run.processes[call.slowest])}});
  out["calls"] = std::move(calls);
  auto waits = Json::array();
  for (const auto& wait : run.waits)
    waits.push_back({{"function", wait.call.function},
                     {"caller", wait.call.caller},
                     {"waiting_s", wait.seconds},
                     {"share", wait.share},
                     {"of_call", wait.of_call},
                     {"kind", get_entry(wait.kind).name}});
  out["waits"] = std::move(waits);
  out["accelerator_waiting"] = make_accelerator_waiting(run);
  out["causes_of_waiting"] = run.causes ? waiting_to_json(*run.causes) : Json();
  auto groups = Json::array();
  for (const auto& group : run.groups)
    groups.push_back({{"name", group.name},
                      {"processes", group.members},
                      {"min_s", group.least},
                      {"average_s", group.mean},
                      {"max_s", group.most}});
  out["groups"] = std::move(groups);
  return out;
}

Json list_processes_json(const Summary& run) {
  auto out = Json::array();
  for (const auto& rank : run.ranks) {
    const bool knows = rank.waiting.has_value();
    out.push_back({{"name", name_process(run.processes[rank.master])},
                   {"location", std::to_string(run.processes[rank.master].id)},
                   {"time_s", rank.time},
                   {"useful_s", rank.useful},
                   {"mpi_s", rank.mpi},
                   {"waiting_s", to_value(rank.waiting)},
                   {"transfer_s", knows ? Json(rank.transfer) : Json(nullptr)},
                   {"io_s", rank.io},
                   {"openmp_s", rank.openmp},
                   {"threads_computation_s", rank.computation}});
  }
  return out;
}

}  // namespace

std::string describe_size(const Summary& run, const char* before_time) {
  auto out = fmt::format("{} {}", show_count(run.ranks.size()),
                         run.has_ranks ? (run.ranks.size() == 1 ? "rank" : "ranks")
                                       : (run.ranks.size() == 1 ? "process" : "processes"));
  if (run.threads > run.ranks.size())
    out += fmt::format(" with {} threads", show_count(run.threads));
  if (run.streams > 0)
    out += fmt::format(", {} accelerator stream{}", show_count(run.streams),
                       run.streams == 1 ? "" : "s");
  out += fmt::format("; {}", describe_part(run));
  if (run.iterations > 0)
    out += fmt::format(" of {} iterations", show_count(run.iterations));
  out += before_time + format_seconds(run.runtime);
  if (run.loop_share && *run.loop_share < 0.9)
    out += fmt::format(", {} of the time between MPI_Init and MPI_Finalize",
                       show_percent(*run.loop_share));
  return out;
}

EfficiencyGrade grade_efficiency(double value) {
  constexpr double good = 0.8, fair = 0.6;
  return value >= good   ? EfficiencyGrade::good
         : value >= fair ? EfficiencyGrade::fair
                         : EfficiencyGrade::poor;
}

std::string name_run(const std::string& anchor) {
  auto name = name_after_folder(anchor);
  if (name == "traces")  // the folder around it says more
    name = name_after_folder(std::filesystem::absolute(anchor).parent_path().string());
  return name.empty() ? anchor : name;
}

std::vector<EfficiencyRow> list_efficiencies(const std::vector<Summary>& runs) {
  std::vector<EfficiencyRow> rows;
  const auto add = [&](const char* name, const char* key, std::size_t level, const auto& get) {
    auto& row = rows.emplace_back(EfficiencyRow{name, key, level, {}});
    for (std::size_t k = 0; k < runs.size(); ++k)
      row.of_runs.push_back(get(k));
  };
  for (const auto& one : efficiency_names)
    if (matters(one, runs))
      add(one.name, one.key, one.level,
          [&](std::size_t k) { return runs[k].efficiencies.*one.value; });
  if (runs.size() < 2)
    return rows;

  add("computation scaling", "computation_scaling", 0,
      [&](std::size_t k) { return find_scaling(runs, k); });
  add("global efficiency", "global", 0, [&](std::size_t k) -> std::optional<double> {
    const auto scaling = find_scaling(runs, k), overall = find_useful(runs[k].efficiencies);
    if (!scaling || !overall)
      return std::nullopt;
    return *scaling * *overall;
  });
  return rows;
}

std::string to_table(const std::vector<Summary>& runs, const SummaryView& view) {
  return runs.size() == 1 ? show_one(runs[0], view) : show_beside(runs, view);
}

std::string to_csv(const std::vector<Summary>& runs, const SummaryView& view) {
  const auto show = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.9g}", *value) : std::string();
  };
  if (view.per_process) {
    std::string out = "trace,process,time_s,useful_s,mpi_s,waiting_s,transfer_s,io_s,openmp_s\r\n";
    for (const auto& run : runs)
      for (const auto& rank : run.ranks)
        out += fmt::format(
            "{},{},{:.9g},{:.9g},{:.9g},{},{},{:.9g},{:.9g}\r\n", quote_csv(run.trace),
            quote_csv(name_process(run.processes[rank.master])), rank.time, rank.useful, rank.mpi,
            show(rank.waiting), rank.waiting ? show(rank.transfer) : "", rank.io, rank.openmp);
    return out;
  }

  std::string out = "trace,section,name,what,value\r\n";
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const auto& run = runs[k];
    const auto add = [&](const char* section, const std::string& name, const char* what,
                         const std::string& value) {
      out += fmt::format("{},{},{},{},{}\r\n", quote_csv(run.trace), section, quote_csv(name), what,
                         quote_csv(value));
    };
    const auto headline = write_headline(run, NameLength::whole);
    for (std::size_t line = 0; line < headline.size(); ++line)
      add("headline", std::to_string(line + 1), "text", headline[line]);
    add("run", "", "scope", name_part(run.part));
    add("run", "", "ranks", std::to_string(run.ranks.size()));
    add("run", "", "threads", std::to_string(run.threads));
    add("run", "", "runtime_s", show(run.runtime));
    for (const auto& row : efficiency_names)
      add("efficiency", row.key, "value", show(run.efficiencies.*row.value));
    if (runs.size() > 1)
      add("efficiency", "computation_scaling", "value", show(find_scaling(runs, k)));
    for (std::size_t p = 0; p < paradigm_count; ++p)
      if (run.paradigms[p].seconds > 0) {
        add("paradigm", name_paradigm(static_cast<Paradigm>(p)), "seconds",
            show(run.paradigms[p].seconds));
        add("paradigm", name_paradigm(static_cast<Paradigm>(p)), "waiting_s",
            show(run.paradigms[p].waiting));
      }
    for (const auto& call : run.calls) {
      add("call", call.function, "seconds", show(call.seconds));
      add("call", call.function, "share", show(call.share));
      add("call", call.function, "max_s", show(call.most));
      add("call", call.function, "mean_s", show(call.mean));
      add("call", call.function, "slowest", name_process(run.processes[call.slowest]));
    }
    for (const auto& wait : run.waits)
      add("waiting", wait.call.caller + " > " + wait.call.function, "seconds", show(wait.seconds));
    if (const auto& waiting = run.accelerator_waiting) {
      add("accelerator", waiting->call.function, "seconds", show(waiting->seconds));
      if (!waiting->kernel.name.empty())
        add("accelerator", waiting->kernel.name, "waited_for_s", show(waiting->kernel.seconds));
    }
    for (const auto& group : run.groups) {
      add("group", group.name, "processes", std::to_string(group.members));
      add("group", group.name, "min_s", show(group.least));
      add("group", group.name, "average_s", show(group.mean));
      add("group", group.name, "max_s", show(group.most));
    }
  }
  return out;
}

std::string to_json(const std::vector<Summary>& runs, const SummaryView& view) {
  Json out{{"tracefold_summary", 1}};
  auto list = Json::array();
  for (std::size_t k = 0; k < runs.size(); ++k) {
    list.push_back(make_run(runs, k));
    if (view.per_process)
      list.back()["processes"] = list_processes_json(runs[k]);
  }
  out["runs"] = std::move(list);
  return write_json_text(out);
}

}  // namespace tracefold
