#include "pipeline/rewrite/estimate.hpp"

#include "base/error.hpp"
#include "filters/groups/group.hpp"
#include "filters/groups/select.hpp"
#include "model/plan.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "tests/support/every_record.hpp"
#include "tests/support/repeated_records.hpp"

#include <gmock/gmock.h>

#include <utility>
#include <vector>

namespace tracefold::estimate_test {

TEST(Estimate, RefusesWhatDoesNotFitOnTheDevice) {
  EXPECT_NO_THROW(check_free_space(1000, 1000));
  try {
    check_free_space(1001, 1000);
    FAIL() << "there is no room";
  } catch (const Error& problem) {
    EXPECT_EQ(problem.kind(), ErrorKind::output);
  }
}

TEST(Estimate, CountsWhatARewriteWrites) {
  const testing::TestFolder folder;
  write_archive(testing::every_record(), folder.path());
  Diagnostics ignored;
  const Archive archive((folder.path() / "traces.otf2").string(), ignored);
  auto plan = make_plan(archive, {});
  add_profiles(plan, archive, {}, ignored);
  group(plan, 0);
  select(plan, {});

  const auto at_a_glance = estimate_bytes(archive, plan, to_json(plan).size());
  const auto estimate = estimate_rewrite(archive, plan, {}, {}, {}, ignored);
  const auto done = rewrite(archive, plan, folder.path() / "small", {}, {}, ignored);
  EXPECT_TRUE(estimate.is_estimate);
  EXPECT_EQ(estimate.locations, done.locations);
  EXPECT_EQ(estimate.events, done.events);
  EXPECT_EQ(estimate.cut, done.cut);
  EXPECT_GT(estimate.bytes, done.bytes / 2);
  EXPECT_LT(estimate.bytes, done.bytes * 2);
  EXPECT_GE(at_a_glance, estimate.bytes);
  EXPECT_LT(at_a_glance, done.bytes * 2);
}

TEST(Estimate, IsSmallWhereFiltersLeaveLittle) {
  const testing::TestFolder folder;
  write_archive(testing::repeat_every_record(), folder.path());
  Diagnostics ignored;
  const Archive archive((folder.path() / "traces.otf2").string(), ignored);
  const auto estimate = [&](std::vector<FilterSection> filters) {
    auto plan = make_plan(archive, std::move(filters));
    add_profiles(plan, archive, {}, ignored);
    return std::pair(estimate_bytes(archive, plan, to_json(plan).size()),
                     estimate_rewrite(archive, plan, {}, {}, {}, ignored));
  };

  const auto all = estimate({});
  const auto some = estimate({FilterSection{{"*"}, {}, {}}});
  EXPECT_LT(some.first, all.first);
  EXPECT_LT(some.second.events, all.second.events);
  EXPECT_GT(some.first, some.second.bytes / 2);
}

}  // namespace tracefold::estimate_test
