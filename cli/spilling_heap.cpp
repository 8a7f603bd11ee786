#include "cli/spilling_heap.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <utility>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TRACEFOLD_OWN_HEAP 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TRACEFOLD_OWN_HEAP 0
#endif
#endif
#ifndef TRACEFOLD_OWN_HEAP
#define TRACEFOLD_OWN_HEAP 1
#endif

namespace tracefold::cli {

namespace {

constexpr std::size_t least_block = std::size_t{32} << 10;  // that may lie in the file
constexpr std::size_t reserved = std::size_t{1} << 44;      // bytes of addresses
constexpr std::size_t growth = std::size_t{1} << 24;        // by which the file grows

// What the process has in memory, in bytes.
struct UsedMemory {
  std::uint64_t own = 0, of_files = 0;
};

class SpillFile {
 public:
  // Before any other call.
  void open(std::uint64_t most, const std::filesystem::path& folder) {
    page_ = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    folder_ = folder;
    open_files();
    void* base =
        ::mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (statm_ < 0 || file_ < 0 || base == MAP_FAILED)
      return;

    most_ = most;
    base_.store(static_cast<char*>(base));
  }

  // Around a fork, so that the copy does not begin in the middle of a change.
  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

  // In a copy of the process, which has one thread, between these two. Where no file can be made
  // nothing more is spilled.
  void leave_to_others() {
    ::close(statm_);
    ::close(file_);
    open_files();
    of_others_ = end_;
    free_.clear();
    watches_ = false;
  }

  bool holds(const void* block) const {
    const auto* base = base_.load(std::memory_order_relaxed);
    return base && block >= base && block < base + reserved;
  }
  std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

  // Null where memory has room for it, or the file has none.
  void* allocate(std::size_t size) {
    if (!base_.load(std::memory_order_relaxed) || measure().own + size <= most_)
      return nullptr;

    size = (size + page_ - 1) / page_ * page_;
    std::lock_guard lock(mutex_);
    const auto place = take_place(size);
    if (place == none)
      return nullptr;

    sizes_.emplace(place, size);
    bytes_ += size;
    if (!std::exchange(watches_, true))
      std::thread([this] { watch(); }).detach();

    return base_.load() + place;
  }

  void free(void* block) {
    std::lock_guard lock(mutex_);
    const auto place = static_cast<std::size_t>(static_cast<char*>(block) - base_.load());
    const auto at = sizes_.find(place);
    bytes_ -= at->second;
    if (place >= of_others_)
      give_back(place, at->second);
    sizes_.erase(at);
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  void open_files() {
    statm_ = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    file_ = ::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file_ < 0)
      open_and_unlink(folder_);
  }
  void open_and_unlink(const std::filesystem::path& folder) {
    auto name = (folder / "tracefold-XXXXXX").string();
    file_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (file_ >= 0)
      ::unlink(name.c_str());
  }

  UsedMemory measure() const {
    std::array<char, 128> text{};
    const auto size = ::pread(statm_, text.data(), text.size(), 0);
    if (size <= 0)
      return {};

    // Pages: of the address space, in memory, and of these the ones that are of files.
    std::array<std::uint64_t, 3> pages{};
    const char* at = text.data();
    for (auto& number : pages)
      at = std::from_chars(at, text.data() + size, number).ptr + 1;

    return {(pages[1] - pages[2]) * page_, pages[2] * page_};
  }

  // The first free place that is large enough.
  std::size_t take_place(std::size_t size) {
    auto at = std::find_if(free_.begin(), free_.end(),
                           [&](const auto& range) { return range.second >= size; });
    if (at == free_.end()) {
      if (!grow(size))
        return none;
      at = std::prev(free_.end());
    }

    const auto [place, room] = *at;
    free_.erase(at);
    if (room > size)
      free_.emplace(place + size, room - size);

    return place;
  }

