// Comparison by what processes call: by call pairs, or by functions.
//
// An attribute is a call pair (the caller in the upper 32 bits, the callee in the lower 32) or the
// index of a function. Both measures leave ignored functions out. The callees of an ignored
// function are compared as if the nearest callers that are not ignored called them. This is
// computed on sets: where A calls an ignored function I, and I calls B, A counts as a caller of B,
// although I may have called B only when another function had called I. The result may therefore
// hold pairs that no call had; a filter that drops functions follows the calls themselves instead.
//
// Pure functions, safe from any thread.
//
// Source: structural V (pairs and functions), thesis 3.5 (the closure of pairs), 4.2.3 (functions
// instead of pairs), 4.3 (artificial roots).
#pragma once

#include "filters/groups/measure.hpp"
#include "model/plan.hpp"

#include <memory>
#include <vector>

namespace tracefold {

// A function is artificial where the measurement system invented it: its region has OTF2's role
// ARTIFICIAL, which Score-P gives to the program since its version 5, or its name is `PARALLEL`
// (earlier Score-P without instrumented user functions), `.TAU application` (TAU) or `Working`
// (EZTrace).
bool is_artificial(const Function& function);

// The functions that a comparison leaves out, ascending: those that match its patterns and, where
// it asks for that, artificial functions that stand at the bottom of a stack and call others.
std::vector<FunctionIndex> find_ignored_functions(const Plan& plan, const Comparison& comparison);

// The pairs without ignored functions. Both lists and the result are ascending.
std::vector<CallPair> remove_functions(const std::vector<CallPair>& pairs,
                                       const std::vector<FunctionIndex>& ignored);

// The call pairs of an intent as attributes, with no function ignored.
lattice::Set make_call_pair_set(const Intent& intent);

// Their sources are the intents of the plan. `ignored` is ascending and is copied.
std::unique_ptr<const Measure> make_call_pair_measure(const Plan& plan,
                                                      const std::vector<FunctionIndex>& ignored);
std::unique_ptr<const Measure> make_function_measure(const Plan& plan,
                                                     const std::vector<FunctionIndex>& ignored);

}  // namespace tracefold
