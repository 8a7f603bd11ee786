// The man page, of its template.
#pragma once

#include "cli/docs/list_options.hpp"

#include <string>
#include <vector>

namespace tracefold::cli {

// Throws Error(input) where the template does not fit the commands: an option without a paragraph
// on it, or a paragraph on what is no option.
std::string fill_man_page(const std::string& page, const std::vector<DocumentedCommand>& commands);

}  // namespace tracefold::cli
