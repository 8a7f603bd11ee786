// Several archives as one run, since tools write one for each process: finds them, orders them into
// ranks, puts their times on one clock, and opens them as one archive, which all passes read as
// they read a single one.
//
// One thread.
#pragma once

#include "base/error.hpp"
#include "otf2/archive.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tracefold {

struct AsOneOptions {
  std::vector<std::string> others;  // anchors and folders beside the first one
  std::string clocks;               // as tie_clocks() takes it
  std::string rank_from;            // as order_ranks() does
};

// The archives with these anchors and all below these folders. Archives that tracefold has written
// are left out, unless it is a single one and nothing else, which is opened as it is. Left out
// where `partial` allows that are such as are damaged, copies of others, or of another program:
// those that share functions with each other are of one, and the program with most archives is the
// run's. Notes tell how ranks and clocks are known, and what is missing. Throws Error(input), which
// names all that are not fit, and what order_ranks() and tie_clocks() do.
std::shared_ptr<const Archive> open_as_one(const std::string& trace, const AsOneOptions& options,
                                           bool partial, Diagnostics& diagnostics);

// Those of a plan, put together as they were then, in a folder that may have moved. Throws
// Error(input).
std::shared_ptr<const Archive> open_as_one(const std::string& folder,
                                           const std::vector<TracePart>& parts,
                                           Diagnostics& diagnostics);

}  // namespace tracefold
