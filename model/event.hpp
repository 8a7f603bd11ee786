// Events: the table of the 79 event kinds of OTF2 3.0, and one event as the
// passes see it. A reader reuses one Event, so handing one on allocates nothing.
#pragma once

#include "model/record.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

// X(name, arguments of OTF2_EvtWriter_<name> after attributes and time). Rows
// are in the order of the record types in event files, which begin at 10.
#define TRACEFOLD_EVENTS(X)                                                                                     \
  X(BufferFlush, value("stopTime"))                                                                             \
  X(MeasurementOnOff, value("measurementMode"))                                                                 \
  X(Enter, region("region"))                                                                                    \
  X(Leave, region("region"))                                                                                    \
  X(MpiSend, peer("receiver"), comm("communicator"), value("msgTag"), value("msgLength"))                       \
  X(MpiIsend, peer("receiver"), comm("communicator"), value("msgTag"), value("msgLength"), request())           \
  X(MpiIsendComplete, request())                                                                                \
  X(MpiIrecvRequest, request())                                                                                 \
  X(MpiRecv, peer("sender"), comm("communicator"), value("msgTag"), value("msgLength"))                         \
  X(MpiIrecv, peer("sender"), comm("communicator"), value("msgTag"), value("msgLength"), request())             \
  X(MpiRequestTest, request())                                                                                  \
  X(MpiRequestCancelled, request())                                                                             \
  X(MpiCollectiveBegin, none())                                                                                 \
  X(MpiCollectiveEnd, value("collectiveOp"), comm("communicator"), root(), value("sizeSent"),                   \
    value("sizeReceived"))                                                                                      \
  X(OmpFork, value("numberOfRequestedThreads"))                                                                 \
  X(OmpJoin, none())                                                                                            \
  X(OmpAcquireLock, value("lockID"), value("acquisitionOrder"))                                                 \
  X(OmpReleaseLock, value("lockID"), value("acquisitionOrder"))                                                 \
  X(OmpTaskCreate, value("taskID"))                                                                             \
  X(OmpTaskSwitch, value("taskID"))                                                                             \
  X(OmpTaskComplete, value("taskID"))                                                                           \
  X(Metric, ref("metric", Ref::metric), count("numberOfMetrics"), list("typeIDs"), list("metricValues"))        \
  X(ParameterString, ref("parameter", Ref::parameter), string("string"))                                        \
  X(ParameterInt, ref("parameter", Ref::parameter), value("value"))                                             \
  X(ParameterUnsignedInt, ref("parameter", Ref::parameter), value("value"))                                     \
  X(RmaWinCreate, window())                                                                                     \
  X(RmaWinDestroy, window())                                                                                    \
  X(RmaCollectiveBegin, none())                                                                                 \
  X(RmaCollectiveEnd, value("collectiveOp"), value("syncLevel"), window(), root(), value("bytesSent"),          \
    value("bytesReceived"))                                                                                     \
  X(RmaGroupSync, value("syncLevel"), window(), ref("group", Ref::group))                                       \
  X(RmaRequestLock, window(), peer("remote"), value("lockId"), value("lockType"))                               \
  X(RmaAcquireLock, window(), peer("remote"), value("lockId"), value("lockType"))                               \
  X(RmaTryLock, window(), peer("remote"), value("lockId"), value("lockType"))                                   \
  X(RmaReleaseLock, window(), peer("remote"), value("lockId"))                                                  \
  X(RmaSync, window(), peer("remote"), value("syncType"))                                                       \
  X(RmaWaitChange, window())                                                                                    \
  X(RmaPut, window(), peer("remote"), value("bytes"), match())                                                  \
  X(RmaGet, window(), peer("remote"), value("bytes"), match())                                                  \
  X(RmaAtomic, window(), peer("remote"), value("type"), value("bytesSent"), value("bytesReceived"), match())    \
  X(RmaOpCompleteBlocking, window(), match())                                                                   \
  X(RmaOpCompleteNonBlocking, window(), match())                                                                \
  X(RmaOpTest, window(), match())                                                                               \
  X(RmaOpCompleteRemote, window(), match())                                                                     \
  X(ThreadFork, ref("model", Ref::paradigm), value("numberOfRequestedThreads"))                                 \
  X(ThreadJoin, ref("model", Ref::paradigm))                                                                    \
  X(ThreadTeamBegin, comm("threadTeam"))                                                                        \
  X(ThreadTeamEnd, comm("threadTeam"))                                                                          \
  X(ThreadAcquireLock, ref("model", Ref::paradigm), value("lockID"), value("acquisitionOrder"))                 \
  X(ThreadReleaseLock, ref("model", Ref::paradigm), value("lockID"), value("acquisitionOrder"))                 \
  X(ThreadTaskCreate, comm("threadTeam"), team_rank("creatingThread"), value("generationNumber"))               \
  X(ThreadTaskSwitch, comm("threadTeam"), team_rank("creatingThread"), value("generationNumber"))               \
  X(ThreadTaskComplete, comm("threadTeam"), team_rank("creatingThread"), value("generationNumber"))             \
  X(ThreadCreate, comm("threadContingent"), value("sequenceCount"))                                             \
  X(ThreadBegin, comm("threadContingent"), value("sequenceCount"))                                              \
  X(ThreadWait, comm("threadContingent"), value("sequenceCount"))                                               \
  X(ThreadEnd, comm("threadContingent"), value("sequenceCount"))                                                \
  X(CallingContextEnter, ref("callingContext", Ref::calling_context), value("unwindDistance"))                  \
  X(CallingContextLeave, ref("callingContext", Ref::calling_context))                                           \
  X(CallingContextSample, ref("callingContext", Ref::calling_context), value("unwindDistance"),                 \
    ref("interruptGenerator", Ref::interrupt_generator))                                                        \
  X(IoCreateHandle, handle("handle"), value("mode"), value("creationFlags"), value("statusFlags"))              \
  X(IoDestroyHandle, handle("handle"))                                                                          \
  X(IoDuplicateHandle, handle("oldHandle"), handle("newHandle"), value("statusFlags"))                          \
  X(IoSeek, handle("handle"), value("offsetRequest"), value("whence"), value("offsetResult"))                   \
  X(IoChangeStatusFlags, handle("handle"), value("statusFlags"))                                                \
  X(IoDeleteFile, ref("ioParadigm", Ref::io_paradigm), ref("file", Ref::io_file))                               \
  X(IoOperationBegin, handle("handle"), value("mode"), value("operationFlags"), value("bytesRequest"),          \
    value("matchingId"))                                                                                        \
  X(IoOperationTest, handle("handle"), value("matchingId"))                                                     \
  X(IoOperationIssued, handle("handle"), value("matchingId"))                                                   \
  X(IoOperationComplete, handle("handle"), value("bytesResult"), value("matchingId"))                           \
  X(IoOperationCancelled, handle("handle"), value("matchingId"))                                                \
  X(IoAcquireLock, handle("handle"), value("lockType"))                                                         \
  X(IoReleaseLock, handle("handle"), value("lockType"))                                                         \
  X(IoTryLock, handle("handle"), value("lockType"))                                                             \
  X(ProgramBegin, string("programName"), count("numberOfArguments"), ref_list("programArguments", Ref::string)) \
  X(ProgramEnd, value("exitStatus"))                                                                            \
  X(NonBlockingCollectiveRequest, request())                                                                    \
  X(NonBlockingCollectiveComplete, value("collectiveOp"), comm("communicator"), root(), value("sizeSent"),      \
    value("sizeReceived"), request())                                                                           \
  X(CommCreate, comm("communicator"))                                                                           \
  X(CommDestroy, comm("communicator"))

