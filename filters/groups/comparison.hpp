// The sets by which processes are compared: their call pairs or functions,
// without those of ignored functions, and for combined processes their union.
// Pure functions; the answer depends on the plan's processes alone, not on the
// order of patterns.
//
// An ignored function's callees are compared as if the nearest callers that are
// not ignored called them. That is worked out on sets: where A calls an ignored I
// and I calls B, A counts as a caller of B, though B may have been called only when
// somebody else called I. It is exact for sets and may say more than the calls
// themselves would, which `filter --drop` follows.
//
// Processes that match a pattern of Comparison::combine and are of one location
// group and one type are compared as if one process had made all their calls. A
// process without calls takes no part in that.
//
// Source: structural V (pairs and functions); thesis 4.2.3 (functions in place of
// pairs), 4.2.4 (combined processes), 4.3 (artificial roots).
#pragma once

#include "model/plan.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

// An artificial root is a function that stands at the bottom of a stack and calls
// others, and that the measurement made up: its region has OTF2's role ARTIFICIAL,
// as Score-P's for the program since its version 5, or its name is `PARALLEL`
// (earlier Score-P without instrumented user functions), `.TAU application` (TAU)
// or `Working` (EZTrace).
bool is_artificial(const Function& function);

// What the comparison leaves out, ascending.
std::vector<FunctionIndex> ignored_functions(const Plan& plan, const Comparison& comparison);

// Whether a process is to be combined with others. A pattern is held against the
// location's name and against "location group's name/location's name"; counts
// that an earlier reduction put before names are left out.
bool is_combined(const Process& process, const std::vector<std::string>& patterns);

// Pairs without ignored functions (ascending), ascending.
std::vector<CallPair> without_functions(const std::vector<CallPair>& pairs,
                                        const std::vector<FunctionIndex>& ignored);

struct ComparedSet {
  std::vector<std::uint64_t> elements;  // ascending: caller · 2³² + callee, or function
  std::size_t kind = 0;                 // only sets of one kind may become one group
  std::vector<std::size_t> members;     // indexes into Plan::processes, ascending; never empty
};

// Distinct, in the order of their first members. Sets are of one kind where their
// processes are of one type and have something to compare; processes that call
// only ignored functions are one more kind, and each intent without calls another.
std::vector<ComparedSet> compared_sets(const Plan& plan, const Comparison& comparison,
                                       const std::vector<FunctionIndex>& ignored);

// What an element of a set is called: "main -> MPI_Init", or "MPI_Init"; and the
// function that it calls.
std::string name_of_element(const Plan& plan, std::uint64_t element, CompareBy by);
const Function& callee_of_element(const Plan& plan, std::uint64_t element);

// A sentence on each pattern of the comparison that matches nothing in the plan.
std::vector<std::string> idle_patterns(const Plan& plan, const Comparison& comparison);

}  // namespace tracefold
