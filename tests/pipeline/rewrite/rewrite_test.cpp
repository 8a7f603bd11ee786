// What the rewrite makes of ids and ranks that are hard to place, and of large records.
#include "base/error.hpp"
#include "filters/groups/group.hpp"
#include "filters/groups/select.hpp"
#include "otf2/event_reader.hpp"
#include "otf2/event_writer.hpp"
#include "otf2/otf2_writer.hpp"
#include "pipeline/rewrite/rewrite_pass.hpp"
#include "pipeline/verify/verify.hpp"
#include "tests/support/every_record.hpp"

#include <gmock/gmock.h>

#include <initializer_list>

namespace tracefold {
namespace {

using ::testing::ElementsAre;
using K = DefinitionKind;

constexpr std::uint64_t mpi = otf2_value::paradigm_mpi, none = 0xffffffff;

Definition define(K kind, std::initializer_list<std::uint64_t> fields,
                  std::vector<std::uint64_t> list = {}) {
  Definition d;
  d.kind = kind;
  std::copy(fields.begin(), fields.end(), d.fields.begin());
  d.list = std::move(list);
  return d;
}

Event event(EventKind kind, std::uint64_t time, std::initializer_list<std::uint64_t> fields,
            std::vector<Attribute> attributes = {}) {
  Event e;
  e.kind = kind;
  e.time = time;
  std::copy(fields.begin(), fields.end(), e.fields.begin());
  e.attributes = std::move(attributes);

  return e;
}

// Three processes of one location each; MPI's list of locations is as given.
struct Trace {
  explicit Trace(std::vector<std::uint64_t> listed) {
    auto& d = content.definitions;
    d.push_back(define(K::ClockProperties, {1'000, 0, 1'000'000, ~std::uint64_t{0}}));
    Definition name = define(K::String, {0});
    name.text = "a name";
    d.push_back(name);
    d.push_back(define(K::Attribute, {0, 0, 0, 13}));  // of type LOCATION
    d.push_back(define(K::Paradigm, {mpi, 0, 0}));
    d.push_back(define(K::SystemTreeNode, {0, 0, 0, none}));
    for (std::uint64_t i = 0; i < 3; ++i) {
      d.push_back(define(K::LocationGroup, {i, 0, 1, 0, none}));
      d.push_back(define(K::Location, {i, 0, otf2_value::location_type_cpu, 0, i}));
    }

    d.push_back(define(K::Region, {0, 0, 0, 0, 0, mpi, 0, 0, 0, 0}));
    std::vector<std::uint64_t> ranks(listed.size());
    for (std::size_t i = 0; i < ranks.size(); ++i)
      ranks[i] = i;

    d.push_back(
        define(K::Group, {0, 0, otf2_value::group_comm_locations, mpi, 0, listed.size()}, listed));
    d.push_back(
        define(K::Group, {1, 0, otf2_value::group_comm_group, mpi, 0, ranks.size()}, ranks));
    d.push_back(define(K::Comm, {0, 0, 1, none, 0}));
    for (std::uint64_t i = 0; i < 3; ++i)
      content.events[i] = {};
  }

  // All kept, or one representative of all with equal calls.
  Archive rewritten(bool folded) {
    for (auto& d : content.definitions)
      if (d.kind == K::Location)
        d.fields[3] = content.events[d.id()].size();

    testing::write_archive(content, folder.path(), chunk_size);
    const Archive archive((folder.path() / "traces.otf2").string(), diagnostics);
    Plan plan = plan_of(archive, {});
    if (folded) {
      profile_into(plan, archive, {}, diagnostics);
      group(plan, 1);
      select(plan, {.choice = Choice::first});
    }

    rewrite(archive, plan, folder.path() / "out", {}, diagnostics);
    Archive out((folder.path() / "out/traces.otf2").string(), diagnostics);
    for (const auto& rule : verify(out, archive, {}, diagnostics).rules)
      EXPECT_THAT(rule.violations, ::testing::IsEmpty()) << rule.rule;

    return out;
  }

  testing::TestFolder folder;
  testing::TraceContent content;
  std::uint64_t chunk_size = wire::smallest_chunk;
  Diagnostics diagnostics;
};

struct Collector {
  std::vector<Event> events;
  void enter(std::uint64_t time, std::uint64_t region, std::span<const Attribute> a) {
    events.push_back(event(EventKind::Enter, time, {region}, {a.begin(), a.end()}));
  }
  void leave(std::uint64_t time, std::uint64_t region, std::span<const Attribute> a) {
    events.push_back(event(EventKind::Leave, time, {region}, {a.begin(), a.end()}));
  }
  void other(Event& e) { events.push_back(e); }
  void unknown(std::uint64_t) {}
};

std::vector<Event> events_of(const Archive& archive, std::uint64_t location) {
  Diagnostics diagnostics;
  const ReadOptions options;
  const std::vector<std::uint64_t> batch{location};
  Collector collector;
  EXPECT_TRUE(EventReader(archive, batch, options, diagnostics).read(location, collector));

  return collector.events;
}

TEST(Rewrite, GivesNewRanksWhereAListedLocationIsNotDefined) {
  Trace trace({0, 99, 1, 2});
  trace.content.events[0] = {event(EventKind::MpiSend, 5, {2, 0, 7, 100})};  // to location 1
  trace.content.events[1] = {event(EventKind::MpiRecv, 6, {0, 0, 7, 100})};
  const auto out = trace.rewritten(false);
  const auto sent = events_of(out, 0);
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(out.definitions().partner(0, sent[0].fields[1], sent[0].fields[0]), 1u);
}

TEST(Rewrite, LeavesAParadigmThatIsNotDefinedAsItIs) {
  Trace trace({0, 1, 2});
  trace.content.events[0] = {event(EventKind::ThreadFork, 5, {3, 8}),
                             event(EventKind::ThreadJoin, 6, {3})};
  const auto events = events_of(trace.rewritten(false), 0);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].fields[0], 3u);
}

TEST(Rewrite, NamesTheStandInOfALocationThatIsLeftOut) {
  Trace trace({0, 1, 2});
  for (std::uint64_t i = 0; i < 3; ++i)  // location 2 calls nothing and is kept
    if (i < 2)
      trace.content.events[i] = {event(EventKind::Enter, 5, {0}, {{0, 13, 1}}),
                                 event(EventKind::Leave, 9, {0}, {{0, 13, 2}})};

  const auto out = trace.rewritten(true);
  EXPECT_THAT(out.definitions().locations(), ElementsAre(0, 1));
  const auto events = events_of(out, 0);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].attributes.at(0).value, 0u);  // 0 stands for 1
  EXPECT_EQ(events[1].attributes.at(0).value, 1u);  // 2 has become 1
}

TEST(Rewrite, MakesChunksThatHoldTheLargestRecord) {
  constexpr std::uint64_t arguments = 100'000, first = 1'000'000;
  Trace trace({0, 1, 2});
  auto begin = event(EventKind::ProgramBegin, 5, {0, arguments});
  for (std::uint64_t i = 0; i < arguments; ++i) {
    trace.content.definitions.push_back(define(K::String, {first + i}));
    trace.content.definitions.back().text = std::to_string(i);
    begin.list.push_back(first + i);
  }

  trace.content.events[1] = {begin};
  trace.chunk_size = 1 << 20;
  const auto out = trace.rewritten(false);
  EXPECT_GT(out.event_chunk(), wire::smallest_chunk);
  const auto events = events_of(out, 1);
  ASSERT_EQ(events.size(), 1u);
  ASSERT_EQ(events[0].list.size(), arguments);
  EXPECT_EQ(out.definitions().text(events[0].list[arguments - 1]), std::to_string(arguments - 1));
}

}  // namespace
}  // namespace tracefold
