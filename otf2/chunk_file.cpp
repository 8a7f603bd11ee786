#include "otf2/chunk_file.hpp"

#include "base/error.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace tracefold {

namespace {

constexpr std::uint64_t ahead = 8 << 20;  // bytes that are fetched before they are used

Error unreadable(const std::filesystem::path& path) {
  return Error(ErrorKind::input, std::string("cannot be read: ") + std::strerror(errno))
      .in(path.string())
      .hint(errno == EACCES   ? "ask its owner"
            : errno == EMFILE ? "use fewer `threads`"
                              : "copy the archive again");
}

// Whether a byte of a file can be read without waiting for the device. This costs less than
// an advice for pages that are in memory already, since the system looks at each of them.
bool is_in_memory(int handle, std::uint64_t at) {
  char byte;
  const ::iovec place{&byte, 1};
  return ::preadv2(handle, &place, 1, static_cast<off_t>(at), RWF_NOWAIT) == 1;
}

// Whether Git has left a note of where the file is in place of it.
bool is_lfs_pointer(int handle, std::uint64_t size) {
  constexpr std::string_view begin = "version https://git-lfs.github.com/spec/";
  constexpr std::uint64_t longest = 1024;
  std::array<char, begin.size()> bytes{};
  return size <= longest &&
         ::pread(handle, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()) &&
         std::string_view(bytes.data(), bytes.size()) == begin;
}

}  // namespace

std::uint8_t* ChunkBuffer::make_room(std::size_t size) {
  if (size + slack > capacity_) {
    capacity_ = size + slack;
    bytes_ = std::make_unique_for_overwrite<std::uint8_t[]>(capacity_);
  }

  return bytes_.get();
}

ChunkFile::ChunkFile(std::filesystem::path path, int handle, std::uint64_t size,
                     std::uint64_t chunk_size)
    : path_(std::move(path)), handle_(handle), size_(size), chunk_size_(chunk_size) {}

ChunkFile::ChunkFile(ChunkFile&& other) noexcept
    : path_(std::move(other.path_)),
      handle_(std::exchange(other.handle_, -1)),
      size_(other.size_),
      chunk_size_(other.chunk_size_) {}

ChunkFile& ChunkFile::operator=(ChunkFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(handle_, other.handle_);
  std::swap(size_, other.size_);
  std::swap(chunk_size_, other.chunk_size_);

  return *this;
}

ChunkFile::~ChunkFile() {
  if (handle_ >= 0)
    ::close(handle_);
}

std::optional<ChunkFile> ChunkFile::open(const std::filesystem::path& file,
                                         std::uint64_t chunk_size) {
  // O_NONBLOCK: opening a pipe must not wait for its writer.
  const int handle = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (handle < 0) {
    if (errno == ENOENT)
      return std::nullopt;
    throw unreadable(file);
  }

  ChunkFile opened(file, handle, 0, chunk_size);
  struct ::stat facts {};
  if (::fstat(handle, &facts) != 0)
    throw unreadable(file);
  if (!S_ISREG(facts.st_mode))
    throw Error(ErrorKind::input, "is no plain file")
        .in(file.string())
        .hint("copy the archive again");

  opened.size_ = static_cast<std::uint64_t>(facts.st_size);
  if (is_lfs_pointer(handle, opened.size_))
    throw Error(ErrorKind::input, "is a pointer of Git LFS, and not the file itself")
        .in(file.string())
        .hint("git lfs pull");

  return opened;
}

Chunk ChunkFile::read(std::size_t chunk, ChunkBuffer& buffer) const {
  const std::uint64_t begin = chunk * chunk_size_;
  const auto size = static_cast<std::size_t>(std::min(chunk_size_, size_ - begin));
  if (begin % (ahead / 2) < chunk_size_)  // once for every half of what is fetched
    fetch_ahead(begin + size);

  auto* const bytes = buffer.make_room(size);
  std::size_t done = 0;
  bool has_failed = false;

  while (done < size) {
    const auto n = ::pread(handle_, bytes + done, size - done, static_cast<off_t>(begin + done));
    if (n < 0 && errno == EINTR)
      continue;
    has_failed = n < 0 && errno == EIO;
    if (has_failed)
      break;
    if (n < 0)
      throw unreadable(path_);
    if (n == 0)
      break;  // the file was cut short since it was opened

    done += static_cast<std::size_t>(n);
  }

  std::memset(bytes + done, 0, ChunkBuffer::slack);

  return {{bytes, done}, done == chunk_size_, has_failed};
}

void ChunkFile::fetch_ahead(std::uint64_t begin) const {
  if (begin >= size_)
    return;
  const auto size = std::min(size_ - begin, ahead);
  if (!is_in_memory(handle_, begin + size - 1))
    ::posix_fadvise(handle_, static_cast<off_t>(begin), static_cast<off_t>(size),
                    POSIX_FADV_WILLNEED);
}

}  // namespace tracefold
