#include "pipeline/facts/stored_program.hpp"

#include "base/error.hpp"
#include "base/ranges.hpp"
#include "base/whole_number.hpp"
#include "model/iterations/kept_folds.hpp"
#include "model/plan_processes.hpp"
#include "model/profile/time_metric.hpp"
#include "pipeline/facts/program_tables.hpp"
#include "pipeline/facts/table_rows.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <exception>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

namespace tracefold {

using Json = nlohmann::ordered_json;

namespace {

constexpr auto no_place = static_cast<std::size_t>(-1);

// What the JSON library throws, and who parses ranges, is an error of the input.
template <class Read>
auto read_checked(Read&& read) {
  try {
    return read();
  } catch (const nlohmann::json::exception& problem) {
    refuse_program(problem.what());
  } catch (const Error& problem) {
    if (problem.kind() != ErrorKind::usage)
      throw;
    refuse_program(problem.what());
  }
}

void check_list(const Json& value) {
  if (!value.is_array())
    refuse_program("it has something else where a list should be");
}

// What may still be read of something; refuses what is more.
class Room {
 public:
  Room(std::uint64_t most, const char* refusal) : left_(most), refusal_(refusal) {}

  void take(std::uint64_t amount) {
    if (amount > left_)
      refuse_program(refusal_);
    left_ -= amount;
  }

