#include "tests/pipeline/verify/rules/record_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace tracefold {

using K = DefinitionKind;

namespace {

constexpr std::size_t most_violations = 20;  // of a location; the rest says no more

bool names_message_partner(EventKind kind) {
  using enum EventKind;

  return kind == MpiSend || kind == MpiIsend || kind == MpiRecv || kind == MpiIrecv;
}

bool begins_request(EventKind kind) {
  using enum EventKind;

  return kind == MpiIsend || kind == MpiIrecvRequest || kind == NonBlockingCollectiveRequest;
}

// The field that names a request, none in records without.
std::optional<std::uint64_t> find_request(const Event& event) {
  const auto shape = get_row(event.kind).shape();
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i].role == FieldRole::request)
      return event.fields[i];
  return std::nullopt;
}

// The communicator in which the rank of a record counts.
std::uint64_t find_comm(const Definitions& definitions, const Event& event) {
  const auto shape = get_row(event.kind).shape();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i].role != FieldRole::ref)
      continue;
    if (shape[i].target == Ref::comm)
      return event.fields[i];
    if (shape[i].target == Ref::rma_win) {
      const auto* window = definitions.find(Ref::rma_win, event.fields[i]);
      return window ? get_field<"comm", K::RmaWin>(*window) : undefined_id(Ref::comm);
    }
  }

  return undefined_id(Ref::comm);
}

}  // namespace

RecordRules::RecordRules(const RecordRulesContext& context, const Archive& reduced,
                         std::uint64_t source, std::uint64_t location, bool is_halo,
                         const std::vector<Interval>& collapsed, const ReadOptions& options,
                         Diagnostics& diagnostics)
    : context_(context),
      cursor_(reduced, location, options, diagnostics),
      source_(source),
      location_(location),
      is_halo_(is_halo),
      collapsed_(collapsed),
      operations_(context.before.definitions(), source) {}

// The next record that does not stand for an iteration, and says nothing of members.
const EventCursor::Record* RecordRules::peek() {
  while (!next_ && !ended_) {
    next_ = cursor_.next();
    ended_ = !next_;
    if (next_ && (context_.stand_ins.has(*next_) || is_of_members(*next_)))
      next_ = nullptr;
  }

  return next_;
}

bool RecordRules::is_of_members(const EventCursor::Record& record) const {
  return record.is_known && record.kind == EventKind::Metric &&
         context_.members_after.contains(get_field<"metric", EventKind::Metric>(*record.event));
}

void RecordRules::add_violation(std::string words) {
  if (violations_.size() < most_violations)
    violations_.push_back(fmt::format("location {}: {}", location_, words));
}

// Times of the original ascend, so what the reduced archive has before that is not in it.
void RecordRules::skip_before(std::uint64_t time) {
  for (const auto* found = peek(); found && found->time < time; found = peek()) {
    add_violation(fmt::format("{} at {} is not the original's",
                              found->is_known ? get_row(found->kind).name : "a record",
                              found->time));
    advance();
  }
}

bool RecordRules::is_collapsed(std::uint64_t time) {
  while (span_ < collapsed_.size() && collapsed_[span_].end < time)
    ++span_;
  return span_ < collapsed_.size() && collapsed_[span_].begin <= time;
}

void RecordRules::call(EventKind kind, std::uint64_t time, std::uint64_t region,
                       std::span<const Attribute> attributes) {
  const auto* found = peek();
  if (found && found->time < time) [[unlikely]] {
    skip_before(time);
    found = peek();
  }

  if (found && found->is_known && found->kind == kind && found->time == time &&
      context_.after.find_region(found->region) == context_.before.find_region(region) &&
      have_same_attributes(attributes, found->attributes)) [[likely]] {
    advance();
    return;
  }

  if (!is_halo_ && !is_collapsed(time))
    add_violation(fmt::format("{} at {} is missing or another one", get_row(kind).name, time));
}

void RecordRules::other(const Event& event) {
  if (event.kind == EventKind::Metric &&
      context_.members_before.contains(get_field<"metric", EventKind::Metric>(event)))
    return;

  skip_before(event.time);
  const auto* found = peek();
  const bool stays = found && is_same(event, *found);
  if (stays)
    advance();

  const bool inside = is_collapsed(event.time);
  const bool fits = follow_operation(event, stays, inside);
  // What is missing of operations is looked at when all of their records are known.
  const bool is_looked_at_later =
      context_.is_folded && !is_halo_ && operations_.add(event, stays, inside, has_partners(event));
  if (!stays && !inside && !is_looked_at_later && !is_halo_ && !may_go(event))
    add_violation(
        fmt::format("{} at {} is missing or another one", get_row(event.kind).name, event.time));
  else if (!fits)
    add_violation(fmt::format("{} at {}: only a part of its operation is there",
                              get_row(event.kind).name, event.time));
}

