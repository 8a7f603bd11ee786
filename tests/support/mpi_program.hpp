// Processes of MPI that call functions by name, and what is recorded of all of them.
#pragma once

#include "model/plan.hpp"
#include "pipeline/iterations/fold_pass.hpp"
#include "pipeline/reduce/plan_session.hpp"
#include "tests/support/test_folder.hpp"
#include "tests/support/trace_builder.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace tracefold::testing {

// All of them call everything in main.
class MpiProgram {
 public:
  explicit MpiProgram(std::uint64_t processes) : processes_(processes) {
    trace_.add_mpi_processes(processes);
    for (std::uint64_t p = 0; p < processes; ++p)
      enter(p, "main", 0);
  }

  void enter(std::uint64_t process, const std::string& function, std::uint64_t time) {
    const auto [at, is_new] = regions_.try_emplace(function, regions_.size());
    if (is_new)
      trace_.add_region(at->second, function);
    trace_.record(process, EventKind::Enter, time, {at->second});
  }
  void leave(std::uint64_t process, const std::string& function, std::uint64_t time) {
    trace_.record(process, EventKind::Leave, time, {regions_.at(function)});
  }
  void call(std::uint64_t process, const std::string& function, std::uint64_t begin,
            std::uint64_t end) {
    enter(process, function, begin);
    leave(process, function, end);
  }
  void send(std::uint64_t from, std::uint64_t to, std::uint64_t begin, std::uint64_t end,
            std::uint64_t bytes = 8) {
    enter(from, "MPI_Send", begin);
    trace_.record(from, EventKind::MpiSend, begin, {to, TraceBuilder::world, tag, bytes});
    leave(from, "MPI_Send", end);
  }
  void receive(std::uint64_t to, std::uint64_t from, std::uint64_t begin, std::uint64_t end,
               std::uint64_t bytes = 8) {
    enter(to, "MPI_Recv", begin);
    trace_.record(to, EventKind::MpiRecv, end, {from, TraceBuilder::world, tag, bytes});
    leave(to, "MPI_Recv", end);
  }
  void collective(std::uint64_t process, const std::string& function, std::uint64_t operation,
                  std::uint64_t begin, std::uint64_t end,
                  std::uint64_t root = otf2_value::root_none) {
    enter(process, function, begin);
    trace_.record(process, EventKind::MpiCollectiveBegin, begin);
    trace_.record(process, EventKind::MpiCollectiveEnd, end,
                  {operation, TraceBuilder::world, root, process == root ? 8u : 0u,
                   process == root ? 0u : 8u});
    leave(process, function, end);
  }
  void barrier(std::uint64_t process, std::uint64_t begin, std::uint64_t end) {
    collective(process, "MPI_Barrier", otf2_value::collective_barrier, begin, end);
  }
  void begin_operation(std::uint64_t process, const std::string& function, std::uint64_t begin,
                       std::uint64_t end, std::uint64_t request) {
    enter(process, function, begin);
    trace_.record(process, EventKind::NonBlockingCollectiveRequest, begin, {request});
    leave(process, function, end);
  }
  void wait_for_operation(std::uint64_t process, std::uint64_t begin, std::uint64_t end,
                          std::uint64_t operation, std::uint64_t request) {
    enter(process, "MPI_Wait", begin);
    trace_.record(process, EventKind::NonBlockingCollectiveComplete, end,
                  {operation, TraceBuilder::world, otf2_value::root_none, 8, 8, request});
    leave(process, "MPI_Wait", end);
  }
  void fence(std::uint64_t process, std::uint64_t begin, std::uint64_t end,
             std::uint64_t window = 0) {
    if (windows_.insert(window).second)
      trace_.define(DefinitionKind::RmaWin,
                    {window, trace_.string("window"), TraceBuilder::world, 0});
    enter(process, "MPI_Win_fence", begin);
    trace_.record(process, EventKind::RmaCollectiveBegin, begin);
    trace_.record(process, EventKind::RmaCollectiveEnd, end,
                  {otf2_value::collective_barrier, otf2_value::sync_process, window,
                   otf2_value::root_none, 0, 0});
    leave(process, "MPI_Win_fence", end);
  }
  // Of window 0 and rank 0: a lock, or a message of 8 bytes.
  void one_sided(std::uint64_t process, const std::string& function, EventKind kind,
                 std::uint64_t begin, std::uint64_t end) {
    enter(process, function, begin);
    if (kind == EventKind::RmaPut)
      trace_.record(process, kind, begin, {0, 0, 8, 1});
    else
      trace_.record(process, kind, begin, {0, 0, 1, 0});
    leave(process, function, end);
  }
  TraceBuilder& end(std::uint64_t time) {
    for (std::uint64_t p = 0; p < processes_; ++p)
      leave(p, "main", time);
    return trace_;
  }

 private:
  static constexpr std::uint64_t tag = 1;

  TraceBuilder trace_;
  std::uint64_t processes_;
  std::map<std::string, std::uint64_t> regions_;
  std::set<std::uint64_t> windows_;
};

inline Plan record(TraceBuilder& trace) {
  const TestFolder folder;
  trace.write(folder.path());
  Diagnostics ignored;
  const Context context{ignored};
  PlanSession session(open_trace((folder.path() / "traces.otf2").string(), ignored), context);
  session.profile();
  session.group({});
  auto plan = session.plan();
  record_program(session.archive(), plan, std::nullopt, RecordProgram::for_file, {}, ignored);
  return plan;
}

}  // namespace tracefold::testing
