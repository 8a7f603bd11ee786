// A small program whose records a test writes, reduced and expanded again.
#pragma once

#include "filters/groups/group.hpp"
#include "filters/groups/select.hpp"
#include "filters/messages/fold_messages.hpp"
#include "model/plan.hpp"
#include "pipeline/expand/expand_pass.hpp"
#include "pipeline/iterations/fold_pass.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/rewrite/rewrite_pass.hpp"
#include "tests/support/event_collector.hpp"
#include "tests/support/trace_builder.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold::testing {

class ExpandTest : public ::testing::Test {
 protected:
  using K = DefinitionKind;

  static constexpr std::uint64_t world = TraceBuilder::world;
  enum Region : std::uint64_t { main_, init, send, receive, isend, irecv, wait, broadcast };

  // With two ranks in each process where they share them; without the calls around what tests
  // record where there are none.
  explicit ExpandTest(std::uint64_t ranks = 4, bool share = false, bool has_main = true)
      : ranks_(ranks), has_main_(has_main) {
    if (share) {
      std::vector<std::uint64_t> locations;
      for (std::uint64_t rank = 0; rank < ranks; rank += 2) {
        builder_.add_location_group(rank / 2, {rank, rank + 1});
        locations.insert(locations.end(), {rank, rank + 1});
      }
      builder_.add_world(locations);
    } else {
      builder_.add_mpi_processes(ranks);
    }
    define(main_, "main", otf2_value::paradigm_compiler);
    const std::vector<std::string> functions{"MPI_Init",  "MPI_Send", "MPI_Recv", "MPI_Isend",
                                             "MPI_Irecv", "MPI_Wait", "MPI_Bcast"};
    for (std::size_t f = 0; f < functions.size(); ++f)
      define(f + 1, functions[f], TraceBuilder::mpi);
    times_.assign(ranks, 0);
    for (std::uint64_t rank = 0; has_main && rank < ranks; ++rank) {
      builder_.record(rank, EventKind::Enter, 0, {main_});
      call(rank, init, 0, 10, {});
    }
  }

  void define(std::uint64_t id, const std::string& name, std::uint64_t paradigm) {
    const auto text = builder_.string(name);
    builder_.define(K::Region, {id, text, text, text, 0, paradigm, 0, TraceBuilder::none, 0, 0});
  }

  // A rank computes for `gap` ticks, then calls a function with these records for `length` ticks.
  void call(std::uint64_t rank, std::uint64_t region, std::uint64_t gap, std::uint64_t length,
            std::vector<Event> records) {
    auto& now = times_[rank];
    builder_.record(rank, EventKind::Enter, now += gap, {region});
    for (auto& record : records) {
      const bool comes_last = record.kind == EventKind::MpiRecv ||
                              record.kind == EventKind::MpiIrecv ||
                              record.kind == EventKind::MpiIsendComplete ||
                              record.kind == EventKind::MpiCollectiveEnd ||
                              record.kind == EventKind::IoOperationComplete;
      record.time = comes_last ? now + length : now;
      builder_.record(rank, record);
    }
    builder_.record(rank, EventKind::Leave, now += length, {region});
  }
  static Event make(EventKind kind, std::initializer_list<std::uint64_t> fields) {
    return make_event(kind, 0, fields);
  }

  void add_thread(std::uint64_t location, std::uint64_t rank) {
    builder_.define(K::Location,
                    {location, builder_.string("thread"), otf2_value::location_type_cpu, 0, rank});
    times_.resize(location + 1);
  }

  Archive reduce() {
    for (std::uint64_t rank = 0; has_main_ && rank < ranks_; ++rank)
      builder_.record(rank, EventKind::Leave, times_[rank] + 10, {main_});
    const auto archive = builder_.write(folder_.path());
    auto plan = make_plan(archive, {});
    const auto communication =
        add_profiles(plan, archive, {}, diagnostics_, {RecordOperations::with_gaps}).value();
    group(plan, threshold_);
    // Beside such a long run nobody is odd, so that one process stays of each group.
    const auto run = std::exchange(plan.trace.run, TimeSpan{0, 1'000'000'000});
    select(plan, {.choice = Choice::first});
    plan.trace.run = run;
    plan.messages = std::make_shared<const Messages>(fold_messages(communication));
    if (records_program_)
      record_program(archive, plan, std::nullopt, RecordProgram::yes, {}, diagnostics_);
    rewrite(archive, plan, folder_.path() / "small", {}, {}, diagnostics_);
    return Archive((folder_.path() / "small/traces.otf2").string(), diagnostics_);
  }

  Archive expand(const std::optional<LocationList>& locations = std::nullopt) {
    const auto reduced = reduce();
    kept_ = reduced.definitions().locations().size();
    ExpandOptions options;
    options.locations = locations;
    tracefold::expand(reduced, folder_.path() / "full", options, diagnostics_);
    return Archive((folder_.path() / "full/traces.otf2").string(), diagnostics_);
  }

  // The kinds of the records of a location, in order.
  static std::vector<EventKind> list_kinds(const Archive& archive, std::uint64_t location) {
    std::vector<EventKind> kinds;
    for (const auto& event : read_events(archive, location))
      kinds.push_back(event.kind);
    return kinds;
  }

  // The records of all ranks have the kinds of the original's, in their order.
  void expect_the_original_order(const Archive& full) {
    const Archive original((folder_.path() / "traces.otf2").string(), diagnostics_);
    for (std::uint64_t rank = 0; rank < ranks_; ++rank)
      EXPECT_EQ(list_kinds(full, rank), list_kinds(original, rank)) << "rank " << rank;
  }

  // Times of the records of a kind, in order.
  static std::vector<std::uint64_t> list_times(const Archive& archive, std::uint64_t location,
                                               EventKind kind) {
    std::vector<std::uint64_t> times;
    for (const auto& event : read_events(archive, location))
      if (event.kind == kind)
        times.push_back(event.time);
    return times;
  }

  std::uint64_t ranks_;
  bool has_main_;
  double threshold_ = 1;
  bool records_program_ = false;  // what every process did
  TraceBuilder builder_;
  std::vector<std::uint64_t> times_;
  TestFolder folder_;
  Diagnostics diagnostics_;
  std::size_t kept_ = 0;
};

}  // namespace tracefold::testing