void RecordRules::finish() {
  skip_before(~std::uint64_t{0});
  if (const auto* found = peek())
    add_violation(fmt::format("a record at {} is not the original's", found->time));

  for (const auto& part : operations_.parts()) {
    const bool is_missing = part.channel == OperationPart::alone && !part.stays && !part.may_go();
    if (is_missing || (part.stays && part.lacks_test))
      add_violation(fmt::format("{} began with {} at {} is missing",
                                is_missing ? "what" : "a test of what", get_row(part.kind).name,
                                part.time));
  }
}

bool RecordRules::is_same(const Event& before, const EventCursor::Record& after) {
  return after.is_known && after.event && after.kind == before.kind && after.time == before.time &&
         have_same_fields(before, *after.event) &&
         have_same_attributes(before.attributes, after.attributes);
}

bool RecordRules::have_same_attributes(std::span<const Attribute> before,
                                       std::span<const Attribute> after) const {
  if (before.empty() && after.empty()) [[likely]]
    return true;

  std::size_t k = 0;
  for (const auto& a : before) {
    if (context_.before.find(Ref::attribute, a.id) == DefinitionHashes::undefined)
      continue;  // nobody could say what it is
    if (k == after.size())
      return false;

    const auto& b = after[k++];
    const auto kind = ref_from_type(a.type);
    if (a.type != b.type ||
        context_.before.find(Ref::attribute, a.id) != context_.after.find(Ref::attribute, b.id) ||
        (kind ? context_.before.find(*kind, a.value) != context_.after.find(*kind, b.value)
              : a.value != b.value))
      return false;
  }

  return k == after.size();
}

bool RecordRules::have_same_fields(const Event& before, const Event& after) const {
  const auto shape = get_row(before.kind).shape();
  std::size_t length = 0, at = 0;
  if (before.list.size() != after.list.size())
    return false;

  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto a = before.fields[i], b = after.fields[i];
    switch (shape[i].role) {
      case FieldRole::ref:
        if (context_.before.find(shape[i].target, a) != context_.after.find(shape[i].target, b))
          return false;
        break;
      case FieldRole::peer:
      case FieldRole::root:
      case FieldRole::team_rank:
        if (!mean_same_rank(before, after, i))
          return false;
        break;
      case FieldRole::count:
        if (a != b)
          return false;
        length = a;
        break;
      case FieldRole::ref_list:
        for (std::size_t k = at; k < at + length; ++k)
          if (context_.before.find(shape[i].target, before.list[k]) !=
              context_.after.find(shape[i].target, after.list[k]))
            return false;
        at += length;
        break;
      case FieldRole::list:
        if (!std::equal(before.list.begin() + static_cast<std::ptrdiff_t>(at),
                        before.list.begin() + static_cast<std::ptrdiff_t>(at + length),
                        after.list.begin() + static_cast<std::ptrdiff_t>(at)) &&
            !(shape[i].name == "metricValues" && are_carried(before, after, at)))
          return false;
        at += length;
        break;
      default:
        if (a != b && !(shape[i].name == "unwindDistance" && may_be_unwound(before.time)))
          return false;
    }
  }

  return true;
}

// Behind a collapsed iteration, calls are also new whose records were in it; and of the halo those
// whose records are left out.
bool RecordRules::may_be_unwound(std::uint64_t time) const {
  return is_halo_ || (!collapsed_.empty() && collapsed_.front().end <= time);
}

// Whether the values of a metric, behind their types in the list, may differ as they do: in a
// collapsed iteration the last record holds the sum of all increments, and of what accumulates the
// last value that is a number.
bool RecordRules::are_carried(const Event& before, const Event& after, std::size_t first) const {
  using enum EventKind;

  const bool inside = std::any_of(collapsed_.begin(), collapsed_.end(), [&](const Interval& span) {
    return span.begin <= before.time && before.time <= span.end;
  });
  if (!inside)
    return false;

  const auto& definitions = context_.before.definitions();
  const auto* found = definitions.find(Ref::metric, get_field<"metric", Metric>(before));
  if (found && found->kind == K::MetricInstance)
    found = definitions.find(Ref::metric, get_field<"metricClass", K::MetricInstance>(*found));
  if (!found || found->kind != K::MetricClass)
    return false;

  for (std::size_t k = 0; first + k < before.list.size(); ++k) {
    const auto was = before.list[first + k], is = after.list[first + k];
    if (was == is)
      continue;

    const auto* member =
        k < found->list.size() ? definitions.find(Ref::metric_member, found->list[k]) : nullptr;
    if (!member)
      return false;

    const auto mode =
        get_field<"metricMode", K::MetricMember>(*member) & otf2_value::metric_value_mask;
    const bool is_replaced =
        mode == otf2_value::metric_accumulated && before.list[k] == otf2_value::type_double &&
        !std::isfinite(std::bit_cast<double>(was)) && std::isfinite(std::bit_cast<double>(is));
    if (mode != otf2_value::metric_relative && !is_replaced)
      return false;
  }

  return true;
}

