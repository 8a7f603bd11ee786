#include "tests/loop_traces/location.hpp"

#include "tests/support/trace_tool.hpp"

#include <algorithm>

namespace tracefold::testing {

namespace {

constexpr std::uint64_t ticks_of_an_event = 50;
constexpr OTF2_MetricRef counters = 0;

const RegionEntry& entry_of(const CallTrees& trees, std::uint32_t path) {
  return region_table[trees.paths()[path].region];
}

}  // namespace

Location::Location(OTF2_Archive* archive, OTF2_LocationRef id, const Options& options,
                   CallTrees& trees)
    : archive_(archive),
      writer_(need(OTF2_Archive_GetEvtWriter(archive, id), "event writer")),
      id_(id),
      options_(options),
      trees_(trees) {}

void Location::spend(std::uint64_t ticks) {
  now_ += ticks;
  if (!open_.empty())
    instructions_ += ticks * entry_of(trees_, open_.back()).instructions;
}

void Location::wait_until(std::uint64_t time) {
  if (time > now_)
    spend(time - now_);
}

std::uint64_t Location::tick() {
  spend(ticks_of_an_event);
  return stamp();
}

// Gives what has passed since the last Enter or Leave to the innermost open call.
void Location::charge(std::uint64_t time) {
  if (inside_ && open_.size() > base_) {
    const auto kind = entry_of(trees_, open_.back()).time;
    const auto ticks = time - charged_;
    column(Column::execution_time) += ticks;
    column(Column::instructions) += instructions_ - charged_instructions_;
    if (kind == TimeKind::mpi_point_to_point)
      column(Column::mpi_point_to_point_time) += ticks;
    if (kind == TimeKind::mpi_collective)
      column(Column::mpi_collective_time) += ticks;
    if (kind == TimeKind::mpi_collective_synchronization)
      column(Column::mpi_collective_synchronization_time) += ticks;
    if (kind == TimeKind::openmp)
      column(Column::openmp_time) += ticks;
  }

  charged_ = time;
  charged_instructions_ = instructions_;
}

void Location::count_instructions(std::uint64_t time) {
  if (!options_.counters)
    return;
  constexpr OTF2_Type type = OTF2_TYPE_UINT64;
  OTF2_MetricValue value;
  value.unsigned_int = instructions_;
  check(OTF2_EvtWriter_Metric(writer_, nullptr, time, counters, 1, &type, &value), "Metric");
}

void Location::enter(Region region) {
  const auto time = tick();
  charge(time);
  count_instructions(time);
  check(OTF2_EvtWriter_Enter(writer_, nullptr, time, region), "Enter");
  const auto path = trees_.path(open_.empty() ? no_path : open_.back(), region);
  open_.push_back(path);
  if (!inside_)
    return;
  if (visits_.size() <= path)
    visits_.resize(path + 1);
  if (visited_.empty())
    current_.begin = time;
  if (visits_[path]++ == 0)
    visited_.push_back(path);

  count(Column::visits);
}

void Location::leave() {
  const auto time = tick();
  charge(time);
  count_instructions(time);
  check(OTF2_EvtWriter_Leave(writer_, nullptr, time, trees_.paths()[open_.back()].region), "Leave");
  open_.pop_back();
  current_.end = time;
}

void Location::number(std::uint32_t instance) {
  check(OTF2_EvtWriter_ParameterUnsignedInt(writer_, nullptr, stamp(), 0, instance),
        "ParameterUnsignedInt");
}

void Location::irecv(std::uint64_t request) {
  check(OTF2_EvtWriter_MpiIrecvRequest(writer_, nullptr, tick(), request), "MpiIrecvRequest");
}

void Location::isend(std::uint32_t receiver, OTF2_CommRef comm, std::uint32_t tag,
                     std::uint64_t bytes, std::uint64_t request) {
  check(OTF2_EvtWriter_MpiIsend(writer_, nullptr, tick(), receiver, comm, tag, bytes, request),
        "MpiIsend");
  count(Column::sends), count(Column::bytes_sent, bytes);
}

void Location::sent(std::uint64_t request) {
  check(OTF2_EvtWriter_MpiIsendComplete(writer_, nullptr, tick(), request), "MpiIsendComplete");
}

void Location::received(std::uint32_t sender, OTF2_CommRef comm, std::uint32_t tag,
                        std::uint64_t bytes, std::uint64_t request) {
  check(OTF2_EvtWriter_MpiIrecv(writer_, nullptr, tick(), sender, comm, tag, bytes, request),
        "MpiIrecv");
  count(Column::receives), count(Column::bytes_received, bytes);
}

void Location::send(std::uint32_t receiver, OTF2_CommRef comm, std::uint32_t tag,
                    std::uint64_t bytes) {
  check(OTF2_EvtWriter_MpiSend(writer_, nullptr, tick(), receiver, comm, tag, bytes), "MpiSend");
  count(Column::sends), count(Column::bytes_sent, bytes);
}

void Location::recv(std::uint32_t sender, OTF2_CommRef comm, std::uint32_t tag,
                    std::uint64_t bytes) {
  check(OTF2_EvtWriter_MpiRecv(writer_, nullptr, tick(), sender, comm, tag, bytes), "MpiRecv");
  count(Column::receives), count(Column::bytes_received, bytes);
}

void Location::collective_begin() {
  check(OTF2_EvtWriter_MpiCollectiveBegin(writer_, nullptr, tick()), "MpiCollectiveBegin");
}

void Location::collective_end(OTF2_CollectiveOp op, OTF2_CommRef comm, std::uint32_t root,
                              std::uint64_t outgoing, std::uint64_t incoming) {
  check(
      OTF2_EvtWriter_MpiCollectiveEnd(writer_, nullptr, tick(), op, comm, root, outgoing, incoming),
      "MpiCollectiveEnd");
  if (op == OTF2_COLLECTIVE_OP_BARRIER)
    return count(Column::collective_synchronizations);

  count(Column::collectives);
  count(Column::collectives_as_source, outgoing > 0),
      count(Column::collective_bytes_outgoing, outgoing);
  count(Column::collectives_as_destination, incoming > 0),
      count(Column::collective_bytes_incoming, incoming);
}

void Location::fork(std::uint32_t threads) {
  check(OTF2_EvtWriter_ThreadFork(writer_, nullptr, tick(), OTF2_PARADIGM_OPENMP, threads),
        "ThreadFork");
}
void Location::join() {
  check(OTF2_EvtWriter_ThreadJoin(writer_, nullptr, tick(), OTF2_PARADIGM_OPENMP), "ThreadJoin");
}
void Location::team_begin(OTF2_CommRef team) {
  check(OTF2_EvtWriter_ThreadTeamBegin(writer_, nullptr, tick(), team), "ThreadTeamBegin");
}
void Location::team_end(OTF2_CommRef team) {
  check(OTF2_EvtWriter_ThreadTeamEnd(writer_, nullptr, tick(), team), "ThreadTeamEnd");
}

void Location::begin_iteration(std::uint32_t loop) {
  if (loops_.empty() || loops_.back().loop != loop)
    loops_.push_back({loop, {}});
  inside_ = true;
  base_ = open_.size();
  current_ = {};
}

void Location::end_iteration() {
  std::sort(visited_.begin(), visited_.end());
  CallTrees::Numbers visits;
  for (auto path : visited_)
    visits.push_back(std::exchange(visits_[path], 0));

  current_.tree = trees_.class_of(visited_, visits);
  visited_.clear();
  loops_.back().iterations.push_back(current_);
  inside_ = false;
}

void Location::end_iteration_of(const Location& process) {
  current_.begin = process.current_.begin, current_.end = process.current_.end;
  end_iteration();
}

std::uint64_t Location::close() {
  std::uint64_t events = 0;
  check(OTF2_EvtWriter_GetNumberOfEvents(writer_, &events), "counting events");
  check(OTF2_Archive_CloseEvtWriter(archive_, writer_), "closing an event file");
  return events;
}

}  // namespace tracefold::testing
