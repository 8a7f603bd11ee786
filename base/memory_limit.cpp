#include "base/memory_limit.hpp"

#include <algorithm>
#include <fstream>
#include <string>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace tracefold {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t part_of_memory = 4;

// The number in a file, where it holds one; "max" is none.
std::uint64_t number_in(const fs::path& file) {
  std::ifstream in(file);
  std::uint64_t value = 0;
  return in >> value ? value : unlimited_memory;
}

std::uint64_t of_machine(const fs::path& root) {
  std::ifstream in(root / "proc/meminfo");
  for (std::string name; in >> name;) {
    std::uint64_t kib = 0;
    if (name == "MemTotal:" && in >> kib)
      return kib * 1024;
    in.clear();
    in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }

  return unlimited_memory;
}

// The least of a group's limit and those of the groups around it.
std::uint64_t of_group(const fs::path& hierarchy, const fs::path& group, const char* file) {
  auto least = unlimited_memory;
  auto path = group.relative_path();
  for (;;) {
    least = std::min(least, number_in(hierarchy / path / file));
    if (path.empty())
      return least;
    path = path.parent_path();
  }
}

// Lines of proc/self/cgroup are NUMBER:CONTROLLERS:GROUP; version 2 names no controllers.
std::uint64_t of_groups(const fs::path& root) {
  auto least = unlimited_memory;
  std::ifstream in(root / "proc/self/cgroup");

  for (std::string line; std::getline(in, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos)
      continue;

    const auto controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path group = line.substr(second + 1), hierarchies = root / "sys/fs/cgroup";
    if (controllers == ",,")
      least = std::min(least, of_group(hierarchies, group, "memory.max"));
    if (controllers.find(",memory,") != std::string::npos)
      least = std::min(least, of_group(hierarchies / "memory", group, "memory.limit_in_bytes"));
  }

  return least;
}

}  // namespace

std::uint64_t default_memory_limit(const fs::path& root) {
  const auto all = std::min(of_machine(root), of_groups(root));
  return all == unlimited_memory ? all : all / part_of_memory;
}

void keep_freed_memory(std::uint64_t limit) {
#if defined(__GLIBC__)
  constexpr std::uint64_t least = 128 << 10, most = 32 << 20;
  const auto kept = static_cast<int>(std::clamp(limit / 64, least, most));
  ::mallopt(M_MMAP_THRESHOLD, kept);
  ::mallopt(M_TRIM_THRESHOLD, kept);
  ::mallopt(M_TOP_PAD, kept / 8);
#else
  static_cast<void>(limit);
#endif
}

}  // namespace tracefold
