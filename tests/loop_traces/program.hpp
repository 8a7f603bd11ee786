// The made-up program: all processes at once, one step after the other, each with
// its own clock; where one waits for another, it takes over its time.
//
//   main: MPI_Init, set-up, warm-up, the loop, another loop, tear-down, MPI_Finalize
//   an iteration: MPI_Bcast, compute, exchange_halo, (relax, MPI_Send, MPI_Recv) ×
//   inner, MPI_Allreduce, write_checkpoint
#pragma once

#include "tests/loop_traces/behaviour.hpp"
#include "tests/loop_traces/location.hpp"

#include <deque>
#include <functional>
#include <span>

namespace tracefold::testing {

inline constexpr OTF2_CommRef comm_world = 0, comm_members = 1, first_team = 2;

inline OTF2_LocationRef location_of(std::uint32_t rank, std::uint32_t thread) {
  return OTF2_LocationRef{thread} << 32 | rank;
}

class Program {
 public:
  Program(OTF2_Archive* archive, const Options& options, CallTrees& trees);

  void run();
  // By rank, and of a rank by thread.
  std::deque<Location>& locations() { return locations_; }

 private:
  using Step = std::function<void(std::uint32_t rank, Location&)>;
  using Bytes = std::function<std::uint64_t(std::uint32_t rank)>;

  Location& thread(std::uint32_t rank, std::uint32_t number) {
    return locations_[rank * options_.threads + number];
  }
  Location& process(std::uint32_t rank) { return thread(rank, 0); }
  void each(const Step& step) {
    for (std::uint32_t rank = 0; rank < options_.members(); ++rank)
      step(rank, process(rank));
  }
  void each_of_all(const Step& step) {
    for (std::uint32_t rank = 0; rank < options_.processes; ++rank)
      step(rank, process(rank));
  }
  OTF2_CommRef comm() const { return options_.odd ? comm_members : comm_world; }

  void call(Location& at, Region region, std::uint64_t ticks);
  void meet_all(Region region);
  void bcast(std::uint64_t bytes);
  void collective(Region region, OTF2_CollectiveOp op, std::uint32_t root, const Bytes& outgoing,
                  const Bytes& incoming);
  void allreduce();

  void set_up();
  void tear_down();
  void warm_up();
  void loop(std::uint32_t number, std::uint32_t iterations);
  void begin_iteration(std::uint32_t rank, std::uint32_t loop, std::uint32_t iteration);
  void end_iteration(std::uint32_t rank);
  void pass(std::uint32_t loop, std::span<const Behaviour> behaviours);
  void compute(std::uint32_t rank, std::uint32_t loop, const Behaviour& behaviour);
  void parallel(std::uint32_t rank, std::uint64_t ticks);
  void exchange(std::span<const Behaviour> behaviours);
  void relax();
  void checkpoint();
  void odd_loop();
  std::uint64_t noisy(std::uint64_t ticks);

  const Options& options_;
  std::deque<Location> locations_;
  std::vector<std::uint64_t> sent_at_;  // by rank: when the last messages left
  std::uint64_t requests_ = 0, draws_ = 0;
};

}  // namespace tracefold::testing
