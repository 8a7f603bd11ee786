// A formal context with names, as programs for formal concept analysis take it.
#pragma once

#include <string>
#include <vector>

namespace tracefold {

struct NamedContext {
  std::vector<std::string> objects,
      attributes;  // names; no two objects, and no two attributes, are called alike
  std::vector<std::vector<bool>> incidence;  // by object, by attribute
  bool operator==(const NamedContext&) const = default;
};

}  // namespace tracefold
