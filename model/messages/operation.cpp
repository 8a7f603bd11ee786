#include "model/messages/operation.hpp"

#include <algorithm>

namespace tracefold {

std::span<const Parameter> list_parameters(EventKind kind) {
  using enum Parameter;
  static constexpr std::array message{peer, communicator, tag, bytes};
  static constexpr std::array collective{operation, communicator, root, bytes, received};
  static constexpr std::array one_sided{peer, communicator, bytes};
  static constexpr std::array atomic{peer, communicator, operation, bytes, received};
  static constexpr std::array file{operation, communicator, bytes};

  switch (kind) {
    case EventKind::MpiSend:
    case EventKind::MpiIsend:
    case EventKind::MpiRecv:
    case EventKind::MpiIrecvRequest: return message;
    case EventKind::MpiCollectiveEnd:
    case EventKind::NonBlockingCollectiveRequest:
    case EventKind::RmaCollectiveEnd: return collective;
    case EventKind::RmaPut:
    case EventKind::RmaGet: return one_sided;
    case EventKind::RmaAtomic: return atomic;
    case EventKind::IoOperationBegin: return file;
    default: return {};
  }
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
    default: return "root";
  }
}

std::size_t find_parameter(EventKind kind, Parameter parameter) {
  const auto parameters = list_parameters(kind);
  const auto at = std::find(parameters.begin(), parameters.end(), parameter);
  return at == parameters.end() ? most_parameters
                                : static_cast<std::size_t>(at - parameters.begin());
}

}  // namespace tracefold
