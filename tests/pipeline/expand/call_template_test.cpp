#include "pipeline/expand/call_template.hpp"

#include "model/plan.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace tracefold::call_template_test {

using ::testing::ElementsAre;
using testing::TraceBuilder;

enum Region : std::uint64_t { main_, step, work, folded };

// Templates of one location without messages. A capital letter is an Enter, a small one the Leave;
// one tick lies between two of them.
class CallTemplateTest : public ::testing::Test {
 protected:
  CallTemplate read(const std::string& calls, const ProcessLoops& loops) {
    const std::vector<std::pair<char, std::uint64_t>> letters{
        {'m', main_}, {'s', step}, {'w', work}, {'f', folded}};
    builder_.add_mpi_processes(1);
    builder_.add_region(main_, "main").add_region(step, "step").add_region(work, "work");
    builder_.add_region(folded, "iteration ≈ #0");
    for (std::size_t k = 0; k < calls.size(); ++k)
      for (const auto& [letter, region] : letters) {
        if (calls[k] == letter)
          builder_.record(0, EventKind::Leave, k, {region});
        if (calls[k] == letter - 'a' + 'A')
          builder_.record(0, EventKind::Enter, k, {region});
      }

    const auto archive = builder_.write(folder_.path());
    const std::vector<std::uint64_t> batch{0};
    Diagnostics diagnostics;
    EventReader reader(archive, batch, {}, diagnostics);
    const FunctionTable functions(archive.definitions(), {});
    const Messages messages;
    return read_template(reader, 0, functions, NamedPaths(messages, functions), &loops,
                         std::numeric_limits<std::size_t>::max());
  }

  static ProcessLoops kept_iteration(std::uint64_t begin, std::uint64_t end) {
    Loop loop;
    loop.source = LoopSource::marked;
    loop.iterations = {{begin, end}};
    return {{loop}, 0, 100, std::nullopt};
  }

  static std::vector<std::uint64_t> list_regions(const CallTemplate& read) {
    std::vector<std::uint64_t> regions;
    for (const auto& one : read.steps)
      if (one.is_enter)
        regions.push_back(one.region);
    return regions;
  }

  TraceBuilder builder_;
  testing::TestFolder folder_;
};

TEST_F(CallTemplateTest, UnfoldsAnIterationAsTheKeptOne) {
  //                             0123456789
  const auto read = this->read("MSWwsFfm", kept_iteration(1, 4));
  EXPECT_THAT(list_regions(read), ElementsAre(main_, step, work, step, work));
  EXPECT_EQ(read.left_folded, 0U);
}

// The iteration of another thread, in which this one has no whole call.
TEST_F(CallTemplateTest, LeavesFoldedWhatHasNoCallInTheKeptIteration) {
  //                             0123456789
  const auto read = this->read("MFfSW..wsm", kept_iteration(5, 6));
  EXPECT_THAT(list_regions(read), ElementsAre(main_, folded, step, work));
  EXPECT_EQ(read.left_folded, 1U);
  EXPECT_EQ(read.steps.size(), 8U) << "each call is left";
}

}  // namespace tracefold::call_template_test
