// One location: writes its events, and keeps the truth about its iterations.
//
// Time passes only when it is told to; each event takes a little. The clock that is
// written ticks in steps of Options::resolution. What a call takes belongs to the call
// path that is open, as in a profile.
#pragma once

#include "tests/loop_traces/call_trees.hpp"

#include <array>

namespace tracefold::testing {

// What is known of an iteration: sums over its calls. Times in ticks.
enum class Column : std::uint8_t {
  execution_time,
  mpi_point_to_point_time,
  mpi_collective_time,
  mpi_collective_synchronization_time,
  openmp_time,
  visits,
  sends,
  receives,
  collectives,
  collectives_as_source,
  collectives_as_destination,
  collective_synchronizations,
  bytes_sent,
  bytes_received,
  collective_bytes_outgoing,
  collective_bytes_incoming,
  instructions
};
inline constexpr std::array column_names{"execution time",
                                         "MPI point-to-point time",
                                         "MPI collective time",
                                         "MPI collective synchronization time",
                                         "OpenMP thread synchronization time",
                                         "visits",
                                         "sends",
                                         "receives",
                                         "collectives",
                                         "collectives as source",
                                         "collectives as destination",
                                         "collective synchronizations",
                                         "bytes sent",
                                         "bytes received",
                                         "collective bytes outgoing",
                                         "collective bytes incoming",
                                         "PAPI_TOT_INS"};

struct Iteration {
  std::uint64_t begin = 0, end = 0;  // its first Enter, its last Leave
  CallTrees::Class tree;
  std::array<std::uint64_t, column_names.size()> columns{};
};

struct WrittenLoop {
  std::uint32_t loop = 0;
  std::vector<Iteration> iterations;
};

class Location {
 public:
  Location(OTF2_Archive* archive, OTF2_LocationRef id, const Options& options, CallTrees& trees);

  OTF2_LocationRef id() const { return id_; }
  std::uint64_t now() const { return now_; }
  void spend(std::uint64_t ticks);
  void wait_until(std::uint64_t time);

  void enter(Region region);
  void leave();
  void number(std::uint32_t instance);  // of the region just entered
  void irecv(std::uint64_t request);
  void isend(std::uint32_t receiver, OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes,
             std::uint64_t request);
  void sent(std::uint64_t request);
  void received(std::uint32_t sender, OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes,
                std::uint64_t request);
  void send(std::uint32_t receiver, OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes);
  void recv(std::uint32_t sender, OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes);
  void collective_begin();
  void collective_end(OTF2_CollectiveOp op, OTF2_CommRef comm, std::uint32_t root,
                      std::uint64_t outgoing, std::uint64_t incoming);
  void fork(std::uint32_t threads);
  void join();
  void team_begin(OTF2_CommRef team);
  void team_end(OTF2_CommRef team);

  // What is entered from here on, until the end, is of the iteration.
  void begin_iteration(std::uint32_t loop);
  void end_iteration();
  // Called of a thread, which takes part in the iteration of its process.
  void end_iteration_of(const Location& process);

  const std::vector<WrittenLoop>& loops() const { return loops_; }
  // Nothing may follow. Returns how many events there are.
  std::uint64_t close();

 private:
  std::uint64_t stamp() const { return now_ - now_ % options_.resolution; }
  std::uint64_t tick();  // lets a little time pass and tells it
  void count_instructions(std::uint64_t time);
  void charge(std::uint64_t time);
  std::uint64_t& column(Column c) { return current_.columns[static_cast<std::size_t>(c)]; }
  void count(Column c, std::uint64_t n = 1) {
    if (inside_)
      column(c) += n;
  }

  OTF2_Archive* archive_;
  OTF2_EvtWriter* writer_;
  OTF2_LocationRef id_;
  const Options& options_;
  CallTrees& trees_;
  std::uint64_t now_ = 1'000'000, charged_ = 0;  // until when times belong to call paths
  std::uint64_t instructions_ = 0, charged_instructions_ = 0;
  CallTrees::Numbers open_;  // call paths
  bool inside_ = false;      // an iteration
  std::size_t base_ = 0;     // open calls around it
  Iteration current_;
  std::vector<std::uint32_t> visits_;  // by call path, in this iteration
  CallTrees::Numbers visited_;
  std::vector<WrittenLoop> loops_;
};

}  // namespace tracefold::testing
