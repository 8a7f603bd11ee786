// Writes the tables that definitions and markers tell, and the groups of a plan. None is large.
#pragma once

#include "pipeline/export/export_events.hpp"
#include "pipeline/facts/whole_program.hpp"

namespace tracefold {

// `whole`: all processes of the original of a reduced trace; null where it is an original, or they
// are not known.
void export_processes(const ExportedTrace& trace, const WholeProgram* whole,
                      const TableOutput& output);
void export_locations_of_nodes(const ExportedTrace& trace, const TableOutput& output);
void export_functions(const std::vector<Function>& functions, const Definitions& definitions,
                      const TableOutput& output);
void export_call_paths(const KnownCallPaths& paths, const TableOutput& output);
void export_markers(const ExportedTrace& trace, const TableOutput& output);
void export_facts(const ExportedTrace& trace, const TableOutput& output);
// The plan has groups, and its processes the ids that they have in tables.
void export_groups(const Plan& plan, const TableOutput& output);

}  // namespace tracefold
