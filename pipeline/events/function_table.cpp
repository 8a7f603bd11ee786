#include "pipeline/events/function_table.hpp"

#include "base/ranges.hpp"

#include <algorithm>
#include <map>

namespace tracefold {

namespace {

Function function_of(const Definitions& definitions, const Definition& region) {
  Function f{definitions.text(region.fields[1]),
             definitions.text(region.fields[2]),
             definitions.text(region.fields[7]),
             region.fields[8],
             region.fields[5],
             region.fields[4] == otf2_value::region_role_artificial};

  if (f.canonical == f.name)
    f.canonical.clear();
  if (f.file.empty())
    f.line = 0;

  return f;
}

bool is_dropped(const std::string& name, const std::vector<FilterSection>& filters) {
  return std::any_of(filters.begin(), filters.end(), [&](const auto& f) {
    return matches_any(f.drop, name) || (!f.keep.empty() && !matches_any(f.keep, name));
  });
}

}  // namespace

FunctionTable::FunctionTable(const Definitions& definitions,
                             const std::vector<FilterSection>& filters) {
  std::map<Function, FunctionIndex> known;
  std::size_t regions = 0;
  for (const auto& d : definitions.all())
    regions += d.kind == DefinitionKind::Region;

  for (const auto& d : definitions.all()) {
    if (d.kind != DefinitionKind::Region)
      continue;

    auto function = function_of(definitions, d);
    const bool dropped = is_dropped(function.name, filters), artificial = function.artificial;
    drops_any_ |= dropped;
    auto [at, fresh] =
        known.try_emplace(std::move(function), static_cast<FunctionIndex>(functions_.size()));
    if (fresh)
      functions_.push_back(at->first);

    functions_[at->second].artificial |= artificial;
    const Entry entry{at->second, dropped ? 1u : 0u};

    if (d.id() < 4 * regions + 1024) {
      if (dense_.size() <= d.id())
        dense_.resize(d.id() + 1, {virtual_root, 1});
      dense_[d.id()] = entry;
    } else {
      sparse_.emplace(d.id(), entry);
    }
  }
}

}  // namespace tracefold
