// A file of an archive, read chunk by chunk.
//
// Chunks are read into a buffer and not mapped: a file that another program
// cuts short meanwhile is then damage like any other, memory does not grow with
// the file, and the reads are as large as the chunks.
#pragma once

#include "model/wire.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

namespace tracefold {

// Memory for one chunk, to be used for one after the other; one per thread.
// Behind a chunk stand enough zeros that a few numbers may be read before the
// end is looked at.
class ChunkBuffer {
 public:
  static constexpr std::size_t slack = 16 * wire::longest_number;  // bytes
  std::uint8_t* make_room(std::size_t size);

 private:
  std::unique_ptr<std::uint8_t[]> bytes_;
  std::size_t capacity_ = 0;
};

struct Chunk {
  std::span<const std::uint8_t> bytes;  // its header included
  bool whole = false;                   // as large as the anchor says; else the last of its file
};

// Moves only. One thread at a time.
class ChunkFile {
 public:
  // None where there is no such file. Throws Error(input) where it cannot be opened.
  static std::optional<ChunkFile> open(const std::filesystem::path& file, std::uint64_t chunk_size);
  ChunkFile(ChunkFile&& other) noexcept;
  ChunkFile& operator=(ChunkFile&& other) noexcept;
  ~ChunkFile();

  std::uint64_t size() const { return size_; }
  std::size_t chunks() const { return static_cast<std::size_t>((size_ + chunk_size_ - 1) / chunk_size_); }
  // Valid until the buffer is used again. Throws Error(input).
  Chunk read(std::size_t chunk, ChunkBuffer& buffer) const;
  // Asks the system to fetch the beginning of the file ahead of its use.
  void fetch_ahead() const;

 private:
  ChunkFile(std::filesystem::path path, int handle, std::uint64_t size, std::uint64_t chunk_size);

  std::filesystem::path path_;
  int handle_ = -1;
  std::uint64_t size_ = 0, chunk_size_ = 0;  // bytes
};

}  // namespace tracefold
