// Loops of processes that are searched, and of threads that take theirs from others.
#include "pipeline/iterations/find_loops_pass.hpp"

#include "filters/groups/group.hpp"
#include "filters/groups/select.hpp"
#include "filters/iterations/align_loops.hpp"
#include "model/plan.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

namespace tracefold::find_loops_pass_test {

using ::testing::ElementsAre;
using ::testing::SizeIs;
using testing::TraceBuilder;
using enum EventKind;

constexpr std::uint64_t root = 0, step = 1, work = 2, idle = 3;

// One process of three threads: the first one is idle, the others have loops of other lengths.
class FindLoopsPassTest : public ::testing::Test {
 protected:
  FindLoopsPassTest() {
    builder_.add_region(root, "main").add_region(step, "step").add_region(work, "work");
    builder_.add_region(idle, "idle").add_location_group(0, {0, 1, 2});
    builder_.record(0, Enter, 0, {idle}).record(0, Leave, 10'000, {idle});
    add_loop(1, 5);
    add_loop(2, 6);
    archive_.emplace(builder_.write(folder_.path()));

    plan_ = make_plan(*archive_, {});
    add_profiles(plan_, *archive_, {}, diagnostics_);
    group(plan_, 1);
  }

  void add_loop(std::uint64_t location, std::uint64_t iterations) {
    builder_.record(location, Enter, 0, {root});
    const auto length = 9'000 / iterations;
    for (std::uint64_t i = 0; i < iterations; ++i) {
      const auto begin = 100 + i * length;
      builder_.record(location, Enter, begin, {step}).record(location, Enter, begin + 10, {work});
      builder_.record(location, Leave, begin + length - 50, {work});
      builder_.record(location, Leave, begin + length - 40, {step});
    }
    builder_.record(location, Leave, 10'000, {root});
  }

  std::vector<std::size_t> count_iterations(const std::vector<ProcessLoops>& loops,
                                            std::size_t process) {
    std::vector<std::size_t> counts;
    for (const auto& loop : loops[process].loops)
      counts.push_back(loop.iterations.size());
    return counts;
  }

  testing::TestFolder folder_;
  TraceBuilder builder_;
  Diagnostics diagnostics_;
  std::optional<Archive> archive_;
  Plan plan_;
};

TEST_F(FindLoopsPassTest, FindsTheSameWhicheverThreadsAreSearched) {
  ASSERT_THAT(*plan_.groups, SizeIs(2)) << "the idle thread, and the others";
  const PlannedTrace trace(*archive_, plan_, {}, diagnostics_);
  const auto all = find_loops_pass(trace, {0, 1, 2}, {});
  EXPECT_THAT(count_iterations(all, 0), ElementsAre(5)) << "of the first thread with a loop";
  EXPECT_THAT(count_iterations(all, 2), ElementsAre(5));

  const auto some = find_loops_pass(trace, {0, 2}, {});
  EXPECT_THAT(count_iterations(some, 0), ElementsAre(5));
  EXPECT_THAT(count_iterations(some, 2), ElementsAre(5));
}

TEST_F(FindLoopsPassTest, FoldsWhatIsFoundWhicheverThreadIsKept) {
  for (auto kept : {1u, 2u}) {
    auto plan = plan_;
    plan.representatives = {{0, 0, {0}, ""}, {1, kept, {1, 2}, ""}};
    const PlannedTrace trace(*archive_, plan, {}, diagnostics_);
    const auto loops = find_loops_to_fold(trace, {});
    EXPECT_THAT(count_iterations(loops, kept), ElementsAre(5)) << kept;
  }
}

}  // namespace tracefold::find_loops_pass_test
