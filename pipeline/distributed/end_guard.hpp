// Ends a process that comes to no end by itself, since it waits in a call that does not return: a
// thread that only looks at the time.
//
// Time that the whole process was stopped counts as a second at most, so that one that is continued
// does not take its own sleep for that of others. Thread-safe.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace tracefold {

// Seconds that have passed since it was asked before: a second at most.
class AwakeClock {
 public:
  double take_step();
  double real_step() const { return real_step_; }  // the last one, however long

 private:
  double real_step_ = 0;
  std::optional<double> before_;
};

// What may take too long.
enum class Limit : std::size_t { start, sign, end };
inline constexpr std::size_t limits = 3;

class EndGuard {
 public:
  // Called by the thread that ends the process: what tells people, and what removes unfinished
  // output. Neither may throw.
  EndGuard(std::function<void(const std::string&)> tell, std::function<void()> remove_debris);
  ~EndGuard();
  EndGuard(const EndGuard&) = delete;
  EndGuard& operator=(const EndGuard&) = delete;

  // Unless it is set again or cleared, the process ends after so many seconds with this status.
  // Nothing is told where `words` are empty.
  void set(Limit limit, double seconds, int status, std::string words = {});
  void clear(Limit limit);

 private:
  struct Deadline {
    double seconds_left = 0;
    int status = 0;
    std::string words;
  };

  void watch(std::stop_token stop);
  void end_process(const Deadline& passed);

  std::function<void(const std::string&)> tell_;
  std::function<void()> remove_debris_;
  std::mutex mutex_;
  std::condition_variable_any stopped_;
  std::array<std::optional<Deadline>, limits> deadlines_;
  std::jthread thread_;  // the last member: it uses the others
};

}  // namespace tracefold
