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
      : StoredRun(program, list_played_paths(program.read_frame()), parts) {}

  std::uint64_t play(std::size_t part) const { return replay_.play(parts_[part], {}); }
  std::uint64_t play(std::size_t part, const std::string& name, const std::vector<WhatIf>& asked,
                     const std::vector<Function>& functions) const {
    const bool is_loop = name != ProgramScope::mpi && name != ProgramReplay::run;
    return tracefold::play_asked(replay_, parts_[part], is_loop, paths_, functions, asked);
  }

 private:
  StoredRun(const StoredProgram& program, PlayedPaths paths, std::size_t parts)
      : paths_(std::move(paths.paths)),
        parts_(parts),
        replay_(program.read_sequences(), paths_.size() + 1, std::move(paths.is_mpi), processes_,
                parts_) {}

  std::vector<PlayedPath> paths_;
  std::vector<Replay::Part> parts_;
  std::vector<TimedProcess> processes_;
  Replay replay_;
};

}  // namespace

void play_asked(const StoredProgram& program, const std::vector<WhatIf>& asked,
                std::vector<ProgramReplay>& replays) {
  if (asked.empty() || replays.empty() || !program.parts().has_sequences)
    return;
  const StoredRun run(program, replays.size());
  const auto functions = program.read_frame().functions;
  for (std::size_t part = 0; part < replays.size(); ++part) {
    const auto unchanged = static_cast<double>(run.play(part));
    const auto changed = static_cast<double>(run.play(part, replays[part].part, asked, functions));
    replays[part].asked = static_cast<std::uint64_t>(std::llround(
        static_cast<double>(replays[part].recorded) * changed / std::max(unchanged, 1.0)));
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
    const auto played = static_cast<double>(run.play(part));
    if (recorded > 0)
      least = std::min(least.value_or(1), 1 - std::abs(recorded - played) / recorded);
  }
  return least;
}

void require_answer(const std::vector<WhatIf>& asked, const RunFacts& facts, bool is_original) {
  if (asked.empty() || (facts.replay && facts.replay->asked))
    return;
  if (facts.replay && !is_original)
    throw Error(ErrorKind::input, "was reduced, and had no room for what it is played from")
        .in(facts.trace)
        .hint("take the original, or reduce it with more `profiles`");
  throw Error(ErrorKind::input, "this part of the run cannot be played again")
      .in(facts.trace)
      .hint(
          "`what_if` takes runs of which all ends of messages are known, and no part of the "
          "time");
}

}  // namespace tracefold