 private:
  std::uint64_t left_;
  const char* refusal_;
};

void check_places(const ProgramTopology& topology) {
  const auto width = topology.axes.size();
  for (std::size_t first = 0; first < topology.places.size(); first += width) {
    const bool is_in_it = topology.places[first] > 0;
    for (std::size_t axis = 0; axis < width; ++axis)
      if (const auto place = topology.places[first + axis];
          place > topology.axes[axis].size || (place > 0) != is_in_it)
        refuse_program(fmt::format("processes are outside of the topology '{}'", topology.name));
  }
}

std::optional<std::uint64_t> none_if_zero(std::uint64_t number) {
  return number == 0 ? std::nullopt : std::optional(number - 1);
}

}  // namespace

StoredProgram::StoredProgram(std::string bytes, std::uint64_t most_processes,
                             const StoredSource& source)
    : file_(std::move(bytes), source.name) {
  read_checked([&] {
    const auto& about = file_.about();
    if (about.at("version") != 1)
      refuse_program("it is of another version");
    processes_ = read_whole<std::size_t>(about.at("processes"));
    detail_.percent = read_whole<unsigned>(about.at("percent"));
    if (std::any_of(file_.tables().begin(), file_.tables().end(), [&](const ProfilesTable& table) {
          return table.percent != 0 && table.percent != detail_.percent;
        }))
      refuse_program("its tables have another error than it says");
    if (const auto* locations = file_.find("process/location");
        !locations || locations->rows != processes_)
      refuse_program("it has another number of processes than it says");
    if (processes_ > most_processes)
      refuse_program(fmt::format("it has {} processes, and the trace stands for {}", processes_,
                                 most_processes));
    frame_ = frame_from_json(about.at("calls"));

    is_cut_ = about.value("cut", false);
    read_scopes();
    if (about.contains("iterations_per_column"))
      detail_.iterations_per_column = read_whole<std::size_t>(about["iterations_per_column"]);
    if (about.contains("most_series_of_call_paths"))
      parts_.path_series = read_whole<std::size_t>(about["most_series_of_call_paths"]);
    parts_.has_pairs = about.value("has_pairs", true);
    parts_.has_delays = about.value("has_delays", true);
    parts_.has_sequences =
        !is_cut_ &&
        std::all_of(std::begin(sequence_lists), std::end(sequence_lists), [&](const auto& list) {
          return file_.find(name_sequence_table(list.name)) != nullptr;
        });
    list_replays();
    parts_.is_sampled = source.is_sampled;
    parts_.has_counters = !frame_.profiles.columns.counters.empty();
  });

  read_loops();
  read_checked([&] {
    list_path_series();
    is_unsure_ = read_true(file_.about().value("unsure_loops", std::string()), loops_.size());
    read_maps();
  });
}

void StoredProgram::list_replays() {
  const auto listed = file_.about().find("replays");
  if (is_cut_ || listed == file_.about().end())
    return;
  check_list(*listed);
  if (listed->size() > scopes_.size() + 1)
    refuse_program("it has too many parts that were played");
  for (const auto& one : *listed) {
    auto& replay = replays_.emplace_back();
    const auto& path = one.at("critical_path");
    replay.part = one.at("part").get<std::string>();
    replay.recorded = read_whole<std::uint64_t>(one.at("recorded"));
    replay.ideal = read_whole<std::uint64_t>(one.at("ideal"));
    if (const auto asked = one.find("asked"); asked != one.end())
      replay.asked = read_whole<std::uint64_t>(*asked);
    if (const auto fit = one.find("network"); fit != one.end())
      replay.network = {fit->at("latency").get<double>(), fit->at("per_byte").get<double>(),
                        fit->at("error").get<double>(),
                        read_whole<std::uint64_t>(fit->at("messages"))};
    replay.critical_path.length = read_whole<std::uint64_t>(path.at("length"));
    replay.critical_path.network = read_whole<std::uint64_t>(path.at("network"));
    if (const auto parts = path.find("network_in"); parts != path.end()) {
      check_list(*parts);
      for (const auto& of_path : *parts) {
        const auto of = read_whole<PathIndex>(of_path.at(0));
        if (of > frame_.profiles.paths.size())
          refuse_program("it has a network in call paths that are not there");
        replay.critical_path.network_in.emplace_back(of, read_whole<std::uint64_t>(of_path.at(1)));
      }
    }
    check_list(one.at("gains"));
    for (const auto& gain : one["gains"]) {
      auto& to = replay.gains.emplace_back();
      const auto kind = read_whole<unsigned>(gain.at("kind"));
      to.path = read_whole<PathIndex>(gain.at("call_path"));
      to.ticks = read_whole<std::uint64_t>(gain.at("ticks"));
      const auto& iterations = gain.at("iterations");
      to.iterations = {read_whole<std::uint64_t>(iterations.at(0)),
                       read_whole<std::uint64_t>(iterations.at(1)),
                       read_whole<std::uint64_t>(iterations.at(2))};
      if (kind >= ProgramGain::kinds || to.path > frame_.profiles.paths.size())
        refuse_program("it has a gain of something that is not there");
      to.kind = static_cast<ProgramGain::Kind>(kind);
      check_list(gain.at("who"));
      for (const auto& one_of : gain["who"]) {
        const auto p = read_whole<std::uint64_t>(one_of);
        if (p >= processes_)
          refuse_program("it has a gain of processes that are not there");
        to.who.push_back(static_cast<std::size_t>(p));
      }
    }
  }
}

std::optional<std::vector<ProgramFileUse>> StoredProgram::read_files() const {
  const auto listed = file_.about().find("files");
  if (is_cut_)
    return std::nullopt;
  std::vector<ProgramFileUse> out;
  if (listed == file_.about().end())
    return out;
  read_checked([&] {
    check_list(*listed);
    if (listed->size() > ProgramFileUse::most + 1)
      refuse_program("it has too many files");
    for (const auto& one : *listed) {
      auto& file = out.emplace_back();
      const auto read = [&](const char* field) -> FileAmounts {
        const auto& of = one.at(field);
        return {read_whole<std::uint64_t>(of.at(0)), read_whole<std::uint64_t>(of.at(1)),
                read_whole<std::uint64_t>(of.at(2)), read_whole<std::uint64_t>(of.at(3))};
      };
      file.name = one.at("name").get<std::string>();
      file.files = read_whole<std::uint64_t>(one.at("files"));
      file.operations = {read("read"), read("written"), read("other")};
      file.count = read_whole<std::uint64_t>(one.at("count"));
      file.who = one.at("who").get<std::string>();
      if (file.who.size() > ProgramFileUse::longest_who || file.count > processes_)
        refuse_program("it has a file of processes that are not there");
      read_true(file.who, processes_);
    }
  });
  return out;
}

std::vector<ProgramDevices> StoredProgram::read_devices() const {
  std::vector<ProgramDevices> out;
  const auto listed = file_.about().find("devices");
  if (is_cut_ || listed == file_.about().end())
    return out;
  read_checked([&] {
    check_list(*listed);
    if (listed->size() > scopes_.size() + 1)
      refuse_program("it has devices in too many parts");
    for (const auto& one : *listed) {
      auto& of = out.emplace_back();
      of.part = one.at("part").get<std::string>();
      for (const auto& [name, number] : device_numbers)
        of.*number = read_whole<std::uint64_t>(one.at(name));
      check_list(one.at("hosts"));
      for (const auto& host : one["hosts"]) {
        const auto path = read_whole<PathIndex>(host.at(0));
        if (path >= frame_.profiles.paths.size())
          refuse_program("it has a host in a call path that is not there");
        of.hosts[path] = read_whole<std::uint64_t>(host.at(1));
      }
    }
  });
  return out;
}

std::uint64_t StoredProgram::count_numbers() const {
  std::uint64_t numbers = 0;
  for (const auto& table : file_.tables())
    numbers += table.rows * table.columns;
  return numbers;
}

void StoredProgram::read_loops() {
  Room room(most_stored_lengths, "it has too many loops");
  for (std::size_t l = 0; l < most_stored_loops; ++l) {
    const auto name = fmt::format("loop {}/iterations", l);
    if (!file_.find(name))
      break;
    room.take(processes_);
    loops_.push_back(read_field(name));
    const auto& lengths = loops_.back();
    longest_.push_back(lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end()));
    if (longest_.back() > most_fold_iterations)
      refuse_program("it has too many iterations");
    if (has_iterations() &&
        count_columns(l) > most_profiles_numbers_read / std::max<std::size_t>(processes_, 1))
      refuse_program("it has too many iterations of all processes");
  }
}

