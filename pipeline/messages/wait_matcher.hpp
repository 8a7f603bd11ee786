// Finds what processes wait for in calls of MPI: one reading of all processes of a trace, and then
// each location is matched while its events are read once more.
//
// * late sender: in a call that receives, from its Enter until the last of its messages was sent;
// * late receiver: in Send, Ssend and Sendrecv, and where non-blocking sends are completed, until
//   the last of its messages has its receive posted, of those posted before the call ends; what is
//   late-sender time already is left out;
// * wait at barrier: until the last process of the communicator entered it;
// * wait at NxN: the same in operations of all to all: Allgather, Alltoall, Allreduce,
//   Reduce_scatter and their kind;
// * late broadcast: in operations of one to all, until the root entered: Bcast, Scatter, Scatterv;
// * early reduce: in operations of all to one, on the root, until the last sender entered: Reduce,
//   Gather, Gatherv.
//
// It is no longer than the call's own time. Filters of functions do not change it: when a message
// was sent does not depend on whether the call that sends it is shown.
//
// Messages are sent, and receives posted, when the call is entered that does it.
//
// A time of waiting is known for all processes or for none: processes that were left out, in an
// earlier reduction or by filters, and whatever message_matcher.hpp and collective_matcher.hpp say,
// make it unknown, with a reason. Not known, and not in such a reason, is what waits in collective
// operations that do not block, and for some messages of which the trace lacks one end; warnings
// say how many.
//
// Memory: what message_matcher.hpp and collective_matcher.hpp say. The result does not depend on
// the number of threads.
//
// Source: dynamics 1.5 and 3.3 (late senders); Scalasca 2.6, performance properties. Scalasca's
// early reduce goes to the latest sender since version 2.6, as here; before, it went to the first.
#pragma once

#include "model/profile/metric.hpp"
#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"
#include "pipeline/events/function_table.hpp"
#include "pipeline/messages/collected_waits.hpp"
#include "pipeline/messages/collective_matcher.hpp"
#include "pipeline/messages/message_matcher.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

class Team;
struct Plan;

// Immutable once made; any thread may ask.
class WaitMatcher {
 public:
  // Reads what the wanted times of waiting take, and nothing where there are none. The plan's
  // processes were profiled; `time_metrics` are of each function. All must stay. Where what
  // it takes was collected before, nothing is read, and it is taken from there. Of a team, each
  // member can match its own locations, and the first one also those processes in `read_again`.
  // Throws Error(input).
  WaitMatcher(const Archive& archive, const Plan& plan, const FunctionTable& functions,
              const std::vector<Metric>& time_metrics, const std::vector<Metric>& wanted,
              const ReadOptions& options, Diagnostics& diagnostics,
              CollectedWaits* collected = nullptr, const std::vector<std::size_t>& read_again = {});

  // The times of waiting that are wanted and known, ascending.
  const std::vector<Metric>& known() const { return known_; }
  // Why a wanted one is not known; null where it is.
  const std::string* find_reason(Metric metric) const;

  // Null where nothing that takes them is wanted.
  const MessageMatcher* messages() const { return messages_ ? &*messages_ : nullptr; }
  const CollectiveMatcher* collectives() const { return collectives_.get(); }
  bool knows(Metric metric) const;

 private:
  void choose_what_is_read(const Archive& archive, const Plan& plan,
                           const std::vector<Metric>& wanted);
  void read(const Archive& archive, const Plan& plan, const std::vector<Metric>& time_metrics,
            const std::vector<Metric>& wanted, const ReadOptions& options, Diagnostics& diagnostics,
            CollectedWaits* collected, const std::vector<std::size_t>& read_again);
  struct Readings;
  bool has_messages(std::size_t process) const;  // that are matched
  void take_collected(const Plan& plan, CollectedWaits& collected, Readings& readings);
  void read_own(const Archive& archive, const Plan& plan, const std::vector<Metric>& time_metrics,
                const ReadOptions& options, Diagnostics& diagnostics, Readings& readings);
  // Of a team, each member gets to know what it needs.
  void deal(const Archive& archive, const Plan& plan, Team* team,
            const std::vector<std::size_t>& read_again, Readings& readings);
  void add_up(const Readings& readings, const std::vector<Metric>& wanted,
              Diagnostics& diagnostics);
  std::string check_messages(const Plan& plan, const FunctionTable& functions,
                             const std::vector<Metric>& time_metrics) const;
  std::string check_collectives(const Plan& plan, const std::vector<Metric>& time_metrics,
                                Metric wait) const;

  std::map<Metric, std::string> reasons_;
  std::vector<Metric> known_;
  std::optional<MessageMatcher> messages_;
  std::unique_ptr<CollectiveMatcher> collectives_;
  bool wants_posts_ = false;  // when receives were posted

  // What was read, of all locations.
  std::uint64_t matched_ = 0, unmatched_ = 0;      // ends of messages
  std::uint64_t posts_ = 0, completed_posts_ = 0;  // receives that do not block
  std::uint64_t parts_ = 0;                        // in collective operations
};

}  // namespace tracefold
