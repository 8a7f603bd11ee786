// Makes the sets by which the processes of a plan are compared.
//
// The measure (filters/groups/call_measures.hpp) defines the attributes. Processes of one location
// group and type that match a pattern of Comparison::combine are compared as if they were one
// process; processes without calls are not combined.
//
// Pure functions. The result does not depend on the order of patterns.
//
// Source: structural V, thesis 4.2.4 (combined processes).
#pragma once

#include "filters/groups/call_measures.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

struct Comparison;
struct Plan;
struct Process;

// Whether a process is to be combined with others. Patterns are matched with the location's name,
// and with "location group's name/location's name", both without counts of an earlier reduction.
bool is_combined(const Process& process, const std::vector<std::string>& patterns);

struct ComparedSet {
  lattice::Set attributes;
  std::size_t kind = 0;              // only sets of the same kind can be merged
  std::vector<std::size_t> members;  // indexes into Plan::processes, ascending; never empty
};

struct ComparedProcesses {
  CallMeasure measure;              // refers to the plan
  std::vector<ComparedSet> sets;    // distinct, in the order of their first members
  std::vector<std::size_t> set_of;  // by process of the plan: index into `sets`
};

// Sets have the same kind if their processes have the same type and attributes to compare. For each
// type, processes that call only ignored functions are another kind, and so is each intent without
// calls.
ComparedProcesses compare_processes(const Plan& plan, const Comparison& comparison);

// One sentence for each pattern of the comparison that matches nothing in the plan.
std::vector<std::string> find_idle_patterns(const Plan& plan, const Comparison& comparison);

}  // namespace tracefold
