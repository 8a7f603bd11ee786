// How all passes read the events of an archive. Plain data.
#pragma once

#include "base/memory_limit.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace tracefold {

class Team;

enum class ReaderKind { own, otf2 };

struct ReadOptions {
  bool partial = false;  // use what damaged event files hold
  ReaderKind reader = ReaderKind::own;
  std::uint64_t memory =
      unlimited_memory;  // bytes that a pass should do with, where it can choose; more time then
  // Called with the number of locations that are done and of all: with 0 where a reading begins, by
  // the thread that begins it, and then by any thread.
  std::function<void(std::size_t, std::size_t)> progress;
  Team* team = nullptr;  // the team that reads together; null: this process alone
};

}  // namespace tracefold