void StoredProgram::read_maps() {
  const auto listed = file_.about().find("maps");
  if (listed == file_.about().end())
    return;
  const auto count = read_whole<std::size_t>(*listed);
  if (count != loops_.size())
    refuse_program("it has another number of maps than of loops");
  has_maps_ = true;
  for (std::size_t m = 0; m < count; ++m)
    maps_.push_back(make_map(m));
}

StoredMap StoredProgram::make_map(std::size_t number) const {
  StoredMap map;
  map.places.resize(processes_);
  const auto of_loop = name_map_table(number, "loop");
  if (!file_.find(of_loop)) {
    for (std::size_t p = 0; p < processes_; ++p)
      if (loops_[number][p] > 0)
        map.places[p] = number;
    map.whole_loop = number;
    map.longest = longest_[number];
    return map;
  }

  const auto loops = read_field(of_loop);
  for (std::size_t p = 0; p < processes_; ++p) {
    map.places[p] = none_if_zero(loops[p]);
    if (!map.places[p])
      continue;
    if (*map.places[p] >= loops_.size() || loops_[*map.places[p]][p] == 0)
      refuse_program("it has maps of loops that are not there");
    map.longest = std::max(map.longest, loops_[*map.places[p]][p]);
  }
  const auto of_iterations = name_map_table(number, "iterations");
  if (file_.find(of_iterations)) {
    map.iterations = read_field(of_iterations);
    for (std::size_t p = 0; p < processes_; ++p) {
      if (map.iterations[p] > most_fold_iterations || (map.iterations[p] > 0 && map.places[p]))
        refuse_program("its maps have loops that do not fit");
      map.longest_own = std::max(map.longest_own, map.iterations[p]);
    }
    map.longest = std::max(map.longest, map.longest_own);
    if (has_iterations() && count_series_columns(map.longest_own, detail_) >
                                most_profiles_numbers_read / std::max<std::size_t>(processes_, 1))
      refuse_program("it has too many iterations of all processes");
  }
  if (map.longest_own > 0)
    return map;

  const auto first = std::find_if(map.places.begin(), map.places.end(),
                                  [](const auto& place) { return place.has_value(); });
  if (first == map.places.end())
    return map;
  bool is_whole = true;
  for (std::size_t p = 0; p < processes_; ++p)
    is_whole &= map.places[p] == (loops_[**first][p] > 0 ? *first : std::nullopt);
  if (is_whole)
    map.whole_loop = *first;
  return map;
}

