#include "pipeline/facts/pack_program.hpp"

#include "base/error.hpp"
#include "base/json_text.hpp"
#include "base/ranges.hpp"
#include "base/team.hpp"
#include "model/plan.hpp"
#include "model/plan_processes.hpp"
#include "model/program/profiles_writer.hpp"
#include "model/program/program_profiles.hpp"
#include "pipeline/facts/flat_profiles.hpp"
#include "pipeline/facts/pack_attempts.hpp"
#include "pipeline/facts/path_series.hpp"
#include "pipeline/facts/program_tables.hpp"
#include "pipeline/facts/scope_values.hpp"
#include "pipeline/facts/table_contents.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace tracefold {

using Json = nlohmann::ordered_json;

namespace {

// The groups of processes, which are alike.
std::vector<std::uint32_t> list_groups(const Plan& plan) {
  std::vector<std::uint32_t> groups(plan.processes.size());
  if (plan.groups)
    for (std::size_t g = 0; g < plan.groups->size(); ++g)
      for (auto member : (*plan.groups)[g].members)
        groups[member] = static_cast<std::uint32_t>(g);
  return groups;
}

// Texts that many processes share, each once, in the order of their first process. Names of a trace
// may be no UTF-8.
class TextList {
 public:
  std::uint64_t add(const Json& text) {
    const auto [at, is_new] =
        numbers_.try_emplace(write_json_text(text, JsonLines::one), list_.size());
    if (is_new)
      list_.push_back(text);
    return at->second;
  }
  Json take() { return std::move(list_); }

 private:
  std::map<std::string, std::uint64_t> numbers_;
  Json list_ = Json::array();
};

class Packer {
 public:
  Packer(const Plan& plan, const TableContents& contents, const PackAttempt& attempt, Team* team)
      : plan_(plan),
        program_(*plan.program),
        profiles_(program_.calls.profiles),
        contents_(contents),
        detail_(attempt.detail),
        attempt_(attempt),
        writes_(is_first(team)),
        writer_(list_groups(plan), team) {}

  // At the first member of a team, at others nothing in it; none where it would take more bytes.
  std::optional<std::string> pack(std::uint64_t most_bytes) {
    Json about{{"version", 1},
               {"processes", plan_.processes.size()},
               {"ticks_per_second", plan_.trace.ticks_per_second},
               {"percent", detail_.percent},
               {"named", writes_ ? named_processes_to_json(plan_.processes) : Json()}};
    add_processes(about);
    add_topologies(about);
    add_calls(about);
    add_scopes(about);
    add_set_aside();
    add_loops(about);
    add_pairs(about);
    add_delays(about);
    add_replays(about);
    add_sequences();
    add_files(about);
    add_devices(about);
    return writer_.finish(about, most_bytes);
  }

 private:
  using GetValue = std::function<std::uint64_t(std::size_t process)>;

  std::size_t count() const { return plan_.processes.size(); }
  bool is_stepped(std::size_t column) const { return !is_count(profiles_.columns.kind(column)); }
  unsigned percent(std::size_t column) const { return is_stepped(column) ? detail_.percent : 0; }

  // A number of each process.
  void add_field(const std::string& name, const GetValue& get) {
    writer_.add({name, count(), 1, 0},
                [&](std::size_t p, std::span<std::uint64_t> out) { out[0] = get(p); });
  }
  // Rows of processes, which members of a team have.
  void add_rows(ProfilesTable table, const ProfilesWriter::ReadRow& read) {
    writer_.add_dealt(
        std::move(table), [&](std::size_t p) { return program_.is_here(p); }, read);
  }
  void add_row_field(const std::string& name, const GetValue& get) {
    add_rows({name, count(), 1, 0},
             [&](std::size_t p, std::span<std::uint64_t> out) { out[0] = get(p); });
  }
  void add_sums(const std::string& name, std::vector<std::uint64_t> own) {
    const auto columns = own.size();
    writer_.add_sums({name, 1, columns, 0}, std::move(own));
  }

