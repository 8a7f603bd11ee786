#include "emitters/summary/summary_formats.hpp"

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "emitters/layout.hpp"
#include "emitters/messages/waiting_formats.hpp"
#include "emitters/show_names.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/summary/critical_path_formats.hpp"
#include "emitters/summary/headline.hpp"
#include "emitters/table.hpp"
#include "emitters/text_table.hpp"
#include "model/chosen_iterations.hpp"
#include "model/process_names.hpp"
#include "model/summary/related_runs.hpp"
#include "model/trace_name.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <utility>

namespace tracefold {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_calls = 6, most_waits = 5, most_groups = 6, most_critical = 3;
constexpr std::size_t most_in_pipe = 20;  // rows of a table where lines may be of any width

struct EfficiencyName {
  const char* name;
  const char* key;
  std::size_t level;
  std::optional<double> Efficiencies::*value;
};
constexpr std::array<EfficiencyName, 10> efficiency_names{{
    {"hybrid efficiency", "hybrid", 0, &Efficiencies::hybrid},
    {"parallel efficiency", "parallel", 0, &Efficiencies::parallel},
    {"load balance", "load_balance", 1, &Efficiencies::load_balance},
    {"communication", "communication", 1, &Efficiencies::communication},
    {"serialisation", "serialisation", 2, &Efficiencies::serialisation},
    {"transfer", "transfer", 2, &Efficiencies::transfer},
    {"I/O", "io", 1, &Efficiencies::io},
    {"measurement", "measurement", 1, &Efficiencies::measurement},
    {"OpenMP efficiency", "openmp", 0, &Efficiencies::threads},
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
    const bool needs_value =
        row.value == &Efficiencies::threads || row.value == &Efficiencies::hybrid ||
        row.value == &Efficiencies::accelerator || row.value == &Efficiencies::io ||
        row.value == &Efficiencies::measurement;
    return needs_value ? (run.efficiencies.*row.value).has_value() : run.has_mpi;
  });
}

// Threads are OpenMP's only where it was recorded.
const char* name_row(const EfficiencyName& row, const std::vector<Summary>& runs) {
  const bool has_openmp =
      std::any_of(runs.begin(), runs.end(), [](const Summary& run) { return run.has_openmp; });
  return row.value == &Efficiencies::threads && !has_openmp ? "efficiency of threads" : row.name;
}

std::string heading(const std::string& text) {
  return apply_style(text, TextStyle::heading) + "\n";
}

std::string name_master(const Summary& run, std::size_t process) {
  return name_process(run.processes[process]);
}

std::string describe_run(const Summary& run) {
  auto out = fmt::format("{}\n  {}", make_printable(run.trace), describe_size(run, ": "));
  return out + "\n";
}

std::string efficiency_table(const Summary& run) {
  std::string out;
  const std::vector<Summary> one{run};
  for (const auto& row : efficiency_names)
    if (matters(row, one))
      out += fmt::format("  {:<26}{:>10}\n", std::string(2 * row.level, ' ') + name_row(row, one),
                         show_efficiency(run.efficiencies.*row.value));
  if (!run.has_mpi)
    out += fmt::format(
        "  {}: its efficiencies are not known\n",
        run.missing.empty() ? "no MPI was recorded" : "event files that may have MPI are missing");
  else if (!run.efficiencies.transfer)
    out += "  times of waiting are not known, and so neither serialisation nor transfer\n";
  return out;
}

// What a run is made of. In each table the first column is what the values in the others are of.

Table tabulate_paradigms(const Summary& run) {
  Table table{{in_both("paradigm", ""), in_both("seconds", "time", Show::seconds),
               in_text("share", {"share"}, Show::percent),
               in_both("waiting_s", "waiting", Show::seconds)}};
  for (std::size_t k = 0; k < paradigm_count; ++k) {
    const auto& of = run.paradigms[k];
    if (of.seconds <= 0)
      continue;
    const auto share = run.time <= 0 ? Json() : Json(of.seconds / run.time);
    table.rows.push_back({{"paradigm", name_paradigm(static_cast<Paradigm>(k))},
                          {"seconds", of.seconds},
                          {"waiting_s", make_json_value(of.waiting)},
                          {beside, {{"share", share}}}});
  }
  return table;
}

