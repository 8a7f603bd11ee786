#include "pipeline/jobs/job_outcome.hpp"

#include <gmock/gmock.h>

namespace tracefold::job_outcome_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(JobOutcome, IsTheSameWhenItIsUnpacked) {
  JobOutcome outcome;
  outcome.status = JobStatus::changing;
  outcome.bytes = 0;
  outcome.is_deleted = true;
  outcome.warnings = {"one", "two\nlines"};
  outcome.message = "\"quoted\"";
  const auto line = pack_outcome(outcome);
  EXPECT_THAT(line, Not(HasSubstr("\n")));

  const auto back = unpack_outcome(line);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->status, JobStatus::changing);
  EXPECT_EQ(back->bytes, 0u);
  EXPECT_EQ(back->small_bytes, std::nullopt);
  EXPECT_TRUE(back->is_deleted);
  EXPECT_THAT(back->warnings, ElementsAre("one", "two\nlines"));
  EXPECT_EQ(back->message, "\"quoted\"");
}

TEST(JobOutcome, HoldsAnyBytesAsText) {
  JobOutcome outcome;
  outcome.message = "\xff of a name";
  const auto back = unpack_outcome(pack_outcome(outcome));
  ASSERT_TRUE(back);
  EXPECT_THAT(back->message, HasSubstr(" of a name"));
}

TEST(JobOutcome, IsNoneWhereALineIsNone) {
  for (const auto* line : {"", "{", "[]", R"({"status":0})", R"({"status":99})"})
    EXPECT_FALSE(unpack_outcome(line)) << line;
}

TEST(JobOutcome, HasAWordForEachStatus) {
  EXPECT_EQ(to_text(JobStatus::done), "done");
  EXPECT_EQ(to_text(JobStatus::changing), "changing");
  EXPECT_EQ(to_text(JobStatus::own), "own");
}

}  // namespace tracefold::job_outcome_test
