#include "emitters/messages/skeleton_formats.hpp"

#include "emitters/layout.hpp"
#include "model/plan.hpp"

#include <gmock/gmock.h>

namespace tracefold::skeleton_formats_test {

using ::testing::HasSubstr;
using ::testing::Not;

Plan make_plan() {
  Plan plan;
  for (std::uint64_t rank = 0; rank < 4; ++rank) {
    auto& process = plan.processes.emplace_back();
    process.id = rank;
    process.rank = rank;
  }
  plan.groups.emplace(2);
  plan.groups->at(0).members = {0};
  plan.groups->at(1).members = {1, 2, 3};
  return plan;
}

std::vector<Skeleton> make_skeletons() {
  const SkeletonLine send{1,    1,     "Send", "-1", "main > exchange > MPI_Send", {{100, 2048}},
                          1e-6, 25e-8, true};
  const SkeletonLine wait{0, 9, "Wait", "", "main > MPI_Wait", {}, 2e-6, 1e-6};
  return {{0, 1, 0, {{.call = "Barrier", .call_path = "MPI_Barrier"}}, {}},
          {1, 3, 0, {{.depth = 0, .count = 147}, send}, {wait}}};
}

TEST(SkeletonTable, IndentsWhatRepeats) {
  const auto table = to_skeleton_table(make_plan(), make_skeletons());
  EXPECT_THAT(table, HasSubstr("group 1: like rank 1 (3 processes: 1-3)\n"
                               "program      bytes              time     waiting  called in\n"
                               "147 ×\n"
                               "  Send -1 *  100 bytes–2.0 KiB  1.00 us  250 ns   main > exchange\n"
                               "(9 × Wait)                      2.00 us  1.00 us  main\n"));
  // The larger group comes first.
  EXPECT_LT(table.find("group 1"), table.find("group 0"));
  EXPECT_THAT(table, HasSubstr("*: the loops beside it"));
  EXPECT_THAT(table, HasSubstr("in brackets"));

  auto plain = make_skeletons();
  plain.pop_back();
  EXPECT_THAT(to_skeleton_table(make_plan(), plain), Not(HasSubstr("*")));
  EXPECT_EQ(to_skeleton_table(make_plan(), {}), "no process communicates\n");
}

TEST(SkeletonTable, LeavesOutLinesWhereNotAllIsShown) {
  auto skeletons = make_skeletons();
  skeletons[0].lines.resize(120, skeletons[0].lines[0]);
  const TextLayoutScope narrow({.columns = 80, .is_wide = false});
  EXPECT_THAT(to_skeleton_table(make_plan(), skeletons), HasSubstr("and 60 lines more"));
}

TEST(SkeletonCsv, HasALineForEachLine) {
  EXPECT_EQ(to_skeleton_csv(make_skeletons()),
            "group,depth,count,call,partner,least_bytes,most_bytes,mean_seconds,"
            "mean_waiting_seconds,differs,call_path\r\n"
            "0,0,1,Barrier,,,,,,0,MPI_Barrier\r\n"
            "1,0,147,,,,,,,0,\r\n"
            "1,1,1,Send,-1,100,2048,1e-06,2.5e-07,1,main > exchange > MPI_Send\r\n"
            "1,,9,Wait,,,,2e-06,1e-06,0,main > MPI_Wait\r\n");
}

}  // namespace tracefold::skeleton_formats_test