  void add_processes(Json& about) {
    const auto& processes = plan_.processes;
    const auto or_none = [](const std::optional<std::uint64_t>& id) { return id ? *id + 1 : 0; };
    add_field("process/location", [&](auto p) { return processes[p].id; });
    add_field("process/type", [&](auto p) { return program_.processes[p].type; });
    add_field("process/rank", [&](auto p) { return or_none(processes[p].rank); });
    add_field("process/thread", [&](auto p) { return processes[p].thread; });
    add_field("process/creator", [&](auto p) { return or_none(processes[p].creator); });
    add_field("process/is MPI endpoint", [&](auto p) { return processes[p].is_mpi_endpoint; });
    add_field("process/events", [&](auto p) { return processes[p].events; });
    if (std::any_of(processes.begin(), processes.end(),
                    [](const Process& one) { return one.ends_early.has_value(); }))
      add_field("process/ends early", [&](auto p) { return or_none(processes[p].ends_early); });
    add_field("process/first time", [&](auto p) { return program_.processes[p].first_time; });
    add_field("process/last time", [&](auto p) { return program_.processes[p].last_time; });
    const auto& recorded = program_.processes;
    if (std::any_of(recorded.begin(), recorded.end(),
                    [](const ProgramProcess& one) { return one.early_messages > 0; }))
      add_field("process/early messages", [&](auto p) { return recorded[p].early_messages; });

    TextList nodes, metrics;
    std::vector<std::uint64_t> node(count()), metric(count());
    for (std::size_t p = 0; p < count() && writes_; ++p) {
      node[p] = nodes.add(program_.processes[p].node);
      metric[p] = metrics.add(program_.processes[p].metrics);
    }
    add_field("process/node", [&](auto p) { return node[p]; });
    add_field("process/metrics", [&](auto p) { return metric[p]; });
    about["nodes"] = nodes.take();
    about["recorded_metrics"] = metrics.take();
  }

  void add_topologies(Json& about) {
    auto list = Json::array();
    for (const auto& topology : program_.topologies) {
      writer_.add({name_topology_table(list.size()), count(), topology.axes.size(), 0},
                  [&](std::size_t p, std::span<std::uint64_t> out) {
                    std::copy_n(
                        topology.places.begin() + static_cast<std::ptrdiff_t>(p * out.size()),
                        out.size(), out.begin());
                  });
      auto axes = Json::array();
      for (const auto& axis : topology.axes)
        axes.push_back({{"name", axis.name}, {"size", axis.size}, {"periodic", axis.is_periodic}});
      list.push_back({{"name", topology.name}, {"axes", std::move(axes)}});
    }
    if (!list.empty())
      about["topologies"] = std::move(list);
  }

  // Whether processes are alike that do not show the same pairs, as in sampled traces.
  bool share_pairs() const {
    if (plan_.intents.empty())
      return false;
    std::set<std::pair<std::uint32_t, std::uint32_t>> known;
    for (std::size_t p = 0; p < count(); ++p) {
      const auto intent = plan_.processes[p].intent;
      const auto shape = profiles_.processes[p].shape;
      if (known.insert({shape, intent}).second &&
          find_call_pairs(profiles_.shapes[shape], profiles_.paths).size() <
              plan_.intents[intent].set.pairs.size())
        return true;
    }
    return false;
  }

  void add_calls(Json& about) {
    if (writes_)
      about["calls"] = frame_to_json(program_.calls);
    add_field("process/call paths", [&](auto p) { return profiles_.processes[p].shape; });
    if (share_pairs())
      add_field(alike_table, [&](auto p) { return plan_.processes[p].intent; });

    for (const auto& unknown : program_.unknown_counters)
      add_field(name_unknown_table(profiles_.columns, unknown.first),
                [&](auto p) { return unknown.second[p]; });
    for (std::size_t c = 0; c < profiles_.columns.size(); ++c)
      if (is_stored_column(profiles_.columns, c)) {
        add_call_paths("calls/" + name_stored_column(profiles_.columns, c), c, contents_.calls[c],
                       [&](std::size_t p) { return read_column(program_.values[p], c); });
        add_outside(c);
      }
  }

  // What a process did in one column, by path of its shape; empty: nothing.
  using ReadPaths = std::function<std::vector<std::uint64_t>(std::size_t process)>;

