#include "pipeline/distributed/life_watch.hpp"

#include "base/host_name.hpp"
#include "base/interrupt.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <utility>

namespace tracefold {

namespace {

constexpr auto look_every = std::chrono::milliseconds(20);
constexpr double sign_every = 1, longest_silence = 10;  // seconds
// As long as others have to say that they miss someone, too: the first of them tells people.
constexpr double until_told = 0.3;
// In a round of this thread nothing waits: one that takes so long hangs in MPI.
constexpr double longest_round = 12;
// Until what a failed run has not finished is removed also where this member is still at it: others
// end it by force soon.
constexpr double until_debris = 4;
// Until this process goes by itself where MPI_Abort does not return, and where another calls it.
constexpr double until_own_exit = 2, until_exit_after_others = 4;
constexpr double longest_farewell = 10;

constexpr std::size_t most_host_name = 64;
using HostName = std::array<char, most_host_name>;

HostName read_own_host() {
  HostName name{};
  read_host_name().copy(name.data(), name.size() - 1);
  return name;
}

// One that is lost has nothing more to say, which comes first.
bool comes_before(const Notice& a, const Notice& b) {
  if (a.kind != b.kind)
    return a.kind == Notice::lost;
  return a.origin < b.origin;
}

}  // namespace

LifeWatch::LifeWatch(MPI_Comm members, EndGuard& guard,
                     std::function<void(const std::string&)> tell,
                     std::function<void()> remove_debris)
    : guard_(guard),
      tell_(std::move(tell)),
      remove_debris_(std::move(remove_debris)),
      communicator_(copy_communicator(members)) {
  MPI_Comm_rank(communicator_, &rank_);
  MPI_Comm_size(communicator_, &size_);
  next_ = (rank_ + 1) % size_;
  previous_ = (rank_ + size_ - 1) % size_;
  const auto host = read_own_host();
  HostName host_of_previous{};
  check_mpi(MPI_Sendrecv(host.data(), most_host_name, MPI_CHAR, next_, 0, host_of_previous.data(),
                         most_host_name, MPI_CHAR, previous_, 0, communicator_, MPI_STATUS_IGNORE));
  host_of_previous_ = host_of_previous.data();
  if (size_ > 1)
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

LifeWatch::~LifeWatch() = default;

void LifeWatch::report_failure(int status) {
  std::lock_guard lock(mutex_);
  take_failure({Notice::failed, rank_, rank_, status});
}

std::optional<Notice> LifeWatch::failure() const {
  std::lock_guard lock(mutex_);
  return failure_;
}

bool LifeWatch::say_farewell() {
  {
    std::lock_guard lock(mutex_);
    says_farewell_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable())
    thread_.join();
  return !misses_farewell_;
}

// The lock is held.
void LifeWatch::take_failure(const Notice& notice) {
  if (failure_ && !comes_before(notice, *failure_))
    return;
  failure_ = notice;
  is_to_pass_on_ = true;
  changed_.notify_all();
  if (notice.origin == rank_ && notice.kind == Notice::failed)
    return;

  is_stopped_.store(true);  // before the signal, so that nobody takes it for one to this process
  int none = 0;
  stop_signal.compare_exchange_strong(none, SIGTERM);
}

void LifeWatch::run(const std::stop_token& stop) try {
  AwakeClock clock;
  double said_farewell = -1;  // seconds ago
  for (;;) {
    const auto step = clock.take_step();
    guard_.set(Limit::sign, longest_round, static_cast<int>(ErrorKind::interrupted),
               "MPI does not return to rank " + std::to_string(rank_) + " on " + read_host_name() +
                   ": the run ends");
    if (clock.real_step() > longest_silence - 1.5 * sign_every) {
      // This process was stopped, and the others have missed it.
      std::lock_guard lock(mutex_);
      take_failure({Notice::lost, size_, rank_, static_cast<int>(ErrorKind::interrupted)});
    }
    receive();
    sent_.remove_if([](Sent& sent) { return is_done(sent.request); });
    if (said_farewell < 0) {
      send_sign(step);
      look_for_sign(step);
      pass_on();
      end_failed_run(step);
    } else {
      said_farewell += step;
    }
    if (said_farewell >= 0 && has_left(said_farewell))
      break;
    if (stop.stop_requested())
      break;

    std::unique_lock lock(mutex_);
    if (says_farewell_ && said_farewell < 0) {
      said_farewell = 0;
      lock.unlock();
      send(next_, {Notice::farewell, rank_, rank_, 0});
      continue;
    }
    changed_.wait_for(lock, stop, look_every,
                      [&] { return said_farewell < 0 && (is_to_pass_on_ || says_farewell_); });
  }
  guard_.clear(Limit::sign);
} catch (const Error& problem) {
  // MPI has lost a member before its silence was noticed, and the launcher ends the others.
  guard_.set(Limit::sign, until_exit_after_others, static_cast<int>(ErrorKind::interrupted),
             "rank " + std::to_string(rank_) + " on " + read_host_name() + ": " + problem.what());
  std::lock_guard lock(mutex_);
  take_failure({Notice::lost, size_, size_, static_cast<int>(ErrorKind::interrupted)});
}

// Whether nothing is sent any more by anybody, and all has arrived that was.
bool LifeWatch::has_left(double seconds) {
  if (seconds > longest_farewell) {
    misses_farewell_ = true;
    return true;
  }
  if (!is_leaving_ && previous_is_gone_ && sent_.empty()) {
    check_mpi(MPI_Ibarrier(communicator_, &all_leave_));
    is_leaving_ = true;
  }
  if (!is_leaving_ || !is_done(all_leave_))
    return false;
  receive();
  return true;
}

void LifeWatch::receive() {
  for (;;) {
    int is_there = 0;
    check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, 0, communicator_, &is_there, MPI_STATUS_IGNORE));
    if (!is_there)
      return;
    Notice notice;
    MPI_Status status;
    check_mpi(
        MPI_Recv(&notice, sizeof notice, MPI_BYTE, MPI_ANY_SOURCE, 0, communicator_, &status));
    if (status.MPI_SOURCE == previous_)
      since_sign_ = 0;
    if (notice.kind == Notice::farewell) {
      previous_is_gone_ = true;
    } else if (notice.kind != Notice::alive) {
      std::lock_guard lock(mutex_);
      take_failure(notice);
    }
  }
}

