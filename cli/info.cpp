#include "pipeline/profile/info.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/open_plan.hpp"
#include "cli/printing.hpp"
#include "emitters/profile/program_facts_formats.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/table.hpp"
#include "filters/profile/find_program_facts.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/facts/whole_program.hpp"
#include "pipeline/reduce/plan_session.hpp"
#include "pipeline/reduce/profile_plan.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tracefold::cli {

namespace {

struct InfoOptions {
  std::string trace;
  std::optional<Format> format;
  bool deep = false;
};

std::string type_name(std::uint64_t type) {
  switch (type) {
    case otf2_value::location_type_cpu: return "CPU threads";
    case otf2_value::location_type_accelerator: return "accelerator streams";
    case otf2_value::location_type_metric: return "metric locations";
    default: return "locations of unknown type";
  }
}

// The same as a key of JSON.
std::string type_key(std::uint64_t type) {
  switch (type) {
    case otf2_value::location_type_cpu: return "cpu_threads";
    case otf2_value::location_type_accelerator: return "accelerator_streams";
    case otf2_value::location_type_metric: return "metric_locations";
    default: return "locations_of_unknown_type";
  }
}

// None where the trace does not tell how long a tick is.
std::optional<double> measure(double ticks, const TraceInfo& found) {
  if (found.ticks_per_second == 0)
    return std::nullopt;
  return ticks / static_cast<double>(found.ticks_per_second);
}
std::optional<double> measure_duration(const TraceInfo& found) {
  return measure(static_cast<double>(found.run_ticks), found);
}

std::string show_duration(double seconds) {
  return seconds >= 1e-3 ? fmt::format("{:.6f} s", seconds) : format_seconds(seconds);
}
std::string show_duration(const TraceInfo& found) {
  const auto seconds = measure_duration(found);
  if (!seconds)
    return "not known: the trace does not tell how long a tick of its clock is";
  auto out = show_duration(*seconds);
  if (found.recording_off > 0)
    out += fmt::format(", of which recording was off {}",
                       show_duration(*measure(found.recording_off, found)));
  return out;
}

// "2026-11-29 14:08:35 UTC"; empty where it is not known.
std::string write_date(const TraceInfo& found) {
  if (!found.date)
    return {};
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC",
                     fmt::gmtime(static_cast<std::time_t>(*found.date)));
}

nlohmann::ordered_json profiles_json(const StoredProgram& stored) {
  const auto& [path_series, has_delays, has_pairs, has_sequences, has_counters, is_sampled] =
      stored.parts();
  nlohmann::ordered_json out{{"percent", stored.detail().percent},
                             {"iterations_per_column", stored.detail().iterations_per_column}};
  if (path_series)
    out["call_paths_with_iterations"] = *path_series;
  out["has_delays"] = has_delays;
  out["has_pairs"] = has_pairs;
  out["has_sequences"] = has_sequences;
  out["has_counters"] = has_counters;
  out["sampled"] = is_sampled;
  return out;
}

nlohmann::ordered_json info_json(const TraceInfo& found) {
  nlohmann::ordered_json locations, records;
  for (auto [type, n] : found.locations)
    locations[type_key(type)] = n;
  for (std::size_t k = 0; k < event_kinds; ++k)
    if (found.records[k])
      records[std::string(event_table[k].name)] = found.records[k];

  nlohmann::ordered_json out{
      {"tracefold_info", 1},
      {"creator", found.creator},
      {"machine", found.machine},
      {"bytes", found.bytes},
      {"seconds", make_json_value(measure_duration(found))},
      {"recording_off_seconds", make_json_value(measure(found.recording_off, found))},
      {"ticks_per_second", found.ticks_per_second},
      {"date", found.date ? nlohmann::ordered_json(write_date(found)) : nlohmann::ordered_json()},
      {"ranks", found.ranks},
      {"nodes", found.nodes},
      {"locations", locations},
      {"regions", found.regions},
      {"functions", found.functions},
      {"communicators", found.communicators},
      {"events", found.events},
      {"records", records},
      {"unknown_records", found.unknown_records}};
  if (found.written_by)
    out[found.is_expanded ? "expanded" : "reduced"] = {{"tracefold", *found.written_by},
                                                       {"represented", found.represented}};
  if (found.halo > 0) {
    nlohmann::ordered_json halo_records;
    for (std::size_t k = 0; k < event_kinds; ++k)
      if (found.halo_records[k])
        halo_records[std::string(event_table[k].name)] = found.halo_records[k];
    out["reduced"]["halo"] = found.halo;
    out["reduced"]["halo_events"] = found.halo_events;
    out["reduced"]["halo_records"] = halo_records;
  }
  if (found.profiles)
    out["profiles"] = profiles_json(*found.profiles);

  return out;
}

