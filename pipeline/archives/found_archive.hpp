// One of the archives that are put together to one run, on the way there. Plain data.
#pragma once

#include "otf2/merge_archives.hpp"

#include <string>
#include <vector>

namespace tracefold {

// Its name is its anchor, from the folder of the run.
using FoundArchives = std::vector<ArchiveInRun>;

// Compares names by their words, and numbers in them as numbers: rank9 is before rank10.
bool is_named_before(const std::string& a, const std::string& b);

// The name of the machine that the first process ran on, as the system tree says; empty where it
// does not.
std::string find_host(const Definitions& definitions);

}  // namespace tracefold
