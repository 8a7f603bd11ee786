#include "model/profile/function_json.hpp"

#include "base/whole_number.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace tracefold {

Function function_from_json(const nlohmann::ordered_json& in) {
  Function f;
  f.name = in.at("name");
  f.canonical = in.value("canonical", std::string());
  f.file = in.value("file", std::string());
  f.line = read_whole(in, "line", 0);
  f.paradigm = read_whole(in, "paradigm", 0);
  f.role = read_whole(in, "role", 0);
  // As earlier versions wrote it.
  if (in.value("artificial", false))
    f.role = otf2_value::region_role_artificial;
  return f;
}

}  // namespace tracefold
