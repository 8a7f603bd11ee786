// The attributes by which processes are compared: call pairs or functions.
//
// A measure gives each process an ascending set of attributes. An attribute is a call pair (the
// caller in the upper 32 bits, the callee in the lower 32) or the index of a function. Grouping,
// merging, similarity and lattices use only these sets, and ask the measure for names. Ignored
// functions are left out, and their callees get the nearest callers that are not ignored. Since
// this works on sets, it may create pairs that no call had: where A calls an ignored function I,
// and I calls B, A becomes a caller of B, even if I called B only on behalf of another function. A
// filter that drops functions follows the calls themselves.
//
// Pure functions; a measure is immutable.
//
// Source: structural V (pairs and functions), thesis 3.5 (the closure of pairs), 4.2.3 (functions
// instead of pairs), 4.3 (artificial roots).
#pragma once

#include "lattice/context.hpp"
#include "model/plan_options.hpp"
#include "model/profile/intent.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

struct Plan;

// Whether the measurement system made the function up: its region has OTF2's role ARTIFICIAL, which
// Score-P gives to the program since version 5, or its name is `PARALLEL` (earlier Score-P without
// instrumented user functions), `.TAU application` (TAU) or `Working` (EZTrace).
bool is_artificial(const Function& function);

// The functions that a comparison ignores, ascending: those that match its patterns and, if asked
// for, artificial functions at the bottom of a stack that call others.
std::vector<FunctionIndex> find_ignored_functions(const Plan& plan, const Comparison& comparison);

// Removes ignored functions from pairs. Both lists and the result are ascending.
std::vector<CallPair> remove_functions(const std::vector<CallPair>& pairs,
                                       const std::vector<FunctionIndex>& ignored);

// The call pairs of an intent as attributes, without ignoring any function.
lattice::Set make_call_pair_set(const Intent& intent);

class CallMeasure {
 public:
  // The plan must outlive this. `ignored` is ascending.
  CallMeasure(const Plan& plan, CompareBy by, std::vector<FunctionIndex> ignored)
      : plan_(plan), by_(by), ignored_(std::move(ignored)) {}

  // The union of the attributes of these intents, which are ascending, distinct and not empty.
  lattice::Set attributes(const std::vector<std::uint32_t>& intents) const;

  // Adds all attributes that follow from these, for subsumption: the transitive closure of call
  // pairs. Functions imply nothing.
  lattice::Set add_implied(const lattice::Set& attributes) const;

  // An attribute for people, such as "main -> MPI_Init".
  std::string name(lattice::Element attribute) const;

  // The paradigm (OTF2_Paradigm) of an attribute.
  std::uint64_t paradigm(lattice::Element attribute) const;

  const std::vector<FunctionIndex>& ignored() const { return ignored_; }

 private:
  // The called function, which is in the lower 32 bits of every attribute.
  const Function& get_callee(lattice::Element attribute) const;

  const Plan& plan_;
  CompareBy by_;
  std::vector<FunctionIndex> ignored_;
};

}  // namespace tracefold
