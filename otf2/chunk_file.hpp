// Reads a file of an archive chunk by chunk.
//
// Each thread maps some megabytes of the file at a time, so that memory does not grow with
// the file; a short last chunk is read instead. Several small chunks are mapped together,
// because the end of a mapping interrupts all threads of the program.
//
// A mapped file may become unreadable: another program cuts it short, or the device fails.
// Then the missing pages read as zeros instead of ending the program, and the chunk has
// failed, which its users treat like other damage. A handler of SIGBUS does this.
#pragma once

#include "otf2/wire.hpp"

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

namespace tracefold {

// Memory for one chunk after the other. Each thread has a buffer of its own. A few numbers
// behind a chunk may be read, whatever they are, before its end is checked.
class ChunkBuffer {
 public:
  static constexpr std::size_t slack = 16 * wire::longest_number;  // bytes that may be read
  static constexpr std::size_t least_mapped = 4 << 20;  // bytes, where the file is as large

  ChunkBuffer() = default;
  ChunkBuffer(const ChunkBuffer&) = delete;
  ChunkBuffer& operator=(const ChunkBuffer&) = delete;
  ~ChunkBuffer() { unmap(); }

  // Whether a part of the last chunk could not be read when it was used.
  bool has_failed() const;

 private:
  friend class ChunkFile;

  void begin_chunk();
  std::uint8_t* make_room(std::size_t size);
  // Bytes from `begin` on, of the opening `file` of a file that has pages up to `end`. Null
  // where the system refuses.
  const std::uint8_t* map(std::uint64_t file, int handle, std::uint64_t begin, std::size_t size,
                          std::uint64_t end);
  void unmap();

  std::unique_ptr<std::uint8_t[]> bytes_;
  std::size_t capacity_ = 0;

  struct Window {
    std::uint8_t* at = nullptr;
    std::size_t size = 0;
    std::uint64_t file = 0;   // the number of the opening, see ChunkFile
    std::uint64_t begin = 0;  // in the file
  } window_;
  volatile std::sig_atomic_t failed_pages_ = 0;  // of the window; the signal handler counts
};

struct Chunk {
  std::span<const std::uint8_t> bytes;  // with the header
  bool whole = false;  // as large as the anchor says; only the last chunk of a file is not
  const ChunkBuffer* buffer = nullptr;  // that holds the bytes; null: memory of the caller

  bool has_failed() const { return buffer && buffer->has_failed(); }
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
  std::uint64_t end_of_pages() const;
  bool can_be_mapped(std::uint64_t begin, std::size_t size) const;
  ChunkFile(std::filesystem::path path, int handle, std::uint64_t size, std::uint64_t chunk_size);

  std::filesystem::path path_;
  std::uint64_t opening_ = 0;  // a number that no other open file has had
  int handle_ = -1;
  std::uint64_t size_ = 0;        // bytes
  std::uint64_t chunk_size_ = 0;  // bytes
};

}  // namespace tracefold
