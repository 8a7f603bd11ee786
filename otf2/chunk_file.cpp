#include "otf2/chunk_file.hpp"

#include "base/error.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
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

// The bytes of a page, which are more than ChunkBuffer::slack.
std::uint64_t page_size() {
  static const auto size = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

// Whether a byte of a file can be read without waiting for the device. This costs less than
// an advice for pages that are in memory already, since the system looks at each of them.
bool is_in_memory(int handle, std::uint64_t at) {
  char byte;
  const ::iovec place{&byte, 1};
  return ::preadv2(handle, &place, 1, static_cast<off_t>(at), RWF_NOWAIT) == 1;
}

// A mapped part of a file that this thread uses, for the signal handler. The system sends
// SIGBUS to the thread that reads a page which is not there.
struct WatchedMapping {
  std::uintptr_t begin = 0;
  std::size_t size = 0;
  volatile std::sig_atomic_t* failed_pages = nullptr;  // in the buffer that owns the mapping

  bool has(std::uintptr_t at) const { return at - begin < size; }
};

// The one that was used last comes first. There are two, because a thread may read two
// traces in turn.
thread_local std::array<WatchedMapping, 2> watched;

void watch(const WatchedMapping& mapping) {
  if (watched[0].failed_pages != mapping.failed_pages)
    watched[1] = watched[0];
  watched[0] = mapping;
}

void stop_watching(const volatile std::sig_atomic_t* failed_pages) {
  for (auto& mapping : watched)
    if (mapping.failed_pages == failed_pages)
      mapping = {};
}

// Counts a page of a watched mapping that cannot be read, and puts zeros in its place, so
// that the thread goes on. At any other address the signal ends the program as usual.
void on_bus_error(int, siginfo_t* info, void*) {
  const auto page = page_size();
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
  auto* const start = static_cast<char*>(info->si_addr) - at % page;

  const auto* mapping = watched[0].has(at)   ? &watched[0]
                        : watched[1].has(at) ? &watched[1]
                                             : nullptr;
  const bool is_replaced =
      info->si_code > 0 && mapping &&
      ::mmap(start, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
  if (is_replaced) {
    *mapping->failed_pages = *mapping->failed_pages + 1;
  } else {
    std::signal(SIGBUS, SIG_DFL);
    ::raise(SIGBUS);
  }
}

void catch_bus_errors() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct ::sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(SIGBUS, &action, nullptr);
  });
}

}  // namespace

const std::uint8_t* ChunkBuffer::map(std::uint64_t file, int handle, std::uint64_t begin,
                                     std::size_t size, std::uint64_t end) {
  catch_bus_errors();
  const bool inside = window_.at && window_.file == file && window_.begin <= begin &&
                      begin + size <= window_.begin + window_.size;
  if (!inside) {
    unmap();
    const auto larger =
        std::max<std::uint64_t>(size, std::min<std::uint64_t>(least_mapped + slack, end - begin));
    void* at = ::mmap(nullptr, larger, PROT_READ, MAP_SHARED, handle, static_cast<off_t>(begin));
    if (at == MAP_FAILED)
      return nullptr;
    window_ = {static_cast<std::uint8_t*>(at), larger, file, begin};
  }

  // Also where the window stays: this thread may have read with another buffer since.
  watch({reinterpret_cast<std::uintptr_t>(window_.at), window_.size, &failed_pages_});

  auto* const bytes = window_.at + (begin - window_.begin);
#ifdef MADV_POPULATE_READ  // without it the pages are found one by one as they are used
  ::madvise(bytes, size, MADV_POPULATE_READ);
#endif
  return bytes;
}

bool ChunkBuffer::has_failed() const {
  // The signal handler runs in this thread, between its reads of the chunk and this one.
  std::atomic_signal_fence(std::memory_order_seq_cst);
  return failed_pages_ != 0;
}

// Pages that failed have left zeros in the window, so it cannot serve the next chunk.
void ChunkBuffer::begin_chunk() {
  if (has_failed())
    unmap();
}

void ChunkBuffer::unmap() {
  failed_pages_ = 0;
  if (!window_.at)
    return;

  stop_watching(&failed_pages_);
  ::munmap(std::exchange(window_.at, nullptr), window_.size);
}

std::uint8_t* ChunkBuffer::make_room(std::size_t size) {
  if (size + slack > capacity_) {
    capacity_ = size + slack;
    bytes_ = std::make_unique_for_overwrite<std::uint8_t[]>(capacity_);
  }
  std::memset(bytes_.get() + size, 0, slack);

  return bytes_.get();
}

ChunkFile::ChunkFile(std::filesystem::path path, int handle, std::uint64_t size,
                     std::uint64_t chunk_size)
    : path_(std::move(path)), handle_(handle), size_(size), chunk_size_(chunk_size) {
  static std::atomic<std::uint64_t> openings{0};
  opening_ = ++openings;
}

ChunkFile::ChunkFile(ChunkFile&& other) noexcept
    : path_(std::move(other.path_)),
      opening_(other.opening_),
      handle_(std::exchange(other.handle_, -1)),
      size_(other.size_),
      chunk_size_(other.chunk_size_) {}

ChunkFile& ChunkFile::operator=(ChunkFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(opening_, other.opening_);
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

  return opened;
}

std::uint64_t ChunkFile::end_of_pages() const {
  return (size_ + page_size() - 1) / page_size() * page_size();
}

// A part can be mapped where the slack behind it can be read too: in what follows, or in the
// zeros that fill the last page of a file. Small parts are faster to read than to map.
bool ChunkFile::can_be_mapped(std::uint64_t begin, std::size_t size) const {
  constexpr std::size_t least = 128 << 10;
  return begin % page_size() == 0 && size >= std::min<std::uint64_t>(chunk_size_, least) &&
         end_of_pages() - begin >= size + ChunkBuffer::slack;
}

Chunk ChunkFile::read(std::size_t chunk, ChunkBuffer& buffer) const {
  const std::uint64_t begin = chunk * chunk_size_;
  const auto size = static_cast<std::size_t>(std::min(chunk_size_, size_ - begin));
  buffer.begin_chunk();
  if (begin % (ahead / 2) < chunk_size_)  // once for every half of what is fetched
    fetch_ahead(begin + size);

  if (can_be_mapped(begin, size))
    if (const auto* mapped =
            buffer.map(opening_, handle_, begin, size + ChunkBuffer::slack, end_of_pages()))
      return {{mapped, size}, size == chunk_size_, &buffer};

  auto* bytes = buffer.make_room(size);
  std::size_t done = 0;

  while (done < size) {
    const auto n = ::pread(handle_, bytes + done, size - done, static_cast<off_t>(begin + done));
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      throw unreadable(path_);
    if (n == 0)
      break;  // the file was cut short since it was opened

    done += static_cast<std::size_t>(n);
  }

  if (done < size)
    bytes = buffer.make_room(done);  // puts zeros behind what was read

  return {{bytes, done}, done == chunk_size_, &buffer};
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
