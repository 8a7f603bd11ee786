// The sets by which the processes of a plan are compared.
//
// What a set holds is up to the measure (filters/groups/call_measures.hpp). Processes that match a
// pattern of Comparison::combine and are of one location group and one type are compared as if one
// process had done all of their work; a process without calls takes no part in that.
//
// Pure functions, safe from any thread. The result depends on the plan's processes alone, not on
// the order of patterns.
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

// Whether a process is to be combined with others. A pattern is held against the location's name
// and against "location group's name/location's name", both without the counts that an earlier
// reduction put before them.
bool is_combined(const Process& process, const std::vector<std::string>& patterns);

struct ComparedSet {
  lattice::Set attributes;
  std::size_t kind = 0;              // only sets of one kind may become one group
  std::vector<std::size_t> members;  // indexes into Plan::processes, ascending; never empty
};

struct ComparedProcesses {
  CallMeasure measure;              // refers to the plan
  std::vector<ComparedSet> sets;    // distinct, in the order of their first members
  std::vector<std::size_t> set_of;  // index into `sets`, for each process of the plan
};

// Sets are of one kind where their processes are of one type and have attributes to compare. Of
// each type, processes that call only ignored functions are one more kind, and each intent without
// calls is another.
ComparedProcesses compare_processes(const Plan& plan, const Comparison& comparison);

// A sentence on each pattern of the comparison that matches nothing in the plan.
std::vector<std::string> find_idle_patterns(const Plan& plan, const Comparison& comparison);

}  // namespace tracefold
