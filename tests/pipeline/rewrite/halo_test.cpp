// Traces that are reduced with a halo: who is in it, what it holds, and what reads such a trace.
#include "base/error.hpp"
#include "base/read_file.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/profile/info.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/reduce/reduce.hpp"
#include "pipeline/rewrite/estimate.hpp"
#include "tests/pipeline/verify/rules/check_rules.hpp"
#include "tests/support/event_collector.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

namespace tracefold::halo_test {

using enum EventKind;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::read_events;
using testing::TraceBuilder;
using K = DefinitionKind;

constexpr std::uint64_t run = 0, send = 1, receive = 2, wait = 3, barrier = 4, work = 5,
                        special = 6;
constexpr std::uint64_t world = TraceBuilder::world, pair = 7;
constexpr std::uint64_t type_location = 13;  // OTF2_TYPE_LOCATION

// Four ranks. 0, 1 and 2 call the same, so that 0 stands for them; 3 calls something more. Each
// sends to the next one, and 3 to 0, with larger and larger messages, and without a request what
// rank 3 sends. All meet in a barrier, 1 and 2 in another one, and then work so many times more.
TraceBuilder make_ring(std::uint64_t more_work = 0) {
  TraceBuilder trace;
  trace.add_mpi_processes(4).add_comm(pair, 30, {1, 2});
  const char* names[] = {"run",         "MPI_Isend", "MPI_Recv", "MPI_Wait",
                         "MPI_Barrier", "work",      "special"};
  for (std::uint64_t region = 0; region < 7; ++region)
    trace.add_region(region, names[region]);

  for (std::uint64_t rank = 0; rank < 4; ++rank) {
    const auto call = [&](std::uint64_t region, std::uint64_t from, std::uint64_t to,
                          const std::vector<Event>& records) {
      trace.record(rank, Enter, from, {region});
      for (const auto& record : records)
        trace.record(rank, record);
      trace.record(rank, Leave, to, {region});
    };
    const auto meet = [&](std::uint64_t comm, std::uint64_t from) {
      call(barrier, from, from + 5,
           {testing::make_event(MpiCollectiveBegin, from + 1),
            testing::make_event(MpiCollectiveEnd, from + 4,
                                {0, comm, otf2_value::root_none, 0, 0})});
    };
    const auto bytes = 100 * (rank + 1);
    const auto next = (rank + 1) % 4, before = (rank + 3) % 4;

    trace.record(rank, Enter, 0, {run});
    call(work, 1, 9, {});
    call(send, 10, 15, {testing::make_event(MpiIsend, 12, {next, world, 0, bytes, 1})});
    call(receive, 20, 30,
         {testing::make_event(MpiRecv, 29, {before, world, 0, before == 3 ? 400 : 100 * rank})});
    call(wait, 31, 33, {testing::make_event(MpiIsendComplete, 32, {1})});
    meet(world, 40);
    if (rank == 1 || rank == 2)
      meet(pair, 50);
    else
      call(barrier, 50, 55, {});
    if (rank == 3)
      call(special, 60, 61, {});
    for (std::uint64_t k = 0; k < more_work; ++k)
      call(work, 100 + 2 * k, 101 + 2 * k, {});
    trace.record(rank, Leave, 100 + 2 * more_work, {run});
  }

  return trace;
}

// Three ranks with two threads that each send to that of the next rank, and receive from that of
// the one before. The first threads are alike but for that of rank 2.
TraceBuilder make_ring_of_threads() {
  TraceBuilder trace;
  trace.add_location_group(0, {0, 10})
      .add_location_group(1, {1, 11})
      .add_location_group(2, {2, 12});
  trace.add_world({0, 1, 2});
  const char* names[] = {"run", "MPI_Send", "MPI_Recv", "work"};
  for (std::uint64_t region = 0; region < 4; ++region)
    trace.add_region(region, names[region]);

  for (std::uint64_t rank = 0; rank < 3; ++rank)
    for (std::uint64_t thread : {0, 1}) {
      const auto location = 10 * thread + rank;
      const auto call = [&](std::uint64_t region, std::uint64_t from,
                            const std::vector<Event>& records) {
        trace.record(location, Enter, from, {region});
        for (const auto& record : records)
          trace.record(location, record);
        trace.record(location, Leave, from + 9, {region});
      };
      trace.record(location, Enter, 0, {run});
      call(1, 10, {testing::make_event(MpiSend, 12, {(rank + 1) % 3, world, thread, 100})});
      call(2, 20, {testing::make_event(MpiRecv, 28, {(rank + 2) % 3, world, thread, 100})});
      if (location == 2)
        call(3, 30, {});
      trace.record(location, Leave, 100, {run});
    }

  return trace;
}

class Halo : public ::testing::Test {
 protected:
  void write(TraceBuilder&& trace) {
    std::filesystem::create_directories(folder_.path() / "original");
    trace.write(folder_.path() / "original");
  }
  std::shared_ptr<const Archive> open(const std::string& name) {
    return open_trace((folder_.path() / name / "traces.otf2").string(), diagnostics_);
  }
  // Reduces one folder into another one, without folding iterations.
  Reduction reduce_to(const std::string& from, const std::string& to, const char* halo) {
    ReduceOptions options;
    options.selection.choice = Choice::first;
    options.halo = parse_halo(halo);
    options.folding.reset();
    options.output.folder = folder_.path() / to;
    options.output.rewrite.force = true;
    return reduce(open(from), options, context_);
  }
  void expect_verified(const std::string& name, const std::string& original) {
    EXPECT_THAT(list_violations(*open(name), *open(original)), IsEmpty());
  }
  static std::string name_location(const Archive& archive, std::uint64_t id) {
    const auto& definitions = archive.definitions();
    return definitions.text(get_field<"name", K::Location>(*definitions.find(Ref::location, id)));
  }
  static std::vector<EventKind> list_kinds(const Archive& archive, std::uint64_t location) {
    std::vector<EventKind> kinds;
    for (const auto& event : read_events(archive, location))
      kinds.push_back(event.kind);
    return kinds;
  }

