// What the scripts of a report page draw: one JSON object and its columns of numbers, as
// web/src/data.ts says. Pure.
#pragma once

#include "model/report/report.hpp"

#include <string>

namespace tracefold {

struct ReportData {
  std::string json;     // as it stands in an element `script`
  std::string columns;  // base64
};

ReportData make_report_data(const Report& report);

}  // namespace tracefold