  // A table with the call paths of which some process has a value, but for some that are left out,
  // and the sums of all.
  void add_call_paths(const std::string& name, std::size_t column, const std::vector<bool>& has,
                      const ReadPaths& read, const std::vector<bool>& leaves_out = {}) {
    if (is_stepped(column) && has_any(has))
      add_row_field(name + "/by process", [&](auto p) {
        const auto values = read(p);
        return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
      });

    std::vector<std::uint32_t> paths;
    for (std::size_t path = 0; path < has.size(); ++path)
      if (has[path] && (leaves_out.empty() || !leaves_out[path]))
        paths.push_back(static_cast<std::uint32_t>(path));
    if (paths.empty())
      return;

    std::vector<std::size_t> place(profiles_.paths.size(), paths.size());  // in the table
    for (std::size_t k = 0; k < paths.size(); ++k)
      place[paths[k]] = k;
    std::vector<std::uint64_t> of_path(paths.size());
    add_rows({name, count(), paths.size(), percent(column), paths},
             [&](std::size_t p, std::span<std::uint64_t> out) {
               std::fill(out.begin(), out.end(), 0);
               const auto& own = profiles_.shape(p).paths;
               const auto values = read(p);
               for (std::size_t k = 0; k < values.size(); ++k)
                 if (const auto at = place[own[k]]; at < paths.size()) {
                   out[at] = values[k];
                   of_path[at] += values[k];
                 }
             });
    if (is_stepped(column))
      add_sums(name + "/by path", std::move(of_path));
  }

  static bool has_any(const std::vector<bool>& flags) {
    return std::find(flags.begin(), flags.end(), true) != flags.end();
  }

  // Who has to do with whom, a row for each pair of processes; and whom others waited for.
  void add_pairs(Json& about) {
    for (const auto& caused : program_.caused)
      add_field(name_caused_table(caused.first), [&](auto p) { return caused.second[p]; });
    about["has_pairs"] = attempt_.has_pairs || program_.pairs.empty();
    if (!attempt_.has_pairs || program_.pairs.empty())
      return;
    const auto add = [&](std::string_view name, unsigned error, auto get) {
      writer_.add(
          {name_pairs_table(name), program_.pairs.size(), 1, error},
          [&](std::size_t k, std::span<std::uint64_t> out) { out[0] = get(program_.pairs[k]); });
    };
    add("sender", 0, [](const ProgramPair& pair) { return pair.sender; });
    add("receiver", 0, [](const ProgramPair& pair) { return pair.receiver; });
    add("messages", 0, [](const ProgramPair& pair) { return pair.messages; });
    add("bytes", 0, [](const ProgramPair& pair) { return pair.bytes; });
    add(get_entry(Metric::mpi_late_sender_time).name, detail_.percent,
        [](const ProgramPair& pair) { return pair.late_sender; });
    add(get_entry(Metric::mpi_late_receiver_time).name, detail_.percent,
        [](const ProgramPair& pair) { return pair.late_receiver; });
  }

  // Which call paths made others wait, a row for each process and call path that did.
  void add_delays(Json& about) {
    about["has_delays"] = attempt_.has_delays || program_.delays.empty();
    if (!attempt_.has_delays || program_.delays.empty())
      return;
    const auto& delays = program_.delays;
    const auto add = [&](std::string_view name, unsigned error, auto get) {
      writer_.add({name_delays_table(name), delays.size(), 1, error},
                  [&](std::size_t k, std::span<std::uint64_t> out) { out[0] = get(delays[k]); });
    };
    add("process", 0, [](const ProgramDelay& delay) { return delay.process; });
    add("call path", 0, [](const ProgramDelay& delay) -> std::uint64_t {
      return delay.path ? std::uint64_t{*delay.path} + 1 : 0;
    });
    for (const auto& time : stored_delay_times) {
      const auto get = [&](const ProgramDelay& delay) { return (delay.*time.part).*time.ticks; };
      if (std::any_of(delays.begin(), delays.end(), [&](const auto& of) { return get(of) > 0; }))
        add(time.name, detail_.percent, get);
    }
  }

