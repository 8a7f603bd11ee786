// A team whose members are the processes of an MPI program, on one node or on many.
//
// Nothing waits in MPI: calls are begun, tested, and slept between, so that a member hears at once
// that another one has failed, or that it was asked to stop. Two threads more stay beside each
// member: one sends signs of life and misses those of others (life_watch.hpp), one ends the process
// where nothing else does (end_guard.hpp). MPI must let several threads call it.
#pragma once

#include "base/tree_team.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace tracefold {

// What a team needs of the program for the case that not all goes well. Any thread may call these,
// and they throw nothing.
struct TeamHooks {
  std::function<void(const std::string& words)> tell;  // people
  std::function<void()> remove_debris;                 // before a process ends by force
};

// What the run of one member has come to.
struct MemberResult {
  int status = 0;           // exit status
  std::string message;      // to tell people; none: empty
  bool is_stopped = false;  // only because another member has failed
};

class MpiTeam : public TreeTeam {
 public:
  // Starts MPI. Tells why, and returns none, where this MPI, or the way in which it was started, is
  // of no use.
  static std::unique_ptr<MpiTeam> start(TeamHooks hooks);
  // Ends all processes where finish() was not called.
  ~MpiTeam() override;
  MpiTeam(const MpiTeam&) = delete;
  MpiTeam& operator=(const MpiTeam&) = delete;

  std::size_t rank() const override;
  std::size_t size() const override;
  // How many cores of its node this member may use, beside the other members there.
  std::size_t cores() const;
  std::size_t members_on_node() const;
  // Whether another member has failed.
  bool is_stopped() const;

  // Ends the team, with all its members, once: agrees on what the run has come to, tells it once,
  // and ends MPI. Returns the exit status for this process, or ends it.
  int finish(const MemberResult& result);

 protected:
  void begin_call() override;
  void send(std::size_t to, std::string bytes) override;
  std::string receive(std::size_t from) override;
  std::string send_and_receive(std::size_t to, std::string bytes, std::size_t from) override;

 private:
  struct State;
  explicit MpiTeam(std::unique_ptr<State> state);

  bool agree_to_rest();
  [[noreturn]] void end_by_force(int status);

  std::unique_ptr<State> state_;
};

}  // namespace tracefold
