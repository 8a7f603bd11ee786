#include "pipeline/messages/deal_messages.hpp"

#include "base/packed_values.hpp"
#include "base/team.hpp"
#include "model/plan.hpp"
#include "pipeline/events/shares.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

// Who reads which process.
class Readers {
 public:
  Readers(const Team& team, const Definitions& definitions, const Plan& plan,
          const std::vector<std::size_t>& read_again)
      : plan_(plan), shares_(definitions, &team), is_read_again_(plan.processes.size()) {
    for (auto p : read_again)
      is_read_again_[p] = true;
  }

  // Calls visit(member) for each.
  template <class Visit>
  void visit(std::size_t process, Visit&& visit) const {
    const auto owner = shares_.find_owner(plan_.processes[process].id);
    visit(owner);
    if (is_read_again_[process] && owner != 0)
      visit(std::size_t{0});
  }

 private:
  const Plan& plan_;
  const Shares shares_;
  std::vector<bool> is_read_again_;  // by process
};

}  // namespace

MessagesByProcess deal_messages(Team* team, const Definitions& definitions, const Plan& plan,
                                const MessageMatcher& matcher,
                                const std::vector<std::size_t>& read_again, MessagesByProcess own) {
  if (!team)
    return own;

  const Readers readers(*team, definitions, plan, read_again);
  std::vector<MessagesByProcess> given(team->size());
  // The times at one end of a channel, to who reads the other end.
  const auto give = [&](std::size_t process, LocationMessages::Times LocationMessages::*times,
                        const LocationMessages::Times::value_type& of_channel,
                        std::uint64_t other_end) {
    for (const auto other : matcher.find_processes(other_end))
      readers.visit(other, [&](std::size_t member) {
        if (member != team->rank())
          (given[member][process].*times).insert(of_channel);
      });
  };
  for (const auto& of_process : own) {
    const auto process = of_process.first;
    const auto& messages = of_process.second;
    for (const auto& sent : messages.send_times)
      give(process, &LocationMessages::send_times, sent, sent.first.receiver);
    for (const auto& posted : messages.post_times)
      give(process, &LocationMessages::post_times, posted, posted.first.sender);
    // Locations of one rank may share channels.
    for (const auto one : matcher.find_processes(definitions.endpoint(plan.processes[process].id)))
      readers.visit(one, [&](std::size_t member) {
        if (member != team->rank())
          given[member][process] = messages;
      });
  }

  std::vector<std::string> bytes;
  for (auto& to_member : given) {
    bytes.push_back(pack(to_member));
    to_member.clear();
  }
  const auto arrived = team->exchange(std::move(bytes));
  for (const auto& from_member : arrived)
    own.merge(unpack<MessagesByProcess>(from_member));
  return own;
}

}  // namespace tracefold
