#include "pipeline/distributed/end_guard.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace tracefold {

namespace {

constexpr auto look_at_time_every = std::chrono::milliseconds(100);
constexpr auto longest_removal = std::chrono::seconds(2);

double read_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

double AwakeClock::take_step() {
  const auto now = read_seconds();
  real_step_ = now - before_.value_or(now);
  before_ = now;
  return std::min(real_step_, 1.0);
}

EndGuard::EndGuard(std::function<void(const std::string&)> tell,
                   std::function<void()> remove_debris)
    : tell_(std::move(tell)),
      remove_debris_(std::move(remove_debris)),
      thread_([this](std::stop_token stop) { watch(std::move(stop)); }) {}

EndGuard::~EndGuard() = default;

void EndGuard::set(Limit limit, double seconds, int status, std::string words) {
  std::lock_guard lock(mutex_);
  deadlines_[static_cast<std::size_t>(limit)] = Deadline{seconds, status, std::move(words)};
}

void EndGuard::clear(Limit limit) {
  std::lock_guard lock(mutex_);
  deadlines_[static_cast<std::size_t>(limit)].reset();
}

void EndGuard::watch(std::stop_token stop) {
  AwakeClock clock;
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    const auto step = clock.take_step();
    for (auto& deadline : deadlines_)
      if (deadline && (deadline->seconds_left -= step) < 0) {
        const auto passed = *deadline;
        lock.unlock();
        end_process(passed);
      }
    stopped_.wait_for(lock, stop, look_at_time_every, [] { return false; });
  }
}

void EndGuard::end_process(const Deadline& passed) {
  // A disk that does not answer is no reason to stay.
  std::thread([status = passed.status] {
    std::this_thread::sleep_for(longest_removal);
    ::_exit(status);
  }).detach();
  if (!passed.words.empty())
    tell_(passed.words);
  remove_debris_();
  ::_exit(passed.status);
}

}  // namespace tracefold
