#include "base/unfinished.hpp"

#include <stdio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <thread>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

// Never destroyed: threads may be at it while the process ends.
struct Unfinished {
  std::mutex naming, mutex;
  std::set<fs::path> paths;
  std::atomic<bool> is_removed = false;
};

Unfinished& get_unfinished() {
  static auto& unfinished = *new Unfinished;
  return unfinished;
}

// Absolute, since the process may change its working folder.
fs::path name_unfinished(const fs::path& path) {
  std::error_code unknown;
  auto absolute = fs::absolute(path, unknown);
  return unknown ? path : absolute;
}

// Gives it another name of its kind, which others do not know, and returns that; none where it is
// not there any more. What cannot be renamed keeps its name.
std::optional<fs::path> move_aside(const fs::path& path) {
  constexpr std::size_t last = 6;  // letters and digits at the end of such a name, which are random
  constexpr int tries = 10;
  auto name = path.string();
  for (int k = 0; k < tries && name.size() > last; ++k) {
    auto ending = std::to_string(1'000'000 + (::getpid() + k) % 1'000'000);
    name.replace(name.size() - last, last, ending, ending.size() - last, last);
    if (::rename(path.c_str(), name.c_str()) == 0)
      return name;
    if (errno == ENOENT)
      return std::nullopt;
  }

  return path;
}

}  // namespace

void add_unfinished(const fs::path& path) {
  auto& unfinished = get_unfinished();
  std::lock_guard lock(unfinished.mutex);
  unfinished.paths.insert(name_unfinished(path));
}

void forget_unfinished(const fs::path& path) {
  auto& unfinished = get_unfinished();
  std::lock_guard lock(unfinished.mutex);
  unfinished.paths.erase(name_unfinished(path));
}

std::unique_lock<std::mutex> lock_naming() {
  return std::unique_lock(get_unfinished().naming);
}

void remove_for_good(const fs::path& path) {
  const auto moved = move_aside(path);
  if (!moved)
    return;

  // Network file systems keep what others have open, under hidden names.
  constexpr int tries = 50;
  for (int k = 0; k < tries; ++k) {
    std::error_code problem;
    fs::remove_all(*moved, problem);
    if (!problem)
      return;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void remove_unfinished() {
  auto& unfinished = get_unfinished();
  if (unfinished.is_removed.exchange(true))
    return;

  unfinished.naming.lock();  // and never unlocked
  std::set<fs::path> paths;
  {
    std::lock_guard lock(unfinished.mutex);
    paths = unfinished.paths;
  }
  for (const auto& path : paths)
    remove_for_good(path);
}

}  // namespace tracefold
