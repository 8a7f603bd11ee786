// How large the result of a rewrite will be, before it is written.
//
// Source: docs/design.md, "Rules of rewriting".
#pragma once

#include "pipeline/rewrite/rewrite_pass.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace tracefold {

// Bytes, about, of what a rewrite would write: of the event file of each kept location the share
// that stays, of the definitions as well, and `plan_bytes` of the plan. Nothing is read, so what
// stays is only known by the time in collapsed iterations, by the number of events that filters
// leave and by the messages of the halo, and of the definitions all are taken: a bound more often
// than not, for the check that comes before the events are read a second time. A dry run reads
// them, and adds up the same with the shares that it has counted.
std::uint64_t estimate_bytes(const Archive& archive, const Plan& plan, std::uint64_t plan_bytes);

// Bytes, about, of a file for viewers of a trace that takes so many as an archive.
std::uint64_t estimate_view_bytes(std::uint64_t archive_bytes, const ViewFormat& format);

// Throws Error(output) where there are fewer bytes than are needed.
void check_free_space(std::uint64_t needed, std::uint64_t available);
// The same of the file system that holds the folder, where that says how much is free.
void check_free_space(std::uint64_t needed, const std::filesystem::path& folder);

// What a rewrite would make, without writing anything: numbers of locations and records as they
// would be, bytes about. The kept locations are read as for a rewrite. Throws Error(input).
// With a format it would be a file for viewers.
RewriteSummary estimate_rewrite(const Archive& archive, const Plan& plan,
                                const std::optional<ViewFormat>& view,
                                const RewriteOptions& options, const ReadOptions& reading,
                                Diagnostics& diagnostics);

}  // namespace tracefold
