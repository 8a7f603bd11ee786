// The rules of rewriting, checked on what a reduced archive and its original record, by code that
// knows neither the plan, but for its filters, nor how traces are written. `verify` makes the trace
// again by the code that has written it, so that it takes a mistake of that for right; these rules
// do not. What the judge beside the clone and `verify` tell of the structure is not checked here.
//
// They share with the program how archives are read, and which records and which parts of several
// locations are one operation (pipeline/messages/operation_cursor.hpp and channel.hpp). For
// operations that are open in one location, record_rules.hpp has a table of its own, so that a
// mistake in the shared one is noticed.
#pragma once

#include "pipeline/verify/verify.hpp"

#include <string>
#include <vector>

namespace tracefold {

// `original` is the archive that the reduced one was made from, or the first original where it was
// reduced several times. One thread. Throws Error(input).
std::vector<RuleVerdict> check_rules(const Archive& reduced, const Archive& original);

// What they find to be wrong, each with its rule.
std::vector<std::string> list_broken_rules(const Archive& reduced, const Archive& original);

// What `verify` finds to be wrong, and then what these rules find.
std::vector<std::string> list_violations(const Archive& reduced, const Archive& original);

}  // namespace tracefold
