// What the rewrite makes of ids and ranks that are hard to place, and of large records.
#include "base/error.hpp"
#include "filters/groups/group.hpp"
#include "filters/groups/select.hpp"
#include "model/plan.hpp"
#include "otf2/archive_writer.hpp"
#include "otf2/event_reader.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/rewrite/rewrite_pass.hpp"
#include "tests/pipeline/verify/rules/check_rules.hpp"
#include "tests/support/event_collector.hpp"
#include "tests/support/group_and_name.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

namespace tracefold::rewrite_test {

using ::testing::ElementsAre;
using testing::make_event;
using testing::read_events;
using testing::TraceBuilder;
using K = DefinitionKind;

// Three processes of one location each; MPI's list of locations is as given.
struct Trace {
  explicit Trace(const std::vector<std::uint64_t>& listed) {
    for (std::uint64_t id = 0; id < 3; ++id)
      builder.add_location_group(id, {id});
    builder.add_world(listed).add_region(0, "a region");
    builder.define(K::Attribute, {0, 0, 0, of_type_location});
  }

  // All kept, or one representative of all with equal calls; of the locations of the filters.
  Archive rewritten(bool folded, const std::vector<FilterSection>& filters = {}) {
    const auto archive = builder.write(folder.path(), chunk_size);
    Plan plan = make_plan(archive, filters);
    if (folded || !filters.empty())
      add_profiles(plan, archive, {}, diagnostics);
    if (folded) {
      testing::group_and_name(plan, archive, 1);
      select(plan, {.choice = Choice::first});
    }

    rewrite(archive, plan, folder.path() / "out", options, {}, diagnostics);
    Archive out((folder.path() / "out/traces.otf2").string(), diagnostics);
    EXPECT_THAT(list_violations(out, archive), ::testing::IsEmpty());

    return out;
  }

  static constexpr std::uint64_t of_type_location = 13;

  testing::TestFolder folder;
  TraceBuilder builder;
  std::uint64_t chunk_size = wire::smallest_chunk;
  RewriteOptions options;
  Diagnostics diagnostics;
};

TEST(Rewrite, GivesNewRanksWhereAListedLocationIsNotDefined) {
  Trace trace({0, 99, 1, 2});
  trace.builder.record(0, EventKind::MpiSend, 5, {2, 0, 7, 100});  // to location 1
  trace.builder.record(1, EventKind::MpiRecv, 6, {0, 0, 7, 100});
  const auto out = trace.rewritten(false);
  const auto sent = read_events(out, 0);
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(out.definitions().partner(0, sent[0].fields[1], sent[0].fields[0]), 1u);
}

TEST(Rewrite, LeavesOutMessagesWithARankThatDoesNotExist) {
  Trace trace({0, 1, 2});
  auto& builder = trace.builder;
  builder.record(0, EventKind::MpiSend, 5, {9, 0, 7, 100});
  builder.record(0, EventKind::MpiSend, 6, {2, 0, 7, 100});
  builder.record(2, EventKind::MpiIrecvRequest, 5, {1});
  builder.record(2, EventKind::MpiRecv, 7, {0, 0, 7, 100});
  builder.record(2, EventKind::MpiIrecv, 8, {9, 0, 7, 100, 1});
  builder.record(1, EventKind::MpiCollectiveBegin, 5);
  builder.record(1, EventKind::MpiCollectiveEnd, 6, {1, 0, 9, 4, 4});
  const auto out = trace.rewritten(false);
  EXPECT_EQ(read_events(out, 0).size(), 1u);
  EXPECT_EQ(read_events(out, 2).size(), 1u);
  const auto collective = read_events(out, 1);
  ASSERT_EQ(collective.size(), 2u);
  EXPECT_EQ((get_field<"root", EventKind::MpiCollectiveEnd>(collective[1])), otf2_value::root_none);
}

TEST(Rewrite, KeepsAttributesOfARequestThatNeverBeganWithAnyFilter) {
  Trace trace({0, 1, 2});
  trace.builder.record(0, EventKind::MpiIsendComplete, 5, {1}, {},
                       {{0, Trace::of_type_location, 1}});
  FilterSection filter;
  filter.drop = {"nothing"};
  const auto events = read_events(trace.rewritten(false, {filter}), 0);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].attributes.size(), 1u);
}

