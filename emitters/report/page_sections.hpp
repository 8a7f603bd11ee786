// The sections of a report page, each a text of HTML that stands alone. A section of which nothing
// is known says so. Pure.
#pragma once

#include "model/report/report.hpp"

#include <optional>
#include <string>

namespace tracefold {

std::string write_page_headline(const Report& report);
std::string write_changes_section(const Report& report);  // empty: nothing is compared
std::string write_overview_section(const Report& report);
std::string write_timeline_section(const Report& report);
std::string write_groups_section(const Report& report);
std::string write_critical_section(const Report& report);  // empty: not known
std::string write_waits_section(const Report& report);
std::string write_iterations_section(const Report& report);
std::string write_functions_section(const Report& report);
std::string write_calls_section(const Report& report);
std::string write_communication_section(const Report& report);
std::string write_structure_section(const Report& report);
std::string write_fold_section(const Report& report);

// The fragment of an address that shows the view where the finding of the run is seen, "#view=…".
std::string choose_finding_view(const Report& report);

}  // namespace tracefold
