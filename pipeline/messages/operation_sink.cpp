#include "pipeline/messages/operation_sink.hpp"

#include "otf2/definitions.hpp"

#include <string_view>
#include <utility>

namespace tracefold {

OperationNames::OperationNames(const std::vector<Function>& functions) {
  std::unordered_map<std::string_view, FunctionIndex> first;
  for (FunctionIndex f = 0; f < functions.size(); ++f) {
    name.push_back(first.try_emplace(functions[f].name, f).first->second);
    is_mpi.push_back(functions[f].paradigm == otf2_value::paradigm_mpi);
  }
}

OperationSink::OperationSink(const Definitions& definitions, const CommunicatorRanks& communicators,
                             const OperationNames& names, bool keeps_messages)
    : definitions_(definitions),
      communicators_(communicators),
      names_(names),
      keeps_messages_(keeps_messages) {}

namespace {

bool is_accelerator(const Definitions& definitions, std::uint64_t location) {
  const auto* defined = definitions.find(Ref::location, location);
  if (defined && get_field<"locationType", DefinitionKind::Location>(*defined) ==
                     otf2_value::location_type_accelerator)
    return true;

  const auto* group = definitions.find(Ref::location_group, definitions.location_group(location));
  return group && get_field<"locationGroupType", DefinitionKind::LocationGroup>(*group) ==
                      otf2_value::location_group_accelerator;
}

// The window of a record.
std::uint64_t find_window(const Event& event) {
  for (const auto& [parameter, field] : list_record_parameters(event.kind))
    if (parameter == Parameter::communicator)
      return event.fields[field];
  return 0;
}

}  // namespace

void OperationSink::begin(std::uint64_t location) {
  const auto rank = definitions_.mpi_rank(definitions_.endpoint(location));
  own_ = rank.value_or(unknown_value);
  seen_ = communicators_.list_communicators(static_cast<std::uint32_t>(own_));
  last_seen_ = 0;
  is_own_ = rank.has_value() || !is_accelerator(definitions_, location);

  depth_ = kept_ = 0;
  mpi_depth_ = 0;
  left_mpi_ = false;
}

void OperationSink::enter_mpi(std::uint64_t time) {
  if (mpi_depth_ != 0)
    return;

  mpi_depth_ = depth_;
  if (!keeps_messages_ || !left_mpi_ || time == outside_since_)
    return;
  const auto path = find_path();
  if (gaps_.size() <= path)
    gaps_.resize(tree_.paths().size());
  if (gaps_[path] == 0)
    gap_paths_.push_back(path);
  gaps_[path] += time - outside_since_;
}

void OperationSink::leave_mpi(std::uint64_t time) {
  mpi_depth_ = 0;
  left_mpi_ = true;
  outside_since_ = time;
}

// Mostly a path has called the function before.
inline PathIndex OperationSink::find_callee(PathIndex path, FunctionIndex name) {
  const auto key = std::uint64_t{path} << 32 | name;
  auto& known = callees_[key * 0x9e3779b97f4a7c15u >> (64 - callee_bits)];
  if (known.key == key) [[likely]]
    return known.callee;

  auto callee = tree_.find(path, name);
  if (callee == no_path)
    callee = tree_.add(path, name);
  known = {key, callee};
  return callee;
}

// The path of the innermost open call. Mostly it is known, or that of its caller.
inline PathIndex OperationSink::find_path() {
  if (depth_ > 1) [[likely]] {
    auto& innermost = calls_[depth_ - 1];
    if (innermost.path != no_path)
      return innermost.path;
    if (const auto caller = calls_[depth_ - 2].path; caller != no_path)
      return innermost.path = find_callee(caller, names_.name[innermost.function]);
  }
  return find_whole_path();
}

PathIndex OperationSink::find_whole_path() {
  auto known = depth_;
  while (known > 0 && calls_[known - 1].path == no_path)
    --known;

  PathIndex path = known == 0 ? 0 : calls_[known - 1].path;
  for (; known < depth_; ++known) {
    const auto name = names_.name[calls_[known].function];
    path = find_callee(path, name);
    calls_[known].path = path;
  }
  return path;
}

inline void OperationSink::emit(const Operation& operation) {
  folder_.add(table_.find_number(operation));
}

// What is filled in at its place need not be copied there, right after it was written: for that,
// processors would have to wait.
inline void OperationSink::begin_operation(EventKind kind, Operation& operation) {
  operation.kind = kind;
  operation.path = find_path();
  if (!keeps_messages_)
    return;

  operation.is_in_same_call = depth_ > 0 && calls_[depth_ - 1].has_operations;
  for (auto call = depth_; call > 0 && !calls_[call - 1].has_operations; --call)
    calls_[call - 1].has_operations = true;
}

// The next operation, which is to be filled in before end_operation.
inline Operation& OperationSink::begin_operation(EventKind kind) {
  auto& operation = waiting_.empty() ? operation_ = {} : waiting_.add().operation;
  begin_operation(kind, operation);
  return operation;
}

inline void OperationSink::bound_waiting() {
  if (waiting_.count_waiting() > most_waiting) [[unlikely]] {
    give_up_oldest();
    flush();
  }
}

inline void OperationSink::end_operation() {
  if (waiting_.empty())
    emit(operation_);
  else
    bound_waiting();
}

// Whom a rank of a communicator means, and the how manieth of the own ones it is.
OperationSink::Ends OperationSink::find_ends(std::uint64_t communicator, std::uint64_t rank) {
  std::size_t tried = 0;
  while (tried < seen_.size() && seen_[last_seen_].id != communicator) {
    last_seen_ = last_seen_ + 1 == seen_.size() ? 0 : last_seen_ + 1;
    ++tried;
  }
  if (tried == seen_.size()) {
    const bool is_of_another_paradigm =
        definitions_.find(Ref::comm, communicator) && !communicators_.has(communicator);
    auto& unknown = found_.totals.unknown;
    ++(is_of_another_paradigm ? unknown.paradigms : unknown.communicators);
    return {unknown_value, unknown_value};
  }

  const auto& seen = seen_[last_seen_];
  auto peer = unknown_value;
  if (!seen.ranks && rank == 0)
    peer = own_;
  else if (seen.ranks && rank < seen.ranks->size())
    peer = (*seen.ranks)[rank];
  return {peer, seen.number};
}

std::uint64_t OperationSink::find_relative(std::uint64_t peer) const {
  if (!is_rank(peer) || !is_rank(own_))
    return peer;
  return peer >= own_ ? peer - own_ : peer + communicators_.size() - own_;
}

// The four kinds of records of messages have these fields alike.
void OperationSink::fill_message(Operation& operation, const Event& event) {
  using enum EventKind;
  const auto rank = event.kind == MpiSend || event.kind == MpiIsend
                        ? get_field<"receiver", MpiSend, MpiIsend>(event)
                        : get_field<"sender", MpiRecv, MpiIrecv>(event);
  const auto [peer, communicator] =
      find_ends(get_field<"communicator", MpiSend, MpiIsend, MpiRecv, MpiIrecv>(event), rank);
  found_.totals.unknown.ranks += communicator != unknown_value && peer == unknown_value;

  const auto bytes = get_field<"msgLength", MpiSend, MpiIsend, MpiRecv, MpiIrecv>(event);
  operation.values = {find_relative(peer), communicator,
                      get_field<"msgTag", MpiSend, MpiIsend, MpiRecv, MpiIrecv>(event), bytes};
  ++found_.totals.messages;
  found_.totals.bytes += bytes;
}

void OperationSink::fill_collective(Operation& operation, const Event& event) {
  using enum EventKind;
  const auto root = get_field<"root", MpiCollectiveEnd, NonBlockingCollectiveComplete>(event);
  const bool is_special = root >= otf2_value::root_this_group && root <= otf2_value::root_none;
  const auto ends = find_ends(
      get_field<"communicator", MpiCollectiveEnd, NonBlockingCollectiveComplete>(event), root);

  auto world_root = ends.peer;
  if (is_special)
    world_root = root == otf2_value::root_none   ? no_root
                 : root == otf2_value::root_self ? self_root
                                                 : group_root;
  else
    found_.totals.unknown.ranks += ends.communicator != unknown_value && ends.peer == unknown_value;

  operation.values = {
      get_field<"collectiveOp", MpiCollectiveEnd, NonBlockingCollectiveComplete>(event),
      ends.communicator, world_root,
      get_field<"sizeSent", MpiCollectiveEnd, NonBlockingCollectiveComplete>(event),
      get_field<"sizeReceived", MpiCollectiveEnd, NonBlockingCollectiveComplete>(event)};
}

// Records of windows and files. One-sided operations name a window, which is known by its id, and a
// rank of its communicator.
void OperationSink::add_record(const Event& event) {
  using enum EventKind;
  const auto kind = event.kind;
  const auto parameters = list_record_parameters(kind);
  if (!is_own_ || parameters.empty() || (!is_compared(kind) && !keeps_messages_))
    return;

  auto communicator = undefined_id(Ref::comm);
  if (is_one_sided(kind)) {
    if (const auto* window = definitions_.find(Ref::rma_win, find_window(event)))
      communicator = get_field<"comm", DefinitionKind::RmaWin>(*window);
    if (definitions_.find(Ref::comm, communicator) && !communicators_.has(communicator))
      return;  // of an accelerator, or another paradigm
  }

  auto& operation = begin_operation(kind);
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const auto value = event.fields[parameters[p].field];
    operation.values[p] = value;
    switch (parameters[p].parameter) {
      case Parameter::peer:
        operation.values[p] = find_remote(communicator, value, is_compared(kind));
        break;
      case Parameter::root: operation.values[p] = find_root(communicator, value); break;
      case Parameter::begun: operation.values[p] = find_begun(event); break;
      case Parameter::operation:
        if (const auto second = find_second_field(kind))
          operation.values[p] = pack_operation(value, event.fields[*second]);
        break;
      default: break;
    }
  }
  if (can_complete(kind))
    count_begun(event);
  end_operation();
}

