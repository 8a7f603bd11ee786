// What names of metrics of several devices have in common. A pure function.
#pragma once

#include <string>
#include <string_view>

namespace tracefold {

// Without the number of a device: "energy of GPU 3" is "energy of GPU #".
inline std::string name_metric_kind(std::string_view metric) {
  std::string kind;
  for (const char c : metric) {
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_digit)
      kind += c;
    else if (!kind.ends_with('#'))
      kind += '#';
  }
  return kind;
}

}  // namespace tracefold