TEST(Rewrite, LeavesAParadigmThatIsNotDefinedAsItIs) {
  Trace trace({0, 1, 2});
  trace.builder.record(0, EventKind::ThreadFork, 5, {3, 8});
  trace.builder.record(0, EventKind::ThreadJoin, 6, {3});
  const auto events = read_events(trace.rewritten(false), 0);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].fields[0], 3u);
}

TEST(Rewrite, NamesTheStandInOfALocationThatIsLeftOut) {
  Trace trace({0, 1, 2});
  for (std::uint64_t i = 0; i < 2; ++i) {  // location 2 calls nothing and is kept
    trace.builder.record(i, EventKind::Enter, 5, {0}, {}, {{0, Trace::of_type_location, 1}});
    trace.builder.record(i, EventKind::Leave, 9, {0}, {}, {{0, Trace::of_type_location, 2}});
  }

  const auto out = trace.rewritten(true);
  EXPECT_THAT(out.definitions().locations(), ElementsAre(0, 1));
  const auto events = read_events(out, 0);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].attributes.at(0).value, 0u);  // 0 stands for 1
  EXPECT_EQ(events[1].attributes.at(0).value, 1u);  // 2 has become 1
}

FilterSection keep_locations(const std::string& ids) {
  FilterSection filter;
  filter.locations = ids;
  return filter;
}

TEST(Rewrite, LeavesOutMessagesOfAThreadThatAFilterLeavesOut) {
  Trace trace({0, 1, 2});
  trace.builder.define(K::Location,
                       {11, 0, otf2_value::location_type_cpu, 0, 1});  // of the process of 1
  trace.builder.record(0, EventKind::MpiSend, 5, {1, 0, 7, 100});
  trace.builder.record(0, EventKind::MpiSend, 6, {2, 0, 7, 100});
  trace.builder.record(2, EventKind::MpiRecv, 7, {0, 0, 7, 100});
  trace.builder.record(11, EventKind::MpiRecv, 8, {0, 0, 7, 100});
  const auto out = trace.rewritten(false, {keep_locations("0-2")});
  const auto sent = read_events(out, 0);
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].time, 6u);
  EXPECT_EQ(read_events(out, 2).size(), 1u);
}

TEST(Rewrite, LeavesOutMetricsOfALocationThatAFilterLeavesOut) {
  Trace trace({0, 1, 2});
  auto& builder = trace.builder;
  builder.define(K::MetricMember, {0, builder.string("counter"), builder.string(""), 0, 0,
                                   otf2_value::type_uint64, 0, 0, builder.string("#")});
  builder.define(K::MetricClass, {0, 1, 2, 0}, {0});
  builder.define(K::MetricInstance, {1, 0, 0, otf2_value::scope_location, 1});
  builder.define(K::MetricInstance, {2, 0, 0, otf2_value::scope_location, 2});
  for (const std::uint64_t metric : {1u, 2u})
    builder.record(0, EventKind::Metric, 5, {metric, 1}, {otf2_value::type_uint64, 7});

  const auto out = trace.rewritten(false, {keep_locations("0-1")});
  const auto events = read_events(out, 0);
  ASSERT_EQ(events.size(), 1u);
  const auto metric = get_field<"metric", EventKind::Metric>(events[0]);
  const auto* instance = out.definitions().find(Ref::metric, metric);
  ASSERT_TRUE(instance);
  EXPECT_EQ((get_field<"scope", K::MetricInstance>(*instance)), 1u);
}