  // What parts of the run take when they are played, and their critical paths.
  void add_replays(Json& about) {
    auto list = Json::array();
    for (const auto& replay : program_.replays) {
      const auto& path = replay.critical_path;
      const auto add = [&](std::string_view name, unsigned error, auto get) {
        writer_.add(
            {name_critical_path_table(list.size(), name), path.times.size(), 1, error},
            [&](std::size_t k, std::span<std::uint64_t> out) { out[0] = get(path.times[k]); });
      };
      if ((attempt_.has_delays || program_.delays.empty()) && !path.times.empty()) {
        add("process", 0, [](const CriticalPath::Time& time) { return time.process; });
        add("call path", 0,
            [](const CriticalPath::Time& time) { return std::uint64_t{time.path}; });
        add("ticks", detail_.percent, [](const CriticalPath::Time& time) { return time.ticks; });
        writer_.add(
            {name_critical_path_table(list.size(), "over time"), path.over_time.size(), 1, 0},
            [&](std::size_t k, std::span<std::uint64_t> out) { out[0] = path.over_time[k]; });
      }
      auto gains = Json::array();
      for (const auto& gain : replay.gains)
        gains.push_back(
            {{"kind", static_cast<unsigned>(gain.kind)},
             {"call_path", gain.path},
             {"who", gain.who},
             {"iterations", {gain.iterations.first, gain.iterations.last, gain.iterations.every}},
             {"ticks", gain.ticks}});
      list.push_back(
          {{"part", replay.part},
           {"recorded", replay.recorded},
           {"ideal", replay.ideal},
           {"critical_path",
            {{"length", path.length}, {"network", path.network}, {"network_in", path.network_in}}},
           {"gains", std::move(gains)}});
      if (replay.asked)
        list.back()["asked"] = *replay.asked;
      if (const auto& fit = replay.network)
        list.back()["network"] = {{"latency", fit->latency},
                                  {"per_byte", fit->per_byte},
                                  {"error", fit->error},
                                  {"messages", fit->messages}};
    }
    if (!list.empty())
      about["replays"] = std::move(list);
  }

  // What the run is played again from. Lists of a process are filled up with zeros.
  void add_sequences() {
    if (!attempt_.has_sequences)
      return;
    for (const auto& [name, list, is_time] : sequence_lists) {
      std::size_t longest = 0;
      for (const auto& sequence : program_.sequences)
        longest = std::max(longest, (sequence.*list).size());
      writer_.add({name_sequence_table(name), count(), longest, is_time ? detail_.percent : 0},
                  [&, list = list](std::size_t p, std::span<std::uint64_t> out) {
                    const auto& values = program_.sequences[p].*list;
                    std::fill(std::copy(values.begin(), values.end(), out.begin()), out.end(), 0);
                  });
    }
  }

  void add_files(Json& about) {
    constexpr std::size_t most_with_little_room = 20;
    auto files = program_.files;
    if (!attempt_.has_pairs)
      keep_first(most_with_little_room, files);
    auto list = Json::array();
    for (const auto& file : files) {
      const auto write = [](const FileAmounts& of) {
        return Json{of.operations, of.ticks, of.bytes, of.unknown};
      };
      const auto& of = file.operations;
      list.push_back({{"name", file.name},
                      {"files", file.files},
                      {"read", write(of.read)},
                      {"written", write(of.written)},
                      {"other", write(of.other)},
                      {"count", file.count},
                      {"who", file.who}});
    }
    if (!list.empty())
      about["files"] = std::move(list);
  }

  void add_devices(Json& about) {
    auto list = Json::array();
    for (const auto& of : program_.devices) {
      if (of.time == 0)
        continue;
      auto& one = list.emplace_back(Json{{"part", of.part}});
      for (const auto& [name, number] : device_numbers)
        one[name] = of.*number;
      one["hosts"] =
          std::vector<std::pair<PathIndex, std::uint64_t>>(of.hosts.begin(), of.hosts.end());
    }
    if (!list.empty())
      about["devices"] = std::move(list);
  }

