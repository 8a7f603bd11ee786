// How many bytes of the heap the program has, and how many it had at most since that was asked to
// be watched. For one file of a program that is linked with --wrap=malloc and --wrap=free, which
// lets these be counted here, and with them what base/spilling_heap.cpp hands on.
#pragma once

#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

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

// NOLINTBEGIN(bugprone-reserved-identifier): the linker chooses these names
extern "C" {
void* __real_malloc(std::size_t size);
void __real_free(void* block);

void* __wrap_malloc(std::size_t size) {
  void* block = __real_malloc(size);
  tracefold::testing::HeapUse::take(block);
  return block;
}
void __wrap_free(void* block) {
  tracefold::testing::HeapUse::give_back(block);
  __real_free(block);
}
}
// NOLINTEND(bugprone-reserved-identifier)
