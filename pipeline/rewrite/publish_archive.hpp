// Written archives appear whole or not at all, and replace earlier ones only where that is asked
// for; other folders never.
//
// In a team the first member makes the hidden folder, publishes it when all members have written
// into it, and removes it where that fails; the others only get its path.
#pragma once

#include "base/tar_writer.hpp"
#include "otf2/archive.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace tracefold {

class Team;

// The name of an entry that no rewrite has put into this folder: anything but the archive
// traces.otf2, which can be read and has the property TRACEFOLD::VERSION, with the files of the
// locations that it defines, and the plan whose hash it names. None in an empty folder. Throws
// Error(output) where the folder cannot be read.
std::optional<std::string> find_foreign_entry(const std::filesystem::path& folder);

// Throws Error(output) where a rewrite into this folder would be refused: it exists and
// `force` is not set, or it is no folder, or it has a foreign entry.
void check_replaceable(const std::filesystem::path& folder, bool force);

// Calls write(folder) for a hidden folder beside `out`, which then takes its place. What cannot be
// written is an Error(output) that names `out`; all else that is thrown names the archive that
// was read.
void publish_archive(const std::filesystem::path& out, bool force, const Archive& read,
                     const std::function<void(const std::filesystem::path&)>& write,
                     Team* team = nullptr);

// The same for a tar in place of the folder: write(folder) fills a hidden folder, beside the file
// or, for a stream, in the folder for temporary files, which is packed when it is whole. Returns
// how many bytes that took. The trace that is read is never replaced. A stream is not for a team:
// the folder for temporary files may be another one on each node.
std::uint64_t publish_tar(const std::filesystem::path& file, const TarOutput& tar, bool force,
                          const Archive& read,
                          const std::function<void(const std::filesystem::path&)>& write,
                          Team* team = nullptr);

// The same of one file: make(folder) fills a hidden folder beside it, and returns which file there
// takes the name.
void publish_view(const std::filesystem::path& file, bool force, const Archive& read,
                  const std::function<std::filesystem::path(const std::filesystem::path&)>& make,
                  Team* team = nullptr);

}  // namespace tracefold