std::uint64_t count_locations(const TraceInfo& found) {
  std::uint64_t count = 0;
  for (auto [type, n] : found.locations)
    count += n;
  return count;
}

std::string info_csv(const TraceInfo& found) {
  std::string out = "what,value\r\n";
  const auto add = [&](std::string_view what, const auto& value) {
    out += fmt::format("{},{}\r\n", quote_csv(what), value);
  };

  add("creator", quote_csv(found.creator));
  add("machine", quote_csv(found.machine));
  add("bytes", found.bytes);
  const auto seconds = measure_duration(found);
  add("seconds", seconds ? fmt::format("{}", *seconds) : "");
  if (const auto off = measure(found.recording_off, found); off && *off > 0)
    add("seconds in which recording is off", *off);
  add("ticks_per_second", found.ticks_per_second);
  add("date", write_date(found));
  add("ranks", found.ranks);
  add("nodes", found.nodes);
  if (found.written_by) {
    add(found.is_expanded ? "expanded by tracefold" : "reduced by tracefold",
        quote_csv(*found.written_by));
    add("represented locations", found.represented);
  }
  if (found.halo > 0) {
    add("halo locations", found.halo);
    add("halo events", found.halo_events);
  }
  if (found.profiles) {
    const auto& detail = found.profiles->detail();
    add("percent that times of profiles may differ by", detail.percent);
    add("iterations per column of profiles", detail.iterations_per_column);
    add("what profiles have", quote_csv(describe_detail(*found.profiles)));
  }
  for (auto [type, n] : found.locations)
    add(type_name(type), n);

  add("regions", found.regions);
  add("functions", found.functions);
  add("communicators", found.communicators);
  add("events", found.events);
  for (std::size_t k = 0; k < event_kinds; ++k)
    if (found.records[k])
      add(event_table[k].name, found.records[k]);
  add("unknown records", found.unknown_records);

  return out;
}

std::string info_text(const TraceInfo& found) {
  std::vector<std::vector<std::string>> rows{{"written by", make_printable(found.creator)},
                                             {"size", format_bytes(found.bytes)},
                                             {"duration", show_duration(found)}};
  if (!found.machine.empty())
    rows.insert(rows.begin() + 1, {"machine", make_printable(found.machine)});
  if (found.date)
    rows.push_back({"date", write_date(found)});

  if (found.written_by) {
    const auto by = "by tracefold " + make_printable(*found.written_by);
    if (found.is_expanded)
      rows.push_back({"expanded", by + " out of a reduced trace, approximately"});
    else
      rows.push_back({"reduced", fmt::format("{}: {} locations stand for {}", by,
                                             show_count(count_locations(found)),
                                             show_count(found.represented))});
  }
  if (found.halo > 0)
    rows.push_back({"halo", fmt::format("{} partner{} more, only as the other end of messages",
                                        show_count(found.halo), found.halo == 1 ? "" : "s")});
  if (found.profiles)
    rows.push_back(
        {"profiles", fmt::format("of all {} processes: counts exactly, {}",
                                 show_count(found.represented), describe_detail(*found.profiles))});
  if (found.ranks > 0)
    rows.push_back(
        {"ranks", show_count(found.ranks) +
                      (found.nodes == 0   ? std::string()
                       : found.nodes == 1 ? " on one node"
                                          : fmt::format(" on {} nodes", show_count(found.nodes)))});
  for (auto [type, n] : found.locations)
    rows.push_back({type_name(type), show_count(n)});

  rows.push_back({"regions", fmt::format("{} ({} functions)", show_count(found.regions),
                                         show_count(found.functions))});
  rows.push_back({"communicators", show_count(found.communicators)});
  const auto of_partners = [](std::uint64_t count) {
    return count > 0 ? fmt::format(" (and {} of the partners)", show_count(count)) : std::string();
  };
  rows.push_back({"events", show_count(found.events) + of_partners(found.halo_events)});
  std::string out = found.events == 0 ? "no events were recorded in this trace\n" : "";
  for (const auto& row : rows)
    out += fmt::format("{:<22}{}\n", row[0], row[1]);
  for (std::size_t k = 0; k < event_kinds; ++k)
    if (found.records[k] || found.halo_records[k])
      out += fmt::format("  {:<30}{:>14}{}\n", event_table[k].name, show_count(found.records[k]),
                         of_partners(found.halo_records[k]));

  if (found.unknown_records)
    out += fmt::format("  {:<30}{:>14}\n", "(unknown)", show_count(found.unknown_records));

  return out;
}

