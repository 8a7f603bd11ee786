#include "pipeline/export/event_rows.hpp"

#include "model/profile/metric_columns.hpp"

#include <bit>
#include <string_view>

namespace tracefold {

namespace {

using D = DefinitionKind;

bool is_of_io(EventKind kind) {
  return kind >= EventKind::IoCreateHandle && kind <= EventKind::IoTryLock;
}

bool is_of_rma(EventKind kind) {
  return kind >= EventKind::RmaWinCreate && kind <= EventKind::RmaOpCompleteRemote;
}

std::string_view name_io(const EventKind kind, std::uint64_t mode) {
  using enum EventKind;
  switch (kind) {
    case IoCreateHandle: return "open";
    case IoDestroyHandle: return "close";
    case IoDuplicateHandle: return "duplicate";
    case IoSeek: return "seek";
    case IoChangeStatusFlags: return "change flags";
    case IoDeleteFile: return "delete";
    case IoAcquireLock:
    case IoReleaseLock: return "lock";
    case IoTryLock: return "try lock";
    default: break;
  }
  return mode == otf2_value::io_read ? "read" : mode == otf2_value::io_write ? "write" : "flush";
}

std::string_view name_rma(EventKind kind) {
  using enum EventKind;
  switch (kind) {
    case RmaWinCreate: return "create window";
    case RmaWinDestroy: return "destroy window";
    case RmaCollectiveBegin:
    case RmaCollectiveEnd: return "collective";
    case RmaGroupSync: return "group sync";
    case RmaRequestLock: return "request lock";
    case RmaAcquireLock:
    case RmaReleaseLock: return "lock";
    case RmaTryLock: return "try lock";
    case RmaSync: return "sync";
    case RmaWaitChange: return "wait for change";
    case RmaPut: return "put";
    case RmaGet: return "get";
    case RmaAtomic: return "atomic";
    default: return "other";
  }
}

// The value of a field of any of these kinds, none for other kinds.
template <FieldName name, EventKind... kinds>
std::optional<std::uint64_t> find_field_of(EventKind kind, const auto& fields) {
  std::optional<std::uint64_t> value;
  ((kind == kinds ? void(value = fields[field_place<name, kinds>()]) : void()), ...);
  return value;
}

}  // namespace

void OperationRows::begin_unit(const Parts& parts) {
  parts_ = parts;
  members_.clear();
}

void OperationRows::begin_process(const ExportedProcess& process) {
  location_ = process.location;
  id_ = process.process.id;
  rank_ = process.process.rank;
  cursor_ = OperationCursor(OperationCursor::Reuse::queues);
  open_.clear();
  instances_.clear();
}

bool OperationRows::wants(EventKind kind) const {
  if (kind == EventKind::Metric)
    return parts_.metrics != nullptr;
  if (is_of_io(kind))
    return parts_.io != nullptr;
  if (is_of_rma(kind))
    return parts_.rma != nullptr;
  const auto family = get_operation_record(kind).family;
  return parts_.collectives &&
         (family == OperationFamily::request || family == OperationFamily::collective);
}

void OperationRows::add(const Event& event) {
  if (!wants(event.kind))
    return;
  if (event.kind == EventKind::Metric)
    put_metric(event);
  else
    add_operation(event);
}

void OperationRows::add_operation(const Event& event) {
  const auto followed = cursor_.follow(event);
  switch (followed.step) {
    case Step::begins: open_[followed.operation] = {event.kind, event.time, event.fields}; return;
    case Step::alone:
    case Step::whole:
      end_operation({event.kind, event.time, event.fields}, &event, event.time);
      return;
    case Step::completes_locally:
    case Step::completes:
    case Step::cancels: break;
    case Step::unknown:
    case Step::tests: return;
  }
  const auto at = open_.find(followed.operation);
  if (at == open_.end())
    return;  // it has completed at this process before
  const auto begun = at->second;
  open_.erase(at);
  if (event.kind != EventKind::MpiRequestCancelled)
    end_operation(begun, &event, event.time);
}

void OperationRows::end_process(std::uint64_t last) {
  for (const auto& [number, begun] : open_)
    end_operation(begun, nullptr, last);
  open_.clear();
}

void OperationRows::end_operation(const Begun& begun, const Event* end, std::uint64_t time) {
  using enum EventKind;
  if (is_of_io(begun.kind))
    put_io(begun, end, time);
  else if (end && end->kind == RmaCollectiveEnd)
    put_rma({end->kind, begun.time, end->fields}, true, time);
  else if (is_of_rma(begun.kind) && begun.kind != RmaCollectiveBegin)
    put_rma(begun, end != nullptr, time);
  else if (end && (end->kind == MpiCollectiveEnd || end->kind == NonBlockingCollectiveComplete))
    put_collective(begun, *end);
}

void OperationRows::put_times(TablePart& part, std::uint64_t begin, std::uint64_t end) const {
  const auto from = times_.find_nanoseconds(begin), to = times_.find_nanoseconds(end);
  part.add(static_cast<std::uint64_t>(to)).add(static_cast<std::uint64_t>(to - from));
}

void OperationRows::put_collective(const Begun& begun, const Event& end) {
  using enum EventKind;
  const auto get = [&]<FieldName name>() {
    return *find_field_of<name, MpiCollectiveEnd, NonBlockingCollectiveComplete>(end.kind,
                                                                                 end.fields);
  };
  const auto operation = get.operator()<"collectiveOp">();
  const auto comm = get.operator()<"communicator">();
  const bool is_blocking = end.kind == MpiCollectiveEnd;

  auto& part = *parts_.collectives;
  const auto name = name_collective(operation);
  part.add(id_).add_optional(rank_);
  part.add_text(name.empty() ? "operation " + std::to_string(operation) : std::string(name));
  part.add_text(is_blocking ? "blocking" : "nonblocking").add(comm);
  part.add(instances_[{operation, comm, is_blocking}]++);
  part.add_optional(find_root(comm, get.operator()<"root">()));
  part.add(get.operator()<"sizeSent">()).add(get.operator()<"sizeReceived">());
  put_times(part, begun.time, end.time);
  part.end_row();
}

std::optional<std::uint64_t> OperationRows::find_root(std::uint64_t comm,
                                                      std::uint64_t root) const {
  if (root == otf2_value::root_none || root == otf2_value::root_this_group)
    return std::nullopt;
  if (root == otf2_value::root_self)
    return id_;
  const auto location = trace_.definitions().partner(location_, comm, root);
  return location ? std::optional(trace_.find_id(*location)) : std::nullopt;
}

void OperationRows::put_io(const Begun& begun, const Event* end, std::uint64_t time) {
  using enum EventKind;
  const auto kind = begun.kind;
  const auto& fields = begun.fields;
  auto handle =
      find_field_of<"handle", IoCreateHandle, IoDestroyHandle, IoSeek, IoChangeStatusFlags,
                    IoOperationBegin, IoOperationTest, IoOperationIssued, IoOperationComplete,
                    IoOperationCancelled, IoAcquireLock, IoReleaseLock, IoTryLock>(kind, fields);
  if (!handle)
    handle = find_field_of<"newHandle", IoDuplicateHandle>(kind, fields);
  const auto mode = find_field_of<"mode", IoOperationBegin>(kind, fields);

  auto& part = *parts_.io;
  part.add(id_).add_text(name_io(kind, mode.value_or(otf2_value::io_read)));
  if (handle) {
    part.add_optional_text(find_file(*handle));
  } else {
    const auto* file = trace_.definitions().find(Ref::io_file, fields[1]);
    part.add_optional_text(file ? std::optional<std::string_view>(trace_.definitions().text(
                                      get_field<"name", D::IoRegularFile, D::IoDirectory>(*file)))
                                : std::nullopt);
  }
  part.add_optional(handle);
  part.add_optional(find_field_of<"bytesRequest", IoOperationBegin>(kind, fields));
  part.add_optional(end ? find_field_of<"bytesResult", IoOperationComplete>(end->kind, end->fields)
                        : std::nullopt);
  part.add_optional(find_field_of<"offsetResult", IoSeek>(kind, fields));
  put_times(part, begun.time, time);
  part.end_row();
}

std::optional<std::string_view> OperationRows::find_file(std::uint64_t handle) const {
  const auto& definitions = trace_.definitions();
  const auto* defined = definitions.find(Ref::io_handle, handle);
  if (!defined)
    return std::nullopt;
  const auto* file = definitions.find(Ref::io_file, get_field<"file", D::IoHandle>(*defined));
  return definitions.text(file ? get_field<"name", D::IoRegularFile, D::IoDirectory>(*file)
                               : get_field<"name", D::IoHandle>(*defined));
}

void OperationRows::put_rma(const Begun& begun, bool is_complete, std::uint64_t time) {
  using enum EventKind;
  const auto kind = begun.kind;
  const auto& fields = begun.fields;
  const auto window = fields[kind == RmaCollectiveEnd ? field_place<"win", RmaCollectiveEnd>()
                             : kind == RmaGroupSync   ? field_place<"win", RmaGroupSync>()
                                                      : 0];
  const auto remote =
      find_field_of<"remote", RmaRequestLock, RmaAcquireLock, RmaTryLock, RmaReleaseLock, RmaSync,
                    RmaPut, RmaGet, RmaAtomic>(kind, fields);
  auto sent = find_field_of<"bytes", RmaPut>(kind, fields);
  auto received = find_field_of<"bytes", RmaGet>(kind, fields);
  if (kind == RmaAtomic || kind == RmaCollectiveEnd) {
    sent = find_field_of<"bytesSent", RmaAtomic, RmaCollectiveEnd>(kind, fields);
    received = find_field_of<"bytesReceived", RmaAtomic, RmaCollectiveEnd>(kind, fields);
  }

  auto& part = *parts_.rma;
  part.add(id_).add_text(name_rma(kind)).add(window);
  part.add_optional(remote ? find_target(window, *remote) : std::nullopt);
  part.add_optional(sent).add_optional(received);
  put_times(part, begun.time, time);
  part.add(is_complete).end_row();
}

std::optional<std::uint64_t> OperationRows::find_target(std::uint64_t window,
                                                        std::uint64_t rank) const {
  const auto* defined = trace_.definitions().find(Ref::rma_win, window);
  if (!defined)
    return std::nullopt;
  const auto location =
      trace_.definitions().partner(location_, get_field<"comm", D::RmaWin>(*defined), rank);
  return location ? std::optional(trace_.find_id(*location)) : std::nullopt;
}

const std::vector<OperationRows::MetricMember>& OperationRows::find_members(std::uint64_t metric) {
  const auto [at, is_new] = members_.try_emplace(metric);
  if (!is_new)
    return at->second;

  const auto& definitions = trace_.definitions();
  const auto* defined = definitions.find(Ref::metric, metric);
  if (defined && defined->kind == D::MetricInstance)
    defined = definitions.find(Ref::metric, get_field<"metricClass", D::MetricInstance>(*defined));
  if (!defined || defined->kind != D::MetricClass)
    return at->second;
  for (const auto id : defined->list) {
    const auto* member = definitions.find(Ref::metric_member, id);
    const auto name = member ? definitions.text(get_field<"name", D::MetricMember>(*member)) : "";
    const auto unit = member ? format_recorded_unit(definitions, *member) : "";
    at->second.push_back({parts_.metrics->find_text(name), parts_.metrics->find_text(unit)});
  }
  return at->second;
}

void OperationRows::put_metric(const Event& event) {
  const auto& members = find_members(get_field<"metric", EventKind::Metric>(event));
  const auto time = static_cast<std::uint64_t>(times_.find_nanoseconds(event.time));
  const auto values = event.list.size() / 2;  // behind as many types
  auto& part = *parts_.metrics;
  for (std::size_t m = 0; m < std::min(values, members.size()); ++m) {
    const auto type = event.list[m], bits = event.list[values + m];
    const bool is_double = type == otf2_value::type_double;
    const double value = is_double ? std::bit_cast<double>(bits)
                         : type == otf2_value::type_int64
                             ? static_cast<double>(static_cast<std::int64_t>(bits))
                             : static_cast<double>(bits);
    part.add(id_).add(members[m].name).add(members[m].unit).add(time).add_double(value);
    part.add_optional(is_double ? std::nullopt : std::optional(bits)).end_row();
  }
}

}  // namespace tracefold
