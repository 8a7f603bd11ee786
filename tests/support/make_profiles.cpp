// Writes FOLDER/tracefold.profiles with tables of many shapes and kinds of numbers, and beside it
// FOLDER/values: what ProfilesFile reads of all of them, 8 bytes each, for readers in other
// languages.
//   make_profiles FOLDER
#include "model/program/profiles_file.hpp"
#include "model/program/profiles_writer.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

namespace {

using namespace tracefold;

constexpr std::size_t processes = 150;

class TableMaker {
 public:
  TableMaker() : writer_(make_groups()) {
    for (std::size_t k = 0; k < 8'000; ++k)
      levels_.push_back(random_() % 100'000);
  }

  template <class Value>
  void add(ProfilesTable table, Value value) {
    writer_.add(std::move(table), [&](std::size_t row, std::span<std::uint64_t> out) {
      for (std::size_t column = 0; column < out.size(); ++column)
        out[column] = value(row, column);
    });
  }

  // One for each prediction, and more.
  void add_all() {
    const auto small = [&](auto...) { return random_() % 50 ? 0 : 1 + random_() % 4; };
    const auto any = [&](auto...) { return random_() >> (random_() % 64); };
    const auto level = [&](std::size_t k) { return levels_[k % levels_.size()]; };
    const auto noise = [&](std::uint64_t most) { return random_() % most; };
    const auto in_group = [&](auto row, auto column) { return level(row % 7 * 1'000 + column); };

    add({.name = "process/rank", .rows = processes, .columns = 1},
        [](auto row, auto) { return row; });
    add({.name = "no rows", .rows = 0, .columns = 5}, any);
    add({.name = "no columns", .rows = 5, .columns = 0}, any);
    add({.name = "calls/visits", .rows = processes, .columns = 700}, small);
    add({.name = "zeros", .rows = processes, .columns = 5'000}, [](auto...) { return 0u; });
    add({.name = "above", .rows = 700, .columns = 150},
        [&](auto row, auto column) { return level(column) + 50 * row + noise(4); });
    add({.name = "before", .rows = 700, .columns = 150},
        [&](auto row, auto column) { return level(row) + 50 * column + noise(4); });
    add({.name = "above and before", .rows = 700, .columns = 150},
        [&](auto row, auto column) { return level(row) + level(column); });
    add({.name = "in group", .rows = processes, .columns = 3'000}, in_group);
    add({.name = "in group and before", .rows = processes, .columns = 3'000},
        [&](auto row, auto column) { return in_group(row, column) + 1'000 * row; });
    add({.name = "level of row", .rows = 700, .columns = 150},
        [&](auto row, auto) { return level(row) + noise(40); });
    add({.name = "level of column", .rows = 700, .columns = 150},
        [&](auto, auto column) { return level(column) + noise(40); });
    add({.name = "of every size", .rows = processes, .columns = 1'030}, any);
    for (const unsigned percent : {1u, 7u, 50u})
      add({.name = "steps of " + std::to_string(percent) + " %",
           .rows = processes,
           .columns = 40,
           .percent = percent},
          any);
    add({.name = "with labels", .rows = 3, .columns = 4, .labels = {7, 9, 11, 1'000'000}}, any);
    add({.name = "long", .rows = 1, .columns = 100'000}, any);
    add({.name = "high", .rows = 100'000, .columns = 1}, small);
  }

  std::string finish() {
    return *writer_.finish({{"version", "1.2"}, {"paths", {"main", "größer"}}});
  }

 private:
  static std::vector<std::uint32_t> make_groups() {
    std::vector<std::uint32_t> groups;
    for (std::uint32_t row = 0; row < processes; ++row)
      groups.push_back(row % 7 * 500'000'000);
    return groups;
  }

  ProfilesWriter writer_;
  std::mt19937_64 random_{1};
  std::vector<std::uint64_t> levels_;
};

void put_values(std::ofstream& out, const std::vector<std::uint64_t>& values) {
  for (const auto value : values)
    for (unsigned k = 0; k < 8; ++k)
      out.put(static_cast<char>(value >> (8 * k) & 0xff));
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    std::fputs("usage: make_profiles FOLDER\n", stderr);
    return 2;
  }
  const std::filesystem::path folder = words[1];
  TableMaker maker;
  maker.add_all();
  const auto bytes = maker.finish();
  std::ofstream(folder / "tracefold.profiles", std::ios::binary) << bytes;

  std::ofstream values(folder / "values", std::ios::binary);
  const ProfilesFile file(bytes);
  for (const auto& table : file.tables())
    put_values(values, file.read(table));
  return values.flush() ? 0 : 1;
}
