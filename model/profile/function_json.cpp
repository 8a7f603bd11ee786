#include "model/profile/function_json.hpp"

#include "base/json_fields.hpp"

namespace tracefold {

void list_fields(JsonFields& fields, Function& function) {
  fields.field("name", function.name);
  fields.if_there("canonical", function.canonical);
  fields.if_there("file", function.file);
  fields.if_there("line", function.line);
  fields.if_there("paradigm", function.paradigm);
  if (fields.has("role", function.role > otf2_value::region_role_function))
    fields.field("role", function.role);
  // As earlier versions wrote it.
  bool is_artificial = false;
  if (fields.has("artificial", is_artificial))
    fields.field("artificial", is_artificial);
  if (is_artificial)
    function.role = otf2_value::region_role_artificial;
}

}  // namespace tracefold
