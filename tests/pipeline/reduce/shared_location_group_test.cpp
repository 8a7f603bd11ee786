// Ranks of MPI that share a location group, as task runtimes, AMPI and simulators write them: each
// is an end point of its own.
#include "filters/messages/sum_matrix.hpp"
#include "model/messages/messages.hpp"
#include "pipeline/expand/expand_pass.hpp"
#include "pipeline/messages/message_matcher.hpp"
#include "pipeline/reduce/reduce.hpp"
#include "tests/pipeline/verify/rules/check_rules.hpp"
#include "tests/support/event_collector.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tracefold::shared_location_group_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::TraceBuilder;
using enum EventKind;

constexpr std::uint64_t main_region = 0, send_region = 1, receive_region = 2, barrier_region = 3;

class SharedLocationGroup : public ::testing::Test {
 protected:
  SharedLocationGroup() {
    builder_.add_region(main_region, "main").add_region(send_region, "MPI_Send");
    builder_.add_region(receive_region, "MPI_Recv").add_region(barrier_region, "MPI_Barrier");
  }

  void call(std::uint64_t location, std::uint64_t region, const std::vector<Event>& records) {
    auto& now = times_[location];
    builder_.record(location, Enter, now += 10, {region});
    for (auto record : records) {
      record.time = now + 1;
      builder_.record(location, record);
    }
    builder_.record(location, Leave, now += 5, {region});
  }
  void send(std::uint64_t from, std::uint64_t comm, std::uint64_t to) {
    call(from, send_region, {testing::make_event(MpiSend, 0, {to, comm, 1, 100})});
  }
  void receive(std::uint64_t at, std::uint64_t comm, std::uint64_t from) {
    call(at, receive_region, {testing::make_event(MpiRecv, 0, {from, comm, 1, 100})});
  }

  const Archive& open() {
    return *(archive_ = std::make_shared<const Archive>(builder_.write(folder_.path())));
  }
  Archive reduce() {
    ReduceOptions options;
    options.folding.reset();
    options.output.folder = folder_.path() / "small";
    open();
    tracefold::reduce(archive_, options, Context{diagnostics_});
    return Archive((options.output.folder / "traces.otf2").string(), diagnostics_);
  }
  static std::ptrdiff_t count(const Archive& archive, std::uint64_t location, EventKind kind) {
    const auto events = testing::read_events(archive, location);
    return std::count_if(events.begin(), events.end(),
                         [&](const Event& event) { return event.kind == kind; });
  }

  testing::TestFolder folder_;
  TraceBuilder builder_;
  std::map<std::uint64_t, std::uint64_t> times_;
  std::shared_ptr<const Archive> archive_;
  Diagnostics diagnostics_;
};

TEST_F(SharedLocationGroup, SendsMessagesFromRankToRank) {
  builder_.add_location_group(0, {0, 1}).add_world({0, 1});
  send(0, TraceBuilder::world, 1);
  receive(1, TraceBuilder::world, 0);
  open();

  const Context context{diagnostics_};
  PlanSession session(archive_, context);
  const auto& messages = session.find_messages();
  const auto matrix = sum_matrix(messages, list_rank_rows(messages), MatrixSplit::none);
  ASSERT_EQ(matrix.parts.size(), 1u);
  EXPECT_THAT(matrix.parts[0].cells, ElementsAre(MatrixCell{0, 1, 1, 100}));

  const MessageMatcher matcher(archive_->definitions(), session.plan());
  EXPECT_THAT(matcher.processes(), ElementsAre(0u, 1u));
  EXPECT_FALSE(matcher.is_one_of_several(0));
  for (const auto& process : session.plan().processes)
    EXPECT_EQ(process.thread, 0u) << "the first thread of its own rank";
}

// Ranks 0 and 1 do the same, and so do 2 and 3: of each two the first stays.
TEST_F(SharedLocationGroup, KeepsMessagesBetweenRanksThatStay) {
  constexpr std::uint64_t first_pair = 1, second_pair = 2;
  builder_.add_location_group(0, {0, 1}).add_location_group(1, {2}).add_location_group(2, {3});
  builder_.add_world({0, 1, 2, 3});
  builder_.add_comm(first_pair, 102, {0, 2}).add_comm(second_pair, 103, {1, 3});
  send(0, first_pair, 1);
  send(1, second_pair, 1);
  receive(2, first_pair, 0);
  receive(3, second_pair, 0);

  const auto reduced = reduce();
  ASSERT_EQ(reduced.definitions().locations().size(), 2u);
  EXPECT_EQ(count(reduced, 0, MpiSend), 1);
  EXPECT_EQ(count(reduced, 1, MpiRecv), 1);
  EXPECT_THAT(list_violations(reduced, *archive_), IsEmpty());
}

TEST_F(SharedLocationGroup, TakesPartInCollectivesByRank) {
  builder_.add_location_group(0, {0, 1}).add_world({0, 1});
  for (std::uint64_t location : {0, 1})
    call(location, barrier_region,
         {testing::make_event(MpiCollectiveBegin),
          testing::make_event(
              MpiCollectiveEnd, 0,
              {otf2_value::collective_barrier, TraceBuilder::world, otf2_value::root_none, 0, 0})});

  const auto reduced = reduce();
  EXPECT_THAT(list_violations(reduced, *archive_), IsEmpty());
  expand(reduced, folder_.path() / "full", {}, diagnostics_);
  const Archive full((folder_.path() / "full/traces.otf2").string(), diagnostics_);
  ASSERT_EQ(full.definitions().locations().size(), 2u);
  for (std::uint64_t location : {0, 1})
    EXPECT_EQ(count(full, location, MpiCollectiveEnd), 1);
  EXPECT_THAT(diagnostics_.warnings(), IsEmpty());
}

}  // namespace tracefold::shared_location_group_test
