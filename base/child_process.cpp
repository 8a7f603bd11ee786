#include "base/child_process.hpp"

#include "base/error.hpp"
#include "base/interrupt.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <thread>

namespace tracefold {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds look_around{50};     // a signal may come between a look and a wait
constexpr milliseconds time_to_stop{1000};  // of a child, once it was asked to

void send_line(int handle, const std::string& line) {
  const auto text = line + "\n";
  for (std::size_t done = 0; done < text.size();) {
    const auto n = ::write(handle, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return;
    done += static_cast<std::size_t>(n);
  }
}

void close_standard_streams() {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::dup2(nothing, stream);
}

// Where memory ends, the system is to end this process and no other.
void offer_to_be_killed() {
  if (const int handle = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); handle >= 0) {
    (void)!::write(handle, "1000", 4);
    ::close(handle);
  }
}

[[noreturn]] void run_as_child(const std::function<void(const SendLine&)>& work, int handle,
                               ::pid_t parent) {
  stop_signal.store(0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent)
    ::_exit(1);
  close_standard_streams();
  offer_to_be_killed();
  try {
    work([handle](const std::string& line) { send_line(handle, line); });
  } catch (...) {
    ::_exit(1);
  }
  ::_exit(0);
}

// Takes what has come; false at the end.
bool receive(int handle, std::string& text) {
  std::array<char, 4096> buffer{};
  const auto n = ::read(handle, buffer.data(), buffer.size());
  if (n < 0)
    return errno == EINTR || errno == EAGAIN;
  text.append(buffer.data(), static_cast<std::size_t>(n));
  return n > 0;
}

// What was sent before the child was killed, without waiting for more.
void receive_rest(int handle, std::string& text) {
  struct ::pollfd waits {
    handle, POLLIN, 0
  };
  while (::poll(&waits, 1, 0) > 0 && receive(handle, text)) {}
}

std::string find_last_line(const std::string& text) {
  const auto end = text.rfind('\n');
  if (end == text.npos)
    return "";
  const auto begin = end == 0 ? text.npos : text.rfind('\n', end - 1);
  return begin == text.npos ? text.substr(0, end) : text.substr(begin + 1, end - begin - 1);
}

// The signal that ended it, or 0. One that has not ended until then is killed and left, as it may
// wait for a device. A number of a process may be used again once its end is known, so nothing is
// sent to it then.
int wait_for_end(::pid_t child, Moment until) {
  for (;;) {
    int status = 0;
    const auto ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child)
      return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (ended < 0 && errno != EINTR)
      return 0;
    if (std::chrono::steady_clock::now() >= until) {
      ::kill(child, SIGKILL);
      return SIGKILL;
    }
    std::this_thread::sleep_for(milliseconds(5));
  }
}

Error no_child(const std::string& what, int code) {
  return Error(ErrorKind::output, what + " cannot be made: " + std::strerror(code));
}

struct Child {
  ::pid_t process = 0;
  int pipe = -1;  // what it sends can be read here
};

Child start_child(const std::function<void(const SendLine&)>& work) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0)
    throw no_child("a pipe", errno);
  const auto [reading, writing] = pipe;

  const auto parent = ::getpid();
  const auto process = ::fork();
  if (process < 0) {
    const int code = errno;
    ::close(reading);
    ::close(writing);
    throw no_child("a process", code);
  }
  if (process == 0)
    run_as_child(work, writing, parent);

  ::close(writing);
  return {process, reading};
}

}  // namespace

ChildEnd run_in_child(const std::function<void(const SendLine&)>& work, const ChildLimits& limits) {
  const auto child = start_child(work);
  ChildEnd ended;
  std::string text;
  std::optional<Moment> kill_at;
  for (;;) {
    struct ::pollfd waits {
      child.pipe, POLLIN, 0
    };
    const bool is_ready = ::poll(&waits, 1, static_cast<int>(look_around.count())) > 0;
    if (is_ready && !receive(child.pipe, text))
      break;

    const auto now = std::chrono::steady_clock::now();
    const bool is_late = now >= limits.stop;
    const bool is_interrupted = stop_signal.load() != 0;
    if (!kill_at && (is_late || is_interrupted)) {
      (is_late ? ended.ran_out_of_time : ended.was_interrupted) = true;
      ::kill(child.process, SIGTERM);
      kill_at = is_late ? limits.end : std::min(limits.end, now + time_to_stop);
    }
    if (kill_at && now >= *kill_at)
      break;
  }

  // Without its end of the pipe it has only to end; time is given for that in any case.
  const auto now = std::chrono::steady_clock::now();
  if (kill_at && now >= *kill_at)
    ::kill(child.process, SIGKILL);
  ended.signal = wait_for_end(child.process, now + time_to_stop);
  receive_rest(child.pipe, text);
  ::close(child.pipe);
  ended.line = find_last_line(text);
  return ended;
}

}  // namespace tracefold
