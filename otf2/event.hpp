// One event, the table of the 79 event kinds of OTF2 3.0, and the concept of an event sink. Plain
// data. Readers reuse one Event for all records of a location, so that no record allocates memory.
#pragma once

#include "otf2/record.hpp"

#include <array>
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

// X(name, arguments of OTF2_EvtWriter_<name> after attributes and time). Rows
// are in the order of the record types in event files, which begin at 10.
#define TRACEFOLD_EVENTS(X)                                                                       \
  X(BufferFlush, time_stamp("stopTime"))                                                          \
  X(MeasurementOnOff, u8("measurementMode"))                                                      \
  X(Enter, region("region"))                                                                      \
  X(Leave, region("region"))                                                                      \
  X(MpiSend, peer("receiver"), comm("communicator"), u32("msgTag"), u64("msgLength"))             \
  X(MpiIsend, peer("receiver"), comm("communicator"), u32("msgTag"), u64("msgLength"), request()) \
  X(MpiIsendComplete, request())                                                                  \
  X(MpiIrecvRequest, request())                                                                   \
  X(MpiRecv, peer("sender"), comm("communicator"), u32("msgTag"), u64("msgLength"))               \
  X(MpiIrecv, peer("sender"), comm("communicator"), u32("msgTag"), u64("msgLength"), request())   \
  X(MpiRequestTest, request())                                                                    \
  X(MpiRequestCancelled, request())                                                               \
  X(MpiCollectiveBegin, none())                                                                   \
  X(MpiCollectiveEnd, u8("collectiveOp"), comm("communicator"), root(), u64("sizeSent"),          \
    u64("sizeReceived"))                                                                          \
  X(OmpFork, u32("numberOfRequestedThreads"))                                                     \
  X(OmpJoin, none())                                                                              \
  X(OmpAcquireLock, u32("lockID"), u32("acquisitionOrder"))                                       \
  X(OmpReleaseLock, u32("lockID"), u32("acquisitionOrder"))                                       \
  X(OmpTaskCreate, u64("taskID"))                                                                 \
  X(OmpTaskSwitch, u64("taskID"))                                                                 \
  X(OmpTaskComplete, u64("taskID"))                                                               \
  X(Metric, ref("metric", Ref::metric), count("numberOfMetrics", 1), list("typeIDs", 1),          \
    list("metricValues", 8))                                                                      \
  X(ParameterString, ref("parameter", Ref::parameter), string("string"))                          \
  X(ParameterInt, ref("parameter", Ref::parameter), u64("value"))                                 \
  X(ParameterUnsignedInt, ref("parameter", Ref::parameter), u64("value"))                         \
  X(RmaWinCreate, window())                                                                       \
  X(RmaWinDestroy, window())                                                                      \
  X(RmaCollectiveBegin, none())                                                                   \
  X(RmaCollectiveEnd, u8("collectiveOp"), u32("syncLevel"), window(), root(), u64("bytesSent"),   \
    u64("bytesReceived"))                                                                         \
  X(RmaGroupSync, u32("syncLevel"), window(), ref("group", Ref::group))                           \
  X(RmaRequestLock, window(), peer("remote"), u64("lockId"), u8("lockType"))                      \
  X(RmaAcquireLock, window(), peer("remote"), u64("lockId"), u8("lockType"))                      \
  X(RmaTryLock, window(), peer("remote"), u64("lockId"), u8("lockType"))                          \
  X(RmaReleaseLock, window(), peer("remote"), u64("lockId"))                                      \
  X(RmaSync, window(), peer("remote"), u8("syncType"))                                            \
  X(RmaWaitChange, window())                                                                      \
  X(RmaPut, window(), peer("remote"), u64("bytes"), match())                                      \
  X(RmaGet, window(), peer("remote"), u64("bytes"), match())                                      \
  X(RmaAtomic, window(), peer("remote"), u8("type"), u64("bytesSent"), u64("bytesReceived"),      \
    match())                                                                                      \
  X(RmaOpCompleteBlocking, window(), match())                                                     \
  X(RmaOpCompleteNonBlocking, window(), match())                                                  \
  X(RmaOpTest, window(), match())                                                                 \
  X(RmaOpCompleteRemote, window(), match())                                                       \
  X(ThreadFork, ref("model", Ref::paradigm), u32("numberOfRequestedThreads"))                     \
  X(ThreadJoin, ref("model", Ref::paradigm))                                                      \
  X(ThreadTeamBegin, comm("threadTeam"))                                                          \
  X(ThreadTeamEnd, comm("threadTeam"))                                                            \
  X(ThreadAcquireLock, ref("model", Ref::paradigm), u32("lockID"), u32("acquisitionOrder"))       \
  X(ThreadReleaseLock, ref("model", Ref::paradigm), u32("lockID"), u32("acquisitionOrder"))       \
  X(ThreadTaskCreate, comm("threadTeam"), team_rank("creatingThread"), u32("generationNumber"))   \
  X(ThreadTaskSwitch, comm("threadTeam"), team_rank("creatingThread"), u32("generationNumber"))   \
  X(ThreadTaskComplete, comm("threadTeam"), team_rank("creatingThread"), u32("generationNumber")) \
  X(ThreadCreate, comm("threadContingent"), u64("sequenceCount"))                                 \
  X(ThreadBegin, comm("threadContingent"), u64("sequenceCount"))                                  \
  X(ThreadWait, comm("threadContingent"), u64("sequenceCount"))                                   \
  X(ThreadEnd, comm("threadContingent"), u64("sequenceCount"))                                    \
  X(CallingContextEnter, ref("callingContext", Ref::calling_context), u32("unwindDistance"))      \
  X(CallingContextLeave, ref("callingContext", Ref::calling_context))                             \
  X(CallingContextSample, ref("callingContext", Ref::calling_context), u32("unwindDistance"),     \
    ref("interruptGenerator", Ref::interrupt_generator))                                          \
  X(IoCreateHandle, handle("handle"), u8("mode"), u32("creationFlags"), u32("statusFlags"))       \
  X(IoDestroyHandle, handle("handle"))                                                            \
  X(IoDuplicateHandle, handle("oldHandle"), handle("newHandle"), u32("statusFlags"))              \
  X(IoSeek, handle("handle"), u64("offsetRequest"), u8("whence"), u64("offsetResult"))            \
  X(IoChangeStatusFlags, handle("handle"), u32("statusFlags"))                                    \
  X(IoDeleteFile, ref("ioParadigm", Ref::io_paradigm), ref("file", Ref::io_file))                 \
  X(IoOperationBegin, handle("handle"), u8("mode"), u32("operationFlags"), u64("bytesRequest"),   \
    u64("matchingId"))                                                                            \
  X(IoOperationTest, handle("handle"), u64("matchingId"))                                         \
  X(IoOperationIssued, handle("handle"), u64("matchingId"))                                       \
  X(IoOperationComplete, handle("handle"), u64("bytesResult"), u64("matchingId"))                 \
  X(IoOperationCancelled, handle("handle"), u64("matchingId"))                                    \
  X(IoAcquireLock, handle("handle"), u8("lockType"))                                              \
  X(IoReleaseLock, handle("handle"), u8("lockType"))                                              \
  X(IoTryLock, handle("handle"), u8("lockType"))                                                  \
  X(ProgramBegin, string("programName"), count("numberOfArguments", 4),                           \
    ref_list("programArguments", Ref::string))                                                    \
  X(ProgramEnd, u64("exitStatus"))                                                                \
  X(NonBlockingCollectiveRequest, request())                                                      \
  X(NonBlockingCollectiveComplete, u8("collectiveOp"), comm("communicator"), root(),              \
    u64("sizeSent"), u64("sizeReceived"), request())                                              \
  X(CommCreate, comm("communicator"))                                                             \
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
constexpr NoFields none() {
  return {};
}
constexpr EventRow event_row(std::string_view name, NoFields) {
  return {name, {}, 0};
}
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
constexpr const EventRow& get_row(EventKind kind) {
  return event_table[static_cast<std::size_t>(kind)];
}

