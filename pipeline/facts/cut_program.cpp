#include "pipeline/facts/cut_program.hpp"

#include "base/error.hpp"
#include "model/plan_processes.hpp"
#include "model/program/profiles_writer.hpp"
#include "pipeline/facts/program_tables.hpp"
#include "pipeline/facts/table_rows.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace tracefold {

namespace {

using Json = nlohmann::ordered_json;

std::vector<std::uint32_t> choose_groups(const std::vector<std::uint32_t>& all,
                                         const std::vector<std::size_t>& rows) {
  std::vector<std::uint32_t> groups;
  if (!all.empty())
    for (auto row : rows)
      groups.push_back(all[row]);
  return groups;
}

class ProgramCutter {
 public:
  ProgramCutter(const StoredProgram& stored, std::vector<std::size_t> rows, const Aggregates& all,
                const std::vector<std::uint64_t>& locations)
      : stored_(stored),
        file_(stored.file()),
        rows_(std::move(rows)),
        calls_(keep_locations(all, locations)),
        writer_(choose_groups(file_.groups(), rows_)) {
    number_paths(all.profiles);
  }

  std::string cut() {
    for (const auto& table : file_.tables())
      if (!is_sum_over_processes(table.name) && !is_caused(table.name) &&
          !is_of_pairs(table.name) && !is_of_delays(table.name) &&
          !is_of_critical_path(table.name) && !is_of_sequences(table.name))
        cut_table(table);
    add_pairs();
    return *writer_.finish(make_about());
  }

 private:
  static constexpr auto no_path_left = static_cast<std::uint32_t>(-1);

  void number_paths(const CallPathProfiles& all) {
    std::vector<bool> is_used(all.paths.size());
    for (auto row : rows_)
      for (auto path : all.shape(row).paths)
        is_used[path] = true;
    std::uint32_t next = 0;
    for (std::size_t path = 0; path < is_used.size(); ++path)
      numbers_.push_back(is_used[path] ? next++ : no_path_left);
  }

  // By path that is left.
  std::vector<bool> cut_flags(const std::vector<bool>& of_all) const {
    std::vector<bool> left;
    for (std::size_t path = 0; path < numbers_.size(); ++path)
      if (numbers_[path] != no_path_left)
        left.push_back(of_all[path]);
    return left;
  }

  // Call paths have other numbers now. "": it is of one that is gone.
  std::string choose_name(const std::string& table) const {
    const auto path = find_series_path(table);
    if (!path)
      return table;
    if (*path >= numbers_.size() || numbers_[*path] == no_path_left)
      return {};
    const auto words = fmt::format("/path {}/", *path);
    auto name = table;
    return name.replace(name.find(words), words.size(), fmt::format("/path {}/", numbers_[*path]));
  }

  void cut_table(const ProfilesTable& table) {
    if (table.rows != stored_.size())
      refuse_program(fmt::format("table '{}' is of other processes", table.name));
    const auto name = choose_name(table.name);
    if (name.empty())
      return;
    if (table.name == "process/call paths")
      add_shapes(table);
    else if (has_call_paths(table.name))
      add_paths(table);
    else if (const auto loop = find_series_loop(table.name))
      add_series(name, *loop, table);
    else if (const auto map = find_series_map(table.name))
      add_map_series(name, *map, table);
    else
      add_columns({name, rows_.size(), table.columns, table.percent}, table);
  }

  // Those of which both processes are left.
  void add_pairs() {
    const auto* senders = file_.find(name_pairs_table("sender"));
    const auto pairs = stored_.read_pairs();
    if (!senders || !pairs)
      return;
    std::vector<std::uint64_t> numbers(stored_.size(), no_path_left);
    for (std::size_t p = 0; p < rows_.size(); ++p)
      numbers[rows_[p]] = p;
    std::vector<std::size_t> left;
    for (std::size_t k = 0; k < pairs->size(); ++k)
      if (numbers[(*pairs)[k].sender] != no_path_left &&
          numbers[(*pairs)[k].receiver] != no_path_left)
        left.push_back(k);

    for (const auto& table : file_.tables()) {
      if (!is_of_pairs(table.name))
        continue;
      const bool has_processes =
          table.name == name_pairs_table("sender") || table.name == name_pairs_table("receiver");
      TableRows rows(file_, table);
      writer_.add({table.name, left.size(), table.columns, table.percent},
                  [&](std::size_t k, std::span<std::uint64_t> out) {
                    const auto from = rows[left[k]];
                    std::copy_n(from.begin(), out.size(), out.begin());
                    if (has_processes)
                      out[0] = numbers[static_cast<std::size_t>(from[0])];
                  });
    }
  }

