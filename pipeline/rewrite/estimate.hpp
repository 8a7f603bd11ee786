// How large the result of a rewrite will be, before it is written.
//
// Source: DESIGN's rules of rewriting.
#pragma once

#include "pipeline/rewrite/rewrite_pass.hpp"

#include <cstdint>
#include <filesystem>

namespace tracefold {

// Bytes of the event files, at a glance: those of the locations that the plan keeps, less the share
// of time in collapsed iterations. Nothing is read.
std::uint64_t estimate_event_bytes(const Archive& archive, const Plan& plan);

// Throws Error(output) where there are fewer bytes than are needed.
void check_free_space(std::uint64_t needed, std::uint64_t available);

// What a rewrite would make, without writing anything: numbers of locations and records as they
// would be, bytes about. The kept locations are read as for a rewrite. Throws Error(input).
RewriteSummary estimate_rewrite(const Archive& archive, const Plan& plan,
                                const RewriteOptions& options, Diagnostics& diagnostics);

}  // namespace tracefold
