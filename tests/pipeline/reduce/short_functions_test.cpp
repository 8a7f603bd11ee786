// Which functions are short.
#include "pipeline/reduce/short_functions.hpp"
#include "tests/support/test_folder.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tracefold::short_functions_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::TraceBuilder;
using enum EventKind;

constexpr std::uint64_t main_region = 0, get = 1, step = 2;

class ShortFunctions : public ::testing::Test {
 protected:
  ShortFunctions() {
    builder_.add_mpi_processes(2);
    builder_.add_region(main_region, "main").add_region(get, "get").add_region(step, "step");
  }

  void call(std::uint64_t location, std::uint64_t begin, std::uint64_t end, std::uint64_t region) {
    builder_.record(location, Enter, begin, {region}).record(location, Leave, end, {region});
  }
  std::vector<std::string> find(std::uint64_t shortest,
                                const std::vector<FilterSection>& filters = {}) {
    const testing::TestFolder folder;
    return find_short_functions(builder_.write(folder.path()), filters, shortest, {});
  }

  TraceBuilder builder_;
};

TEST_F(ShortFunctions, AreThoseWithMoreThanHalfOfTheirCallsBelow) {
  call(0, 10, 12, get);
  call(0, 20, 22, get);
  call(1, 30, 60, get);
  call(1, 70, 90, step);
  EXPECT_THAT(find(3), ElementsAre("get")) << "over all processes";
  EXPECT_THAT(find(2), IsEmpty());
  EXPECT_THAT(find(100), ElementsAre("get", "step"));
  call(1, 100, 130, get);
  EXPECT_THAT(find(3), IsEmpty()) << "half is not more than half";
}

TEST_F(ShortFunctions, CallNothingMostly) {
  builder_.record(0, Enter, 10, {step});
  call(0, 11, 12, get);
  builder_.record(0, Leave, 13, {step});
  EXPECT_THAT(find(50), ElementsAre("get"));
  call(0, 20, 21, step);
  call(0, 30, 31, step);
  EXPECT_THAT(find(50), ElementsAre("get", "step"));
}

TEST_F(ShortFunctions, HoldNoRecords) {
  builder_.record(0, Enter, 10, {get});
  builder_.record(0, MpiSend, 11, {1, TraceBuilder::world, 0, 8});
  builder_.record(0, Leave, 12, {get});
  for (std::uint64_t begin : {20, 30, 40})
    call(0, begin, begin + 1, get);
  EXPECT_THAT(find(50), IsEmpty());
}

TEST_F(ShortFunctions, AreThoseOfWhatOtherFiltersLeave) {
  builder_.record(0, Enter, 10, {step});
  call(0, 11, 12, get);
  builder_.record(0, Leave, 13, {step});
  EXPECT_THAT(find(50, {{{"get"}, {}, ""}}), ElementsAre("step"));
}

}  // namespace tracefold::short_functions_test
