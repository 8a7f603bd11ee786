#include "otf2/chunk_file.hpp"

#include "base/error.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <utility>

namespace tracefold {

namespace {

constexpr std::uint64_t ahead = 8 << 20;  // bytes to fetch before they are used

Error unreadable(const std::filesystem::path& path) {
  return Error(ErrorKind::input, std::string("cannot be read: ") + std::strerror(errno))
      .in(path.string())
      .hint(errno == EACCES   ? "ask its owner"
            : errno == EMFILE ? "use fewer --threads"
                              : "copy the archive again");
}

// Bytes of a page, more than ChunkBuffer::slack.
std::uint64_t page_size() {
  static const auto size = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

// Whether a byte of a file can be had without waiting. Asking costs less than
// having the system look at all pages of what is there already.
bool in_memory(int handle, std::uint64_t at) {
  char byte;
  const ::iovec place{&byte, 1};
  return ::preadv2(handle, &place, 1, static_cast<off_t>(at), RWF_NOWAIT) == 1;
}

// What this thread reads.
struct Mapping {
  std::uintptr_t begin = 0;
  std::size_t size = 0;
  volatile std::sig_atomic_t failures = 0;  // pages that could not be read, of all so far
  std::sig_atomic_t earlier_failures = 0;   // before the chunk that was read last
};
thread_local Mapping mapping;

// Puts zeros where a page of the mapping cannot be read; elsewhere the signal
// does what it does without us.
void on_bus_error(int, siginfo_t* info, void*) {
  const auto page = page_size();
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
  mapping.failures = mapping.failures + 1;
  const bool ours = info->si_code > 0 && at - mapping.begin < mapping.size;
  auto* const start = static_cast<char*>(info->si_addr) - at % page;
  if (!ours ||
      ::mmap(start, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
    std::signal(SIGBUS, SIG_DFL), ::raise(SIGBUS);
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
  if (!inside || window_.failures != mapping.failures) {  // failures have left zeros in it
    unmap();
    const auto larger =
        std::max<std::uint64_t>(size, std::min<std::uint64_t>(least_mapped + slack, end - begin));
    void* at = ::mmap(nullptr, larger, PROT_READ, MAP_SHARED, handle, static_cast<off_t>(begin));
    if (at == MAP_FAILED)
      return nullptr;
    window_ = {static_cast<std::uint8_t*>(at), larger, file, begin, mapping.failures};
  }
  // In any case: this thread may have read with another buffer since.
  mapping.begin = reinterpret_cast<std::uintptr_t>(window_.at);
  mapping.size = window_.size;
  auto* const bytes = window_.at + (begin - window_.begin);
#ifdef MADV_POPULATE_READ  // where it is missing, here or in the system, pages are found as they
                           // are used
  ::madvise(bytes, size, MADV_POPULATE_READ);
#endif
  return bytes;
}

bool ChunkBuffer::failed() {
  return mapping.failures != mapping.earlier_failures;
}

void ChunkBuffer::unmap() {
  if (!window_.at)
    return;
  if (mapping.begin == reinterpret_cast<std::uintptr_t>(window_.at))
    mapping.size = 0;
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
  const int handle =
      ::open(file.c_str(),
             O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // which does not wait for the writer of a pipe
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

// Where the slack behind it is there too: in what follows, or in the zeros that
// fill the last page of a file. A small part is read faster than it is mapped.
bool ChunkFile::can_be_mapped(std::uint64_t begin, std::size_t size) const {
  constexpr std::size_t least = 128 << 10;
  return begin % page_size() == 0 && size >= std::min<std::uint64_t>(chunk_size_, least) &&
         end_of_pages() - begin >= size + ChunkBuffer::slack;
}

Chunk ChunkFile::read(std::size_t chunk, ChunkBuffer& buffer) const {
  const std::uint64_t begin = chunk * chunk_size_;
  const auto size = static_cast<std::size_t>(std::min(chunk_size_, size_ - begin));
  mapping.earlier_failures = mapping.failures;
  if (begin % (ahead / 2) < chunk_size_)
    fetch_ahead(begin + size);  // once for every half of it
  if (can_be_mapped(begin, size))
    if (const auto* mapped =
            buffer.map(opening_, handle_, begin, size + ChunkBuffer::slack, end_of_pages()))
      return {{mapped, size}, size == chunk_size_};

  auto* bytes = buffer.make_room(size);
  std::size_t done = 0;

  while (done < size) {
    const auto n = ::pread(handle_, bytes + done, size - done, static_cast<off_t>(begin + done));
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      throw unreadable(path_);
    if (n == 0)
      break;  // cut short since it was opened

    done += static_cast<std::size_t>(n);
  }

  if (done < size)
    bytes = buffer.make_room(done);  // zeros behind what is there

  return {{bytes, done}, done == chunk_size_};
}

void ChunkFile::fetch_ahead(std::uint64_t begin) const {
  if (begin >= size_)
    return;
  const auto size = std::min(size_ - begin, ahead);
  if (!in_memory(handle_, begin + size - 1))
    ::posix_fadvise(handle_, static_cast<off_t>(begin), static_cast<off_t>(size),
                    POSIX_FADV_WILLNEED);
}

}  // namespace tracefold
