// What the rules are called that verify checks.
#pragma once

#include <array>

namespace tracefold::rule_words {

// Result by a reduced archive and the files beside it.
inline constexpr const char* plan_file = "the plan beside it is the one that its anchor names";
inline constexpr const char* profiles_file = "the profiles beside it are those that the plan names";
inline constexpr const char* ids =
    "ids are 0, 1, 2, … of each kind, and all that are named are defined";
inline constexpr const char* stand_ins =
    "every location says what it stands for, and is the only one for that";
inline constexpr const char* locations = "locations are those of the plan";
inline constexpr const char* groups = "communicators and groups have locations that are there";
inline constexpr const char* named_by_events = "events name what is there";
inline constexpr const char* calls = "calls are entered and left, and time does not step back";
inline constexpr const char* iterations = "an iteration has at most one call that stands for it";
inline constexpr const char* counts =
    "there are as many locations, definitions and events as are stated";
inline constexpr const char* messages = "messages that are sent are received";
inline constexpr const char* left_out = "the anchor says what was left out";
inline constexpr const char* oddities = "nothing odd comes up when it is read";

inline constexpr std::array structure{plan_file, profiles_file,   ids,     stand_ins, locations,
                                      groups,    named_by_events, calls,   counts,    iterations,
                                      messages,  left_out,        oddities};

// Result by the original.
inline constexpr const char* is_related = "it was made from this trace";
inline constexpr const char* names = "names are those of the original";
inline constexpr const char* plan_fields = "the plan says what the original does";
inline constexpr const char* fits = "the original can be reduced by its plan";
inline constexpr const char* events = "made again by its plan, it has these events";
inline constexpr const char* definitions = "made again by its plan, it has these definitions";
inline constexpr const char* rest =
    "made again by its plan, it has this anchor, these markers and these files";

}  // namespace tracefold::rule_words