  void add_scopes(Json& about) {
    auto list = Json::array();
    for (const auto& scope : program_.scopes) {
      const auto& [is_inside, columns] = contents_.scopes[list.size()];
      for (std::size_t c = 0; c < profiles_.columns.size(); ++c)
        if (is_stored_column(profiles_.columns, c))
          add_call_paths(
              name_scope_table(list.size(), name_stored_column(profiles_.columns, c)), c,
              columns[c], [&](std::size_t p) { return read_inside(program_, scope, p, c); },
              is_inside);
      if (scope.name == ProgramScope::mpi) {
        add_field(name_scope_table(list.size(), "begin"),
                  [&](auto p) { return program_.processes[p].mpi_begin; });
        add_field(name_scope_table(list.size(), "end"),
                  [&](auto p) { return program_.processes[p].mpi_end; });
      }
      if (!scope.spans.empty()) {
        add_field(name_scope_table(list.size(), "begin"),
                  [&](auto p) { return scope.spans[p].begin; });
        add_field(name_scope_table(list.size(), "end"), [&](auto p) { return scope.spans[p].end; });
      }
      list.push_back({{"name", scope.name}, {"inside", list_true(is_inside)}});
    }
    if (!list.empty())
      about["scopes"] = std::move(list);
  }

  // Time that no call has alone, in the whole run and in each scope.
  void add_set_aside() {
    for (const auto& kind : {recording_off, buffer_flushes, call_overlaps}) {
      add_set_aside(kind, std::nullopt, [](const auto& process, std::size_t) {
        return Interval{process.first_time, process.last_time};
      });
      for (std::size_t s = 0; s < program_.scopes.size(); ++s)
        add_set_aside(kind, s, [&](const auto& process, std::size_t p) {
          const auto& spans = program_.scopes[s].spans;
          return spans.empty() ? Interval{process.mpi_begin, process.mpi_end} : spans[p];
        });
    }
  }

  // No table where there is none of it.
  void add_set_aside(const SetAsideKind& kind, std::optional<std::size_t> scope, auto find_span) {
    std::vector<std::uint64_t> ticks;
    for (std::size_t p = 0; p < count(); ++p) {
      const auto& process = program_.processes[p];
      ticks.push_back((process.set_aside.*kind.ticks).count_inside(find_span(process, p)));
    }
    if (std::any_of(ticks.begin(), ticks.end(), [](auto value) { return value > 0; }))
      add_field(name_set_aside_table(scope, kind.name), [&](auto p) { return ticks[p]; });
  }

  // What was recorded while no call was open.
  void add_outside(std::size_t column) {
    const auto get = [&](std::size_t p) {
      const auto& outside = profiles_.processes[p].outside;
      return outside.empty() ? 0 : outside[column];
    };
    bool is_zero = true;
    for (std::size_t p = 0; p < count(); ++p)
      is_zero &= get(p) == 0;
    if (!is_zero)
      add_field("outside/" + name_stored_column(profiles_.columns, column), get);
  }

  // A column of rows of iterations by process.
  using ReadIterations = std::function<std::vector<std::uint64_t>(std::size_t process)>;

  void add_loops(Json& about) {
    if (program_.loops.empty())
      return;
    about["iterations_per_column"] = detail_.iterations_per_column;
    if (!has_readable_loops(program_))
      return;
    std::vector<bool> is_unsure;
    for (const auto& loop : program_.loops)
      is_unsure.push_back(loop.is_unsure);
    if (auto unsure = list_true(is_unsure); !unsure.empty())
      about["unsure_loops"] = std::move(unsure);
    auto series = Json::array();
    for (std::size_t l = 0; l < program_.loops.size(); ++l) {
      add_loop(l);
      if (detail_.iterations_per_column > 0)
        series.push_back(add_path_series(l));
    }
    about["series_of_call_paths"] = std::move(series);
    const auto has_more = [&](const TableContents::Loop& loop) {
      return choose_path_series(loop, PathSeries::most_paths).size() > attempt_.path_series;
    };
    if (detail_.iterations_per_column > 0 &&
        std::any_of(contents_.loops.begin(), contents_.loops.end(), has_more))
      about["most_series_of_call_paths"] = attempt_.path_series;
    if (program_.maps.empty())
      return;
    about["maps"] = program_.maps.size();
    for (std::size_t m = 0; m < program_.maps.size(); ++m)
      if (program_.maps[m].find_whole_loop(program_.loops) != m)
        add_map(m);
  }

