// Whether the members of a team see the same files, which on nodes of their own they may not.
#pragma once

#include <filesystem>

namespace tracefold {

class Team;

// Throws Error(input) at a member that sees none of this name, or another one than the first member
// does. Copies are the same file.
void check_same_file(Team* team, const std::filesystem::path& file);

// Throws Error(output) at a member that does not see what the first one makes in this folder for a
// moment, and at the first one where it can make nothing there. Folders that lead there are made.
void check_same_folder(Team* team, const std::filesystem::path& folder);

}  // namespace tracefold