const ProfilesTable& StoredProgram::check_size(const std::string& name, std::size_t rows,
                                               std::size_t columns) const {
  const auto* table = file_.find(name);
  if (!table || table->rows != rows || table->columns != columns)
    refuse_program(fmt::format("table '{}' is missing, or has another size", name));
  return *table;
}

std::vector<std::uint64_t> StoredProgram::read_table(const std::string& name, std::size_t rows,
                                                     std::size_t columns) const {
  return file_.read(check_size(name, rows, columns));
}

std::vector<std::uint64_t> StoredProgram::read_field(const std::string& name) const {
  return read_table(name, processes_, 1);
}

std::vector<bool> StoredProgram::find_unknown_counter(std::size_t column) const {
  if (!columns().counter(column))
    return {};
  const auto name = name_unknown_table(columns(), column);
  if (!file_.find(name))
    return {};
  const auto flags = read_field(name);
  return {flags.begin(), flags.end()};
}

std::vector<std::uint64_t> StoredProgram::read_alike() const {
  return file_.find(alike_table) ? read_field(alike_table) : std::vector<std::uint64_t>();
}

std::vector<Process> StoredProgram::read_processes() const {
  const auto locations = read_field("process/location"), ranks = read_field("process/rank"),
             threads = read_field("process/thread"), creators = read_field("process/creator"),
             endpoints = read_field("process/is MPI endpoint"),
             events = read_field("process/events");
  const auto early_ends = file_.find("process/ends early") ? read_field("process/ends early")
                                                           : std::vector<std::uint64_t>(processes_);
  auto out = read_checked(
      [&] { return named_processes_from_json(file_.about().at("named"), processes_); });
  if (out.size() != processes_)
    refuse_program("it names another number of processes");
  for (std::size_t p = 0; p < processes_; ++p) {
    if (out[p].id != locations[p])
      refuse_program("it names other processes");
    out[p].rank = none_if_zero(ranks[p]);
    out[p].thread = threads[p];
    out[p].creator = none_if_zero(creators[p]);
    out[p].is_mpi_endpoint = endpoints[p] != 0;
    out[p].events = events[p];
    out[p].ends_early = none_if_zero(early_ends[p]);
  }

  return out;
}

std::vector<Intent> StoredProgram::read_kinds() const {
  return read_checked([&] {
    const auto lists =
        file_.about().at("recorded_metrics").get<std::vector<std::vector<std::string>>>();
    const auto types = read_field("process/type"), numbers = read_field("process/metrics");
    std::vector<std::uint64_t> bytes;
    for (const auto& list : lists)
      bytes.push_back(count_bytes(list));
    Room room(most_stored_name_bytes, "its processes record too many metrics");
    for (auto number : numbers) {
      if (number >= lists.size())
        refuse_program("it names a list of metrics that it does not have");
      room.take(bytes[number]);
    }

    std::vector<Intent> out;
    for (std::size_t p = 0; p < processes_; ++p)
      out.push_back({types[p], {}, lists[numbers[p]]});
    return out;
  });
}

std::vector<ProgramTopology> StoredProgram::read_topologies() const {
  std::vector<ProgramTopology> out;
  read_checked([&] {
    const auto listed = file_.about().find("topologies");
    if (listed == file_.about().end())
      return;
    Room room(most_stored_places, "its topologies are too large");
    for (const auto& entry : *listed) {
      auto& topology = out.emplace_back();
      topology.name = entry.at("name").get<std::string>();
      for (const auto& axis : entry.at("axes"))
        topology.axes.push_back({axis.at("name").get<std::string>(),
                                 read_whole<std::uint64_t>(axis.at("size")),
                                 axis.at("periodic").get<bool>()});
      room.take(processes_ * topology.axes.size());
      topology.places =
          read_table(name_topology_table(out.size() - 1), processes_, topology.axes.size());
      check_places(topology);
    }
  });

  return out;
}

