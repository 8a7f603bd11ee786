// Finds out what processes wait for in calls of MPI. All processes are read once; then each
// location is matched while its events are read again.
//
// * late sender: in a call that receives, from its begin until the last of its messages was sent;
// * late receiver: in Send, Ssend and Sendrecv, and where non-blocking sends complete, until the
//   last of its messages has its receive posted, if it is posted before the call ends, without
//   late-sender time;
// * wait at barrier: until the last process of the communicator entered the barrier;
// * wait at fence: the same in MPI_Win_fence;
// * wait at NxN: the same in all-to-all operations: Allgather, Alltoall, Allreduce, Reduce_scatter
//   and similar ones;
// * late broadcast: in one-to-all operations, until the root entered: Bcast, Scatter, Scatterv;
// * early reduce: in all-to-one operations, at the root, until the last sender entered: Reduce,
//   Gather, Gatherv.
//
// Waiting is limited to the call's exclusive time. Filters of functions do not change it, since
// they do not change when a message was sent. Messages are sent, and receives posted, when their
// call is entered.
//
// A time of waiting is known for all processes or for none. It is unknown, with a reason, if
// processes are missing (because of an earlier reduction or filters), and for the reasons in
// collective_matcher.hpp. Waiting in non-blocking collectives, and for
// messages that lack one end, is not included; warnings say how many there are.
//
// Memory: that of message_matcher.hpp and collective_matcher.hpp. The result does not depend on the
// number of threads.
//
// Source: dynamics 1.5 and 3.3 (late senders); Scalasca 2.6, performance properties. As here,
// Scalasca's early reduce waits for the last sender since version 2.6, and for the first one
// before.
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

// The reason why nothing is known of a run out of several archives whose hosts' clocks differ. It
// is nothing odd, unlike all other reasons.
inline constexpr const char* clocks_not_in_step =
    "the clocks of processes that communicate are not in step";
struct Plan;

// Immutable, thread-safe.
class WaitMatcher {
 public:
  // Reads what the wanted times need, and nothing if none are wanted. The plan must have profiles;
  // `time_metrics` is by function. All arguments must outlive this. If `collected` has everything,
  // it is taken from there and nothing is read. In a team, each member can then match its own
  // locations, and the first member also the processes in `read_again`. Throws Error(input).
  WaitMatcher(const Archive& archive, const Plan& plan, const FunctionTable& functions,
              const std::vector<Metric>& time_metrics, const std::vector<Metric>& wanted,
              const ReadOptions& options, Diagnostics& diagnostics,
              CollectedWaits* collected = nullptr, const std::vector<std::size_t>& read_again = {});

  // The wanted times of waiting that are known, ascending.
  const std::vector<Metric>& known() const { return known_; }
  // Why a wanted time is not known; null if it is.
  const std::string* find_reason(Metric metric) const;

  // Null if no wanted time needs them.
  const MessageMatcher* messages() const { return messages_ ? &*messages_ : nullptr; }
  const CollectiveMatcher* collectives() const { return collectives_.get(); }
  bool knows(Metric metric) const;
  // Whether some times are wanted and all of these known, there are no messages with one end, and
  // it is known of all collective and one-sided operations who waits for whom.
  bool knows_all() const;

 private:
  void choose_what_is_read(const Archive& archive, const Plan& plan,
                           const std::vector<Metric>& wanted);
  void read(const Archive& archive, const Plan& plan, const std::vector<Metric>& time_metrics,
            const std::vector<Metric>& wanted, const ReadOptions& options, Diagnostics& diagnostics,
            CollectedWaits* collected, const std::vector<std::size_t>& read_again);
  struct Readings;
  bool has_messages(std::size_t process) const;  // matched ones
  void take_collected(const Plan& plan, CollectedWaits& collected, Readings& readings);
  void read_own(const Archive& archive, const Plan& plan, const std::vector<Metric>& time_metrics,
                const ReadOptions& options, Diagnostics& diagnostics, Readings& readings);
  // Gives each member of a team what it needs.
  void deal(const Archive& archive, const Plan& plan, Team* team,
            const std::vector<std::size_t>& read_again, Readings& readings);
  void add_up(const Readings& readings, const std::vector<Metric>& wanted,
              Diagnostics& diagnostics);
  std::string check_messages(const Plan& plan, const FunctionTable& functions,
                             const std::vector<Metric>& time_metrics) const;
  std::string check_collectives(const Plan& plan, const FunctionTable& functions,
                                const std::vector<Metric>& time_metrics, Metric wait) const;

  std::map<Metric, std::string> reasons_;
  std::vector<Metric> known_;
  std::optional<MessageMatcher> messages_;
  std::unique_ptr<CollectiveMatcher> collectives_;
  bool wants_posts_ = false;  // times at which receives were posted

  // What was read, over all locations.
  std::uint64_t matched_ = 0, unmatched_ = 0;      // ends of messages
  std::uint64_t posts_ = 0, completed_posts_ = 0;  // non-blocking receives
  std::uint64_t parts_ = 0;                        // of collective operations
  std::uint64_t on_windows_ = 0;                   // of those on windows
  std::uint64_t one_sided_ = 0;  // other synchronisations of which nobody knows who waits
};

}  // namespace tracefold
