// What processes are compared by: what they call, as call pairs or as functions.
//
// A measure gives each process a set of attributes, ascending and without duplicates. An attribute
// is a call pair (the caller in the upper 32 bits, the callee in the lower 32) or the index of a
// function. Grouping, merging, similarity and lattices work on these sets alone, and ask the
// measure only for the names of attributes. Ignored functions are left out. The callees of an
// ignored function are compared as if the nearest callers that are not ignored called them. This is
// computed on sets: where A calls an ignored function I, and I calls B, A counts as a caller of B,
// although I may have called B only when another function had called I. The result may therefore
// hold pairs that no call had; a filter that drops functions follows the calls themselves instead.
//
// Pure functions, safe from any thread; a measure does not change after it is made.
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

class CallMeasure {
 public:
  // The plan has to stay. `ignored` is ascending.
  CallMeasure(const Plan& plan, CompareBy by, std::vector<FunctionIndex> ignored)
      : plan_(plan), by_(by), ignored_(std::move(ignored)) {}

  // The attributes of all processes that have one of these intents, as if one process had done all
  // of their work. Intents are ascending, without duplicates, and not empty.
  lattice::Set attributes(const std::vector<std::uint32_t>& intents) const;

  // The attributes with all others that they imply, which is what subsumption is measured on: the
  // closure of call pairs. A function implies no other.
  lattice::Set add_implied(const lattice::Set& attributes) const;

  // An attribute as people read it, such as "main -> MPI_Init".
  std::string name(lattice::Element attribute) const;

  // The paradigm (a value of OTF2_Paradigm) that an attribute belongs to.
  std::uint64_t paradigm(lattice::Element attribute) const;

  const std::vector<FunctionIndex>& ignored() const { return ignored_; }

 private:
  // The function that is called stands in the lower 32 bits of every attribute.
  const Function& get_callee(lattice::Element attribute) const;

  const Plan& plan_;
  CompareBy by_;
  std::vector<FunctionIndex> ignored_;
};

}  // namespace tracefold