  void add_shapes(const ProfilesTable& table) {
    writer_.add({table.name, rows_.size(), 1, 0}, [&](std::size_t p, std::span<std::uint64_t> out) {
      out[0] = calls_.profiles.processes[p].shape;
    });
  }

  // The call paths that are left.
  void add_paths(const ProfilesTable& table) {
    std::vector<std::size_t> places;
    std::vector<std::uint32_t> labels;
    for (std::size_t k = 0; k < table.columns; ++k) {
      const auto path = table.labels.empty() ? k : table.labels[k];
      if (path < numbers_.size() && numbers_[path] != no_path_left) {
        places.push_back(k);
        labels.push_back(numbers_[path]);
      }
    }
    if (places.empty())
      return;

    TableRows rows(file_, table);
    writer_.add({table.name, rows_.size(), places.size(), table.percent, std::move(labels)},
                [&](std::size_t p, std::span<std::uint64_t> out) {
                  const auto from = rows[rows_[p]];
                  std::transform(places.begin(), places.end(), out.begin(),
                                 [&](std::size_t place) { return from[place]; });
                });
  }

  void add_series(const std::string& name, std::size_t loop, const ProfilesTable& table) {
    stored_.check_series(table);
    add_columns({name, rows_.size(), count_columns(loop), table.percent}, table);
  }

  void add_map_series(const std::string& name, std::size_t map, const ProfilesTable& table) {
    stored_.check_map_series(table);
    add_columns(
        {name, rows_.size(),
         count_series_columns(find_longest(stored_.maps()[map].iterations), stored_.detail()),
         table.percent},
        table);
  }

  // The first columns of a table.
  void add_columns(ProfilesTable cut, const ProfilesTable& table) {
    TableRows rows(file_, table);
    writer_.add(std::move(cut), [&](std::size_t p, std::span<std::uint64_t> out) {
      std::copy_n(rows[rows_[p]].begin(), out.size(), out.begin());
    });
  }

  // How many columns the series of a loop needs for the processes that are left.
  std::size_t count_columns(std::size_t loop) const {
    return count_series_columns(find_longest(stored_.iterations(loop)), stored_.detail());
  }
  std::uint64_t find_longest(const std::vector<std::uint64_t>& iterations) const {
    std::uint64_t longest = 0;
    for (auto row : rows_)
      longest = std::max(longest, iterations[row]);
    return longest;
  }

  Json make_about() const {
    auto about = file_.about();
    const auto all = stored_.read_processes();
    std::vector<Process> left;
    for (auto row : rows_)
      left.push_back(all[row]);
    about["processes"] = left.size();
    about["named"] = named_processes_to_json(left);
    about["calls"] = frame_to_json(calls_);
    about["cut"] = true;
    about["has_delays"] = false;  // whose waiting is left of them is not known
    about.erase("replays");       // all processes take part in these
    about.erase("files");
    about.erase("devices");
    if (about.contains("series_of_call_paths"))
      for (auto& paths : about["series_of_call_paths"])
        paths = list_true(cut_flags(read_true(paths.get<std::string>(), numbers_.size())));
    if (about.contains("scopes"))
      for (std::size_t s = 0; s < stored_.scopes().size(); ++s)
        about["scopes"][s]["inside"] = list_true(cut_flags(stored_.scopes()[s].is_inside));

    return about;
  }

  const StoredProgram& stored_;
  const ProfilesFile& file_;
  std::vector<std::size_t> rows_;       // that are left, ascending
  Aggregates calls_;                    // of these, without values
  std::vector<std::uint32_t> numbers_;  // of call paths, by number before
  ProfilesWriter writer_;
};

}  // namespace

std::string cut_program(const StoredProgram& stored, const std::vector<std::uint64_t>& locations) {
  const auto all = stored.read_frame();
  std::vector<std::size_t> rows;
  for (std::size_t p = 0; p < stored.size(); ++p)
    if (std::binary_search(locations.begin(), locations.end(), all.locations[p]))
      rows.push_back(p);
  if (rows.empty())
    return {};

  try {
    return ProgramCutter(stored, std::move(rows), all, locations).cut();
  } catch (const Error& problem) {
    if (problem.kind() != ErrorKind::output)
      throw;
    throw Error(ErrorKind::input,
                std::string("cannot be cut to some processes: ") + problem.what());
  }
}

}  // namespace tracefold