bool RecordRules::mean_same_rank(const Event& before, const Event& after, std::size_t field) const {
  const auto a = before.fields[field], b = after.fields[field];
  const bool is_root = get_row(before.kind).fields[field].role == FieldRole::root;
  if (is_root && a >= otf2_value::root_this_group)
    return a == b;

  const auto comm_before = find_comm(context_.before.definitions(), before);
  const auto comm_after = find_comm(context_.after.definitions(), after);
  const auto partner = context_.before.definitions().partner(source_, comm_before, a);
  if (!partner)  // nothing tells who that is
    return a == b || (is_root && b == otf2_value::root_none);
  if (!context_.before.is_kept(*partner))
    return is_root && b == otf2_value::root_none;

  return b < otf2_value::root_this_group &&
         context_.after.find_partner(location_, comm_after, b) == *partner;
}

bool RecordRules::follow_operation(const Event& event, bool stays, bool is_collapsed) {
  using enum EventKind;

  if (event.kind == MpiCollectiveBegin) {
    collective_ = stays;
    return true;
  }
  if (event.kind == MpiCollectiveEnd)
    return std::exchange(collective_, std::nullopt).value_or(stays) == stays;

  // An operation is whole without its tests.
  const bool is_left_out_test =
      (event.kind == MpiRequestTest || event.kind == RmaOpTest) && !stays && is_collapsed;
  if (is_left_out_test)
    return true;

  if (const auto request = find_request(event)) {
    if (begins_request(event.kind)) {
      requests_[*request] = stays;
      return true;
    }

    const auto open = requests_.find(*request);
    const bool fits = open == requests_.end() || open->second == stays;
    if (open != requests_.end() && event.kind != MpiRequestTest)
      requests_.erase(open);

    return fits;
  }

  const auto shape = get_row(event.kind).shape();
  const auto match = std::find_if(shape.begin(), shape.end(),
                                  [](const Field& f) { return f.role == FieldRole::match; });
  if (match == shape.end())
    return true;

  const std::pair key{event.fields[0],
                      event.fields[static_cast<std::size_t>(match - shape.begin())]};
  if (event.kind == RmaPut || event.kind == RmaGet || event.kind == RmaAtomic) {
    one_sided_[key] = stays;
    return true;
  }
  const auto open = one_sided_.find(key);

  return open == one_sided_.end() || open->second == stays;
}

// Whether all ranks in a record mean kept processes.
bool RecordRules::has_partners(const Event& event) const {
  if (!context_.draws_messages && names_message_partner(event.kind))
    return false;

  const auto& definitions = context_.before.definitions();
  const auto shape = get_row(event.kind).shape();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i].role != FieldRole::peer && shape[i].role != FieldRole::team_rank)
      continue;
    const auto partner =
        definitions.partner(source_, find_comm(definitions, event), event.fields[i]);
    if (!partner || !context_.before.is_kept(*partner))
      return false;
  }

  return true;
}

// Whether the rules let a record outside of collapsed iterations go.
bool RecordRules::may_go(const Event& event) {
  using enum EventKind;

  const auto& definitions = context_.before.definitions();
  if (event.kind == Metric)
    return context_.is_filtered;
  const auto shape = get_row(event.kind).shape();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i].role != FieldRole::peer && shape[i].role != FieldRole::team_rank)
      continue;

    if (!context_.draws_messages && names_message_partner(event.kind))
      return true;

    const auto comm = find_comm(definitions, event);
    const auto* found = definitions.find(Ref::comm, comm);
    const auto partner = definitions.partner(source_, comm, event.fields[i]);
    if (!found || !partner || !context_.before.is_kept(*partner))
      return true;
    if (!names_message_partner(event.kind))
      return false;

    const auto own = definitions.endpoint(source_);
    if (definitions.has_unknown_side(*found) || !context_.before.is_kept(own))
      return true;

    missing_.insert({own, *partner});

    return true;  // as far as this location tells
  }

  // What belongs to an operation goes with it, which follow_operation() looks at.
  const bool belongs_to_message = find_request(event) &&
                                  event.kind != NonBlockingCollectiveRequest &&
                                  event.kind != NonBlockingCollectiveComplete;
  const bool completes_one_sided = event.kind == RmaOpTest || event.kind == RmaOpCompleteBlocking ||
                                   event.kind == RmaOpCompleteNonBlocking ||
                                   event.kind == RmaOpCompleteRemote;

  return belongs_to_message || completes_one_sided;
}

}  // namespace tracefold
