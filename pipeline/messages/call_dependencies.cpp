#include "pipeline/messages/call_dependencies.hpp"

#include <utility>

namespace tracefold {

void DependencyRecorder::add(Dependency::Kind kind, std::uint64_t place, std::uint64_t time,
                             std::uint64_t size) {
  const auto later = time - last_time_;  // or earlier: a sign in the lowest bit keeps it short
  packed_.add((calls_ - last_call_) * CallDependencies::kinds + static_cast<std::uint64_t>(kind),
              place);
  packed_.add(later << 1 ^ (0 - (later >> 63)), size);
  last_call_ = calls_;
  last_time_ = time;
}

void DependencyRecorder::add_meeting(const CollectiveMatcher::Key& key, std::uint64_t number,
                                     std::uint64_t time, bool waits, bool is_waited_for) {
  const auto [at, is_new] = numbers_.try_emplace(key, found_.keys_.size());
  if (is_new)
    found_.keys_.push_back(key);
  add(Dependency::Kind::meeting, at->second * 4 + is_waited_for * 2 + waits, time, number);
}

CallDependencies DependencyRecorder::take() {
  found_.packed_ = packed_.bytes();
  if (!found_.empty())
    found_.packed_.append(PackedPairs::beyond, 0);
  return std::move(found_);
}

}  // namespace tracefold