Table tabulate_calls(const Summary& run) {
  Table table{{in_csv("function"), in_text("call", {"function"}, Show::name),
               in_both("seconds", "total", Show::seconds), in_both("share", "share", Show::percent),
               in_csv("max_s"), in_csv("mean_s"), in_text("max/mean", {"max/mean"}),
               in_both("slowest", "slowest")}};
  for (const auto& call : run.calls) {
    const auto imbalance = call.mean > 0 ? fmt::format("{:.2f}", call.most / call.mean) : "";
    table.rows.push_back({{"function", call.function},
                          {"seconds", call.seconds},
                          {"share", call.share},
                          {"mean_s", call.mean},
                          {"max_s", call.most},
                          {"slowest", name_master(run, call.slowest)},
                          {beside, {{"max/mean", imbalance}}}});
  }
  return table;
}

Table tabulate_waits(const Summary& run) {
  Table table{{in_csv("call_path"), in_text("call", {"function"}, Show::name),
               in_text("called by", {"caller"}, Show::name), in_csv("seconds", {"waiting_s"}),
               in_text("waiting", {"waiting_s"}, Show::seconds),
               in_text("share", {"share"}, Show::percent),
               in_text("of call", {"of_call"}, Show::percent), in_text("most of it", {"most"})}};
  for (const auto& wait : run.waits) {
    const auto& [function, caller] = wait.call;
    table.rows.push_back(
        {{"function", function},
         {"caller", caller},
         {"waiting_s", wait.seconds},
         {"share", wait.share},
         {"of_call", wait.of_call},
         {"kind", get_entry(wait.kind).name},
         {beside, {{"call_path", caller + " > " + function}, {"most", name_wait(wait.kind)}}}});
  }
  return table;
}

Json list_names(const Summary& run, const std::vector<std::size_t>& processes) {
  auto out = Json::array();
  for (auto p : processes)
    out.push_back(name_process(run.processes[p]));
  return out;
}

Table tabulate_gains(const Summary& run) {
  constexpr std::array<const char*, ProgramGain::kinds> kinds{
      "function", "computation", "spread", "iterations", "order", "files", "network"};
  Table table{{in_csv("kind"), in_csv("function"), in_csv("iterations"),
               in_both("seconds", "time", Show::seconds), in_both("share", "share", Show::percent),
               in_text("if", {"if"})}};
  for (const auto& gain : run.gains)
    table.rows.push_back({{"kind", kinds[static_cast<std::size_t>(gain.kind)]},
                          {"function", gain.call.function},
                          {"iterations", describe_iterations(run, gain.iterations)},
                          {"who", list_names(run, gain.who)},
                          {"seconds", gain.seconds},
                          {"share", gain.share},
                          {beside, {{"if", describe_gain(run, gain, choose_name_length())}}}});
  return table;
}

Table tabulate_group_times(const Summary& run) {
  Table table{
      {in_csv("name"), in_text("group", {"group"}), in_both("processes", "processes", Show::count),
       in_both("min_s", "min", Show::seconds), in_both("average_s", "average", Show::seconds),
       in_both("max_s", "max", Show::seconds), in_text("", {"name"}, Show::name)}};
  for (const auto& group : run.groups)
    table.rows.push_back({{"name", group.name},
                          {"processes", group.members},
                          {"min_s", group.least},
                          {"average_s", group.mean},
                          {"max_s", group.most},
                          {beside, {{"group", table.rows.size()}}}});
  return table;
}

// "276 J"
std::string show_counter(const CounterSum& counter) {
  return fmt::format("{:.4g}{}", counter.value,
                     counter.unit.empty() ? "" : " " + make_printable(counter.unit));
}

Table tabulate_counters(const Summary& run) {
  Table table{{in_csv("name"), in_csv("value"), in_csv("unit"),
               in_text("sum", {"sum"}, Show::plain), in_text("", {"name"}, Show::name)}};
  for (const auto& counter : run.counters)
    table.rows.push_back({{"name", counter.name},
                          {"value", counter.value},
                          {"unit", counter.unit},
                          {beside, {{"sum", show_counter(counter)}}}});
  return table;
}