  // The last free place has room for so many bytes then. The file system has to have it, too: who
  // wrote into a hole that it cannot fill would be killed.
  bool grow(std::size_t size) {
    const auto more = (size + growth - 1) / growth * growth;
    if (end_ + more > reserved ||
        ::posix_fallocate(file_, static_cast<off_t>(end_), static_cast<off_t>(more)) != 0)
      return false;
    if (::mmap(base_.load() + end_, more, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_,
               static_cast<off_t>(end_)) == MAP_FAILED)
      return false;

    give_back(end_, more);
    end_ += more;
    return true;
  }

  // Free places that meet become one.
  void give_back(std::size_t place, std::size_t size) {
    auto next = free_.lower_bound(place);
    if (next != free_.end() && next->first == place + size) {
      size += next->second;
      next = free_.erase(next);
    }
    if (next != free_.begin()) {
      const auto before = std::prev(next);
      if (before->first + before->second == place) {
        before->second += size;
        return;
      }
    }
    free_.emplace(place, size);
  }

  // Leaves pages to the file while the process has more in memory than it should. They come back
  // when they are looked at.
  [[noreturn]] void watch() {
    for (;; std::this_thread::sleep_for(std::chrono::milliseconds(5))) {
      const auto used = measure();
      if (used.own + used.of_files <= most_ || used.of_files < growth || bytes() == 0)
        continue;

      std::size_t end = 0;
      {
        std::lock_guard lock(mutex_);
        end = end_;
      }
      ::madvise(base_.load(), end, MADV_DONTNEED);
    }
  }

  std::filesystem::path folder_;
  int statm_ = -1, file_ = -1;
  std::size_t page_ = 0;  // bytes of a page
  std::uint64_t most_ = 0;
  std::atomic<char*> base_{nullptr};  // null: nothing is spilled
  std::atomic<std::uint64_t> bytes_{0};
  std::mutex mutex_;  // of what follows
  std::size_t end_ = 0;
  std::size_t of_others_ = 0;  // where the places begin that no other process uses
  bool watches_ = false;
  std::map<std::size_t, std::size_t> sizes_;  // of blocks, by place
  std::map<std::size_t, std::size_t> free_;   // sizes of free places, by place
};

// It outlives every object that is freed at the end of the program, and the thread that watches.
SpillFile& get_spill_file() {
  alignas(SpillFile) static std::array<std::byte, sizeof(SpillFile)> room;
  static auto* file = new (room.data()) SpillFile;
  return *file;
}

std::atomic<bool> spills{false};

}  // namespace

void spill_beyond(std::uint64_t bytes, const std::filesystem::path& folder) {
  get_spill_file().open(bytes, folder);
  if (!spills.exchange(true))
    ::pthread_atfork([] { get_spill_file().lock(); }, [] { get_spill_file().unlock(); },
                     [] {
                       get_spill_file().leave_to_others();
                       get_spill_file().unlock();
                     });
}

std::uint64_t count_spilled_bytes() {
  return spills ? get_spill_file().bytes() : 0;
}

}  // namespace tracefold::cli

#if TRACEFOLD_OWN_HEAP

// All other forms of new and delete call these two, but those of types with large alignments.
void* operator new(std::size_t size) {
  using namespace tracefold::cli;
  if (size >= least_block && spills.load(std::memory_order_relaxed))
    if (void* block = get_spill_file().allocate(size))
      return block;

  for (;;) {
    if (void* block = std::malloc(std::max<std::size_t>(size, 1)))
      return block;
    const auto handler = std::get_new_handler();
    if (!handler)
      throw std::bad_alloc();
    handler();
  }
}

void operator delete(void* block) noexcept {
  using namespace tracefold::cli;
  if (spills.load(std::memory_order_relaxed) && get_spill_file().holds(block))
    get_spill_file().free(block);
  else
    std::free(block);
}

void operator delete(void* block, std::size_t) noexcept {
  operator delete(block);
}

#endif
