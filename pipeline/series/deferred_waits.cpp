#include "pipeline/series/deferred_waits.hpp"

#include "base/varints.hpp"

namespace tracefold {

namespace {

// Whether it matters which request a record is of.
constexpr bool has_request(EventKind kind) {
  using enum EventKind;
  return kind == MpiIsend || kind == MpiIsendComplete || kind == MpiRequestCancelled;
}

constexpr std::size_t find_request_field(EventKind kind) {
  using enum EventKind;
  return kind == MpiIsend ? field_place<"requestID", MpiIsend>()
                          : field_place<"requestID", MpiIsendComplete, MpiRequestCancelled>();
}

void put_difference(std::string& out, std::uint64_t number, std::uint64_t& last) {
  put_varint(out, to_zigzag(number - last));
  last = number;
}

std::uint64_t take_difference(VarintReader& from, std::uint64_t& last) {
  return last += from_zigzag(from.take());
}

}  // namespace

DeferredWaits::Kind DeferredWaits::make_kind(const Event& event) {
  using enum EventKind;
  Kind kind{event.kind, event.fields};
  if (sends_message(event.kind) || receives_message(event.kind))
    kind.fields[field_place<"msgLength", MpiSend, MpiIsend, MpiRecv, MpiIrecv>()] = 0;
  if (event.kind == MpiIrecv)
    kind.fields[field_place<"requestID", MpiIrecv>()] = 0;
  if (has_request(event.kind))
    kind.fields[find_request_field(event.kind)] = 0;
  return kind;
}

std::uint32_t DeferredWaits::number(const Kind& kind) {
  const auto [at, is_new] = numbers_.try_emplace(kind, static_cast<std::uint32_t>(kinds_.size()));
  if (is_new)
    kinds_.push_back(kind);
  return at->second;
}

void DeferredWaits::add(const Event& event, std::size_t open_calls) {
  if (!LocationWaits::may_wait(event.kind) || !is_regular_)
    return;
  if (open_calls == 0 || (depth_ != 0 && depth_ != open_calls)) {
    is_regular_ = false;
    return;
  }

  depth_ = open_calls;
  pending_.push_back({number(make_kind(event)),
                      has_request(event.kind) ? event.fields[find_request_field(event.kind)] : 0});
}

void DeferredWaits::end(const EndedCall& call, std::size_t open_calls, const WaitPlace& place) {
  if (depth_ != open_calls)
    return;

  put_difference(calls_, place.path, last_path_);
  put_difference(calls_, place.iteration, last_iteration_);
  put_difference(calls_, call.time, last_end_);
  put_varint(calls_, call.inclusive);
  put_varint(calls_, call.inclusive - call.exclusive);
  put_varint(calls_, 2 * pending_.size() + place.part);
  for (const auto& record : pending_) {
    put_varint(calls_, record.kind);
    if (has_request(kinds_[record.kind].kind))
      put_difference(calls_, record.request, last_request_);
  }

  pending_.clear();
  depth_ = 0;
}

bool DeferredWaits::replay(const WaitMatcher& matcher, std::uint64_t location,
                           const ProfileColumns& columns, std::span<const CallPath> paths,
                           const OnWait& on_wait) const {
  constexpr std::size_t open_calls = 1;
  LocationWaits waits(matcher, location);
  VarintReader reader(calls_);
  std::uint64_t path = 0, iteration = 0, end = 0, request = 0;

  while (!reader.at_end()) {
    WaitPlace place;
    place.path = static_cast<PathIndex>(take_difference(reader, path));
    place.iteration = take_difference(reader, iteration);
    const auto function = paths[place.path].function;
    EndedCall call;
    call.time = take_difference(reader, end);
    call.inclusive = reader.take();
    call.exclusive = call.inclusive - reader.take();
    call.time_metric = columns.time_metric(function);
    call.sends_wait = columns.may_wait_for_receiver(function);

    const auto records_and_part = reader.take();
    place.part = records_and_part % 2;
    for (auto records = records_and_part / 2; records > 0; --records) {
      const auto& kind = kinds_[reader.take()];
      Event event;
      event.kind = kind.kind;
      event.fields = kind.fields;
      // Whether a message was sent too late to be received here, is asked at the end of the call.
      event.time = call.time - call.inclusive;
      if (has_request(kind.kind))
        event.fields[find_request_field(kind.kind)] = take_difference(reader, request);
      waits.add(event, open_calls);
    }
    if (!waits.may_have_waited())
      continue;
    for (const auto& waited : waits.end(call, open_calls))
      if (waited.ticks > 0)
        on_wait(place, waited);
  }

  return waits.impossible_messages() == 0 && waits.impossible_collectives() == 0;
}

}  // namespace tracefold
