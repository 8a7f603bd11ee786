// Which files a program reads and writes, as records of I/O operations tell it: sums over all
// processes, of the whole run. Plain data; times are ticks of the trace's clock.
#pragma once

#include "base/packed_values.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tracefold {

// Operations of one kind. Where several run at the same time, each takes its own time.
struct FileAmounts {
  std::uint64_t operations = 0, ticks = 0;
  std::uint64_t bytes = 0;    // of those whose bytes are known
  std::uint64_t unknown = 0;  // operations whose bytes are not known

  void add(const FileAmounts& other) {
    operations += other.operations;
    ticks += other.ticks;
    bytes += other.bytes;
    unknown += other.unknown;
  }
  bool operator==(const FileAmounts&) const = default;
};
auto list_members(Like<FileAmounts> auto& amounts) {
  return std::tie(amounts.operations, amounts.ticks, amounts.bytes, amounts.unknown);
}

struct FileOperations {
  FileAmounts read, written, other;  // `other`: as to flush

  std::uint64_t ticks() const { return read.ticks + written.ticks + other.ticks; }
  void add(const FileOperations& more) {
    read.add(more.read);
    written.add(more.written);
    other.add(more.other);
  }
  bool operator==(const FileOperations&) const = default;
};
auto list_members(Like<FileOperations> auto& operations) {
  return std::tie(operations.read, operations.written, operations.other);
}

struct ProgramFileUse {
  std::string name = {};  // empty: the rest, which are so many files
  std::uint64_t files = 1;
  FileOperations operations = {};
  std::uint64_t count = 0;  // of processes with operations on it
  std::string who = {};     // these, as ranges of numbers; empty: too many ranges

  // More files than these are one.
  static constexpr std::size_t most = 1000;
  static constexpr std::size_t longest_who = 4096;  // letters
};

// Adds those behind the first ones up as the rest.
inline void keep_first(std::size_t most, std::vector<ProgramFileUse>& files) {
  if (files.size() <= most)
    return;
  ProgramFileUse rest;
  rest.files = 0;
  for (auto k = most; k < files.size(); ++k) {
    rest.files += files[k].files;
    rest.operations.add(files[k].operations);
  }
  files.resize(most);
  files.push_back(std::move(rest));
}

}  // namespace tracefold
