// Reads a file of an archive chunk by chunk, so that memory does not grow with the file.
//
// Chunks are copied and not mapped. On cached files, copying takes two thirds of the CPU time of
// mapping, since each unmapping interrupts all threads of the program. And where another program
// truncates the file, or a device fails, reading returns an error, while a mapping raises a signal.
#pragma once

#include "otf2/wire.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

namespace tracefold {

// Memory for one chunk at a time. Each thread has its own.
class ChunkBuffer {
 public:
  // Zero bytes behind a chunk, which may be read before its end is checked.
  static constexpr std::size_t slack = 16 * wire::longest_number;

 private:
  friend class ChunkFile;

  std::uint8_t* make_room(std::size_t size);

  std::unique_ptr<std::uint8_t[]> bytes_;
  std::size_t capacity_ = 0;
};

struct Chunk {
  std::span<const std::uint8_t> bytes;  // with the header
  bool whole = false;       // false: smaller than the anchor says, as only the last chunk may be
  bool has_failed = false;  // the device did not return all bytes
};

// An open file. Movable. Any number of threads may read it, each with its own buffer.
class ChunkFile {
 public:
  // None where there is no such file. `chunk_size` is in bytes, from the anchor. Throws
  // Error(input) where the file cannot be opened.
  static std::optional<ChunkFile> open(const std::filesystem::path& file, std::uint64_t chunk_size);
  ChunkFile(ChunkFile&& other) noexcept;
  ChunkFile& operator=(ChunkFile&& other) noexcept;
  ~ChunkFile();

  std::uint64_t size() const { return size_; }
  std::size_t chunks() const {
    return static_cast<std::size_t>((size_ + chunk_size_ - 1) / chunk_size_);
  }
  // The chunk is valid until the buffer is used again. The system is asked to load what follows.
  // Throws Error(input).
  Chunk read(std::size_t chunk, ChunkBuffer& buffer) const;
  // Asks the system to load the next megabytes from `begin` on.
  void fetch_ahead(std::uint64_t begin = 0) const;

 private:
  ChunkFile(std::filesystem::path path, int handle, std::uint64_t size, std::uint64_t chunk_size);

  std::filesystem::path path_;
  int handle_ = -1;
  std::uint64_t size_ = 0;        // bytes
  std::uint64_t chunk_size_ = 0;  // bytes
};

}  // namespace tracefold