Aggregates StoredProgram::read_frame() const {
  auto out = frame_;
  out.locations = read_field("process/location");
  if (std::adjacent_find(out.locations.begin(), out.locations.end(), std::greater_equal()) !=
      out.locations.end())
    refuse_program("processes are not in ascending order");

  auto& profiles = out.profiles;
  for (auto shape : read_field("process/call paths")) {
    if (shape >= profiles.shapes.size())
      refuse_program("it names a set of call paths that it does not have");
    profiles.processes.push_back({static_cast<std::uint32_t>(shape), {}});
  }

  return out;
}

Aggregates StoredProgram::read_calls(StoredColumns which) const {
  auto out = read_frame();
  auto& profiles = out.profiles;
  if (which == StoredColumns::time_and_visits)
    profiles.columns = {{Metric::execution_time, Metric::visits}, {}};

  const auto width = profiles.columns.size();
  Room room(most_stored_values, "its call paths are too many");
  for (const auto& process : profiles.processes)
    room.take(profiles.shapes[process.shape].paths.size() * width);
  for (auto& process : profiles.processes)
    process.values.resize(profiles.shapes[process.shape].paths.size() * width);

  for (std::size_t c = 0; c < width; ++c) {
    if (!is_stored_column(profiles.columns, c))
      continue;
    const auto name = name_stored_column(profiles.columns, c);
    if (const auto* table = file_.find("calls/" + name))
      put_calls(*table, c, profiles);
    if (!file_.find("outside/" + name))
      continue;
    const auto recorded = read_field("outside/" + name);
    for (std::size_t p = 0; p < processes_; ++p) {
      auto& outside = profiles.processes[p].outside;
      if (recorded[p] == 0)
        continue;
      if (outside.empty()) {
        room.take(width);
        outside.resize(width);
      }
      outside[c] = recorded[p];
    }
  }
  if (which == StoredColumns::all)
    fill_time_parts(out.time_metrics, profiles);

  return out;
}

void StoredProgram::read_scopes() {
  const auto listed = file_.about().find("scopes");
  if (listed == file_.about().end())
    return;
  check_list(*listed);
  const auto paths = frame_.profiles.paths.size();
  for (const auto& entry : *listed) {
    if (scopes_.size() == most_stored_scopes)
      refuse_program("it has too many scopes");
    scopes_.push_back({entry.at("name").get<std::string>(),
                       read_true(entry.at("inside").get<std::string>(), paths)});
  }
}

void StoredProgram::list_path_series() {
  const auto listed = file_.about().find("series_of_call_paths");
  if (listed == file_.about().end())
    return;
  check_list(*listed);
  if (!has_iterations() && !listed->empty())
    refuse_program("it has series of call paths, and no iterations");
  if (listed->size() > loops_.size())
    refuse_program("it has series of loops that it does not have");
  for (const auto& paths : *listed) {
    auto& of_loop = path_series_.emplace_back();
    for (auto path : parse_ranges(paths.get<std::string>(), most_stored_series)) {
      if (path >= frame_.profiles.paths.size())
        refuse_program("it lists what is not there");
      of_loop.push_back(static_cast<PathIndex>(path));
    }
  }
}

bool StoredProgram::has_path_series(std::size_t loop, PathIndex path) const {
  return loop < path_series_.size() &&
         std::binary_search(path_series_[loop].begin(), path_series_[loop].end(), path);
}

std::optional<std::size_t> StoredProgram::find_scope(std::string_view name) const {
  const auto found = std::find_if(scopes_.begin(), scopes_.end(),
                                  [&](const StoredScope& scope) { return scope.name == name; });
  return found == scopes_.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - scopes_.begin()));
}

std::vector<Interval> StoredProgram::read_intervals(const std::string& begin,
                                                    const std::string& end) const {
  const auto begins = read_field(begin), ends = read_field(end);
  std::vector<Interval> out;
  for (std::size_t p = 0; p < processes_; ++p)
    out.push_back({begins[p], ends[p]});
  return out;
}

