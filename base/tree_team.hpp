// Implements the collective calls of a team by messages between two members. They travel along
// binomial trees, so the longest chain has ceil(log2(size)) messages up or down; exchange() works
// in rounds of pairs. A derived class sends the messages (pipeline/distributed/ has MPI).
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
  // Called at the beginning of each collective call.
  virtual void begin_call() {}
  // Messages between two members arrive in the order in which they were sent. Both throw
  // TeamStopped.
  virtual void send(std::size_t to, std::string bytes) = 0;
  virtual std::string receive(std::size_t from) = 0;
  // Sends and receives at the same time, so that members that send in a circle do not wait for each
  // other for ever.
  virtual std::string send_and_receive(std::size_t to, std::string bytes, std::size_t from) = 0;

 private:
  std::string reduce_along_tree(std::string bytes, const Merge& merge);
  std::string broadcast_along_tree(std::string bytes);
};

}  // namespace tracefold
