#include "pipeline/facts/record_metrics.hpp"

#include "pipeline/messages/channel.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

// Which part a process has in a collective operation; both may be true, or none.
struct CollectiveRole {
  bool is_source = false;
  bool is_destination = false;
};

// `is_root()` is asked only where it matters, and may not know.
template <class IsRoot>
CollectiveRole find_role(std::uint64_t operation, IsRoot&& is_root, CollectiveRole by_bytes) {
  using namespace otf2_value;
  switch (operation) {
    case collective_bcast:
    case collective_scatter:
    case collective_scatterv: {
      const std::optional<bool> root = is_root();
      return root ? CollectiveRole{*root, !*root} : by_bytes;
    }
    case collective_gather:
    case collective_gatherv:
    case collective_reduce: {
      const std::optional<bool> root = is_root();
      return root ? CollectiveRole{!*root, *root} : by_bytes;
    }
    default: return operation < collective_create_handle ? CollectiveRole{true, true} : by_bytes;
  }
}

struct Collective {
  std::uint64_t operation;  // OTF2_CollectiveOp
  std::uint64_t comm;
  std::uint64_t root;
  std::uint64_t sent;      // bytes
  std::uint64_t received;  // bytes
};

void count_collective(const Collective& c, const Definitions& definitions, std::uint64_t location,
                      MetricAmounts& amounts) {
  using enum Metric;

  if (c.operation == otf2_value::collective_barrier || (c.sent | c.received) == 0) {
    amounts.add(collective_synchronizations, 1);
    return;
  }

  const auto role =
      find_role(c.operation, [&] { return is_root(definitions, location, c.comm, c.root); },
                {c.sent > 0, c.received > 0});
  amounts.add(collectives, 1);
  amounts.add(collectives_as_source, role.is_source);
  amounts.add(collectives_as_destination, role.is_destination);
  amounts.add(collective_bytes_outgoing, c.sent);
  amounts.add(collective_bytes_incoming, c.received);
}

void count_one_sided_collective(const Event& event, const Definitions& definitions,
                                std::uint64_t location, MetricAmounts& amounts) {
  using enum Metric;
  using enum EventKind;
  const auto sent = get_field<"bytesSent", RmaCollectiveEnd>(event);
  const auto received = get_field<"bytesReceived", RmaCollectiveEnd>(event);
  if ((sent | received) == 0) {
    amounts.add(one_sided_synchronizations, 1);
    return;
  }

  const auto* window = definitions.find(Ref::rma_win, get_field<"win", RmaCollectiveEnd>(event));
  const auto comm =
      window ? get_field<"comm", DefinitionKind::RmaWin>(*window) : undefined_id(Ref::comm);
  count_collective({get_field<"collectiveOp", RmaCollectiveEnd>(event), comm,
                    get_field<"root", RmaCollectiveEnd>(event), sent, received},
                   definitions, location, amounts);
}

void count_file_operation(std::uint64_t mode, bool collective, MetricAmounts& amounts) {
  using enum Metric;

  if (mode == otf2_value::io_read)
    amounts.add(collective ? collective_file_reads : individual_file_reads, 1);
  if (mode == otf2_value::io_write)
    amounts.add(collective ? collective_file_writes : individual_file_writes, 1);
}

// From here on, doubles have no fractions that steps could show.
constexpr double largest_exact = 9007199254740992.0;  // 2^53

// The steps of a double that is a number; what is too large becomes the largest.
std::int64_t round_to_steps(double value, std::uint64_t steps) {
  constexpr double largest = 9.2e18;
  return std::llround(std::clamp(value * static_cast<double>(steps), -largest, largest));
}

bool is_finite(std::uint64_t type, std::uint64_t bits) {
  return type != otf2_value::type_double || std::isfinite(std::bit_cast<double>(bits));
}

bool is_negative(std::uint64_t bits) {
  return bits >> 63;
}

}  // namespace

