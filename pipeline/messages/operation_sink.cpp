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

// The window or file handle of a record.
std::uint64_t find_object(const Event& event) {
  for (const auto& [parameter, field] : list_record_parameters(event.kind))
    if (parameter == Parameter::communicator)
      return event.fields[field];
  return 0;
}

// What ties an operation to its completion.
std::uint64_t find_matching_id(const Event& event) {
  using enum EventKind;
  if (event.kind == RmaAtomic)
    return get_field<"matchingId", RmaAtomic>(event);
  if (event.kind == IoOperationBegin)
    return get_field<"matchingId", IoOperationBegin>(event);
  return get_field<"matchingId", RmaPut, RmaGet>(event);
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

  operation.is_in_same_call =
      depth_ > 0 && calls_[depth_ - 1].has_operations && !list_record_parameters(kind).empty();
  for (auto call = depth_; call > 0 && !calls_[call - 1].has_operations; --call)
    calls_[call - 1].has_operations = true;
}

// The next operation, which is to be filled in before end_operation.
inline Operation& OperationSink::begin_operation(EventKind kind) {
  auto& operation = waiting_.empty() ? operation_ = {} : waiting_.emplace_back().operation;
  begin_operation(kind, operation);
  return operation;
}

inline void OperationSink::bound_waiting() {
  if (waiting_.size() - handed_on_ > most_waiting) [[unlikely]] {
    give_up(waiting_[handed_on_]);
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
    ++found_.unknown.communicators;
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
  found_.unknown.ranks += communicator != unknown_value && peer == unknown_value;

  const auto bytes = get_field<"msgLength", MpiSend, MpiIsend, MpiRecv, MpiIrecv>(event);
  operation.values = {find_relative(peer), communicator,
                      get_field<"msgTag", MpiSend, MpiIsend, MpiRecv, MpiIrecv>(event), bytes};
  ++found_.messages;
  found_.bytes += bytes;
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
    found_.unknown.ranks += ends.communicator != unknown_value && ends.peer == unknown_value;

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

  const auto object = find_object(event);
  auto communicator = undefined_id(Ref::comm);
  if (is_one_sided(kind)) {
    if (const auto* window = definitions_.find(Ref::rma_win, object))
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
      case Parameter::begun: operation.values[p] = find_begun(event, object, value); break;
      case Parameter::operation:
        if (const auto second = find_second_field(kind))
          operation.values[p] = pack_operation(value, event.fields[*second]);
        break;
      default: break;
    }
  }
  if (can_complete(kind))
    count_begun(event, object);
  end_operation();
}

// Of all processes, where none is named.
std::uint64_t OperationSink::find_remote(std::uint64_t communicator, std::uint64_t remote,
                                         bool is_told) {
  if (!is_told && remote == otf2_value::root_none)
    return no_root;

  auto unknown = found_.unknown;
  const auto [peer, number] = find_ends(communicator, remote);
  found_.unknown.ranks += number != unknown_value && peer == unknown_value;
  if (!is_told)
    found_.unknown = unknown;  // what only accompanies operations is left out where it is unknown
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

// How many operations ago the one was begun that a record means.
std::uint64_t OperationSink::find_begun(const Event& event, std::uint64_t object,
                                        std::uint64_t id) {
  using enum EventKind;
  const auto at = begun_.find({is_file(event.kind), object, id});
  if (at == begun_.end())
    return unknown_value;

  const auto ago = number_begun_ - at->second;
  if (event.kind == RmaOpCompleteRemote || event.kind == IoOperationComplete ||
      event.kind == IoOperationCancelled)
    begun_.erase(at);
  return ago;
}

void OperationSink::count_begun(const Event& event, std::uint64_t object) {
  const auto number = number_begun_++;
  if (!keeps_messages_)
    return;

  begun_[{is_file(event.kind), object, find_matching_id(event)}] = number;
  if (begun_.size() > most_begun)
    std::erase_if(begun_, [&](const auto& one) { return one.second + most_begun / 2 < number; });
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
      open_request(event.kind, get_field<"requestID", MpiIrecvRequest>(event));
      break;
    case NonBlockingCollectiveRequest:
      open_request(event.kind, get_field<"requestID", NonBlockingCollectiveRequest>(event));
      break;
    case MpiIrecv: complete(MpiIrecvRequest, event, get_field<"requestID", MpiIrecv>(event)); break;
    case NonBlockingCollectiveComplete:
      complete(NonBlockingCollectiveRequest, event,
               get_field<"requestID", NonBlockingCollectiveComplete>(event));
      break;
    case MpiRequestCancelled: cancel(get_field<"requestID", MpiRequestCancelled>(event)); break;
    default:
      if (is_one_sided(event.kind) || is_file(event.kind))
        add_record(event);
  }
}

void OperationSink::open_request(EventKind kind, std::uint64_t request) {
  requests_.open(request, first_waiting_ + waiting_.size());
  auto& waiting = waiting_.emplace_back();
  begin_operation(kind, waiting.operation);
  waiting.state = State::open;
  waiting.request = request;
  bound_waiting();
}

// The first operation that waits for a request, which it does no longer; null where none does.
OperationSink::Waiting* OperationSink::close_request(std::uint64_t request) {
  const auto number = requests_.close(request);
  return number ? &waiting_[*number - first_waiting_] : nullptr;
}

void OperationSink::complete(EventKind kind, const Event& event, std::uint64_t request) {
  const auto fill = [&](Operation& operation) {
    if (kind == EventKind::MpiIrecvRequest)
      fill_message(operation, event);
    else
      fill_collective(operation, event);
  };

  if (auto* waiting = close_request(request)) {
    fill(waiting->operation);
    waiting->state = State::ready;
    flush();
  } else {
    ++found_.unknown.requests;
    fill(begin_operation(kind));
    end_operation();
  }
}

void OperationSink::cancel(std::uint64_t request) {
  if (auto* waiting = close_request(request)) {
    waiting->state = State::cancelled;
    flush();
  }
}

void OperationSink::give_up(Waiting& waiting) {
  if (waiting.state != State::open)
    return;

  requests_.close(waiting.request);  // no older one with this id is open
  ++found_.unknown.open;
  const auto parameters = list_parameters(waiting.operation.kind);
  for (std::size_t p = 0; p < parameters.size(); ++p)
    if (parameters[p] == Parameter::peer || parameters[p] == Parameter::communicator ||
        parameters[p] == Parameter::root)
      waiting.operation.values[p] = unknown_value;
  waiting.state = State::ready;
}

// Hands on what no longer waits.
void OperationSink::flush() {
  for (; handed_on_ < waiting_.size() && waiting_[handed_on_].state != State::open; ++handed_on_)
    if (waiting_[handed_on_].state == State::ready)
      emit(waiting_[handed_on_].operation);

  if (handed_on_ == waiting_.size()) {
    first_waiting_ += handed_on_;
    handed_on_ = 0;
    waiting_.clear();
    return;
  }

  // What is left moves to the front where that costs no more than was handed on.
  if (2 * handed_on_ < waiting_.size())
    return;
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(handed_on_));
  first_waiting_ += handed_on_;
  handed_on_ = 0;
}

RecordedOperations OperationSink::take() {
  for (auto at = handed_on_; at < waiting_.size(); ++at)
    give_up(waiting_[at]);
  flush();

  found_.sequence = folder_.take();
  begun_.clear();
  number_begun_ = 0;
  for (auto path : gap_paths_)
    found_.gaps.push_back({path, std::exchange(gaps_[path], 0)});
  gap_paths_.clear();
  return std::exchange(found_, {});
}

}  // namespace tracefold
