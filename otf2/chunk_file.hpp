// Reads a file of an archive chunk by chunk, so that memory does not grow with the file.
//
// Chunks are copied, not mapped: on files that are in memory already that takes two thirds of the
// CPU time of mappings, whose end interrupts all threads of the program, and a file that another
// program cuts short, or a device that fails, is an answer of the system instead of a signal.
#pragma once

#include "otf2/wire.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

namespace tracefold {

// Memory for one chunk after the other. Each thread has a buffer of its own.
class ChunkBuffer {
 public:
  // Bytes behind a chunk that may be read before its end is checked; they are 0.
  static constexpr std::size_t slack = 16 * wire::longest_number;

 private:
  friend class ChunkFile;

  std::uint8_t* make_room(std::size_t size);

  std::unique_ptr<std::uint8_t[]> bytes_;
  std::size_t capacity_ = 0;
};

struct Chunk {
  std::span<const std::uint8_t> bytes;  // with the header
  bool whole = false;       // as large as the anchor says; only the last chunk of a file is not
  bool has_failed = false;  // the device could not give all of its bytes
};

// An open file. It can be moved, not copied. Any number of threads may read it, each with a
// buffer of its own.
class ChunkFile {
 public:
  // None where there is no such file. `chunk_size` in bytes, as the anchor says. Throws
  // Error(input) where the file cannot be opened.
  static std::optional<ChunkFile> open(const std::filesystem::path& file, std::uint64_t chunk_size);
  ChunkFile(ChunkFile&& other) noexcept;
  ChunkFile& operator=(ChunkFile&& other) noexcept;
  ~ChunkFile();

  std::uint64_t size() const { return size_; }
  std::size_t chunks() const {
    return static_cast<std::size_t>((size_ + chunk_size_ - 1) / chunk_size_);
  }
  // The chunk is valid until the buffer is used again. Asks the system to fetch what follows.
  // Throws Error(input).
  Chunk read(std::size_t chunk, ChunkBuffer& buffer) const;
  // Asks the system to fetch some megabytes ahead of their use.
  void fetch_ahead(std::uint64_t begin = 0) const;

 private:
  ChunkFile(std::filesystem::path path, int handle, std::uint64_t size, std::uint64_t chunk_size);

  std::filesystem::path path_;
  int handle_ = -1;
  std::uint64_t size_ = 0;        // bytes
  std::uint64_t chunk_size_ = 0;  // bytes
};

}  // namespace tracefold
