// The messages of programs with a regular structure take as much room whatever number of ranks.
#include "base/error.hpp"
#include "filters/groups/group.hpp"
#include "filters/groups/select.hpp"
#include "filters/messages/fold_messages.hpp"
#include "model/plan.hpp"
#include "pipeline/messages/stored_messages.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/rewrite/rewrite_pass.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tracefold::messages_size_test {

using testing::TraceBuilder;
using enum EventKind;

enum Region : std::uint64_t { main_, lower, upper, send, receive, reduce_ };

// Ranks in a square that pass a wave from corner to corner and back, as LU does.
class WaveTrace {
 public:
  explicit WaveTrace(std::uint64_t side) : side_(side) {
    builder_.add_mpi_processes(side * side);
    for (const auto* name : {"main", "blts", "buts", "MPI_Send", "MPI_Recv", "MPI_Allreduce"})
      define(name);

    for (std::uint64_t rank = 0; rank < side * side; ++rank) {
      now_ = 0;
      enter(rank, main_);
      for (int step = 0; step < 3; ++step) {
        sweep(rank, lower, true);
        sweep(rank, upper, false);
      }
      enter(rank, reduce_);
      builder_.record(rank, MpiCollectiveBegin, now_);
      builder_.record(rank, MpiCollectiveEnd, now_ += 5, {11, TraceBuilder::world, none, 40, 40});
      leave(rank, reduce_);
      leave(rank, main_);
    }
  }

  // The messages section beside the reduced trace, without gap times, in bytes of JSON.
  std::uint64_t measure() {
    const auto archive = builder_.write(folder_.path());
    Diagnostics diagnostics;
    auto plan = make_plan(archive, {});
    const auto communication =
        add_profiles(plan, archive, {}, diagnostics, {RecordOperations::with_gaps}).value();
    Comparison comparison;
    comparison.by = CompareBy::signature;
    group_by_signature(plan, communication, comparison);
    EXPECT_EQ(plan.groups->size(), 9u);
    select(plan, {.choice = Choice::first});
    plan.messages = std::make_shared<const Messages>(fold_messages(communication));
    rewrite(archive, plan, folder_.path() / "small", {}, {}, diagnostics);

    const Archive reduced((folder_.path() / "small/traces.otf2").string(), diagnostics);
    auto messages = *read_stored_messages(reduced);
    EXPECT_TRUE(messages.complete);
    for (auto& cluster : messages.clusters)
      cluster.gaps.clear();
    return measure_messages(messages);
  }

 private:
  static constexpr std::uint64_t none = otf2_value::root_none;

  void define(const std::string& name) {
    const auto text = builder_.string(name);
    const auto paradigm =
        name.starts_with("MPI_") ? TraceBuilder::mpi : otf2_value::paradigm_compiler;
    builder_.define(DefinitionKind::Region,
                    {regions_++, text, text, text, 0, paradigm, 0, TraceBuilder::none, 0, 0});
  }
  void enter(std::uint64_t rank, std::uint64_t region) {
    builder_.record(rank, Enter, now_ += 10, {region});
  }
  void leave(std::uint64_t rank, std::uint64_t region) {
    builder_.record(rank, Leave, now_ += 10, {region});
  }

  void sweep(std::uint64_t rank, std::uint64_t region, bool goes_up) {
    const auto column = rank % side_, row = rank / side_;
    const auto call = [&](bool is_there, std::uint64_t function, std::uint64_t peer) {
      if (!is_there)
        return;
      enter(rank, function);
      builder_.record(rank, function == send ? MpiSend : MpiRecv, now_,
                      {peer, TraceBuilder::world, 7, 1000});
      leave(rank, function);
    };

    enter(rank, region);
    const bool before_row = row > 0, before_column = column > 0, behind_row = row + 1 < side_,
               behind_column = column + 1 < side_;
    for (auto function : {std::uint64_t{receive}, std::uint64_t{send}}) {
      const bool towards_first = (function == receive) == goes_up;
      call(towards_first ? before_row : behind_row, function,
           towards_first ? rank - side_ : rank + side_);
      call(towards_first ? before_column : behind_column, function,
           towards_first ? rank - 1 : rank + 1);
    }
    leave(rank, region);
  }

  std::uint64_t side_, regions_ = 0, now_ = 0;
  TraceBuilder builder_;
  testing::TestFolder folder_;
};

TEST(MessagesSize, IsThatOfTheStructureNotOfTheRanks) {
  const auto few = WaveTrace(8).measure();
  const auto many = WaveTrace(64).measure();
  EXPECT_LE(static_cast<double>(many), 1.1 * static_cast<double>(few)) << few << " bytes";
}

}  // namespace tracefold::messages_size_test
