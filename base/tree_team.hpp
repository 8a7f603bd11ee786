// What members of a team do together, made of messages between two of them: along binomial trees,
// so that no chain of messages is longer than ceil(log2(size)) up or down, and exchange in rounds
// of pairs. What carries the messages is another class (pipeline/distributed/ has MPI).
//
// One thread of a member at a time.
#pragma once

#include "base/team.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

class TreeTeam : public Team {
 public:
  std::string broadcast(std::string bytes) override;
  std::vector<std::string> gather(std::string bytes) override;
  std::string reduce(std::string bytes, const Merge& merge) override;
  std::vector<std::string> exchange(std::vector<std::string> bytes) override;
  void barrier() override;

 protected:
  // Called where members begin something together.
  virtual void begin_call() {}
  // Messages from one member to another arrive in the order in which they were sent. Throw
  // TeamStopped.
  virtual void send(std::size_t to, std::string bytes) = 0;
  virtual std::string receive(std::size_t from) = 0;
  // Both at once, so that members that send to each other in a circle do not wait for each other.
  virtual std::string send_and_receive(std::size_t to, std::string bytes, std::size_t from) = 0;

 private:
  std::string reduce_along_tree(std::string bytes, const Merge& merge);
  std::string broadcast_along_tree(std::string bytes);
};

}  // namespace tracefold
