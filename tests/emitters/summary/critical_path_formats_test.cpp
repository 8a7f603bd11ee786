#include "emitters/summary/critical_path_formats.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace tracefold::critical_path_formats_test {

using ::testing::HasSubstr;
using ::testing::Not;

// Half of the path is on rank 1, a quarter on rank 0.
Summary make_summary() {
  Summary run;
  for (std::uint64_t rank = 0; rank < 2; ++rank) {
    Process process;
    process.id = rank;
    process.rank = rank;
    run.processes.push_back(process);
  }
  run.critical = CriticalTimes{8, 2, {}, {3, 3, 1, 2}};
  run.critical->calls = {{"solve", 4, 0.5, 1, 1, 0.9}, {"pack", 2, 0.25, 0, 0, 0.5}};
  return run;
}

TEST(CriticalPathFormats, JoinsSlotsOfOneProcess) {
  const auto stays = list_stays(*make_summary().critical);
  ASSERT_EQ(stays.size(), 3);
  EXPECT_EQ(stays[0].place, 3);
  EXPECT_EQ(stays[0].until, 0.5);
  EXPECT_EQ(stays[1].place, CriticalPath::on_network);
  EXPECT_EQ(stays[2].from, 0.75);
}

TEST(CriticalPathFormats, SaysWhoHasMostOfIt) {
  EXPECT_EQ(describe_critical_processes(make_summary()),
            "rank 1: 50 %, network: 25 %, rank 0: 25 %");
  const auto table = critical_path_to_table(make_summary(), 1);
  EXPECT_THAT(table, HasSubstr("25 % of it network"));
  EXPECT_THAT(table, HasSubstr("rank 1: 90 %"));
  EXPECT_THAT(table, Not(HasSubstr("pack")));
  EXPECT_THAT(critical_path_to_table(make_summary(), 0), HasSubstr("pack"));
}

TEST(CriticalPathFormats, JsonHasItOverTime) {
  const auto json = nlohmann::json::parse(critical_path_to_json(make_summary()));
  EXPECT_EQ(json["over_time"][0]["process"], "rank 1");
  EXPECT_EQ(json["over_time"][1]["process"], "network");
  EXPECT_EQ(json["over_time"][2]["until"], 1);
  EXPECT_EQ(json["calls"].size(), 2);
  EXPECT_TRUE(make_critical({}).is_null());
}

}  // namespace tracefold::critical_path_formats_test
