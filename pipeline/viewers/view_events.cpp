#include "pipeline/viewers/view_events.hpp"

#include "otf2/otf2_values.hpp"

namespace tracefold {

void ViewSink::put_message(const Event& event) {
  using enum EventKind;
  const auto found = messages_.find(event);
  ViewMessage message;
  message.receives = receives_message(event.kind);
  message.partner = placed_.find_process(definitions_, found.partner);
  message.communicator = placed_.communicators.find(
      get_field<"communicator", MpiSend, MpiIsend, MpiRecv, MpiIrecv>(event));
  message.bytes = get_field<"msgLength", MpiSend, MpiIsend, MpiRecv, MpiIrecv>(event);
  message.tag = get_field<"msgTag", MpiSend, MpiIsend, MpiRecv, MpiIrecv>(event);
  message.link = found.number;
  part_.message(clock_.find_nanoseconds(event.time), message);
}

void ViewSink::put_collective(const Event& event) {
  using enum EventKind;
  const auto operation =
      get_field<"collectiveOp", MpiCollectiveEnd, NonBlockingCollectiveComplete>(event);
  const auto comm =
      get_field<"communicator", MpiCollectiveEnd, NonBlockingCollectiveComplete>(event);
  const auto root = get_field<"root", MpiCollectiveEnd, NonBlockingCollectiveComplete>(event);

  ViewCollective collective;
  const auto name = name_collective(operation);
  collective.operation = name.empty() ? "collective" : name;
  collective.communicator = placed_.communicators.find(comm);
  if (root == otf2_value::root_self)
    collective.root = placed_.find_process(definitions_, location_);
  else if (root < otf2_value::root_this_group)
    collective.root =
        placed_.find_process(definitions_, definitions_.partner(location_, comm, root));
  collective.bytes_sent =
      get_field<"sizeSent", MpiCollectiveEnd, NonBlockingCollectiveComplete>(event);
  collective.bytes_received =
      get_field<"sizeReceived", MpiCollectiveEnd, NonBlockingCollectiveComplete>(event);
  part_.collective(clock_.find_nanoseconds(event.time), collective);
}

void ViewSink::put_metric(const Event& event) {
  const auto first =
      placed_.first_counters[thread_].find(get_field<"metric", EventKind::Metric>(event));
  if (!first)
    return;

  const auto time = clock_.find_nanoseconds(event.time);
  for_each_value(event, [&](std::size_t member, std::uint64_t type, std::uint64_t bits) {
    const auto counter = *first + member;
    const auto value = read_view_value(type, bits);
    if (value && counter < placed_.view.counters.size() &&
        placed_.view.counters[counter].thread == thread_)
      part_.count(time, counter, *value);
  });
}

}  // namespace tracefold