void LifeWatch::send(int to, const Notice& notice) {
  auto& sent = sent_.emplace_back(Sent{notice, MPI_REQUEST_NULL});
  // NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): run() tests it until it is done
  check_mpi(
      MPI_Isend(&sent.notice, sizeof sent.notice, MPI_BYTE, to, 0, communicator_, &sent.request));
}

void LifeWatch::send_sign(double step) {
  until_sign_ -= step;
  if (until_sign_ > 0)
    return;
  until_sign_ = sign_every;
  // A member that takes none does not need more of them.
  if (sent_.size() < 16)
    send(next_, {Notice::alive, rank_, rank_, 0});
}

void LifeWatch::look_for_sign(double step) {
  since_sign_ += step;
  if (previous_is_gone_ || since_sign_ < longest_silence)
    return;
  previous_is_gone_ = true;
  std::lock_guard lock(mutex_);
  take_failure({Notice::lost, rank_, previous_, static_cast<int>(ErrorKind::interrupted)});
}

void LifeWatch::pass_on() {
  Notice failure;
  {
    std::lock_guard lock(mutex_);
    if (!std::exchange(is_to_pass_on_, false))
      return;
    failure = *failure_;
  }
  for (int distance = 1; distance < size_; distance *= 2)
    send((rank_ + distance) % size_, failure);
}

void LifeWatch::end_failed_run(double step) {
  const auto failure = this->failure();
  if (!failure)
    return;
  since_failure_ += step;
  if (failure->kind == Notice::lost) {
    if (!has_ended_ && since_failure_ > until_told)
      end_lost_run(*failure);
  } else if (!has_removed_debris_ && since_failure_ > until_debris) {
    has_removed_debris_ = true;
    remove_debris_();
  }
}

// One that is lost cannot agree with the others on anything: MPI ends them.
void LifeWatch::end_lost_run(const Notice& loss) {
  has_ended_ = true;
  if (loss.origin != rank_) {
    guard_.set(Limit::end, until_exit_after_others, loss.status);
    remove_debris_();
    return;
  }
  guard_.set(Limit::end, until_own_exit, loss.status);
  tell_("rank " + std::to_string(loss.subject) + " on " + host_of_previous_ +
        " has given no sign of life for " + std::to_string(static_cast<int>(longest_silence)) +
        " s: the run ends");
  remove_debris_();
  MPI_Abort(communicator_, loss.status);
}

}  // namespace tracefold
