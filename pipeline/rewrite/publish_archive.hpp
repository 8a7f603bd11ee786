// Publishes archives whole or not at all. Earlier archives are replaced only if asked, other
// folders never.
//
// In a team, the first member makes a hidden folder, publishes it when all members have written
// into it, and removes it on failure; the others get its path.
#pragma once

#include "base/publish.hpp"
#include "base/tar_writer.hpp"
#include "otf2/archive.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace tracefold {

class Team;

// Returns an entry of this folder that no rewrite has written, none if there is no such entry. A
// rewrite writes an archive traces.otf2 with the property TRACEFOLD::VERSION, files of its
// locations, and the plan whose hash it names, with that plan's files. Throws Error(output) if the
// folder cannot be read.
std::optional<std::string> find_foreign_entry(const std::filesystem::path& folder);

// Throws Error(output) if a rewrite would refuse this folder: it exists without `force`, or it is
// no folder, or it has a foreign entry, or it cannot be made (check_writable() in
// base/pending.hpp).
void check_folder_output(const std::filesystem::path& folder, bool force);

// The same for a tar. Where it is a stream, it is made in the folder for temporary files.
void check_tar_output(const std::filesystem::path& file, const TarOutput& tar, bool force);

// Calls write() with a hidden folder beside `out`, which then takes the place of `out`, as far as
// that may be replaced. Errors are as those of publish_archive().
void publish_folder(const std::filesystem::path& out, const Replacement& replacement,
                    const Archive& read,
                    const std::function<void(const std::filesystem::path&)>& write,
                    Team* team = nullptr);

// Calls write() with a hidden folder beside `out`, which then takes the place of `out`. If
// something cannot be written, throws Error(output) that names `out`; other errors name the archive
// that was read.
void publish_archive(const std::filesystem::path& out, bool force, const Archive& read,
                     const std::function<void(const std::filesystem::path&)>& write,
                     Team* team = nullptr);

// The same for a tar: write() fills a hidden folder, which is then packed. For a stream that is in
// the folder for temporary files, so a stream is not for a team, whose nodes may have different
// ones. Returns the bytes of the tar. Never replaces the trace that is read.
std::uint64_t publish_tar(const std::filesystem::path& file, const TarOutput& tar, bool force,
                          const Archive& read,
                          const std::function<void(const std::filesystem::path&)>& write,
                          Team* team = nullptr);

// The same for one file: make() fills a hidden folder, and returns the path of the file in it to
// publish.
void publish_view(const std::filesystem::path& file, bool force, const Archive& read,
                  const std::function<std::filesystem::path(const std::filesystem::path&)>& make,
                  Team* team = nullptr);

}  // namespace tracefold