MetricAmounts measure_rare_record(const Event& event, const Definitions& definitions,
                                  std::uint64_t location) {
  using enum Metric;
  using enum EventKind;
  MetricAmounts amounts;

  switch (event.kind) {
    case MpiCollectiveEnd:
    case NonBlockingCollectiveComplete:
      count_collective(
          {get_field<"collectiveOp", MpiCollectiveEnd, NonBlockingCollectiveComplete>(event),
           get_field<"communicator", MpiCollectiveEnd, NonBlockingCollectiveComplete>(event),
           get_field<"root", MpiCollectiveEnd, NonBlockingCollectiveComplete>(event),
           get_field<"sizeSent", MpiCollectiveEnd, NonBlockingCollectiveComplete>(event),
           get_field<"sizeReceived", MpiCollectiveEnd, NonBlockingCollectiveComplete>(event)},
          definitions, location, amounts);
      break;
    case RmaCollectiveEnd: count_one_sided_collective(event, definitions, location, amounts); break;
    case RmaGroupSync:
    case RmaReleaseLock:
    case RmaSync:
    case RmaWaitChange: amounts.add(one_sided_synchronizations, 1); break;
    case RmaPut:
      amounts.add(puts, 1);
      amounts.add(one_sided_bytes_sent, get_field<"bytes", RmaPut>(event));
      break;
    case RmaGet:
      amounts.add(gets, 1);
      amounts.add(one_sided_bytes_received, get_field<"bytes", RmaGet>(event));
      break;
    case RmaAtomic: {
      const auto sent = get_field<"bytesSent", RmaAtomic>(event);
      const auto received = get_field<"bytesReceived", RmaAtomic>(event);
      amounts.add(puts, sent > 0);
      amounts.add(gets, received > 0);
      amounts.add(one_sided_bytes_sent, sent);
      amounts.add(one_sided_bytes_received, received);
      break;
    }
    case IoOperationBegin: {
      const auto flags = get_field<"operationFlags", IoOperationBegin>(event);
      count_file_operation(get_field<"mode", IoOperationBegin>(event),
                           flags & otf2_value::io_flag_collective, amounts);
      break;
    }
    default: break;
  }

  return amounts;
}

// How far a counter came from one value to the next, also where it wrapped around once.
std::uint64_t CounterIncrements::measure_growth(const Value& before, const Value& after,
                                                std::uint64_t steps) {
  if (after.type != before.type)
    return 0;

  if (after.type == otf2_value::type_double) {
    const auto first = std::bit_cast<double>(before.bits);
    const auto last = std::bit_cast<double>(after.bits);
    if (last <= first)
      return 0;
    const auto scaled = std::max(std::abs(first), std::abs(last)) * static_cast<double>(steps);
    return static_cast<std::uint64_t>(scaled < largest_exact ? round_to_steps(last, steps) -
                                                                   round_to_steps(first, steps)
                                                             : round_to_steps(last - first, steps));
  }

  const auto increment = (after.bits - before.bits) * steps;
  if (after.type == otf2_value::type_uint64)
    return after.bits >= before.bits || is_negative(before.bits) ? increment : 0;
  return static_cast<std::int64_t>(after.bits) > static_cast<std::int64_t>(before.bits) ? increment
                                                                                        : 0;
}

// How many steps the value of a relative counter is.
std::uint64_t CounterIncrements::count_steps(const Value& value, std::uint64_t steps) {
  if (value.type == otf2_value::type_double)
    return static_cast<std::uint64_t>(
        std::max<std::int64_t>(round_to_steps(std::bit_cast<double>(value.bits), steps), 0));
  return value.type != otf2_value::type_uint64 && is_negative(value.bits) ? 0 : value.bits * steps;
}

const std::vector<CounterIncrements::Increment>& CounterIncrements::measure(const Event& metric) {
  increments_.clear();
  const auto id = get_field<"metric", EventKind::Metric>(metric);
  const auto counters = columns_.counters(id);

  // The list holds the type of each value, then the values.
  const auto length = metric.list.size() / 2;
  const auto members = std::min(length, counters.size());
  if (members == 0)
    return increments_;

  auto& last = last_.try_emplace(id, counters.size()).first->second;

  for (std::size_t k = 0; k < members; ++k) {
    if (counters[k].column == ProfileColumns::no_column)
      continue;

    const auto type = metric.list[k];
    const auto bits = metric.list[length + k];
    if (!is_finite(type, bits)) {
      ++not_finite_;
      not_finite_columns_.insert(counters[k].column);
      continue;
    }

    const Value value{type, bits};
    const auto before = std::exchange(last[k], value);

    std::uint64_t amount = 0;
    if (!counters[k].accumulates)
      amount = count_steps(value, counters[k].steps_per_unit);
    else if (before)
      amount = measure_growth(*before, value, counters[k].steps_per_unit);

    if (amount > 0)
      increments_.push_back({counters[k].column, amount});
  }

  return increments_;
}

}  // namespace tracefold
