// A file of profiles that a team makes is that of one process.
#include "model/program/profiles_writer.hpp"

#include "base/error.hpp"
#include "tests/local_team.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace tracefold::profiles_writer_test {

using ::testing::Each;
using ::testing::IsEmpty;
using tracefold::testing::run_team;

constexpr std::size_t processes = 1'500;

std::uint64_t draw(std::uint64_t row, std::uint64_t column) {
  return (row * 31 + column * 7) % 97 + (row % 5 == 0 ? 1'000'000 : 0);
}

// Tables that everybody knows, whose rows members have in no order, and sums; larger and smaller
// than what is packed at once.
std::string make_file(Team* team) {
  const auto rank = team ? team->rank() : 0, size = team ? team->size() : 1;
  const auto is_here = [&](std::size_t row) { return row * 7 % size == rank; };
  std::vector<std::uint32_t> groups;
  for (std::size_t row = 0; row < processes; ++row)
    groups.push_back(static_cast<std::uint32_t>(row % 4));

  ProfilesWriter writer(std::move(groups), team);
  writer.add({.name = "known", .rows = processes, .columns = 1},
             [&](std::size_t row, std::span<std::uint64_t> out) {
               EXPECT_EQ(rank, 0u) << "only the first member is asked";
               out[0] = draw(row, 0);
             });
  const auto read = [&](std::size_t row, std::span<std::uint64_t> out) {
    EXPECT_TRUE(is_here(row));
    for (std::size_t column = 0; column < out.size(); ++column)
      out[column] = draw(row, column);
  };
  for (const std::uint64_t columns : {0u, 1u, 30u, 2'000u})
    writer.add_dealt({.name = "dealt " + std::to_string(columns),
                      .rows = processes,
                      .columns = columns,
                      .percent = columns == 30 ? 1u : 0u},
                     is_here, read);
  writer.add_dealt({.name = "one row", .rows = 1, .columns = 100'000}, is_here, read);

  // Of each column what this member's rows add up to.
  std::vector<std::uint64_t> sums(300);
  for (std::size_t row = 0; row < processes; ++row)
    for (std::size_t column = 0; is_here(row) && column < sums.size(); ++column)
      sums[column] += draw(row, column);
  writer.add_sums({.name = "sums", .rows = 1, .columns = sums.size()}, sums);
  writer.add_sums({.name = "no sums", .rows = 1, .columns = 0}, {});
  return *writer.finish({{"version", 1}});
}

TEST(ProfilesWriter, MakesTheSameBytesInATeam) {
  const auto alone = make_file(nullptr);
  const ProfilesFile file(alone);
  EXPECT_EQ(file.read(*file.find("sums"))[1], [] {
    std::uint64_t sum = 0;
    for (std::size_t row = 0; row < processes; ++row)
      sum += draw(row, 1);
    return sum;
  }());

  for (const std::size_t size : {1u, 2u, 3u, 5u, 8u}) {
    std::vector<std::string> made(size);
    run_team(size, [&](Team& team) { made[team.rank()] = make_file(&team); });
    EXPECT_TRUE(made.front() == alone) << size;
    made.erase(made.begin());
    EXPECT_THAT(made, Each(IsEmpty()));
  }
}

TEST(ProfilesWriter, GivesNothingWhereBlocksTakeTooMuch) {
  run_team(3, [&](Team& team) {
    for (const std::uint64_t most : {100, 100'000}) {
      ProfilesWriter writer({}, &team);
      writer.add_dealt(
          {.name = "dealt", .rows = 9, .columns = 100},
          [&](std::size_t row) { return row % 3 == team.rank(); },
          [](std::size_t row, std::span<std::uint64_t> out) {
            for (std::size_t column = 0; column < out.size(); ++column)
              out[column] = draw(row, column * column);
          });
      EXPECT_EQ(writer.finish({}, most).has_value(), most > 100);
    }
  });
}

TEST(ProfilesWriter, RefusesTheSameAtEachMember) {
  std::array<int, 3> refused{};
  run_team(refused.size(), [&](Team& team) {
    ProfilesWriter writer({}, &team);
    try {
      writer.add_dealt(
          {.name = "wide", .rows = 2, .columns = most_profiles_columns + 1},
          [](std::size_t) { return true; }, [](std::size_t, std::span<std::uint64_t>) {});
    } catch (const Error& problem) {
      refused[team.rank()] += problem.kind() == ErrorKind::output;
    }
  });
  EXPECT_THAT(refused, Each(1));
}

}  // namespace tracefold::profiles_writer_test
