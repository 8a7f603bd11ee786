// What a record counts for, in the metrics of the call path in which it is recorded.
// Calls and their times, and values of recorded metrics, are not looked at here.
//
// A message counts where it is sent (MpiSend, MpiIsend) and where it is received
// (MpiRecv, MpiIrecv), a collective operation where it ends, a file operation where it
// begins; without bytes, messages and collectives are synchronizations. As a source a
// process has data that others get, as a destination it gets data of others: by kind
// of operation and root, or by bytes where these do not tell. Of one-sided synchronization, ends of
// locks count and not their requests; an atomic operation is a put where it sends and a get where
// it receives.
//
// Source: dynamics Table 1.1; OTF2 3.0, events.
#pragma once

#include "model/iterations/iteration_metric.hpp"
#include "otf2/definitions.hpp"
#include "otf2/event.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace tracefold {

struct Amount {
  Metric metric = Metric::none;
  std::uint64_t amount = 0;

  bool operator==(const Amount&) const = default;
};

class Amounts {
 public:
  void add(Metric metric, std::uint64_t amount) {
    if (amount)
      amounts_[size_++] = {metric, amount};
  }
  const Amount* begin() const { return amounts_.data(); }
  const Amount* end() const { return amounts_.data() + size_; }

 private:
  std::array<Amount, 5> amounts_;
  std::size_t size_ = 0;
};

// `location` recorded the event. Thread-safe.
Amounts amounts_of(const Event& event, const Definitions& definitions, std::uint64_t location);

}  // namespace tracefold
