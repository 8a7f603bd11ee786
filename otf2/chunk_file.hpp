// A file of an archive, chunk by chunk: some megabytes are mapped at a time in each
// thread, so that memory does not grow with the file; a short last chunk is read.
// Small chunks are mapped together, as the end of a mapping interrupts all threads.
//
// What cannot be read of a mapped chunk, because another program cut the file
// short or the device fails, reads as zeros instead of ending the program, and
// the buffer says so: it is damage like any other. A handler of SIGBUS sees to that.
#pragma once

#include "otf2/wire.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

namespace tracefold {

// Holds one chunk after the other; one per thread. Behind a chunk a few numbers
// may be read, whatever they are, before the end is looked at.
class ChunkBuffer {
 public:
  static constexpr std::size_t slack = 16 * wire::longest_number;  // bytes
  static constexpr std::size_t least_mapped = 4 << 20;  // bytes, where the file is as large
  ChunkBuffer() = default;
  ChunkBuffer(const ChunkBuffer&) = delete;
  ChunkBuffer& operator=(const ChunkBuffer&) = delete;
  ~ChunkBuffer() { unmap(); }
  // True where a part of the chunk that this thread read last could not be read.
  static bool failed();

 private:
  friend class ChunkFile;
  std::uint8_t* make_room(std::size_t size);
  // Bytes from `begin` on, of the opening `file` of a file that has pages up to `end`. Null where
  // the system refuses.
  const std::uint8_t* map(std::uint64_t file, int handle, std::uint64_t begin, std::size_t size,
                          std::uint64_t end);
  void unmap();

  std::unique_ptr<std::uint8_t[]> bytes_;
  std::size_t capacity_ = 0;
  struct Window {
    std::uint8_t* at = nullptr;
    std::size_t size = 0;
    std::uint64_t file = 0, begin = 0;  // which opening of a file, and where in it
    int failures = 0;                   // of this thread, until it was mapped
  } window_;
};

struct Chunk {
  std::span<const std::uint8_t> bytes;  // its header included
  bool whole = false;                   // as large as the anchor says; else the last of its file
};

// Moves only. Any number of threads may read, each with a buffer of its own.
class ChunkFile {
 public:
  // None where there is no such file. Throws Error(input) where it cannot be opened.
  static std::optional<ChunkFile> open(const std::filesystem::path& file, std::uint64_t chunk_size);
  ChunkFile(ChunkFile&& other) noexcept;
  ChunkFile& operator=(ChunkFile&& other) noexcept;
  ~ChunkFile();

  std::uint64_t size() const { return size_; }
  std::size_t chunks() const {
    return static_cast<std::size_t>((size_ + chunk_size_ - 1) / chunk_size_);
  }
  // Valid until the buffer is used again. Asks the system to fetch what follows. Throws
  // Error(input).
  Chunk read(std::size_t chunk, ChunkBuffer& buffer) const;
  // Asks the system to fetch some megabytes ahead of their use.
  void fetch_ahead(std::uint64_t begin = 0) const;

 private:
  std::uint64_t end_of_pages() const;
  bool can_be_mapped(std::uint64_t begin, std::size_t size) const;
  ChunkFile(std::filesystem::path path, int handle, std::uint64_t size, std::uint64_t chunk_size);

  std::filesystem::path path_;
  std::uint64_t opening_ = 0;  // no other has this number
  int handle_ = -1;
  std::uint64_t size_ = 0, chunk_size_ = 0;  // bytes
};

}  // namespace tracefold