  testing::TestFolder folder_;
  Diagnostics diagnostics_;
  Context context_{diagnostics_};
};

TEST_F(Halo, HoldsThreadsOfKeptRanksThatSendMessages) {
  write(make_ring_of_threads());
  const auto count_sends = [&](const char* halo) {
    reduce_to("original", halo, halo);
    expect_verified(halo, "original");
    std::size_t sends = 0;
    const auto reduced = open(halo);
    for (const auto location : reduced->definitions().locations()) {
      const auto kinds = list_kinds(*reduced, location);
      sends += static_cast<std::size_t>(std::count(kinds.begin(), kinds.end(), MpiSend));
    }
    return sends;
  };
  EXPECT_EQ(count_sends("all"), 6u);
  EXPECT_EQ(count_sends("off"), 0u);
}

TEST_F(Halo, HoldsTheCallsInWhichPartnersTalkToKeptProcesses) {
  write(make_ring());
  const auto made = reduce_to("original", "small", "all");
  const auto small = open("small");

  ASSERT_THAT(made.plan.halo->ranks, ::testing::SizeIs(2));
  EXPECT_EQ(made.plan.halo->ranks[0], (HaloRank{{1}, {0}, 1, 100}));
  EXPECT_EQ(made.plan.halo->ranks[1], (HaloRank{{2}, {3}, 1, 300}));
  EXPECT_THAT(small->definitions().locations(), ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(name_location(*small, 0), "3× location 0");
  EXPECT_EQ(name_location(*small, 2), "◌ location 1");
  EXPECT_EQ(name_location(*small, 3), "◌ location 2");

  // Rank 1 only receives from rank 0, and is in the barrier of all.
  EXPECT_THAT(list_kinds(*small, 2), ElementsAre(Enter, MpiRecv, Leave, Enter, MpiCollectiveBegin,
                                                 MpiCollectiveEnd, Leave));
  // Rank 2 sends to rank 3, and waits for that.
  EXPECT_THAT(list_kinds(*small, 3),
              ElementsAre(Enter, MpiIsend, Leave, Enter, MpiIsendComplete, Leave, Enter,
                          MpiCollectiveBegin, MpiCollectiveEnd, Leave));
  EXPECT_EQ(read_events(*small, 3)[1].time, 12u);
  EXPECT_EQ(list_kinds(*small, 0), list_kinds(*open("original"), 0));
  expect_verified("small", "original");
}

TEST_F(Halo, IsNumberedBehindKeptProcessesByRank) {
  write(make_ring());
  reduce_to("original", "small", "all");
  const auto small = open("small");
  const auto& definitions = small->definitions();

  // The kept ranks 0 and 3 come first; where location groups stand is what ranks are called.
  for (std::uint64_t rank = 0; rank < 4; ++rank) {
    EXPECT_EQ(definitions.partner(0, world, rank), rank);
    EXPECT_EQ(definitions.location_group(rank), rank);
    EXPECT_EQ(definitions.mpi_rank(rank), rank);
  }
  const auto sent = read_events(*small, 0);
  EXPECT_EQ((get_field<"receiver", MpiIsend>(sent[4])), 2u);
  EXPECT_FALSE(definitions.find(Ref::comm, 1)) << "the communicator of halo processes alone";
}

TEST_F(Halo, SaysWhereItComesFromAndHowManyMessagesItHas) {
  write(make_ring());
  reduce_to("original", "small", "all");
  const auto properties = read_location_properties(open("small")->definitions());

  EXPECT_EQ(properties.at(3).source, 2u);
  EXPECT_EQ(properties.at(3).halo, 1u);
  EXPECT_FALSE(properties.at(3).count || properties.at(3).group || properties.at(3).members);
  EXPECT_FALSE(properties.at(0).halo);
}

TEST_F(Halo, IsAsSmallAsWasAskedFor) {
  write(make_ring());
  EXPECT_FALSE(reduce_to("original", "small", "off").plan.halo);
  EXPECT_EQ(open("small")->definitions().locations().size(), 2u);
  EXPECT_THAT(reduce_to("original", "small", "1").plan.halo->ranks, ::testing::SizeIs(2));
}

TEST_F(Halo, StaysUnaskedWhereTheResultIsSmaller) {
  write(make_ring(10000));
  const auto made = reduce_to("original", "small", "auto");
  EXPECT_LT(made.after.bytes, made.bytes);
  EXPECT_THAT(made.plan.halo->ranks, ::testing::SizeIs(2));
  EXPECT_EQ(made.after.halo, 2u);
  expect_verified("small", "original");
}

TEST_F(Halo, IsLeftOutUnaskedWhereTheResultIsLarger) {
  write(make_ring());
  const auto made = reduce_to("original", "small", "auto");
  EXPECT_FALSE(made.plan.halo);
  EXPECT_EQ(made.after.halo, 0u);
  EXPECT_TRUE(made.after.left_out_halo);
  expect_verified("small", "original");

  reduce_to("original", "without", "off");
  for (const auto* file : {"traces.otf2", "traces.def", "tracefold.json", "tracefold.profiles"})
    EXPECT_EQ(read_file(folder_.path() / "small" / file),
              read_file(folder_.path() / "without" / file))
        << file;
}

TEST_F(Halo, TakesRoomOnTheDevice) {
  write(make_ring());
  const auto made = reduce_to("original", "small", "all");
  const auto original = open("original");
  auto without = made.plan;
  without.halo.reset();

  const auto halo = estimate_bytes(*original, made.plan, 0) - estimate_bytes(*original, without, 0);
  const auto& paths = original->paths();
  EXPECT_GT(halo, 0u);
  EXPECT_LT(halo, std::filesystem::file_size(paths.events(1)) +
                      std::filesystem::file_size(paths.events(2)));
}

TEST_F(Halo, IsNoProcessOfTheReducedTrace) {
  write(make_ring());
  reduce_to("original", "small", "all");
  const auto small = open("small");

  EXPECT_EQ(find_processes(small->definitions(), {}).size(), 2u);
  const auto info = read_info(*small, {}, diagnostics_);
  EXPECT_EQ(info.represented, 4u);
  EXPECT_EQ(info.halo, 2u);
  EXPECT_EQ(info.locations.at(otf2_value::location_type_cpu), 2u);

  std::uint64_t records = 0;
  for (const auto count : info.halo_records)
    records += count;
  EXPECT_GT(records, 0u);
  EXPECT_EQ(records, info.halo_events);
  EXPECT_EQ(info.halo_events, count_halo_events(small->definitions()));
}

TEST_F(Halo, IsChosenAnewWhereATraceIsReducedAgain) {
  write(make_ring());
  reduce_to("original", "first", "all");
  const auto made = reduce_to("first", "second", "all");
  const auto second = open("second");

  EXPECT_THAT(*made.plan.groups, ::testing::SizeIs(2));
  EXPECT_THAT(made.plan.halo->ranks, ::testing::SizeIs(2));
  EXPECT_EQ(name_location(*second, 2), "◌ location 1");
  EXPECT_EQ(read_location_properties(second->definitions()).at(2).source, 1u);
  for (std::uint64_t location = 0; location < 4; ++location)
    EXPECT_EQ(list_kinds(*second, location), list_kinds(*open("first"), location)) << location;
  expect_verified("second", "first");
  EXPECT_THAT(list_broken_rules(*open("second"), *open("original")), IsEmpty());

  reduce_to("first", "without", "off");
  EXPECT_EQ(open("without")->definitions().locations().size(), 2u);
  expect_verified("without", "first");
}

TEST_F(Halo, ThatIsGoneIsWhoStandsForItWhereItIsNamed) {
  // Rank 0 names rank 1 in an attribute and a property, and records a metric of it.
  auto trace = make_ring();
  trace.define(K::Attribute, {0, trace.string("other"), trace.string(""), type_location});
  trace.define(K::LocationProperty, {0, trace.string("neighbour"), type_location, 1});
  trace.define(K::MetricMember,
               {0, trace.string("load"), trace.string(""), 0, otf2_value::metric_absolute_next,
                otf2_value::type_uint64, 0, 0, trace.string("1")});
  trace.define(K::MetricClass, {0, 1, 0, 0}, {0});
  trace.define(K::MetricInstance, {1, 0, 0, otf2_value::scope_location, 1});
  for (auto& event : trace.content().events[0])
    if (event.kind == Enter && event.region() == work)
      event.attributes.push_back({0, type_location, 1});
  trace.content().events[0].push_back(
      testing::make_event(Metric, 100, {1, 1}, {otf2_value::type_uint64, 5}));
  write(std::move(trace));
  reduce_to("original", "first", "all");
  reduce_to("first", "second", "off");
  reduce_to("first", "third", "all");

  const auto find_names = [&](const std::string& name) {
    const auto archive = open(name);
    std::vector<std::uint64_t> named;
    for (const auto& event : read_events(*archive, 0))
      for (const auto& attribute : event.attributes)
        named.push_back(attribute.value);
    for (const auto& d : archive->definitions().all()) {
      if (d.kind == K::LocationProperty &&
          archive->definitions().text(get_field<"name", K::LocationProperty>(d)) == "neighbour")
        named.push_back(get_field<"value", K::LocationProperty>(d));
      if (d.kind == K::MetricInstance)
        named.push_back(get_field<"scope", K::MetricInstance>(d));
    }
    return named;
  };
  EXPECT_THAT(find_names("first"), ElementsAre(2, 2, 2));   // rank 1 in the halo
  EXPECT_THAT(find_names("second"), ElementsAre(0, 0, 0));  // rank 0 stands for it
  EXPECT_THAT(find_names("third"), ElementsAre(2, 2, 2));
  for (const auto* name : {"second", "third"}) {
    expect_verified(name, "first");
    EXPECT_THAT(list_broken_rules(*open(name), *open("original")), IsEmpty());
  }
}

TEST_F(Halo, DoesNotClaimThatCommunicationIsComplete) {
  write(make_ring());
  reduce_to("original", "small", "all");
  const auto small = open("small");
  EXPECT_EQ(small->facts().properties.at("OTF2::MPI_COMMUNICATION_COMPLETE"), "false");
}

}  // namespace tracefold::halo_test