std::string name_counters(const Summary& run) {
  return fmt::format("counted in {}, and not known by function",
                     run.part == RunPart::window ? describe_part(run) : "the whole run");
}

Table tabulate_ranks(const Summary& run) {
  Table table{{in_csv("trace"), in_csv("process", {"name"}), in_text("", {"name"}),
               in_both("time_s", "time", Show::seconds),
               in_both("useful_s", "useful", Show::seconds)}};
  if (run.efficiencies.threads)
    table.columns.push_back(in_text("threads", {"threads"}));
  for (auto& column :
       {in_csv("mpi_s"), in_both("waiting_s", "waiting", Show::seconds),
        in_both("transfer_s", "transfer", Show::seconds), in_both("io_s", "I/O", Show::seconds),
        in_csv("openmp_s"), in_csv("measurement_s")})
    table.columns.push_back(column);
  table.unknown = "not known";
  for (const auto& rank : run.ranks) {
    const auto computation = std::accumulate(rank.computation.begin(), rank.computation.end(), 0.0);
    const auto& process = run.processes[rank.master];
    table.rows.push_back({{"name", name_process(process)},
                          {"location", std::to_string(process.id)},
                          {"time_s", rank.time},
                          {"useful_s", rank.useful},
                          {"mpi_s", rank.mpi},
                          {"waiting_s", make_json_value(rank.waiting)},
                          {"transfer_s", rank.waiting ? Json(rank.transfer) : Json()},
                          {"io_s", rank.io},
                          {"openmp_s", rank.openmp},
                          {"measurement_s", rank.measurement},
                          {"threads_computation_s", rank.computation},
                          {beside,
                           {{"trace", run.trace},
                            {"threads", fmt::format("{} of {}", format_seconds(computation),
                                                    rank.threads.size())}}}});
  }
  return table;
}

// Its first rows; all of them only where that was asked for.
std::string show_first(Table table, std::size_t most) {
  if (shows_all())
    most = choose_name_length() == NameLength::whole ? table.rows.size() : most_in_pipe;
  if (table.rows.size() > most)
    table.rows.erase(table.rows.begin() + static_cast<std::ptrdiff_t>(most), table.rows.end());
  return write_text(table);
}

// "what if solve=0.5: 31.2 ms instead of 41.3 ms (24 % less)"
std::string describe_what_if(const Summary& run, const SummaryView& view) {
  if (!run.what_if)
    return {};
  const auto less = run.runtime > 0 ? 1 - *run.what_if / run.runtime : 0;
  return fmt::format("what if {}: {} instead of {} ({} {})\n", fmt::join(view.what_if, ", "),
                     format_seconds(*run.what_if), format_seconds(run.runtime),
                     show_percent(std::abs(less)), less < 0 ? "more" : "less");
}

std::string show_one(const Summary& run, const SummaryView& view) {
  auto out = describe_run(run);
  for (const auto& line : write_headline(run, choose_name_length()))
    out += line + "\n";
  out += describe_what_if(run, view);
  const auto command = view.suggest ? view.suggest(run.finding.loss) : std::string();
  if (!command.empty())
    out += "try: " + command + "\n";
  if (view.per_process)
    return out + "\n" + write_text(tabulate_ranks(run));

  // The first sentence is of something else then.
  const auto part = run.finding_is_around ? ", in " + describe_part(run) : std::string();
  out += "\n" + heading("efficiencies in " + describe_part(run)) + efficiency_table(run);
  if (run.time > 0)
    out += "\n" + heading("time by paradigm, all threads" + part) +
           write_text(tabulate_paradigms(run));
  if (!run.calls.empty())
    out += "\n" + heading("calls with most time, without callees" + part) +
           show_first(tabulate_calls(run), most_calls);
  if (!run.waits.empty())
    out += "\n" + heading("calls that wait longest" + part) +
           show_first(tabulate_waits(run), most_waits);
  if (run.critical)
    out += "\n" + heading(name_critical(run) + part) +
           show_first(tabulate_critical(run), most_critical);
  if (run.gains.size() > 1)
    out += "\n" + heading("what would be gained, each alone") + write_text(tabulate_gains(run));
  if (!run.counters.empty())
    out += "\n" + heading(name_counters(run)) + show_first(tabulate_counters(run), most_groups);
  if (!run.groups.empty())
    out += "\n" + heading("computation by group" + part) +
           show_first(tabulate_group_times(run), most_groups);
  if (run.groups.size() > most_groups && !shows_all())
    out += describe_more(run.groups.size() - most_groups, "group");
  return out;
}

