#include "pipeline/profile/record_hash.hpp"

namespace tracefold {

WaitSink::Numbers RecordHashSink::add(const Event& event) {
  using enum EventKind;
  const auto numbers = waits_.other(event);
  switch (event.kind) {
    case MpiSend:
    case MpiRecv:
    case MpiIrecv:
      add(event, numbers.message.channel,
          get_field<"msgLength", MpiSend, MpiRecv, MpiIrecv>(event));
      break;
    case MpiIsend:
      add(event,
          numbers.message.channel +
              spread(count_from_first(get_field<"requestID", MpiIsend>(event))),
          get_field<"msgLength", MpiIsend>(event));
      break;
    case MpiIsendComplete:
      add(event, count_from_first(get_field<"requestID", MpiIsendComplete>(event)), 0);
      break;
    case MpiRequestCancelled:
      add(event, count_from_first(get_field<"requestID", MpiRequestCancelled>(event)), 0);
      break;
    case MpiCollectiveEnd: add_part(event, numbers.operation); break;
    case Metric: are_amounts_ = false; break;
    default:
      if (adds_to_metrics(event.kind))
        add_amounts(event);
  }

  return numbers;
}

// What it adds to metrics, and whether the location may wait in it, follows from these.
void RecordHashSink::add_part(const Event& event, std::uint64_t number) {
  using enum EventKind;
  const auto operation = get_field<"collectiveOp", MpiCollectiveEnd>(event);
  const auto wait = find_waiting_metric(operation);
  std::optional<bool> root;
  if (wait == tracefold::Metric::mpi_late_broadcast_time ||
      wait == tracefold::Metric::mpi_early_reduce_time)
    root = is_root(definitions_, location_, get_field<"communicator", MpiCollectiveEnd>(event),
                   get_field<"root", MpiCollectiveEnd>(event));
  const auto role = root ? 1u + *root : 0u;

  add(event, spread(number) + operation, get_field<"sizeSent", MpiCollectiveEnd>(event));
  add(event, role, get_field<"sizeReceived", MpiCollectiveEnd>(event));
}

void RecordHashSink::add_amounts(const Event& event) {
  for (const auto& [metric, amount] : measure_rare_record(event, definitions_, location_))
    add(event, static_cast<std::uint64_t>(metric), amount);
}

}  // namespace tracefold