std::uint64_t StoredProgram::count_early_messages() const {
  if (!file_.find("process/early messages"))
    return 0;
  const auto early = read_field("process/early messages");
  return std::accumulate(early.begin(), early.end(), std::uint64_t{0});
}

std::vector<Interval> StoredProgram::read_lives() const {
  return read_intervals("process/first time", "process/last time");
}

std::optional<std::vector<Interval>> StoredProgram::read_intervals(std::size_t scope) const {
  const auto begin = name_scope_table(scope, "begin");
  if (!file_.find(begin))
    return std::nullopt;
  return read_intervals(begin, name_scope_table(scope, "end"));
}

std::vector<Interval> StoredProgram::read_mpi_intervals() const {
  const auto scope = find_scope(ProgramScope::mpi);
  if (!scope)
    return read_lives();
  return read_intervals(name_scope_table(*scope, "begin"), name_scope_table(*scope, "end"));
}

std::vector<std::uint64_t> StoredProgram::read_set_aside(const SetAsideKind& kind,
                                                         std::optional<std::size_t> scope) const {
  const auto name = name_set_aside_table(scope, kind.name);
  return file_.find(name) ? read_field(name) : std::vector<std::uint64_t>();
}

std::vector<std::string> StoredProgram::read_nodes() const {
  return read_checked([&] {
    const auto names = file_.about().at("nodes").get<std::vector<std::string>>();
    const auto numbers = read_field("process/node");
    Room room(most_stored_name_bytes, "its processes run on nodes with too long names");
    std::vector<std::string> out;
    for (auto number : numbers) {
      if (number >= names.size())
        refuse_program("it names a node that it does not have");
      room.take(names[number].size());
      out.push_back(names[number]);
    }
    return out;
  });
}

Aggregates StoredProgram::read_scope(std::size_t scope, StoredColumns which) const {
  auto out = read_calls(which);
  auto& profiles = out.profiles;
  const auto width = profiles.columns.size();
  for (auto& process : profiles.processes) {
    process.outside.clear();
    const auto& paths = profiles.shapes[process.shape].paths;
    for (std::size_t k = 0; k < paths.size(); ++k)
      if (!scopes_[scope].is_inside[paths[k]])
        std::fill_n(process.values.begin() + static_cast<std::ptrdiff_t>(k * width), width, 0);
  }
  for (std::size_t c = 0; c < width; ++c)
    if (const auto* table =
            is_stored_column(profiles.columns, c)
                ? file_.find(name_scope_table(scope, name_stored_column(profiles.columns, c)))
                : nullptr)
      put_calls(*table, c, profiles);
  if (which == StoredColumns::all)
    fill_time_parts(out.time_metrics, profiles);

  return out;
}

void StoredProgram::check_paths(const ProfilesTable& table) const {
  if (table.rows != processes_)
    refuse_program(fmt::format("table '{}' is of other processes", table.name));
  const auto end = table.labels.empty() ? table.columns : std::uint64_t{table.labels.back()} + 1;
  if (end > frame_.profiles.paths.size())
    refuse_program(fmt::format("table '{}' is of call paths that are not there", table.name));
}

// By call path its place in a table.
std::vector<std::size_t> StoredProgram::list_places(const ProfilesTable& table) const {
  check_paths(table);
  std::vector<std::size_t> place(frame_.profiles.paths.size(), no_place);
  for (std::size_t k = 0; k < table.columns; ++k)
    place[table.labels.empty() ? k : table.labels[k]] = k;

  return place;
}

void StoredProgram::put_calls(const ProfilesTable& table, std::size_t column,
                              CallPathProfiles& profiles) const {
  const auto place = list_places(table);
  const auto width = profiles.columns.size();
  TableRows rows(file_, table);
  for (std::size_t p = 0; p < processes_; ++p) {
    const auto values = rows[p];
    const auto& paths = profiles.shape(p).paths;
    for (std::size_t k = 0; k < paths.size(); ++k)
      if (place[paths[k]] != no_place)
        profiles.processes[p].values[k * width + column] = values[place[paths[k]]];
  }
}

