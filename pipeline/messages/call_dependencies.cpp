#include "pipeline/messages/call_dependencies.hpp"

#include <utility>

namespace tracefold {

void DependencyRecorder::add(Dependency::Kind kind, std::uint64_t call, std::uint64_t place,
                             std::uint64_t time, std::uint64_t size) {
  const auto later = CallDependencies::to_signed(call - last_call_);  // or earlier
  packed_.add(later * CallDependencies::kinds + static_cast<std::uint64_t>(kind), place);
  packed_.add(CallDependencies::to_signed(time - last_time_), size);
  last_call_ = call;
  last_time_ = time;
}

void DependencyRecorder::add_meeting(const CollectiveMatcher::Key& key, std::uint64_t number,
                                     std::uint64_t time, bool waits, bool is_waited_for,
                                     std::optional<std::uint64_t> begun) {
  const auto [at, is_new] = numbers_.try_emplace(key, found_.keys_.size());
  if (is_new)
    found_.keys_.push_back(key);
  const bool is_apart = is_waited_for && begun && begun != calls_;
  const auto place = at->second * 4;
  if (is_apart)
    add(Dependency::Kind::meeting, *begun, place + 2, time, number);
  if (!is_apart || waits)
    add(Dependency::Kind::meeting, calls_, place + (is_waited_for && !is_apart) * 2 + waits, time,
        number);
}

CallDependencies DependencyRecorder::take() {
  found_.packed_ = packed_.bytes();
  if (!found_.empty())
    found_.packed_.append(PackedPairs::beyond, 0);
  return std::move(found_);
}

}  // namespace tracefold