#define TRACEFOLD_KIND(name, ...) name,
enum class EventKind : std::uint8_t { TRACEFOLD_EVENTS(TRACEFOLD_KIND) };
#undef TRACEFOLD_KIND

#define TRACEFOLD_KIND(name, ...) +1
inline constexpr std::size_t event_kinds = 0 TRACEFOLD_EVENTS(TRACEFOLD_KIND);
#undef TRACEFOLD_KIND

inline constexpr std::size_t max_event_fields = 6;

struct EventRow {
  std::string_view name;
  std::array<Field, max_event_fields> fields{};
  std::size_t size = 0;

  constexpr std::span<const Field> shape() const { return {fields.data(), size}; }
};

namespace detail {
struct NoFields {};
constexpr NoFields none() { return {}; }
constexpr EventRow event_row(std::string_view name, NoFields) { return {name, {}, 0}; }
template <class... F>
constexpr EventRow event_row(std::string_view name, F... f) {
  return {name, {f...}, sizeof...(F)};
}
constexpr std::array<EventRow, event_kinds> make_event_table() {
  using namespace fields;
#define TRACEFOLD_ROW(name, ...) event_row(#name, __VA_ARGS__),
  return {{TRACEFOLD_EVENTS(TRACEFOLD_ROW)}};
#undef TRACEFOLD_ROW
}
}  // namespace detail

inline constexpr std::array<EventRow, event_kinds> event_table = detail::make_event_table();
constexpr const EventRow& row_of(EventKind kind) { return event_table[static_cast<std::size_t>(kind)]; }

// Where the field with a role stands in a kind of event, if it has one.
constexpr std::optional<std::size_t> field_with(EventKind kind, FieldRole role) {
  const auto shape = row_of(kind).shape();
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i].role == role) return i;
  return std::nullopt;
}

// One event. Times are ticks of the trace's clock, corrected by the reader;
// ids are global. `fields` has a slot per argument of the row.
struct Event {
  EventKind kind = EventKind::BufferFlush;
  std::uint64_t time = 0;
  std::array<std::uint64_t, max_event_fields> fields{};
  std::vector<std::uint64_t> list;
  std::vector<Attribute> attributes;

  std::uint64_t region() const { return fields[0]; }  // Enter and Leave
};

}  // namespace tracefold
