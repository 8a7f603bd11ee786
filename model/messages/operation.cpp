#include "model/messages/operation.hpp"

#include <algorithm>

namespace tracefold {

namespace {

// Parameters and fields of the records of windows and files, kind by kind.
struct RecordShape {
  std::array<RecordParameter, most_parameters> parameters{};
  std::size_t size = 0;
};

template <EventKind kind, FieldName... names, class... Parameters>
constexpr RecordShape make_shape(Parameters... parameters) {
  static_assert(sizeof...(names) == sizeof...(Parameters));
  return {{RecordParameter{parameters, static_cast<std::uint8_t>(field_place<names, kind>())}...},
          sizeof...(names)};
}

constexpr RecordShape find_shape(EventKind kind) {
  using P = Parameter;
  using K = EventKind;
  constexpr auto win = P::communicator, handle = P::communicator;

  switch (kind) {
    case K::RmaPut: return make_shape<K::RmaPut, "remote", "win", "bytes">(P::peer, win, P::bytes);
    case K::RmaGet: return make_shape<K::RmaGet, "remote", "win", "bytes">(P::peer, win, P::bytes);
    case K::RmaAtomic:
      return make_shape<K::RmaAtomic, "remote", "win", "type", "bytesSent", "bytesReceived">(
          P::peer, win, P::operation, P::bytes, P::received);
    case K::RmaCollectiveEnd:
      return make_shape<K::RmaCollectiveEnd, "collectiveOp", "win", "root", "bytesSent",
                        "bytesReceived">(P::operation, win, P::root, P::bytes, P::received);
    case K::IoOperationBegin:
      return make_shape<K::IoOperationBegin, "mode", "handle", "bytesRequest">(P::operation, handle,
                                                                               P::bytes);

    case K::RmaWinCreate: return make_shape<K::RmaWinCreate, "win">(win);
    case K::RmaWinDestroy: return make_shape<K::RmaWinDestroy, "win">(win);
    case K::RmaWaitChange: return make_shape<K::RmaWaitChange, "win">(win);
    case K::RmaGroupSync:
      return make_shape<K::RmaGroupSync, "syncLevel", "win", "group">(P::operation, win, P::group);
    case K::RmaSync:
      return make_shape<K::RmaSync, "remote", "win", "syncType">(P::peer, win, P::operation);
    case K::RmaRequestLock:
      return make_shape<K::RmaRequestLock, "remote", "win", "lockId", "lockType">(
          P::peer, win, P::tag, P::operation);
    case K::RmaAcquireLock:
      return make_shape<K::RmaAcquireLock, "remote", "win", "lockId", "lockType">(
          P::peer, win, P::tag, P::operation);
    case K::RmaTryLock:
      return make_shape<K::RmaTryLock, "remote", "win", "lockId", "lockType">(P::peer, win, P::tag,
                                                                              P::operation);
    case K::RmaReleaseLock:
      return make_shape<K::RmaReleaseLock, "remote", "win", "lockId">(P::peer, win, P::tag);
    case K::RmaOpCompleteBlocking:
      return make_shape<K::RmaOpCompleteBlocking, "win", "matchingId">(win, P::begun);
    case K::RmaOpCompleteNonBlocking:
      return make_shape<K::RmaOpCompleteNonBlocking, "win", "matchingId">(win, P::begun);
    case K::RmaOpTest: return make_shape<K::RmaOpTest, "win", "matchingId">(win, P::begun);
    case K::RmaOpCompleteRemote:
      return make_shape<K::RmaOpCompleteRemote, "win", "matchingId">(win, P::begun);

    case K::IoCreateHandle:
      return make_shape<K::IoCreateHandle, "mode", "handle", "creationFlags", "statusFlags">(
          P::operation, handle, P::tag, P::flags);
    case K::IoDestroyHandle: return make_shape<K::IoDestroyHandle, "handle">(handle);
    case K::IoDuplicateHandle:
      return make_shape<K::IoDuplicateHandle, "oldHandle", "newHandle", "statusFlags">(
          handle, P::handle, P::flags);
    case K::IoSeek:
      return make_shape<K::IoSeek, "whence", "handle", "offsetRequest", "offsetResult">(
          P::operation, handle, P::offset, P::result);
    case K::IoChangeStatusFlags:
      return make_shape<K::IoChangeStatusFlags, "handle", "statusFlags">(handle, P::flags);
    case K::IoDeleteFile:
      return make_shape<K::IoDeleteFile, "ioParadigm", "file">(P::paradigm, P::file);
    case K::IoOperationTest:
      return make_shape<K::IoOperationTest, "handle", "matchingId">(handle, P::begun);
    case K::IoOperationIssued:
      return make_shape<K::IoOperationIssued, "handle", "matchingId">(handle, P::begun);
    case K::IoOperationComplete:
      return make_shape<K::IoOperationComplete, "handle", "bytesResult", "matchingId">(
          handle, P::bytes, P::begun);
    case K::IoOperationCancelled:
      return make_shape<K::IoOperationCancelled, "handle", "matchingId">(handle, P::begun);
    case K::IoAcquireLock:
      return make_shape<K::IoAcquireLock, "handle", "lockType">(handle, P::operation);
    case K::IoReleaseLock:
      return make_shape<K::IoReleaseLock, "handle", "lockType">(handle, P::operation);
    case K::IoTryLock: return make_shape<K::IoTryLock, "handle", "lockType">(handle, P::operation);
    default: return {};
  }
}

// By kind.
constexpr auto record_shapes = [] {
  std::array<RecordShape, event_kinds> shapes{};
  for (std::size_t kind = 0; kind < event_kinds; ++kind)
    shapes[kind] = find_shape(static_cast<EventKind>(kind));
  return shapes;
}();

constexpr auto record_parameters = [] {
  std::array<std::array<Parameter, most_parameters>, event_kinds> parameters{};
  for (std::size_t kind = 0; kind < event_kinds; ++kind)
    for (std::size_t p = 0; p < record_shapes[kind].size; ++p)
      parameters[kind][p] = record_shapes[kind].parameters[p].parameter;
  return parameters;
}();

}  // namespace

std::span<const RecordParameter> list_record_parameters(EventKind kind) {
  const auto& shape = record_shapes[static_cast<std::size_t>(kind)];
  return {shape.parameters.data(), shape.size};
}

std::span<const Parameter> list_parameters(EventKind kind) {
  using enum Parameter;
  static constexpr std::array message{peer, communicator, tag, bytes};
  static constexpr std::array collective{operation, communicator, root, bytes, received};

  switch (kind) {
    case EventKind::MpiSend:
    case EventKind::MpiIsend:
    case EventKind::MpiRecv:
    case EventKind::MpiIrecvRequest: return message;
    case EventKind::MpiCollectiveEnd:
    case EventKind::NonBlockingCollectiveRequest: return collective;
    default: {
      const auto place = static_cast<std::size_t>(kind);
      return {record_parameters[place].data(), record_shapes[place].size};
    }
  }
}

bool can_complete(EventKind kind) {
  return kind == EventKind::RmaPut || kind == EventKind::RmaGet || kind == EventKind::RmaAtomic ||
         kind == EventKind::IoOperationBegin;
}

bool is_compared(EventKind kind) {
  return can_complete(kind) || kind == EventKind::RmaCollectiveEnd ||
         (!is_one_sided(kind) && !is_file(kind));
}

std::optional<std::size_t> find_second_field(EventKind kind) {
  if (kind == EventKind::RmaCollectiveEnd)
    return field_place<"syncLevel", EventKind::RmaCollectiveEnd>();
  if (kind == EventKind::IoOperationBegin)
    return field_place<"operationFlags", EventKind::IoOperationBegin>();
  return std::nullopt;
}

bool is_send(EventKind kind) {
  return kind == EventKind::MpiSend || kind == EventKind::MpiIsend;
}

bool is_message(EventKind kind) {
  return is_send(kind) || kind == EventKind::MpiRecv || kind == EventKind::MpiIrecvRequest;
}

std::string_view to_text(Parameter parameter) {
  switch (parameter) {
    case Parameter::peer: return "peer";
    case Parameter::communicator: return "communicator";
    case Parameter::tag: return "tag";
    case Parameter::bytes: return "bytes";
    case Parameter::received: return "received";
    case Parameter::operation: return "operation";
    case Parameter::root: return "root";
    case Parameter::begun: return "begun";
    case Parameter::group: return "group";
    case Parameter::handle: return "handle";
    case Parameter::file: return "file";
    case Parameter::paradigm: return "paradigm";
    case Parameter::flags: return "flags";
    case Parameter::offset: return "offset";
    default: return "result";
  }
}

std::size_t find_parameter(EventKind kind, Parameter parameter) {
  const auto parameters = list_parameters(kind);
  const auto at = std::find(parameters.begin(), parameters.end(), parameter);
  return at == parameters.end() ? most_parameters
                                : static_cast<std::size_t>(at - parameters.begin());
}

}  // namespace tracefold
