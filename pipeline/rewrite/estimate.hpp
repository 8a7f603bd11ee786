// How large the result of a rewrite will be, before it is written.
//
// Source: docs/design.md, "Rules of rewriting".
#pragma once

#include "pipeline/rewrite/rewrite_pass.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>

namespace tracefold {

// Estimates the bytes that a rewrite would write, without reading events: for each kept location,
// the share of its event file that stays, and all definitions, and `plan_bytes`. The shares come
// from the time in collapsed iterations, the events that filters leave, and the messages of the
// halo. Usually more than is written, for the check of free space before events are read a second
// time. A dry run reads the events, and uses counted shares.
std::uint64_t estimate_bytes(const Archive& archive, const Plan& plan, std::uint64_t plan_bytes);

// By location that stays: how many bytes of its event file do, by the same shares.
std::map<std::uint64_t, std::uint64_t> estimate_event_bytes(const Archive& archive,
                                                            const Plan& plan);

// Estimates the bytes of a file for viewers, from the bytes of the same trace as an archive.
std::uint64_t estimate_view_bytes(std::uint64_t archive_bytes, const ViewFormat& format);

// Throws Error(output) if `available` bytes are fewer than `needed`.
void check_free_space(std::uint64_t needed, std::uint64_t available);
// The same with the free space of the folder's file system; passes if that is not known.
void check_free_space(std::uint64_t needed, const std::filesystem::path& folder);

// Finds what a rewrite would make, without writing: exact numbers of locations and records, and
// about how many bytes. Reads the kept locations as a rewrite does. With `view`, for a file for
// viewers. Throws Error(input).
RewriteSummary estimate_rewrite(const Archive& archive, const Plan& plan,
                                const std::optional<ViewFormat>& view,
                                const RewriteOptions& options, const ReadOptions& reading,
                                Diagnostics& diagnostics);

}  // namespace tracefold
