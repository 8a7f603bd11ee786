// Which rank each archive of a run is, and so in which order its processes stand.
//
// Unless something is asked for, it is what first tells archives apart: MPI's ranks, where all have
// the same list of them; a property `rank` or the like of the process; what is known of the names
// that tools give: rank3 in a path, 3_results.otf2 of rocprofv3, NAME-3.otf2 of omnitrace,
// OTF2_archive_3 of APEX; the order of the names.
#pragma once

#include "pipeline/archives/found_archive.hpp"

#include <string>

namespace tracefold {

// Sets the rank of each archive and sorts them by it. `rank_from` is empty, "order",
// "property:NAME" or "path:PATTERN", in which {N} stands for the rank and * for anything. Returns
// in a few words what the ranks are from. Throws Error(usage) where the words mean nothing,
// Error(input) that names an archive of which they do not tell the rank, or two of one rank.
std::string order_ranks(FoundArchives& archives, const std::string& rank_from);

// Throws Error(usage) where the words mean nothing.
void check_rank_from(const std::string& words);

}  // namespace tracefold