// One event. The time is in ticks and corrected by the location's clock offsets; ids are global.
// `fields` has one value for each field of the row; `list` has the arrays, one after the other.
struct Event {
  EventKind kind = EventKind::BufferFlush;
  std::uint64_t time = 0;
  std::array<std::uint64_t, max_event_fields> fields{};
  std::vector<std::uint64_t> list;
  std::vector<Attribute> attributes;

  std::uint64_t region() const { return fields[0]; }  // of an Enter or Leave
};

// The index of a field in `fields`. Where several kinds are given, the field must have the same
// index in all of them.
template <FieldName name, EventKind kind, EventKind... others>
consteval std::size_t field_place() {
  constexpr auto place = find_field(get_row(kind).shape(), name.view());
  static_assert(((find_field(get_row(others).shape(), name.view()) == place) && ...));
  return place;
}

// The value of a field by its OTF2 name. The kind of `event` must be one of `kinds`.
template <FieldName name, EventKind... kinds>
constexpr const std::uint64_t& get_field(const Event& event) {
  assert(((event.kind == kinds) || ...));
  return event.fields[field_place<name, kinds...>()];
}

template <FieldName name, EventKind... kinds>
constexpr std::uint64_t& get_field(Event& event) {
  assert(((event.kind == kinds) || ...));
  return event.fields[field_place<name, kinds...>()];
}

// Receives the events of one location, in the order of its records and in one thread. Times are in
// ticks and corrected; ids are global.
//   enter, leave  a call of a region begins or ends
//   other         any other kind of event; the sink may change it
//   unknown       a kind that later versions of OTF2 have added
// Exceptions of a sink pass through the readers. A sink may have `bool wants(EventKind)`: records
// of kinds that it does not want may then arrive as unknown, which is faster; damage in their
// fields may stay unnoticed.
template <class Sink>
concept EventSink = requires(Sink& sink, std::uint64_t time, std::uint64_t region,
                             std::span<const Attribute> attributes, Event& event) {
  sink.enter(time, region, attributes);
  sink.leave(time, region, attributes);
  sink.other(event);
  sink.unknown(time);
};

template <class Sink>
[[gnu::always_inline]] inline bool wants_fields(const Sink& sink, EventKind kind) {
  if constexpr (requires { sink.wants(kind); })
    return sink.wants(kind);
  else
    return true;
}

}  // namespace tracefold