  void add_map(std::size_t number) {
    const auto& map = program_.maps[number];
    const auto& contents = contents_.maps[number];
    const auto find_rows = [&](std::size_t p) -> const PackedRows* {
      if (map.places[p])
        return &program_.loops[*map.places[p]].rows[p];
      const auto at = map.rows.find(p);
      return at == map.rows.end() ? nullptr : &at->second;
    };
    const auto find_own = [&](std::size_t p) { return map.places[p] ? nullptr : find_rows(p); };
    const auto read = [](const PackedRows* rows, std::size_t column) {
      return rows ? rows->read(column) : std::vector<std::uint64_t>();
    };

    add_field(name_map_table(number, "loop"),
              [&](auto p) { return map.places[p] ? *map.places[p] + 1 : 0; });
    if (!map.rows.empty())
      add_field(name_map_table(number, "iterations"), [&](auto p) {
        const auto* rows = find_own(p);
        return rows ? rows->size() : 0;
      });
    if (detail_.iterations_per_column == 0)
      return;

    const bool has_sums = !map.find_whole_loop(program_.loops);
    std::size_t longest = 0;
    for (std::size_t p = 0; p < count(); ++p)
      if (const auto* rows = find_rows(p))
        longest = std::max(longest, rows->size());
    for (std::size_t c = 0; c < profiles_.columns.size(); ++c) {
      const auto name = name_map_table(number, name_series_column(profiles_.columns, c));
      if (contents.own[c])
        add_series(
            name, find_longest(map), percent(c),
            [&](std::size_t p) { return read(find_own(p), c); }, SeriesSumsOf::processes);
      if (has_sums && contents.all[c] && percent(c) > 0)
        add_sums(name + "/by iteration",
                 sum_iterations(longest, [&](std::size_t p) { return read(find_rows(p), c); }));
    }
  }

  // By column of iterations, over the processes that are here.
  std::vector<std::uint64_t> sum_iterations(std::size_t longest, const ReadIterations& read) {
    const auto per_column = detail_.iterations_per_column;
    std::vector<std::uint64_t> sums((longest + per_column - 1) / per_column);
    for (std::size_t p = 0; p < count(); ++p)
      if (program_.is_here(p)) {
        const auto values = read(p);
        for (std::size_t i = 0; i < values.size(); ++i)
          sums[i / per_column] += values[i];
      }
    return sums;
  }

  void add_loop(std::size_t number) {
    const auto& loop = program_.loops[number];
    const auto name = fmt::format("loop {}/", number);
    const auto longest = find_longest(loop);
    add_field(name + "iterations", [&](auto p) { return loop.rows[p].size(); });
    if (detail_.iterations_per_column == 0)
      return;

    for (std::size_t c = 0; c < profiles_.columns.size(); ++c)
      if (contents_.loops[number].columns[c])
        add_series(name + name_series_column(profiles_.columns, c), longest, percent(c),
                   [&](std::size_t p) { return loop.rows[p].read(c); });
  }

  // The series of the call paths with the most time; gives which.
  std::string add_path_series(std::size_t number) {
    const auto& loop = program_.loops[number];
    const auto& contents = contents_.loops[number];
    const auto longest = find_longest(loop);
    std::vector<bool> has(profiles_.paths.size());
    for (auto place : choose_path_series(contents, attempt_.path_series)) {
      const auto& series = loop.paths[place];
      has[series.path] = true;
      for (std::size_t k = 0; k < program_.path_columns.size(); ++k) {
        const auto column = program_.path_columns[k];
        if (contents.series[place][k])
          add_series(
              name_path_series(number, series.path, name_stored_column(profiles_.columns, column)),
              longest, percent(column), [&](std::size_t p) {
                const auto at = series.rows.find(p);
                return at == series.rows.end() ? std::vector<std::uint64_t>() : at->second.read(k);
              });
      }
    }
    return list_true(has);
  }

