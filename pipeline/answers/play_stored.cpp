#include "pipeline/answers/play_stored.hpp"

#include "base/error.hpp"
#include "pipeline/replay/find_gains.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tracefold {

namespace {

class StoredRun {
 public:
  StoredRun(const StoredProgram& program, std::size_t parts)
      : frame_(program.read_frame()),
        paths_(list_played_paths(frame_)),
        parts_(parts),
        // One path more than is listed is for the writing of buffers.
        replay_(program.read_sequences(), paths_.paths.size() + 1, paths_.is_mpi, processes_,
                parts_) {}

  // What a part takes without a change, and with these, in ticks.
  double find_length(std::size_t part) const {
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
    for (const auto& span : parts_[part])
      if (span.end > 0) {
        first = std::min(first, span.begin);
        last = std::max(last, span.end);
      }
    return first < last ? static_cast<double>(last - first) : 0;
  }
  double play(std::size_t part, const std::string& name, const std::vector<WhatIf>& asked) const {
    const bool is_loop = name != ProgramScope::mpi && name != ProgramReplay::run;
    return static_cast<double>(
        play_asked(replay_, parts_[part], is_loop, paths_.paths, frame_.functions, asked));
  }

 private:
  const Aggregates frame_;
  const PlayedPaths paths_;
  std::vector<Replay::Part> parts_;
  std::vector<TimedProcess> processes_;
  Replay replay_;
};

}  // namespace

void play_stored(const StoredProgram& program, const std::vector<WhatIf>& asked,
                 std::vector<ProgramReplay>& replays) {
  if (asked.empty() || replays.empty() || !program.parts().has_sequences)
    return;
  const StoredRun run(program, replays.size());
  for (std::size_t part = 0; part < replays.size(); ++part) {
    const auto unchanged = run.find_length(part);
    if (unchanged == 0)
      continue;
    constexpr double most = 1e18;  // what can be rounded
    const auto share = run.play(part, replays[part].part, asked) / unchanged;
    replays[part].asked = static_cast<std::uint64_t>(
        std::llround(std::min(static_cast<double>(replays[part].recorded) * share, most)));
  }
}

std::optional<double> measure_accuracy(const StoredProgram& program) {
  const auto replays = program.read_replays();
  if (!program.parts().has_sequences)
    return std::nullopt;
  const StoredRun run(program, replays.size());
  std::optional<double> least;
  for (std::size_t part = 0; part < replays.size(); ++part) {
    const auto recorded = static_cast<double>(replays[part].recorded);
    const auto error = std::abs(recorded - run.find_length(part)) / std::max(recorded, 1.0);
    least = std::min(least.value_or(1), std::max(1 - error, 0.0));
  }
  return least;
}

void require_answer(const std::vector<WhatIf>& asked, const RunFacts& facts, bool is_original) {
  if (asked.empty() || (facts.replay && facts.replay->asked))
    return;
  if (facts.replay && !is_original)
    throw Error(ErrorKind::input, "was reduced, and what its run is played from is not kept")
        .in(facts.trace)
        .hint("take the original");
  throw Error(ErrorKind::input, "this part of the run cannot be played again")
      .in(facts.trace)
      .hint(
          "`what_if` takes runs of which all ends of messages are known, and no part of the "
          "time");
}

}  // namespace tracefold
