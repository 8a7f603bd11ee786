// How many bytes of the heap the program has, and how many it had at most since that was asked to
// be watched. Counted is what `operator new` makes, which this replaces: for one file of a program.
#pragma once

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace tracefold::testing {

class HeapUse {
 public:
  static std::uint64_t now() { return now_; }
  static std::uint64_t most() { return most_; }
  static void watch() { most_ = now_.load(); }

  static void take(void* block) {
    now_ += ::malloc_usable_size(block);
    if (now_ > most_)
      most_ = now_.load();
  }
  static void give_back(void* block) { now_ -= ::malloc_usable_size(block); }

 private:
  static inline std::atomic<std::uint64_t> now_{0}, most_{0};
};

}  // namespace tracefold::testing

// The compiler must not look into these: it would see that a block of `new` ends in free().
[[gnu::noinline]] void* operator new(std::size_t size) {
  void* block = std::malloc(std::max<std::size_t>(size, 1));
  if (!block)
    throw std::bad_alloc();
  tracefold::testing::HeapUse::take(block);
  return block;
}

[[gnu::noinline]] void operator delete(void* block) noexcept {
  tracefold::testing::HeapUse::give_back(block);
  std::free(block);
}

void operator delete(void* block, std::size_t) noexcept {
  operator delete(block);
}