// How many times as many threads a run has, and how many times as long these compute in all; of
// loops in an iteration on average, since runs may have different numbers of these. None where only
// one of them has a loop, or where they are of different programs.
struct Grown {
  double threads = 1, work = 1;
};
std::optional<Grown> find_grown(const std::vector<Summary>& runs, std::size_t k) {
  if ((runs[0].iterations > 0) != (runs[k].iterations > 0) || !are_related(runs[0], runs[k]))
    return std::nullopt;
  const auto sum = [](const Summary& run) {
    const auto all = sum_computation(run);
    return run.iterations > 0 ? all / static_cast<double>(run.iterations) : all;
  };
  const auto first = sum(runs[0]), own = sum(runs[k]);
  if (first <= 0 || own <= 0)
    return std::nullopt;
  const auto count = [](const Summary& run) {
    return static_cast<double>(std::max(run.threads, std::size_t{1}));
  };
  return Grown{count(runs[k]) / count(runs[0]), own / first};
}

// Which scaling it is, where numbers of threads differ: as the work of the run tells whose number
// differs most.
std::optional<Scaling> choose_scaling(const std::vector<Summary>& runs,
                                      std::optional<Scaling> asked) {
  std::optional<Scaling> out;
  double most = 0;
  for (std::size_t k = 1; k < runs.size(); ++k)
    if (const auto grown = find_grown(runs, k);
        grown && std::abs(std::log(grown->threads)) > most) {
      most = std::abs(std::log(grown->threads));
      out = asked ? asked : guess_scaling(grown->threads, grown->work);
    }
  return out;
}

// Computation of the first run over that of another one, and under weak scaling over that of as
// many of its threads.
std::optional<double> find_scaling(const std::vector<Summary>& runs, std::size_t k,
                                   std::optional<Scaling> scaling) {
  const auto grown = find_grown(runs, k);
  if (!grown)
    return std::nullopt;
  return (scaling == Scaling::weak ? grown->threads : 1) / grown->work;
}

std::string show_beside(const std::vector<Summary>& runs, const SummaryView& view) {
  std::string out;
  for (const auto& run : runs) {
    out += describe_run(run);
    for (const auto& line : write_headline(run, choose_name_length()))
      out += line + "\n";
    out += describe_what_if(run, view);
    if (view.per_process)
      out += write_text(tabulate_ranks(run));
    out += "\n";
  }

  TableRows rows{{""},           {"ranks"}, {"threads"},
                 {"iterations"}, {"time"},  {"computation, all threads"}};
  for (std::size_t k = 0; k < runs.size(); ++k) {
    rows[0].push_back(fit_name(make_printable(name_run(runs[k].trace)), 16));
    rows[1].push_back(show_count(runs[k].ranks.size()));
    rows[2].push_back(show_count(runs[k].threads));
    rows[3].push_back(runs[k].iterations > 0 ? show_count(runs[k].iterations) : "no loop");
    rows[4].push_back(format_seconds(runs[k].runtime));
    rows[5].push_back(format_seconds(sum_computation(runs[k])));
  }
  for (const auto& one : list_efficiencies(runs, view.scaling)) {
    auto& row =
        rows.emplace_back(std::vector<std::string>{std::string(2 * one.level, ' ') + one.name});
    for (const auto& value : one.of_runs)
      row.push_back(show_efficiency(value));
  }
  out += text_table(rows);
  if (!are_related(runs))
    return out + unrelated_runs + "\n";
  if (const auto scaling = choose_scaling(runs, view.scaling); scaling && !view.scaling)
    out += fmt::format(
        "It counts as {} scaling, since the computation of {} is nearer to that of the first "
        "run.\n",
        to_text(*scaling), scaling == Scaling::weak ? "each thread" : "all threads together");
  return out;
}

