// What a reader of a reduced archive relies on, as far as the archive and the files beside it tell
// that without the original.
//
// Source: the rules of rewriting "dense ids", "what a location stands for", "communicators are
// cut", "messages need both ends" and "input is not trusted".
#pragma once

#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"
#include "pipeline/events/plan_beside.hpp"
#include "pipeline/verify/rule_book.hpp"
#include "pipeline/verify/trace_words.hpp"

#include <optional>

namespace tracefold {

// What else is known, or not.
enum class WithOriginal : bool {
  no,   // a message without a receive is a violation, although the original may lack it, too
  yes,  // making the archive again shows which messages should be there
};

// Adds a verdict for each rule. Reads all locations, in parallel. Without the original it takes
// about 250 bytes of memory for each sender, receiver and tag of messages that occur together; with
// it, messages take none. Gives how near the run that is played from what is beside the trace comes
// to the recorded one (pipeline/answers/play_stored.hpp). Throws Error(input).
std::optional<double> check_structure(RuleBook& rules, const Archive& reduced,
                                      const PlanBeside& beside, const TraceWords& words,
                                      WithOriginal with_original, const ReadOptions& options,
                                      Diagnostics& diagnostics);

}  // namespace tracefold
