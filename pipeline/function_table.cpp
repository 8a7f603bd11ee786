#include "pipeline/function_table.hpp"

#include "model/ranges.hpp"

#include <algorithm>
#include <map>

namespace tracefold {

namespace {

Function function_of(const Definitions& definitions, const Definition& region) {
  Function f{definitions.text(region.fields[1]), definitions.text(region.fields[2]), definitions.text(region.fields[7]), region.fields[8], region.fields[5]};
  if (f.canonical == f.name) f.canonical.clear();
  if (f.file.empty()) f.line = 0;
  return f;
}

bool is_dropped(const std::string& name, const std::vector<FilterSection>& filters) {
  const auto any = [&](const std::vector<std::string>& globs) {
    return std::any_of(globs.begin(), globs.end(), [&](const auto& g) { return matches_glob(g, name); });
  };
  return std::any_of(filters.begin(), filters.end(), [&](const auto& f) { return any(f.drop) || (!f.keep.empty() && !any(f.keep)); });
}

}  // namespace

FunctionTable::FunctionTable(const Definitions& definitions, const std::vector<FilterSection>& filters) {
  std::map<Function, FunctionIndex> known;
  std::size_t regions = 0;
  for (const auto& d : definitions.all()) regions += d.kind == DefinitionKind::Region;
  for (const auto& d : definitions.all()) {
    if (d.kind != DefinitionKind::Region) continue;
    auto function = function_of(definitions, d);
    const bool dropped = is_dropped(function.name, filters);
    drops_any_ |= dropped;
    auto [at, fresh] = known.try_emplace(std::move(function), static_cast<FunctionIndex>(functions_.size()));
    if (fresh) functions_.push_back(at->first);
    const Entry entry{at->second, dropped ? 1u : 0u};
    if (d.id() < 4 * regions + 1024) {
      if (dense_.size() <= d.id()) dense_.resize(d.id() + 1, {virtual_root, 1});
      dense_[d.id()] = entry;
    } else {
      sparse_.emplace(d.id(), entry);
    }
  }
}

}  // namespace tracefold
