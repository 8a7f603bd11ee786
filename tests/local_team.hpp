// A team whose members are threads of the test, and which counts what they send to each other.
//
//   const auto counts = run_team(5, [](Team& team) { ... });
#pragma once

#include "base/tree_team.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tracefold::testing {

// What all members have sent in one call of the team.
struct TeamCall {
  std::uint64_t messages = 0, bytes = 0;
  std::size_t longest_chain = 0;  // messages each of which waits for the one before

  bool operator==(const TeamCall&) const = default;
};

// What the members of one team share.
class LocalMessages {
 public:
  struct Message {
    std::string bytes;
    std::size_t chain = 0;  // length of the longest that ends with this message
  };

  void put(std::size_t from, std::size_t to, std::size_t call, Message message) {
    std::lock_guard lock(mutex_);
    check_running();
    if (calls_.size() <= call)
      calls_.resize(call + 1);
    auto& counts = calls_[call];
    ++counts.messages;
    counts.bytes += message.bytes.size();
    counts.longest_chain = std::max(counts.longest_chain, message.chain);
    waiting_[{from, to}].push_back(std::move(message));
    changed_.notify_all();
  }
  Message take(std::size_t from, std::size_t to) {
    std::unique_lock lock(mutex_);
    auto& queue = waiting_[{from, to}];
    changed_.wait(lock, [&] { return first_error_ || !queue.empty(); });
    check_running();
    auto message = std::move(queue.front());
    queue.pop_front();
    return message;
  }
  // The first one counts: the others follow from it. So does what a member that was stopped throws,
  // which may come earlier.
  void stop(std::exception_ptr error, bool was_stopped) {
    std::lock_guard lock(mutex_);
    if (!first_error_ || (first_follows_ && !was_stopped)) {
      first_error_ = std::move(error);
      first_follows_ = was_stopped;
    }
    changed_.notify_all();
  }

  std::vector<TeamCall> finish() {
    std::lock_guard lock(mutex_);
    if (first_error_)
      std::rethrow_exception(first_error_);
    for (const auto& [members, queue] : waiting_)
      if (!queue.empty())
        throw std::logic_error("members came to different calls of their team");
    return calls_;
  }

 private:
  void check_running() const {
    if (first_error_)
      throw TeamStopped("another member has failed");
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::pair<std::size_t, std::size_t>, std::deque<Message>> waiting_;  // by from and to
  std::vector<TeamCall> calls_;
  std::exception_ptr first_error_;
  bool first_follows_ = false;  // from another one
};

class LocalTeam : public TreeTeam {
 public:
  LocalTeam(std::size_t rank, std::size_t size, LocalMessages& messages)
      : rank_(rank), size_(size), messages_(messages) {}

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return size_; }

 protected:
  void begin_call() override {
    ++calls_;
    chain_ = 0;
  }
  void send(std::size_t to, std::string bytes) override {
    messages_.put(rank_, to, calls_ - 1, {std::move(bytes), chain_ + 1});
  }
  std::string receive(std::size_t from) override {
    auto message = messages_.take(from, rank_);
    chain_ = std::max(chain_, message.chain);
    return std::move(message.bytes);
  }
  std::string send_and_receive(std::size_t to, std::string bytes, std::size_t from) override {
    send(to, std::move(bytes));
    return receive(from);
  }

 private:
  std::size_t rank_, size_;
  LocalMessages& messages_;
  std::size_t calls_ = 0, chain_ = 0;
};

// Runs body(team) as each member, and rethrows what the first member that failed has thrown; the
// others get TeamStopped then. Returns what was sent in each call of the team, in their order.
inline std::vector<TeamCall> run_team(std::size_t size, const std::function<void(Team&)>& body) {
  LocalMessages messages;
  std::vector<std::jthread> members;
  for (std::size_t rank = 0; rank < size; ++rank)
    members.emplace_back([&, rank] {
      LocalTeam team(rank, size, messages);
      try {
        body(team);
      } catch (const TeamStopped&) {
        messages.stop(std::current_exception(), true);
      } catch (...) {
        messages.stop(std::current_exception(), false);
      }
    });
  members.clear();  // joins

  return messages.finish();
}

}  // namespace tracefold::testing
