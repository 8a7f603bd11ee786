#include "pipeline/distributed/parting_watch.hpp"

#include "pipeline/distributed/end_guard.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <ctime>

namespace tracefold {

namespace {

// The child has no other thread than this one, and may call nothing that takes a lock.
[[noreturn]] void watch_parent(::pid_t parent, double seconds) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Launchers wait until nobody holds the other ends of its standard streams.
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::close(stream);
  AwakeClock clock;
  while ((seconds -= clock.take_step()) > 0) {
    if (::getppid() != parent)
      ::_exit(0);
    const ::timespec pause{0, 100'000'000};
    ::nanosleep(&pause, nullptr);
  }
  ::kill(parent, SIGKILL);
  ::_exit(0);
}

}  // namespace

void be_killed_after(double seconds) {
  const auto parent = ::getpid();
  if (::fork() == 0)
    watch_parent(parent, seconds);
}

}  // namespace tracefold
