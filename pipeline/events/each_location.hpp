// The parallel loop over locations that every pass is made of.
#pragma once

#include "base/for_each_index.hpp"
#include "otf2/event_reader.hpp"

#include <algorithm>
#include <atomic>
#include <span>
#include <vector>

namespace tracefold {

// Calls `step(EventReader&, index into ids)` for each location, in batches of
// neighbours with one reader each: a thread has at most two event files open.
// The largest possible batch bounds the library's cost for each location, the
// smallest keeps all threads at work to the end.
template <class Step>
void each_location(const Archive& archive, const std::vector<std::uint64_t>& ids,
                   const ReadOptions& options, Diagnostics& diagnostics, Step&& step) {
  const std::size_t batch = std::clamp<std::size_t>(ids.size() / 32, 1, 64);
  std::atomic<std::size_t> done{0};
  for_each_index((ids.size() + batch - 1) / batch, [&](std::size_t b) {
    const auto first = b * batch, last = std::min(ids.size(), first + batch);
    EventReader reader(archive, std::span(ids).subspan(first, last - first), options, diagnostics);
    for (auto i = first; i < last; ++i) {
      check_stop();
      step(reader, i);
      if (options.progress)
        options.progress(++done, ids.size());
    }
  });
}

}  // namespace tracefold
