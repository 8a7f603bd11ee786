#include "pipeline/answers/answer_what_if.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace tracefold {

void answer_of_stored(const std::vector<WhatIf>& asked, RunFacts& facts) {
  if (asked.empty() || !facts.replay)
    return;
  const auto& one = asked.front();
  auto& replay = *facts.replay;
  const bool is_single = asked.size() == 1;
  if (is_single && one.kind == WhatIf::Kind::network)
    replay.asked = replay.ideal;

  const auto& calls = facts.calls;
  if (is_single && one.kind == WhatIf::Kind::balance)
    for (const auto& gain : replay.gains)
      if (gain.kind == ProgramGain::Kind::function && gain.path > 0 &&
          gain.path <= calls.profiles.paths.size()) {
        const auto function = calls.profiles.paths[gain.path - 1].function;
        if (function != virtual_root && calls.functions[function].name == one.pattern)
          replay.asked = replay.recorded - std::min(replay.recorded, gain.ticks);
      }

  if (!replay.asked)
    throw Error(ErrorKind::input, "was reduced, and keeps only the gains that a summary shows")
        .in(facts.trace)
        .hint("take the original");
}

void require_answer(const std::vector<WhatIf>& asked, const RunFacts& facts) {
  if (!asked.empty() && !(facts.replay && facts.replay->asked))
    throw Error(ErrorKind::input, "this part of the run cannot be played again")
        .in(facts.trace)
        .hint(
            "`what_if` takes runs of which all ends of messages are known, and no part of the "
            "time");
}

}  // namespace tracefold
