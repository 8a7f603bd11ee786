// A report as one page of HTML that needs nothing besides itself: no network, no files, and, to be
// read, no scripts. Scripts draw and link; which ones and which style the page has is told by
// their hashes in its content security policy, and nothing else runs.
//
// Equal reports give equal pages, with one version of zlib. Pure. The layout of text
// (emitters/layout.hpp) has to be the one for any width, without styles.
#pragma once

#include "model/report/report.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace tracefold {

// What is built of web/, as text.
struct PageParts {
  std::string_view script, style;
  std::string_view notice;  // the licences of what is in the script
};
const PageParts& get_page_parts();

// Where a page would be larger, its maps are to be made coarser.
inline constexpr std::size_t most_page_bytes = std::size_t{6} << 20;

std::string write_report_page(const Report& report, const PageParts& parts = get_page_parts());

}  // namespace tracefold
