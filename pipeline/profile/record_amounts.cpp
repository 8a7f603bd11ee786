#include "pipeline/profile/record_amounts.hpp"

#include <optional>

namespace tracefold {

namespace {

using enum Metric;

struct Ends {
  bool source = false, destination = false;
};

// Whether the process is the root, none where that cannot be told.
std::optional<bool> is_root(std::uint64_t root, std::uint64_t comm, const Definitions& definitions,
                            std::uint64_t location) {
  if (root >= otf2_value::root_this_group)
    return root == otf2_value::root_self ? std::optional(true) : std::nullopt;
  const auto whose = definitions.partner(location, comm, root);
  return whose ? std::optional(*whose == definitions.endpoint(location)) : std::nullopt;
}

Ends ends_of(std::uint64_t operation, std::optional<bool> root, Ends by_bytes) {
  using namespace otf2_value;
  switch (operation) {
    case collective_bcast:
    case collective_scatter:
    case collective_scatterv: return root ? Ends{*root, !*root} : by_bytes;
    case collective_gather:
    case collective_gatherv:
    case collective_reduce: return root ? Ends{!*root, *root} : by_bytes;
    default: return operation < collective_create_handle ? Ends{true, true} : by_bytes;
  }
}

struct Collective {
  std::uint64_t operation, comm, root, sent, received;
};

void count_collective(const Collective& c, const Definitions& definitions, std::uint64_t location,
                      Amounts& amounts) {
  if (c.operation == otf2_value::collective_barrier || (c.sent | c.received) == 0) {
    amounts.add(collective_synchronizations, 1);
    return;
  }

  const auto ends = ends_of(c.operation, is_root(c.root, c.comm, definitions, location),
                            {c.sent > 0, c.received > 0});
  amounts.add(collectives, 1);
  amounts.add(collectives_as_source, ends.source);
  amounts.add(collectives_as_destination, ends.destination);
  amounts.add(collective_bytes_outgoing, c.sent);
  amounts.add(collective_bytes_incoming, c.received);
}

void count_message(Metric message, Metric bytes, Metric synchronization, std::uint64_t length,
                   Amounts& amounts) {
  amounts.add(length ? message : synchronization, 1);
  amounts.add(bytes, length);
}

void count_file_operation(std::uint64_t mode, bool collective, Amounts& amounts) {
  if (mode == otf2_value::io_read)
    amounts.add(collective ? collective_file_reads : individual_file_reads, 1);
  if (mode == otf2_value::io_write)
    amounts.add(collective ? collective_file_writes : individual_file_writes, 1);
}

}  // namespace

Amounts amounts_of(const Event& event, const Definitions& definitions, std::uint64_t location) {
  using enum EventKind;
  const auto& f = event.fields;
  Amounts amounts;

  switch (event.kind) {
    case MpiSend:
    case MpiIsend: count_message(sends, bytes_sent, send_synchronizations, f[3], amounts); break;
    case MpiRecv:
    case MpiIrecv:
      count_message(receives, bytes_received, receive_synchronizations, f[3], amounts);
      break;
    case MpiCollectiveEnd:
    case NonBlockingCollectiveComplete:
      count_collective({f[0], f[1], f[2], f[3], f[4]}, definitions, location, amounts);
      break;
    case RmaCollectiveEnd: {
      const auto* window = definitions.find(Ref::rma_win, f[2]);
      if ((f[4] | f[5]) == 0)
        amounts.add(one_sided_synchronizations, 1);
      else
        count_collective(
            {f[0], window ? window->fields[2] : undefined_id(Ref::comm), f[3], f[4], f[5]},
            definitions, location, amounts);
      break;
    }
    case RmaGroupSync:
    case RmaReleaseLock:
    case RmaSync:
    case RmaWaitChange: amounts.add(one_sided_synchronizations, 1); break;
    case RmaPut:
      amounts.add(puts, 1);
      amounts.add(one_sided_bytes_sent, f[2]);
      break;
    case RmaGet:
      amounts.add(gets, 1);
      amounts.add(one_sided_bytes_received, f[2]);
      break;
    case RmaAtomic:
      amounts.add(puts, f[3] > 0);
      amounts.add(gets, f[4] > 0);
      amounts.add(one_sided_bytes_sent, f[3]);
      amounts.add(one_sided_bytes_received, f[4]);
      break;
    case IoOperationBegin:
      count_file_operation(f[1], f[2] & otf2_value::io_flag_collective, amounts);
      break;
    default: break;
  }

  return amounts;
}

}  // namespace tracefold
