#include "tests/loop_traces/program.hpp"

#include <algorithm>

namespace tracefold::testing {

namespace {

constexpr std::uint64_t latency = 2'000, kernel = 25'000;  // ticks
constexpr std::uint64_t halo_bytes = 8192, edge_bytes = 1024;
constexpr std::uint32_t to_right = 1, to_left = 2, edges = 3;  // tags

}  // namespace

Program::Program(OTF2_Archive* archive, const Options& options, CallTrees& trees)
    : options_(options), sent_at_(options.processes) {
  for (std::uint32_t rank = 0; rank < options.processes; ++rank)
    for (std::uint32_t t = 0; t < options.threads; ++t)
      locations_.emplace_back(archive, location_of(rank, t), options, trees);
}

void Program::run() {
  each_of_all([](auto, Location& at) { at.enter(main_region); });
  meet_all(mpi_init);
  if (options_.frame)
    set_up();
  if (options_.warm_up)
    warm_up();

  loop(0, options_.iterations);
  if (options_.second_loop) {
    each([&](auto, Location& at) { call(at, redistribute, 300'000); });
    loop(1, options_.second_loop);
  }

  if (options_.odd)
    odd_loop();
  if (options_.frame)
    tear_down();

  meet_all(mpi_finalize);
  each_of_all([](auto, Location& at) { at.leave(); });
}

void Program::loop(std::uint32_t number, std::uint32_t iterations) {
  std::vector<Behaviour> behaviours(options_.members());
  for (std::uint32_t i = 0; i < iterations; ++i) {
    each([&](auto rank, Location&) {
      behaviours[rank] = behaviour_of(options_, rank, i, iterations);
      begin_iteration(rank, number, i);
    });

    pass(number, behaviours);
    if (options_.checkpoint && (i + 1) % options_.checkpoint == 0)
      checkpoint();

    each([&](auto rank, Location&) { end_iteration(rank); });
  }
}

void Program::begin_iteration(std::uint32_t rank, std::uint32_t loop, std::uint32_t iteration) {
  for (std::uint32_t t = 0; t < options_.threads; ++t)
    thread(rank, t).begin_iteration(loop);
  if (options_.style == LoopStyle::written_inline)
    return;
  process(rank).enter(region_of_loop(loop));
  if (options_.style == LoopStyle::numbered)
    process(rank).number(iteration);
}

void Program::end_iteration(std::uint32_t rank) {
  if (options_.style != LoopStyle::written_inline)
    process(rank).leave();
  process(rank).end_iteration();
  for (std::uint32_t t = 1; t < options_.threads; ++t)
    thread(rank, t).end_iteration_of(process(rank));
}

void Program::pass(std::uint32_t loop, std::span<const Behaviour> behaviours) {
  bcast(16);
  each([&](auto rank, Location&) { compute(rank, loop, behaviours[rank]); });
  exchange(behaviours);
  for (std::uint32_t k = 0; k < options_.inner; ++k)
    relax();
  allreduce();
}

void Program::compute(std::uint32_t rank, std::uint32_t loop, const Behaviour& behaviour) {
  auto& at = process(rank);
  const auto ticks = noisy(static_cast<std::uint64_t>(kernel * behaviour.work));
  at.enter(loop == 0 ? static_cast<Region>(compute_forces + behaviour.mode) : smooth_field);
  if (options_.threads > 1)
    parallel(rank, ticks);
  for (std::uint32_t k = 0; k < behaviour.kernels; ++k)
    call(at, update_cells, ticks);

  at.leave();
  if (behaviour.rebuild)
    call(at, rebuild_lists, 2 * kernel);
}

// All threads of a rank compute, and wait for the last.
void Program::parallel(std::uint32_t rank, std::uint64_t ticks) {
  const auto team = first_team + rank;
  auto& at = process(rank);
  at.fork(options_.threads);
  std::uint64_t last = 0;

  for (std::uint32_t t = 0; t < options_.threads; ++t) {
    auto& worker = thread(rank, t);
    worker.wait_until(at.now());
    worker.team_begin(team);
    worker.enter(omp_parallel);
    worker.spend(noisy(ticks));
    worker.enter(omp_barrier);
    last = std::max(last, worker.now());
  }

  for (std::uint32_t t = 0; t < options_.threads; ++t) {
    auto& worker = thread(rank, t);
    worker.wait_until(last);
    worker.leave();
    worker.leave();
    worker.team_end(team);
  }

  at.join();
}

// With both neighbours in a ring, without blocking.
void Program::exchange(std::span<const Behaviour> behaviours) {
  const auto n = options_.members();
  std::vector<std::vector<std::uint64_t>> requests(
      n);  // of receives from the left and from the right, and of sends

  each([&](auto rank, Location& at) {
    at.enter(exchange_halo);
    if (n == 1)
      return;

    const auto left = (rank + n - 1) % n, right = (rank + 1) % n;
    const auto incoming = behaviours[left].messages + behaviours[right].messages,
               outgoing = behaviours[rank].messages;

    for (std::uint32_t k = 0; k < incoming + 2 * outgoing; ++k) {
      requests[rank].push_back(requests_++);
      at.enter(k < incoming ? mpi_irecv : mpi_isend);
      if (k < incoming)
        at.irecv(requests[rank].back());
      else if (k < incoming + outgoing)
        at.isend(right, comm(), to_right, halo_bytes, requests[rank].back());
      else
        at.isend(left, comm(), to_left, halo_bytes, requests[rank].back());

      at.leave();
    }

    sent_at_[rank] = at.now();
  });

  each([&](auto rank, Location& at) {
    if (n > 1) {
      const auto left = (rank + n - 1) % n, right = (rank + 1) % n;
      auto request = requests[rank].begin();
      at.enter(mpi_waitall);
      at.wait_until(std::max(sent_at_[left], sent_at_[right]) + latency);
      for (std::uint32_t k = 0; k < behaviours[left].messages; ++k)
        at.received(left, comm(), to_right, halo_bytes, *request++);
      for (std::uint32_t k = 0; k < behaviours[right].messages; ++k)
        at.received(right, comm(), to_left, halo_bytes, *request++);
      while (request != requests[rank].end())
        at.sent(*request++);

      at.leave();
    }

    at.leave();
  });
}

// A pass of the inner loop: to the right neighbour, blocking.
void Program::relax() {
  const auto n = options_.members();

  each([&](auto rank, Location& at) {
    call(at, testing::relax, noisy(kernel / 2));
    if (n == 1)
      return;
    at.enter(mpi_send);
    at.send((rank + 1) % n, comm(), edges, edge_bytes);
    sent_at_[rank] = at.now();
    at.leave();
  });

  if (n > 1)
    each([&](auto rank, Location& at) {
      const auto left = (rank + n - 1) % n;
      at.enter(mpi_recv);
      at.wait_until(sent_at_[left] + latency);
      at.recv(left, comm(), edges, edge_bytes);
      at.leave();
    });
}

std::uint64_t Program::noisy(std::uint64_t ticks) {
  const auto range = ticks * options_.noise / 100;
  return ticks - range / 2 + (range ? hash(++draws_, 5) % range : 0);
}

}  // namespace tracefold::testing