const char* name_part(RunPart part) {
  switch (part) {
    case RunPart::loop: return "loop";
    case RunPart::mpi: return "mpi";
    case RunPart::window: return "window";
    default: return "run";
  }
}

constexpr std::array loss_words{
    "none",   "load_balance", "serialisation", "transfer",    "communication",
    "openmp", "io",           "iterations",    "accelerator", "measurement"};

Json make_call(const NamedCall& call) {
  if (call.empty())
    return nullptr;
  return {{"function", call.function}, {"caller", call.caller}};
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
           {"useful",
            make_json_value(find_useful(run.finding_is_around ? run.around : run.efficiencies))},
           {"share", found.share},
           {"efficiency", make_json_value(found.efficiency)},
           {"who", list_names(run, found.who)},
           {"call", make_call(found.call)},
           {"waits_in", make_call(found.wait_call)}};
  if (!found.node.empty())
    out["node"] = found.node;
  if (found.wait != Metric::none)
    out["wait"] = get_entry(found.wait).name;
  if (found.cost)
    out["cost_s"] = *found.cost;
  if (found.when.every > 0)
    out["iterations"] = {{"loop", found.loop},
                         {"first", find_iteration_number(run.numbers, found.when.first)},
                         {"last", find_iteration_number(run.numbers, found.when.last)},
                         {"every", found.when.every}};
  else if (found.loss == Loss::iterations)
    out["iterations"] = {{"loop", found.loop},
                         {"first", find_iteration_number(run.numbers, found.first)},
                         {"last", find_iteration_number(run.numbers, found.last)}};
  if (!found.kernel.name.empty())
    out["kernel"] = make_kernel(run, found.kernel);
  if (found.counted)
    out["counted"] = {{"instructions", found.counted->instructions},
                      {"cycles", found.counted->cycles}};
  return out;
}

Json make_network(const Summary& run) {
  if (!run.network)
    return nullptr;
  const auto& fit = *run.network;
  return {{"latency_s", fit.latency},
          {"bytes_per_s", make_json_value(fit.bandwidth)},
          {"error", fit.error},
          {"messages", fit.messages}};
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

Json make_devices(const Summary& run) {
  if (!run.devices)
    return nullptr;
  const auto& of = *run.devices;
  Json out{{"devices", of.sums.devices}, {"copied_bytes", of.sums.bytes}};
  for (const auto& [name, number] : device_numbers)
    if (!out.contains(name) && number != &ProgramDevices::time)
      out[name] = of.share(number);
  out["host_meanwhile"] = of.host.empty() ? Json() : make_call(of.host);
  out["host_share"] = of.host.empty() ? Json() : Json(of.host_share);
  return out;
}

// The next three are null where there is nothing of it.
Json make_early_ends(const Summary& run) {
  const auto& early = run.early_ends;
  if (early.processes.empty())
    return nullptr;
  return {{"who", list_names(run, early.processes)},
          {"first", early.first},
          {"last", early.last},
          {"left_out", early.are_left_out}};
}

Json make_late_starts(const Summary& run) {
  if (run.late_starts.masters.empty())
    return nullptr;
  return {{"who", list_names(run, run.late_starts.masters)}, {"first", run.late_starts.first}};
}

Json make_early_messages(const Summary& run) {
  const auto& messages = run.early_messages;
  if (messages.early == 0)
    return nullptr;
  return {{"messages", messages.early},
          {"share", messages.share()},
          {"hide_waiting", !messages.are_few()}};
}

Json make_files(const Summary& run) {
  if (!run.files)
    return nullptr;
  auto out = Json::array();
  const auto write = [](const FileTimes::Amount& of) {
    return Json{{"operations", of.operations},
                {"seconds", of.seconds},
                {"bytes", make_json_value(of.bytes)},
                {"bytes_per_second", make_json_value(of.find_bandwidth())}};
  };
  for (const auto& file : *run.files) {
    const bool is_rest = file.name.empty();
    out.push_back({{"name", is_rest ? Json() : Json(file.name)},
                   {"files", file.files},
                   {"seconds", file.seconds},
                   {"share", file.share},
                   {"read", write(file.read)},
                   {"written", write(file.written)},
                   {"other_operations", file.other.operations},
                   {"processes", is_rest ? Json() : Json(file.count)},
                   {"who", file.who.empty() ? Json() : list_names(run, file.who)}});
  }
  return out;
}

Json make_run(const std::vector<Summary>& runs, std::size_t k, std::optional<Scaling> scaling) {
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
           {"records_end_early", make_early_ends(run)},
           {"begins_later", make_late_starts(run)},
           {"early_messages", make_early_messages(run)},
           {"headline", write_headline(run, NameLength::whole)},
           {"finding", make_finding(run)},
           {"runtime_s", run.runtime},
           {"recording_off_share", run.recording_off},
           {"ideal_runtime_s", make_json_value(run.ideal)}};
  auto efficiencies = Json::object();
  for (const auto& row : efficiency_names)
    efficiencies[row.key] = make_json_value(run.efficiencies.*row.value);
  efficiencies["computation_scaling"] =
      runs.size() > 1 ? make_json_value(find_scaling(runs, k, scaling)) : Json(nullptr);
  out["efficiencies"] = std::move(efficiencies);
  out["devices"] = make_devices(run);
  out["counters"] = make_json(tabulate_counters(run));
  out["files"] = make_files(run);
  out["paradigms"] = make_json(tabulate_paradigms(run));
  out["calls"] = make_json(tabulate_calls(run));
  out["waits"] = make_json(tabulate_waits(run));
  out["critical_path"] = make_critical(run);
  out["network_fit"] = make_network(run);
  out["gains"] = make_json(tabulate_gains(run));
  if (run.what_if)
    out["what_if_s"] = *run.what_if;
  out["accelerator_waiting"] = make_accelerator_waiting(run);
  out["causes_of_waiting"] = run.causes ? waiting_to_json(*run.causes) : Json();
  out["groups"] = make_json(tabulate_group_times(run));
  return out;
}