// The largest event file of a location, which is about what its buffer took.
std::uint64_t measure_largest(const Archive& archive) {
  std::uint64_t largest = 0;
  for (auto location : list_process_locations(archive.definitions())) {
    std::error_code missing;
    const auto size = std::filesystem::file_size(archive.paths().events(location), missing);
    largest = std::max(largest, missing ? 0 : size);
  }
  return largest;
}

// With what the program calls.
void show_deep(Session& session, const std::shared_ptr<const Archive>& archive,
               const TraceInfo& found, const InfoOptions& options) {
  PlanSession opened(archive, session.context());
  opened.ask_for_all();
  const auto calls = read_call_paths(opened, {}, {});
  const auto& plan = opened.plan();
  const auto facts = find_program_facts(plan, calls);
  const auto ticks = static_cast<double>(found.run_ticks);
  const auto largest = found.written_by ? 0 : measure_largest(*archive);
  print_as(
      session, options.format,
      [&] {
        return info_text(found) +
               (largest > 0 ? fmt::format("{:<22}{} at most of a process\n", "memory of records",
                                          format_bytes(largest))
                            : std::string()) +
               "\n" + to_text(plan, facts, ticks);
      },
      [&] { return info_csv(found) + to_csv(plan, facts, ticks); },
      [&] {
        auto out = info_json(found);
        out["largest_event_file_bytes"] =
            largest > 0 ? nlohmann::ordered_json(largest) : nlohmann::ordered_json();
        out["calls"] = to_json(plan, facts, ticks);
        return write_json_text(out);
      });
}

int run_info(Session& session, const InfoOptions& options) {
  if (options.trace.empty())
    throw Error(ErrorKind::usage, "no trace is given")
        .hint("as in 'tracefold info app/traces.otf2'");

  const auto archive = open_given_trace(session, options.trace);
  const auto found = read_info(*archive, session.context().read_as("read"), session.diagnostics);
  if (options.deep) {
    show_deep(session, archive, found, options);
    return 0;
  }
  print_as(
      session, options.format, [&] { return info_text(found); }, [&] { return info_csv(found); },
      [&] { return write_json_text(info_json(found)); });

  return 0;
}

}  // namespace

void add_info(Commands& commands) {
  auto options = std::make_shared<InfoOptions>();
  auto* command = commands.add(
      "info", "Tell what a trace holds.",
      "  tracefold info app/traces.otf2\n  tracefold info app/traces.otf2 --json | jq .events",
      options, run_info);
  add_trace(command, options->trace, "Anchor file of the trace");
  command->add_flag("--deep", options->deep,
                    "Also what is called, and what to leave out next time");
  add_format(command, options->format);
}

}  // namespace tracefold::cli
