// What is around the loops, and collective operations.
#include "tests/loop_traces/program.hpp"

#include <algorithm>

namespace tracefold::testing {

namespace {

constexpr std::uint64_t latency = 5'000;  // ticks

}  // namespace

void Program::call(Location& at, Region region, std::uint64_t ticks) {
  at.enter(region);
  at.spend(ticks);
  at.leave();
}

// As MPI_Init does, without a record of its own.
void Program::meet_all(Region region) {
  std::uint64_t last = 0;
  each_of_all([&](auto, Location& at) {
    at.enter(region);
    last = std::max(last, at.now());
  });

  each_of_all([&](auto, Location& at) {
    at.wait_until(last + 100'000);
    at.leave();
  });
}

void Program::collective(Region region, OTF2_CollectiveOp op, std::uint32_t root,
                         const Bytes& outgoing, const Bytes& incoming) {
  std::uint64_t last = 0;
  each([&](auto, Location& at) {
    at.enter(region);
    at.collective_begin();
    last = std::max(last, at.now());
  });

  each([&](auto rank, Location& at) {
    at.wait_until(last + latency);
    at.collective_end(op, comm(), root, outgoing(rank), incoming(rank));
    at.leave();
  });
}

// Bytes are as Score-P records them: the root's own are among them.
void Program::bcast(std::uint64_t bytes) {
  const auto all = bytes * options_.members();
  collective(
      mpi_bcast, OTF2_COLLECTIVE_OP_BCAST, 0, [=](auto rank) { return rank == 0 ? all : 0; },
      [=](auto) { return bytes; });
}

void Program::allreduce() {
  const auto bytes = [](auto) { return std::uint64_t{8}; };
  collective(mpi_allreduce, OTF2_COLLECTIVE_OP_ALLREDUCE, OTF2_UNDEFINED_UINT32, bytes, bytes);
}

void Program::checkpoint() {
  each([](auto, Location& at) { at.enter(write_checkpoint); });
  collective(
      mpi_barrier, OTF2_COLLECTIVE_OP_BARRIER, OTF2_UNDEFINED_UINT32, [](auto) { return 0; },
      [](auto) { return 0; });
  each([&](auto, Location& at) {
    at.spend(noisy(200'000));
    at.leave();
  });
}

void Program::set_up() {
  each([&](auto rank, Location& at) {
    if (rank == 0)
      call(at, read_input, 400'000);
  });

  for (std::uint64_t bytes : {4, 64, 4096})
    bcast(bytes);

  exchange(std::vector<Behaviour>(options_.members()));
  allreduce();
}

// The same passes without a mark, and all anew.
void Program::warm_up() {
  const std::vector<Behaviour> steady(options_.members());
  for (std::uint32_t k = 0; k < options_.warm_up; ++k) {
    const bool has_function = options_.style == LoopStyle::function;
    if (has_function)
      each([](auto, Location& at) { at.enter(time_step); });
    pass(0, steady);
    if (has_function)
      each([](auto, Location& at) { at.leave(); });
  }

  each([&](auto, Location& at) { call(at, reset_fields, 100'000); });
  collective(
      mpi_barrier, OTF2_COLLECTIVE_OP_BARRIER, OTF2_UNDEFINED_UINT32, [](auto) { return 0; },
      [](auto) { return 0; });
}

void Program::tear_down() {
  const auto all = std::uint64_t{4096} * options_.members();
  allreduce();
  allreduce();
  collective(
      mpi_gather, OTF2_COLLECTIVE_OP_GATHER, 0, [](auto) { return 4096; },
      [=](auto rank) { return rank == 0 ? all : 0; });
  each([&](auto rank, Location& at) {
    if (rank == 0)
      call(at, write_results, 500'000);
  });
}

// The loop of the last process, which stores what the others have computed, in its own time.
void Program::odd_loop() {
  const auto rank = options_.processes - 1;
  auto& at = process(rank);
  for (std::uint32_t i = 0; i < options_.odd; ++i) {
    begin_iteration(rank, 0, i);
    call(at, collect_output, noisy(100'000));
    call(at, store_output, noisy(300'000));
    end_iteration(rank);
  }
}

}  // namespace tracefold::testing