// "mpi_point_to_point_s" for a column of CSV.
std::string name_column(Paradigm paradigm) {
  std::string out;
  for (const char c : to_lower(name_paradigm(paradigm)))
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      out += c;
    else if (!out.ends_with('_'))
      out += '_';
  return out + "_s";
}

// A row for each run, with a column for each figure.
Table tabulate_runs(const std::vector<Summary>& runs, std::optional<Scaling> asked) {
  const auto scaling = choose_scaling(runs, asked);
  Table table;
  const auto add = [&](const std::string& name, const auto& get) {
    table.columns.push_back(in_csv(name));
    for (std::size_t k = 0; k < runs.size(); ++k)
      table.rows[k][name] = get(k);
  };
  const auto add_of_run = [&](const std::string& name, const auto& get) {
    add(name, [&](std::size_t k) -> Json { return get(runs[k]); });
  };
  for (std::size_t k = 0; k < runs.size(); ++k)
    table.rows.push_back(Json::object());

  add_of_run("trace", [](const Summary& run) { return run.trace; });
  add_of_run("scope", [](const Summary& run) { return name_part(run.part); });
  add_of_run("ranks", [](const Summary& run) { return run.ranks.size(); });
  add_of_run("threads", [](const Summary& run) { return run.threads; });
  add_of_run("streams", [](const Summary& run) { return run.streams; });
  add_of_run("iterations", [](const Summary& run) { return run.iterations; });
  add_of_run("runtime_s", [](const Summary& run) { return run.runtime; });
  add_of_run("recording_off_share", [](const Summary& run) { return run.recording_off; });
  for (const auto& row : efficiency_names)
    add_of_run(row.key,
               [&](const Summary& run) { return make_json_value(run.efficiencies.*row.value); });
  add("computation_scaling", [&](std::size_t k) {
    return runs.size() > 1 ? make_json_value(find_scaling(runs, k, scaling)) : Json();
  });
  for (std::size_t k = 0; k < paradigm_count; ++k)
    add_of_run(name_column(static_cast<Paradigm>(k)),
               [&](const Summary& run) { return run.paradigms[k].seconds; });
  add_of_run("waiting_s",
             [](const Summary& run) { return run.waiting ? Json(run.waiting->seconds) : Json(); });
  add_of_run("loss", [](const Summary& run) {
    return loss_words[static_cast<std::size_t>(run.finding.loss)];
  });
  add_of_run("loss_share", [](const Summary& run) { return run.finding.share; });
  add_of_run("headline",
             [](const Summary& run) { return write_headline(run, NameLength::whole).front(); });
  return table;
}

}  // namespace

