// What a team makes of a program, of which each member has the rows of some processes.
#include "model/plan.hpp"
#include "pipeline/facts/member_times.hpp"
#include "pipeline/facts/pack_program.hpp"
#include "tests/local_team.hpp"
#include "tests/support/made_program.hpp"

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

namespace tracefold::dealt_program_test {

using ::testing::SizeIs;
using tracefold::testing::run_team;

constexpr std::size_t sizes[] = {1, 2, 3, 5, 8};

// Processes with two loops, with one, and with none; the first stands for those with one.
Plan make_plan() {
  auto plan = testing::make_program({{6, 4}, {6, 4}, {6}, {}, {6, 4}, {6}, {6, 4}});
  auto program = std::make_shared<ProgramProfiles>(*plan.program);
  program->loops[0].begins[0] = {10, 20, 30, 40, 50, 60};
  program->loops[1].begins[0] = {70, 80, 90, 100};
  plan.program = program;
  auto& kept = plan.representatives.emplace().emplace_back();
  kept.process = 0;
  kept.members = {0, 1, 2, 4, 5, 6};
  return plan;
}

// What a member of a team has of it.
Plan leave_others(Plan plan, const Team& team) {
  auto program = std::make_shared<ProgramProfiles>(*plan.program);
  for (std::size_t p = 0; p < program->values.size(); ++p) {
    if (p * 3 % team.size() == team.rank())
      continue;
    const auto leave = [&](PackedRows& rows) { rows = rows.leave_values(); };
    leave(program->values[p]);
    for (auto& scope : program->scopes)
      leave(scope.outside[p]);
    for (auto& loop : program->loops) {
      leave(loop.rows[p]);
      for (auto& series : loop.paths)
        series.rows.erase(p);
    }
  }
  plan.program = program;
  return plan;
}

TEST(DealtProgram, IsPackedAsByOneProcess) {
  const auto plan = make_plan();
  const auto exact = pack_exact_program(plan)->bytes;
  for (const std::uint64_t room : {~std::uint64_t{0}, pack_program(plan, ~0u)->bytes.size() - 1}) {
    const auto alone = pack_program(plan, room);
    for (const auto size : sizes)
      run_team(size, [&](Team& team) {
        const auto part = leave_others(plan, team);
        const auto packed = pack_program(part, room, &team);
        ASSERT_TRUE(packed);
        EXPECT_EQ(packed->detail, alone->detail);
        EXPECT_TRUE(packed->bytes == (team.rank() == 0 ? alone->bytes : "")) << size;
        EXPECT_TRUE(pack_exact_program(part, &team)->bytes == exact) << size;
      });
  }
}

TEST(DealtProgram, HasNoRoomAtAllMembersOrAtNone) {
  const auto plan = make_plan();
  run_team(3,
           [&](Team& team) { EXPECT_FALSE(pack_program(leave_others(plan, team), 100, &team)); });
}

TEST(DealtProgram, TellsTheTimesOfMembersAsOneProcess) {
  const auto plan = make_plan();
  const auto& members = plan.representatives->front().members;
  const auto alone = list_member_times(plan, 0, members);
  ASSERT_THAT(alone, SizeIs(10));
  for (const auto size : sizes)
    run_team(size, [&](Team& team) {
      auto part = leave_others(plan, team);
      auto program = std::make_shared<ProgramProfiles>(*part.program);
      share_member_times(part, team, *program);
      part.program = program;
      EXPECT_EQ(list_member_times(part, 0, members), alone) << size;
    });
}

}  // namespace tracefold::dealt_program_test
