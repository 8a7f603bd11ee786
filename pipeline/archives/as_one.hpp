// Several archives as one run, since tools write one for each process: finds them, orders them into
// ranks, puts their times on one clock, and opens them as one archive, which all passes read as
// they read a single one.
//
// One thread.
#pragma once

#include "base/error.hpp"
#include "model/plan.hpp"
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
// are left out; so are, where `partial` allows that, such as are damaged or of another program,
// which has none of the functions that most of them have. Notes tell how ranks and clocks are
// known, and what is missing. Throws Error(input), which names all that are damaged or of other
// programs, and what order_ranks() and tie_clocks() do.
std::shared_ptr<const Archive> open_as_one(const std::string& trace, const AsOneOptions& options,
                                           bool partial, Diagnostics& diagnostics);

// Those of a plan, put together as they were then. Throws Error(input).
std::shared_ptr<const Archive> open_as_one(const TraceSection& trace, Diagnostics& diagnostics);

}  // namespace tracefold