ProgramSeries StoredProgram::read_series(std::size_t loop, std::size_t column) const {
  return read_series(name_series(loop, column), count_columns(loop));
}

ProgramSeries StoredProgram::read_path_series(std::size_t loop, PathIndex path,
                                              std::size_t column) const {
  return read_series(name_path_series(loop, path, name_stored_column(columns(), column)),
                     count_columns(loop));
}

ProgramSeries StoredProgram::read_map_series(std::size_t map, std::size_t column) const {
  if (!has_iterations())
    refuse_program("it has no iterations");
  return read_series(name_map_series(map, column),
                     count_series_columns(maps_.at(map).longest_own, detail_),
                     HasSums::of_processes);
}

std::optional<std::vector<std::uint64_t>> StoredProgram::read_map_sums(std::size_t map,
                                                                       std::size_t column) const {
  const auto& of = maps_.at(map);
  if (!has_iterations())
    refuse_program("it has no iterations");
  if (of.whole_loop) {
    auto sums = read_series(*of.whole_loop, column).of_column;
    return sums.empty() && count_columns(*of.whole_loop) > 0 ? std::nullopt
                                                             : std::optional(std::move(sums));
  }

  const auto columns = count_series_columns(of.longest, detail_);
  if (const auto name = name_map_series(map, column) + "/by iteration"; file_.find(name))
    return read_table(name, 1, columns);
  std::vector<std::uint64_t> sums(columns);
  const auto add = [&](const ProgramSeries& series, std::size_t process) {
    if (series.values.empty())
      return;
    const auto row = std::span(series.values).subspan(process * series.columns, series.columns);
    for (std::size_t k = 0; k < std::min(row.size(), columns); ++k)
      sums[k] += row[k];
  };
  const bool has_error = !is_count(this->columns().kind(column)) && detail_.percent > 0;
  if (has_error)
    return is_cut_ ? std::nullopt : std::optional(std::move(sums));
  for (std::size_t l = 0; l < loops_.size(); ++l) {
    if (std::find(of.places.begin(), of.places.end(), l) == of.places.end())
      continue;
    const auto series = read_series(l, column);
    for (std::size_t p = 0; p < processes_; ++p)
      if (of.places[p] == l)
        add(series, p);
  }
  if (!of.iterations.empty()) {
    const auto own = read_map_series(map, column);
    for (std::size_t p = 0; p < processes_; ++p)
      if (of.iterations[p] > 0)
        add(own, p);
  }
  return sums;
}

ProgramSeries StoredProgram::read_series(const std::string& name, std::size_t columns,
                                         HasSums sums) const {
  ProgramSeries out;
  out.columns = columns;
  const auto* table = file_.find(name);
  if (table)
    check_columns(*table, out.columns, sums);
  out.of_process.resize(processes_);
  out.of_column.resize(out.columns);
  if (!table)
    return out;

  out.values = file_.read(*table);
  if (table->percent > 0) {
    out.of_process = read_field(name + "/by process");
    if (is_cut_ || sums == HasSums::of_processes)
      out.of_column.clear();
    else
      out.of_column = read_table(name + "/by iteration", 1, out.columns);
    return out;
  }
  for (std::size_t p = 0; p < processes_; ++p)
    for (std::size_t k = 0; k < out.columns; ++k) {
      out.of_process[p] += out.values[p * out.columns + k];
      out.of_column[k] += out.values[p * out.columns + k];
    }

  return out;
}

// Adds the values of some processes, one after the other, from the first one on.
void StoredProgram::add_rows(std::size_t loop, Metric metric, std::size_t first,
                             std::vector<std::uint64_t>& sums) const {
  const auto columns = count_columns(loop);
  const auto* table = file_.find(name_series(loop, *this->columns().find(metric)));
  if (!table || columns == 0)
    return;

  check_columns(*table, columns, HasSums::of_all);
  const auto values = file_.read_rows(*table, first, sums.size() / columns);
  std::transform(values.begin(), values.end(), sums.begin(), sums.begin(), std::plus());
}

