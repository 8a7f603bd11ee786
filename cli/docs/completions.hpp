// The completions of three shells, as they are installed.
#pragma once

#include "cli/docs/list_options.hpp"

#include <string>
#include <vector>

namespace tracefold::cli {

std::string complete_in_bash(const std::vector<DocumentedCommand>& commands);
std::string complete_in_zsh(const std::vector<DocumentedCommand>& commands);
std::string complete_in_fish(const std::vector<DocumentedCommand>& commands);

}  // namespace tracefold::cli