// Where no process is named, the operation is one of all processes.
std::uint64_t OperationSink::find_remote(std::uint64_t communicator, std::uint64_t remote,
                                         bool is_told) {
  if (!is_told && remote == otf2_value::root_none)
    return no_root;

  auto unknown = found_.totals.unknown;
  const auto [peer, number] = find_ends(communicator, remote);
  found_.totals.unknown.ranks += number != unknown_value && peer == unknown_value;
  if (!is_told)
    found_.totals.unknown =
        unknown;  // what only accompanies operations is left out where it is unknown
  return find_relative(peer);
}

std::uint64_t OperationSink::find_root(std::uint64_t communicator, std::uint64_t root) {
  switch (root) {
    case otf2_value::root_none: return no_root;
    case otf2_value::root_self: return self_root;
    case otf2_value::root_this_group: return group_root;
    default: return find_ends(communicator, root).peer;
  }
}

// How many operations ago the one was begun that a record completes or tests.
std::uint64_t OperationSink::find_begun(const Event& completion) {
  const auto found = cursor_.follow(completion, number_begun_);
  return found.is_further() ? number_begun_ - found.operation : unknown_value;
}

void OperationSink::count_begun(const Event& event) {
  const auto number = number_begun_++;
  if (!keeps_messages_)
    return;

  cursor_.follow(event, number);
  if (cursor_.count_open() > most_begun)
    cursor_.give_up_before(number - most_begun / 2);
}