void StoredProgram::visit_times(std::size_t loop, const VisitTimes& visit) const {
  constexpr std::size_t most_numbers = std::size_t{1} << 22;
  const auto width = count_columns(loop);
  const auto together = std::max<std::size_t>(most_numbers / std::max<std::size_t>(width, 1), 1);
  for (std::size_t first = 0; first < processes_; first += together) {
    const auto count = std::min(together, processes_ - first);
    std::vector<std::uint64_t> computation(count * width), waiting(count * width);
    add_rows(loop, Metric::execution_time, first, computation);
    for (auto wait : columns().list_waits())
      add_rows(loop, wait, first, waiting);

    for (std::size_t k = 0; k < count; ++k) {
      const auto begin = static_cast<std::ptrdiff_t>(k * width);
      const auto end = begin + static_cast<std::ptrdiff_t>(loops_[loop][first + k]);
      visit(first + k, {computation.begin() + begin, computation.begin() + end},
            {waiting.begin() + begin, waiting.begin() + end});
    }
  }
}

std::string StoredProgram::name_series(std::size_t loop, std::size_t column) const {
  return fmt::format("loop {}/{}", loop, name_series_column(columns(), column));
}

std::string StoredProgram::name_map_series(std::size_t map, std::size_t column) const {
  return name_map_table(map, name_series_column(columns(), column));
}

std::size_t StoredProgram::count_columns(std::size_t loop) const {
  if (detail_.iterations_per_column == 0)
    refuse_program("it has no iterations");
  return count_series_columns(longest_.at(loop), detail_);
}

void StoredProgram::check_series(const ProfilesTable& table) const {
  const auto loop = find_series_loop(table.name);
  if (!loop || *loop >= loops_.size())
    refuse_program(fmt::format("table '{}' is of a loop that is not there", table.name));
  check_columns(table, count_columns(*loop), HasSums::of_all);
}

void StoredProgram::check_map_series(const ProfilesTable& table) const {
  const auto map = find_series_map(table.name);
  if (!map || *map >= maps_.size() || !has_iterations() || maps_[*map].iterations.empty())
    refuse_program(fmt::format("table '{}' is of a map that is not there", table.name));
  check_columns(table, count_series_columns(maps_[*map].longest_own, detail_),
                HasSums::of_processes);
}

void StoredProgram::check_columns(const ProfilesTable& table, std::size_t columns,
                                  HasSums sums) const {
  if (table.columns != columns)
    refuse_program(fmt::format("table '{}' has another number of iterations", table.name));
  check_size(table.name, processes_, columns);
  if (table.percent > 0) {
    check_size(table.name + "/by process", processes_, 1);
    if (!is_cut_ && sums == HasSums::of_all)
      check_size(table.name + "/by iteration", 1, columns);
  }
}

void StoredProgram::check() const {
  read_pairs();
  read_delays();
  read_replays();
  read_sequences();
  read_files();
  read_devices();
  for (auto metric : columns().list_waits())
    read_caused(metric);
  read_processes();
  read_kinds();
  read_alike();
  read_topologies();
  read_calls(StoredColumns::time_and_visits);
  read_mpi_intervals();
  read_nodes();
  for (std::size_t s = 0; s < scopes_.size(); ++s)
    read_intervals(s);
  for (const auto& table : file_.tables()) {
    if (is_sum_over_processes(table.name))
      continue;
    if (find_series_loop(table.name))
      check_series(table);
    else if (find_series_map(table.name))
      check_map_series(table);
    else if (has_call_paths(table.name))
      check_paths(table);
    else if (is_outside(table.name) || is_of_set_aside(table.name))
      check_size(table.name, processes_, 1);
  }
  for (const auto& table : file_.tables()) {
    TableRows rows(file_, table);
    for (std::uint64_t row = 0; row < table.rows; row += rows.together())
      rows[static_cast<std::size_t>(row)];
  }
}

}  // namespace tracefold
