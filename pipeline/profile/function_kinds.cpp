#include "pipeline/profile/function_kinds.hpp"

#include "model/plan.hpp"
#include "otf2/otf2_values.hpp"
#include "otf2/program_paradigms.hpp"
#include "otf2/region_roles.hpp"
#include "pipeline/events/function_table.hpp"

#include <map>

namespace tracefold {

namespace {

std::string name_paradigm(const Definitions& definitions, std::uint64_t paradigm) {
  const auto* defined = definitions.find(Ref::paradigm, paradigm);
  return defined ? definitions.text(get_field<"name", DefinitionKind::Paradigm>(*defined))
                 : paradigm_name(paradigm);
}

}  // namespace

std::vector<FunctionKind> find_function_kinds(const Definitions& definitions,
                                              const std::vector<Function>& functions) {
  using enum DefinitionKind;
  const FunctionTable table(definitions, {});
  std::map<Function, const Definition*> regions;
  for (const auto& d : definitions.all())
    if (d.kind == Region)
      regions.try_emplace(table.functions()[table.find(d.id()).function], &d);

  std::vector<FunctionKind> kinds;
  for (const auto& function : functions) {
    const auto at = regions.find(function);
    const auto paradigm =
        at == regions.end() ? function.paradigm : get_field<"paradigm", Region>(*at->second);
    auto& kind = kinds.emplace_back();
    if (at != regions.end() || paradigm != otf2_value::paradigm_unknown)
      kind.paradigm = name_paradigm(definitions, paradigm);
    if (at != regions.end())
      kind.role = name_region_role(get_field<"regionRole", Region>(*at->second));
    kind.is_of_program = is_paradigm_of_program(paradigm);
  }

  return kinds;
}

}  // namespace tracefold
