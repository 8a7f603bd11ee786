// Whether the other members of a team live, and whether one has failed: a thread that sends signs
// of life, and passes on at once what it hears of failures.
//
// Members stand in a ring: each sends a sign to the next one, and misses those of the one before.
// A failure goes to the members 1, 2, 4, ... places ahead, each of which passes it on, so that all
// know it after log2(size) steps. All messages are small and on a communicator of their own.
#pragma once

#include "pipeline/distributed/end_guard.hpp"
#include "pipeline/distributed/mpi_calls.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace tracefold {

// What ends the run of all: as members send it to each other.
struct Notice {
  enum Kind : std::int32_t { alive, failed, lost, farewell };

  std::int32_t kind = alive;
  std::int32_t origin = 0;   // the member that says so
  std::int32_t subject = 0;  // the one that is lost
  std::int32_t status = 0;   // exit status of the run
};

class LifeWatch {
 public:
  // All members make theirs at once. The functions are as for EndGuard.
  LifeWatch(MPI_Comm members, EndGuard& guard, std::function<void(const std::string&)> tell,
            std::function<void()> remove_debris);
  ~LifeWatch();
  LifeWatch(const LifeWatch&) = delete;
  LifeWatch& operator=(const LifeWatch&) = delete;

  // This member has failed, and all are to hear it.
  void report_failure(int status);
  // Another member has failed or is lost.
  bool is_stopped() const { return is_stopped_.load(std::memory_order_relaxed); }
  // What is known of that, also of this member: that of the lowest rank, a lost one first.
  std::optional<Notice> failure() const;
  // All members are well and call this: none misses the others from here on. False where one of
  // them has not answered in time.
  bool say_farewell();

 private:
  struct Sent {
    Notice notice;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void run(const std::stop_token& stop);
  bool has_left(double seconds);
  void receive();
  void send(int to, const Notice& notice);
  void send_sign(double step);
  void look_for_sign(double step);
  void take_failure(const Notice& notice);
  void pass_on();
  void end_failed_run(double step);
  void end_lost_run(const Notice& loss);

  EndGuard& guard_;
  std::function<void(const std::string&)> tell_;
  std::function<void()> remove_debris_;
  MPI_Comm communicator_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1, next_ = 0, previous_ = 0;
  std::string host_of_previous_;

  // Used only by the thread.
  std::list<Sent> sent_;
  double until_sign_ = 0, since_sign_ = 0, since_failure_ = 0;  // seconds
  bool previous_is_gone_ = false;                               // it has said farewell, or is lost
  MPI_Request all_leave_ = MPI_REQUEST_NULL;
  bool is_leaving_ = false, misses_farewell_ = false;
  bool has_removed_debris_ = false, has_ended_ = false;

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<Notice> failure_;
  bool is_to_pass_on_ = false, says_farewell_ = false;
  std::atomic<bool> is_stopped_ = false;
  std::jthread thread_;  // the last member: it uses the others
};

}  // namespace tracefold
