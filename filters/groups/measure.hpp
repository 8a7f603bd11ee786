// What processes are compared by: an interface with one implementation for each CompareBy.
//
// A measure gives each process a set of attributes, ascending and without duplicates. An attribute
// is a number of 64 bits, and only its measure knows what it stands for: a call pair, a function,
// or a hash of something larger. Grouping, merging, similarity and lattices work on these sets
// alone, and ask the measure only for the names of attributes.
//
// A new measure is a file beside call_measures.cpp with a class derived from Measure, and an
// enumerator of CompareBy with its word (model/plan_options.*), which make_measure (comparison.cpp)
// maps to the class.
//
// Measures do not change after they are made, so that any thread may ask them. They refer to the
// plan that they were made from, and must not outlive it.
#pragma once

#include "lattice/context.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

class Measure {
 public:
  virtual ~Measure() = default;

  // The number of what the attributes of a process are made from, such as that of its intent.
  // `process` is an index into Plan::processes. Processes with equal numbers are of one type and
  // have equal attributes, which are then made only once.
  virtual std::uint32_t source(std::size_t process) const = 0;

  // The attributes of all processes that have one of these sources, as if one process had done
  // all of their work. `sources` are ascending, without duplicates, and not empty.
  virtual lattice::Set attributes(const std::vector<std::uint32_t>& sources) const = 0;

  // The attributes with all others that they imply, which is what subsumption is measured on. By
  // default an attribute implies no other.
  virtual lattice::Set add_implied(lattice::Set attributes) const { return attributes; }

  // An attribute as people read it, such as "main -> MPI_Init".
  virtual std::string name(lattice::Element attribute) const = 0;

  // The paradigm (a value of OTF2_Paradigm) that an attribute belongs to.
  virtual std::uint64_t paradigm(lattice::Element attribute) const = 0;
};

}  // namespace tracefold