  // Which sums are stored beside a series that is not exact.
  enum class SeriesSumsOf : bool { processes, processes_and_iterations };

  void add_series(const std::string& name, std::size_t longest, unsigned error,
                  const ReadIterations& read,
                  SeriesSumsOf sums = SeriesSumsOf::processes_and_iterations) {
    const auto per_column = detail_.iterations_per_column;
    const auto columns = (longest + per_column - 1) / per_column;
    std::vector<std::uint64_t> of_process(count()), of_iteration(columns);

    add_rows({name, count(), columns, error}, [&](std::size_t p, std::span<std::uint64_t> out) {
      std::fill(out.begin(), out.end(), 0);
      const auto values = read(p);
      for (std::size_t i = 0; i < values.size(); ++i) {
        out[i / per_column] += values[i];
        of_process[p] += values[i];
        of_iteration[i / per_column] += values[i];
      }
    });
    if (error > 0) {
      add_row_field(name + "/by process", [&](auto p) { return of_process[p]; });
      if (sums == SeriesSumsOf::processes_and_iterations)
        add_sums(name + "/by iteration", std::move(of_iteration));
    }
  }

  const Plan& plan_;
  const ProgramProfiles& program_;
  const CallPathProfiles& profiles_;
  const TableContents& contents_;
  const ProgramDetail detail_;
  const PackAttempt attempt_;
  const bool writes_;  // whether this is the first member of a team
  ProfilesWriter writer_;
};

std::uint64_t count_values(const CallPathProfiles& profiles) {
  std::uint64_t values = 0;
  for (std::size_t p = 0; p < profiles.processes.size(); ++p)
    values += profiles.shape(p).paths.size() * profiles.columns.size() +
              profiles.processes[p].outside.size();
  return values;
}

// Whether readers take what of the program is in each file.
bool is_readable(const Plan& plan) {
  const auto& program = *plan.program;
  std::uint64_t metrics = 0, names = 0, group_names = 0;
  for (const auto& process : program.processes)
    metrics += count_bytes(process.metrics);
  for (const auto& process : plan.processes) {
    names += process.name.size();
    group_names += process.location_group_name.size();
  }
  return metrics <= most_stored_name_bytes &&
         std::max(names, group_names) <= most_process_name_bytes &&
         count_listed_paths(program.calls) <= most_listed_paths &&
         count_values(program.calls.profiles) <= most_stored_values;
}

// The first of some attempts that is no larger, and that a file can hold. The first member of a
// team has the bytes, and all know whether there are any.
std::optional<PackedProgram> pack_first(const Plan& plan, const std::vector<PackAttempt>& attempts,
                                        std::uint64_t most_bytes, Team* team) {
  const auto contents = find_contents(*plan.program, team);
  for (const auto& attempt : attempts) {
    std::optional<std::string> bytes;
    try {
      bytes = Packer(plan, contents, attempt, team).pack(most_bytes);
    } catch (const Error& problem) {
      if (problem.kind() != ErrorKind::output)
        throw;
    }
    if (!compute_once<bool>(team, [&] { return bytes && bytes->size() <= most_bytes; }))
      continue;
    PackedProgram packed{bytes.value_or(std::string()), attempt.detail};
    packed.detail.left_out = list_left_out(attempts.front(), attempt);
    return packed;
  }

  return std::nullopt;
}

}  // namespace

std::optional<PackedProgram> pack_exact_program(const Plan& plan, Team* team) {
  if (!is_readable(plan))
    return std::nullopt;
  auto attempts = list_attempts(*plan.program);
  auto exact = attempts.front();
  exact.detail.percent = 0;
  attempts.insert(attempts.begin(), exact);
  auto packed = pack_first(plan, attempts, ~std::uint64_t{0}, team);
  if (packed && team)
    packed->bytes = team->broadcast(std::move(packed->bytes));
  return packed;
}

std::optional<PackedProgram> pack_program(const Plan& plan, std::uint64_t most_bytes, Team* team) {
  if (!is_readable(plan))
    return std::nullopt;
  return pack_first(plan, list_attempts(*plan.program), most_bytes, team);
}

}  // namespace tracefold
