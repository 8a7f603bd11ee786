#include "model/messages/operation.hpp"

#include <algorithm>
#include <initializer_list>

namespace tracefold {

namespace {

// Parameters and fields of the records of windows and files, kind by kind.
struct RecordShape {
  std::array<RecordParameter, most_parameters> parameters{};
  std::size_t size = 0;
};

struct NamedParameter {
  std::string_view field;
  Parameter parameter;
};

// By kind.
constexpr auto record_shapes = [] {
  using enum EventKind;
  using P = Parameter;
  constexpr auto win = P::communicator, handle = P::communicator;
  std::array<RecordShape, event_kinds> shapes{};

  const auto add = [&](std::initializer_list<EventKind> kinds,
                       std::initializer_list<NamedParameter> parameters) {
    for (auto kind : kinds)
      for (const auto& [field, parameter] : parameters) {
        auto& shape = shapes[static_cast<std::size_t>(kind)];
        const auto place = find_field(get_row(kind).shape(), field);
        shape.parameters[shape.size++] = {parameter, static_cast<std::uint8_t>(place)};
      }
  };

  add({RmaPut, RmaGet}, {{"remote", P::peer}, {"win", win}, {"bytes", P::bytes}});
  add({RmaAtomic}, {{"remote", P::peer},
                    {"win", win},
                    {"type", P::operation},
                    {"bytesSent", P::bytes},
                    {"bytesReceived", P::received}});
  add({RmaCollectiveEnd}, {{"collectiveOp", P::operation},
                           {"win", win},
                           {"root", P::root},
                           {"bytesSent", P::bytes},
                           {"bytesReceived", P::received}});
  add({IoOperationBegin}, {{"mode", P::operation}, {"handle", handle}, {"bytesRequest", P::bytes}});

  add({RmaWinCreate, RmaWinDestroy, RmaWaitChange}, {{"win", win}});
  add({RmaGroupSync}, {{"syncLevel", P::operation}, {"win", win}, {"group", P::group}});
  add({RmaSync}, {{"remote", P::peer}, {"win", win}, {"syncType", P::operation}});
  add({RmaRequestLock, RmaAcquireLock, RmaTryLock},
      {{"remote", P::peer}, {"win", win}, {"lockId", P::tag}, {"lockType", P::operation}});
  add({RmaReleaseLock}, {{"remote", P::peer}, {"win", win}, {"lockId", P::tag}});
  add({RmaOpCompleteBlocking, RmaOpCompleteNonBlocking, RmaOpTest, RmaOpCompleteRemote},
      {{"win", win}, {"matchingId", P::begun}});

  add({IoCreateHandle}, {{"mode", P::operation},
                         {"handle", handle},
                         {"creationFlags", P::tag},
                         {"statusFlags", P::flags}});
  add({IoDestroyHandle}, {{"handle", handle}});
  add({IoDuplicateHandle},
      {{"oldHandle", handle}, {"newHandle", P::handle}, {"statusFlags", P::flags}});
  add({IoSeek}, {{"whence", P::operation},
                 {"handle", handle},
                 {"offsetRequest", P::offset},
                 {"offsetResult", P::result}});
  add({IoChangeStatusFlags}, {{"handle", handle}, {"statusFlags", P::flags}});
  add({IoDeleteFile}, {{"ioParadigm", P::paradigm}, {"file", P::file}});
  add({IoOperationTest, IoOperationIssued, IoOperationCancelled},
      {{"handle", handle}, {"matchingId", P::begun}});
  add({IoOperationComplete},
      {{"handle", handle}, {"bytesResult", P::bytes}, {"matchingId", P::begun}});
  add({IoAcquireLock, IoReleaseLock, IoTryLock}, {{"handle", handle}, {"lockType", P::operation}});

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

std::size_t find_parameter(EventKind kind, Parameter parameter) {
  const auto parameters = list_parameters(kind);
  const auto at = std::find(parameters.begin(), parameters.end(), parameter);
  return at == parameters.end() ? most_parameters
                                : static_cast<std::size_t>(at - parameters.begin());
}

}  // namespace tracefold