TEST(Rewrite, MakesChunksThatHoldTheLargestRecord) {
  constexpr std::uint64_t arguments = 100'000, first = 1'000'000;
  Trace trace({0, 1, 2});
  auto begin = make_event(EventKind::ProgramBegin, 5, {0, arguments});
  for (std::uint64_t i = 0; i < arguments; ++i) {
    trace.builder.define(K::String, {first + i});
    trace.builder.content().definitions.back().text = std::to_string(i);
    begin.list.push_back(first + i);
  }

  trace.builder.record(1, begin);
  trace.chunk_size = 1 << 20;
  const auto out = trace.rewritten(false);
  EXPECT_GT(out.event_chunk(), wire::smallest_chunk);
  const auto events = read_events(out, 1);
  ASSERT_EQ(events.size(), 1u);
  ASSERT_EQ(events[0].list.size(), arguments);
  EXPECT_EQ(out.definitions().text(events[0].list[arguments - 1]), std::to_string(arguments - 1));
}

TEST(Rewrite, LeavesOutAllRecordsOfMessagesThatAreNotDrawn) {
  using enum EventKind;
  Trace trace({0, 1, 2});
  auto& builder = trace.builder;
  builder.record(0, Enter, 4, {0});
  builder.record(0, MpiIsend, 5, {1, 0, 7, 100, 1});
  builder.record(0, MpiRequestTest, 6, {1});
  builder.record(0, MpiIsendComplete, 7, {1});
  builder.record(0, NonBlockingCollectiveRequest, 8, {2});
  builder.record(0, NonBlockingCollectiveComplete, 9, {0, 0, otf2_value::root_none, 4, 4, 2});
  builder.record(0, Leave, 10, {0});
  builder.record(1, MpiIrecvRequest, 5, {1});
  builder.record(1, MpiIrecv, 8, {0, 0, 7, 100, 1});
  trace.options.draws_messages = false;
  const auto out = trace.rewritten(false);

  std::vector<EventKind> kinds;
  for (const auto& event : read_events(out, 0))
    kinds.push_back(event.kind);
  EXPECT_THAT(kinds, ElementsAre(Enter, NonBlockingCollectiveRequest, NonBlockingCollectiveComplete,
                                 Leave));
  EXPECT_THAT(read_events(out, 1), ::testing::IsEmpty());
  EXPECT_EQ(out.facts().properties.at("TRACEFOLD::CUT::MPIISEND"), "1");
}

// Where the system tree shows groups, a node of the machine stays for a marker, and for nothing
// else.
TEST(Rewrite, KeepsTheNodeThatAMarkerIsAbout) {
  constexpr std::uint64_t scope_node = 3;
  for (const bool has_marker : {false, true}) {
    Trace trace({0, 1, 2});
    auto& builder = trace.builder;
    builder.define(K::SystemTreeNode, {9, builder.string("node 9"), builder.string("node"), 0});
    builder.define(K::LocationGroup, {7, builder.string("tool"), 0, 9, TraceBuilder::none});
    builder.define(K::Location, {7, builder.string("thread"), otf2_value::location_type_cpu, 0, 7});
    builder.record(7, EventKind::Enter, 5, {0}).record(7, EventKind::Leave, 9, {0});
    if (has_marker) {
      builder.content().marker_kinds = {{0, "site", "power", 0}};
      builder.content().markers = {{5, 0, 0, scope_node, 9, "too hot"}};
    }
    trace.options.tree = TreeChoice::groups;
    const auto out = trace.rewritten(true);

    std::vector<std::string> nodes;
    for (const auto& d : out.definitions().all())
      if (d.kind == K::SystemTreeNode)
        nodes.push_back(out.definitions().text(get_field<"name", K::SystemTreeNode>(d)));
    if (!has_marker) {
      EXPECT_THAT(nodes,
                  ElementsAre("node", "3× like rank 0 · all ranks", "process 7 · calls a region"));
      continue;
    }
    EXPECT_THAT(nodes, ElementsAre("node", "node 9", "3× like rank 0 · all ranks",
                                   "process 7 · calls a region"));
    ASSERT_EQ(out.facts().markers.size(), 1u);
    EXPECT_EQ(out.facts().markers[0].scope_id, 1u);
  }
}

}  // namespace tracefold::rewrite_test
