// A file in memory, for readers that take files.
#pragma once

#include "otf2/chunk_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>

namespace tracefold::fuzz {

class MemoryFile {
 public:
  MemoryFile() : handle_(::memfd_create("fuzz", 0)) {}
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(handle_); }
  void hold(std::span<const std::uint8_t> bytes) const {
    if (::ftruncate(handle_, 0) != 0 ||
        ::pwrite(handle_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
      std::abort();
  }
  ChunkFile holding(std::span<const std::uint8_t> bytes, std::uint64_t chunk_size) const {
    hold(bytes);
    return *ChunkFile::open(path(), chunk_size);
  }

 private:
  int handle_;
};

}  // namespace tracefold::fuzz
