// Checks that the members of a team see the same files; members on different nodes may not.
#pragma once

#include <filesystem>

namespace tracefold {

class Team;

// Throws Error(input) at a member that does not see the file, or sees another content than the
// first member. Copies count as the same file.
void check_same_file(Team* team, const std::filesystem::path& file);

// Throws Error(output) at a member that does not see a file that the first one makes here for a
// moment, and at the first one where it cannot make it. Missing folders of the path are made.
void check_same_folder(Team* team, const std::filesystem::path& folder);

}  // namespace tracefold