std::string describe_size(const Summary& run, const char* before_time) {
  auto out = fmt::format("{} {}", show_count(run.ranks.size()),
                         run.has_ranks ? (run.ranks.size() == 1 ? "rank" : "ranks")
                                       : (run.ranks.size() == 1 ? "process" : "processes"));
  if (run.ranks.empty())
    out = fmt::format("{} location{} without calls", show_count(run.processes.size()),
                      run.processes.size() == 1 ? "" : "s");
  if (run.threads > run.ranks.size())
    out += fmt::format(" with {} threads", show_count(run.threads));
  if (run.streams > 0)
    out += fmt::format(", {} accelerator stream{}", show_count(run.streams),
                       run.streams == 1 ? "" : "s");
  out += "; " + (run.rank_loops.empty() ? describe_part(run) : describe_rank_loops(run));
  if (run.iterations > 0 && run.rank_loops.empty())
    out += fmt::format(" of {} iteration{}", show_count(run.iterations),
                       run.iterations == 1 ? "" : "s");
  out += before_time + format_seconds(run.runtime);
  if (run.loop_share && *run.loop_share < 0.9)
    out += fmt::format(", {} of the time between MPI_Init and MPI_Finalize",
                       show_percent(*run.loop_share));
  return out;
}

double sum_computation(const Summary& run) {
  double sum = 0;
  for (const auto& rank : run.ranks)
    for (auto one : rank.computation)
      sum += one;
  return sum;
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

std::vector<EfficiencyRow> list_efficiencies(const std::vector<Summary>& runs,
                                             std::optional<Scaling> asked) {
  const auto scaling = choose_scaling(runs, asked);
  std::vector<EfficiencyRow> rows;
  const auto add = [&](const char* name, const char* key, std::size_t level, const auto& get) {
    auto& row = rows.emplace_back(EfficiencyRow{name, key, level, {}});
    for (std::size_t k = 0; k < runs.size(); ++k)
      row.of_runs.push_back(get(k));
  };
  for (const auto& one : efficiency_names)
    if (matters(one, runs))
      add(name_row(one, runs), one.key, one.level,
          [&](std::size_t k) { return runs[k].efficiencies.*one.value; });
  if (runs.size() < 2 || !are_related(runs))
    return rows;

  add("computation scaling", "computation_scaling", 0,
      [&](std::size_t k) { return find_scaling(runs, k, scaling); });
  add("global efficiency", "global", 0, [&](std::size_t k) -> std::optional<double> {
    const auto of_work = find_scaling(runs, k, scaling),
               overall = find_useful(runs[k].efficiencies);
    if (!of_work || !overall)
      return std::nullopt;
    return *of_work * *overall;
  });
  return rows;
}

std::string to_table(const std::vector<Summary>& runs, const SummaryView& view) {
  return runs.size() == 1 ? show_one(runs[0], view) : show_beside(runs, view);
}

std::string to_csv(const std::vector<Summary>& runs, const SummaryView& view) {
  auto table = view.per_process ? tabulate_ranks(runs.front()) : tabulate_runs(runs, view.scaling);
  for (auto& column : table.columns)
    column.digits = "{:.9g}";
  for (std::size_t k = 1; k < runs.size() && view.per_process; ++k)
    for (auto& row : tabulate_ranks(runs[k]).rows)
      table.rows.push_back(std::move(row));
  return write_csv(table);
}

std::string to_json(const std::vector<Summary>& runs, const SummaryView& view) {
  Json out{{"tracefold_summary", 1}};
  auto list = Json::array();
  const auto scaling = choose_scaling(runs, view.scaling);
  for (std::size_t k = 0; k < runs.size(); ++k) {
    list.push_back(make_run(runs, k, scaling));
    if (view.per_process)
      list.back()["processes"] = make_json(tabulate_ranks(runs[k]));
  }
  out["runs"] = std::move(list);
  return write_json_text(out);
}

}  // namespace tracefold
