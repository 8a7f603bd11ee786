// With whom one process communicates and for whom it waits: messages and bytes that it sends, by
// receiver, and its times of waiting, by the process that it waits for. Processes are the locations
// of MPI's ranks.
//
// One location, one thread. Memory: about 64 bytes for each other process, and 48 for each stored
// wait.
#pragma once

#include "model/profile/metric.hpp"
#include "otf2/definitions.hpp"
#include "otf2/event.hpp"
#include "pipeline/messages/location_waits.hpp"

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace tracefold {

// Waiting for a known location. Times are in ticks.
struct KnownWait {
  std::uint64_t late = 0;  // see WaitingTime
  std::uint64_t begin = 0, end = 0, until = 0;
  std::uint64_t ticks = 0;
  Metric metric = Metric::none;
};
auto list_members(Like<KnownWait> auto& wait) {
  return std::tie(wait.late, wait.begin, wait.end, wait.until, wait.ticks, wait.metric);
}

struct PartnerAmounts {
  struct Sent {
    std::uint64_t messages = 0, bytes = 0;
  };
  friend auto list_members(Like<Sent> auto& one) { return std::tie(one.messages, one.bytes); }
  friend auto list_members(Like<PartnerAmounts> auto& amounts) {
    return std::tie(amounts.sent, amounts.waited, amounts.waits);
  }

  std::map<std::uint64_t, Sent> sent;                                // by receiver
  std::map<std::pair<Metric, std::uint64_t>, std::uint64_t> waited;  // ticks, by other
  std::vector<KnownWait> waits;  // single waits in the order in which calls end, if wanted

  void wait(const WaitingTime& time) {
    if (time.waited_for)
      waited[{time.metric, *time.waited_for}] += time.ticks;
  }
  // Stores the wait itself.
  void keep(const WaitingTime& time) {
    waits.push_back({time.late, time.begin, time.end, time.until, time.ticks, time.metric});
  }
};

class PartnerCounter {
 public:
  // The definitions must outlive this.
  PartnerCounter(const Definitions& definitions, std::uint64_t location)
      : definitions_(definitions), location_(location) {}

  // Adds an MpiSend or MpiIsend. Unknown receivers are ignored.
  void send(const Event& event) {
    using enum EventKind;
    const Use use{get_field<"communicator", MpiSend, MpiIsend>(event),
                  get_field<"receiver", MpiSend, MpiIsend>(event)};
    if (use != last_) {
      last_ = use;
      to_ = find(use);
    }
    if (to_) {
      ++to_->messages;
      to_->bytes += get_field<"msgLength", MpiSend, MpiIsend>(event);
    }
  }
  void wait(const WaitingTime& time) { amounts_.wait(time); }
  void keep(const WaitingTime& time) { amounts_.keep(time); }

  // Call once, after the last record.
  PartnerAmounts take() { return std::move(amounts_); }

 private:
  using Use = std::pair<std::uint64_t, std::uint64_t>;  // communicator, rank

  PartnerAmounts::Sent* find(const Use& use) {
    const auto [at, is_new] = known_.try_emplace(use, nullptr);
    if (is_new)
      if (const auto location = definitions_.partner(location_, use.first, use.second))
        at->second = &amounts_.sent[definitions_.endpoint(*location)];
    return at->second;
  }

  const Definitions& definitions_;
  std::uint64_t location_;
  PartnerAmounts amounts_;
  std::map<Use, PartnerAmounts::Sent*> known_;  // null: unknown
  Use last_{~std::uint64_t{0}, ~std::uint64_t{0}};
  PartnerAmounts::Sent* to_ = nullptr;  // of `last_`
};

}  // namespace tracefold