void OperationSink::other(const Event& event) {
  using enum EventKind;
  switch (event.kind) {
    case MpiSend:
    case MpiIsend:
    case MpiRecv:
      fill_message(begin_operation(event.kind), event);
      end_operation();
      break;
    case MpiCollectiveEnd:
      fill_collective(begin_operation(event.kind), event);
      end_operation();
      break;
    case MpiIrecvRequest:
    case NonBlockingCollectiveRequest:
    case MpiIrecv:
    case NonBlockingCollectiveComplete:
    case MpiRequestCancelled: follow_request(event); break;
    default:
      if (is_one_sided(event.kind) || is_file(event.kind))
        add_record(event);
  }
}

// Records of operations that do not block.
void OperationSink::follow_request(const Event& event) {
  using enum EventKind;
  const auto found = cursor_.follow(event, waiting_.next_number());
  switch (found.step) {
    case Step::begins: {
      auto& waiting = waiting_.add();
      begin_operation(event.kind, waiting.operation);
      waiting.state = State::open;
      waiting.request =
          get_field<"requestID", MpiIrecvRequest, NonBlockingCollectiveRequest>(event);
      bound_waiting();
      break;
    }
    case Step::completes:
      fill_completed(waiting_[found.operation].operation, event);
      waiting_[found.operation].state = State::ready;
      flush();
      break;
    case Step::whole:
      ++found_.totals.unknown.requests;
      fill_completed(
          begin_operation(event.kind == MpiIrecv ? MpiIrecvRequest : NonBlockingCollectiveRequest),
          event);
      end_operation();
      break;
    case Step::cancels:
      waiting_[found.operation].state = State::cancelled;
      flush();
      break;
    default: break;
  }
}

void OperationSink::fill_completed(Operation& operation, const Event& completion) {
  if (completion.kind == EventKind::MpiIrecv)
    fill_message(operation, completion);
  else
    fill_collective(operation, completion);
}

// The oldest operation that waits counts as one that never completes.
void OperationSink::give_up_oldest() {
  auto& [operation, state, request] = waiting_.oldest();
  cursor_.give_up(request);
  ++found_.totals.unknown.open;
  const auto parameters = list_parameters(operation.kind);
  for (std::size_t p = 0; p < parameters.size(); ++p)
    if (parameters[p] == Parameter::peer || parameters[p] == Parameter::communicator ||
        parameters[p] == Parameter::root)
      operation.values[p] = unknown_value;
  state = State::ready;
}

// Hands on what no longer waits.
void OperationSink::flush() {
  waiting_.release([this](const Waiting& waiting) {
    if (waiting.state == State::ready)
      emit(waiting.operation);
  });
}

RecordedOperations OperationSink::take() {
  for (; waiting_.count_waiting() > 0; flush())
    give_up_oldest();

  found_.sequence = folder_.take();
  cursor_ = OperationCursor(OperationCursor::Reuse::queues);
  number_begun_ = 0;
  for (auto path : gap_paths_)
    found_.totals.gaps.push_back({path, std::exchange(gaps_[path], 0)});
  gap_paths_.clear();
  return std::exchange(found_, {});
}

}  // namespace tracefold
