#include "pipeline/events/function_table.hpp"

#include "model/plan.hpp"
#include "model/profile/function_names.hpp"
#include "model/profile/time_metric.hpp"
#include "otf2/program_paradigms.hpp"
#include "pipeline/events/window_reader.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace tracefold {

namespace {

Function make_function(const Definitions& definitions, const Definition& region) {
  using enum DefinitionKind;

  Function f;
  f.name = definitions.text(get_field<"name", Region>(region));
  f.canonical = definitions.text(get_field<"canonicalName", Region>(region));
  f.file = definitions.text(get_field<"sourceFile", Region>(region));
  f.line = f.file.empty() ? 0 : get_field<"beginLineNumber", Region>(region);
  f.paradigm = get_field<"paradigm", Region>(region);
  f.role = get_field<"regionRole", Region>(region);

  if (f.canonical == f.name)
    f.canonical.clear();

  return f;
}

}  // namespace

bool leave_out_functions(const std::vector<FilterSection>& filters) {
  return std::any_of(filters.begin(), filters.end(), [](const FilterSection& filter) {
    return !filter.drop.empty() || !filter.keep.empty() || filter.max_depth;
  });
}

bool is_dropped(const Function& function, const std::vector<FilterSection>& filters) {
  return std::any_of(filters.begin(), filters.end(), [&](const auto& f) {
    return matches_any(f.drop, function) || (!f.keep.empty() && !matches_any(f.keep, function));
  });
}

std::optional<std::uint64_t> find_max_depth(const std::vector<FilterSection>& filters) {
  std::optional<std::uint64_t> least;
  for (const auto& filter : filters)
    if (filter.max_depth)
      least = std::min(least.value_or(*filter.max_depth), *filter.max_depth);
  return least;
}

bool is_dropped_when_deep(const Function& function, Metric time) {
  return is_paradigm_of_program(function.paradigm) && time == Metric::execution_time;
}

FunctionTable::FunctionTable(const Definitions& definitions,
                             const std::vector<FilterSection>& filters)
    : contexts_(definitions) {
  using enum DefinitionKind;

  const auto& all = definitions.all();
  const auto regions =
      std::count_if(all.begin(), all.end(), [](const Definition& d) { return d.kind == Region; });
  const auto first_sparse = 4 * static_cast<std::uint64_t>(regions) + 1024;
  std::map<Function, FunctionIndex> known;
  const auto max_depth = find_max_depth(filters);
  const auto known_by = find_mpi_known_by(definitions);
  max_depth_ = max_depth.value_or(max_depth_);

  for (const auto& d : all) {
    if (d.kind == Location &&
        get_field<"locationType", Location>(d) == otf2_value::location_type_accelerator)
      streams_.insert(d.id());
    if (d.kind != Region)
      continue;

    auto function = make_function(definitions, d);
    const auto role = function.role;
    auto dropped = is_dropped(function, filters) ? Dropped::all : Dropped::none;
    if (max_depth && dropped == Dropped::none &&
        is_dropped_when_deep(
            function, time_metric(function.paradigm, function.role, function.name, known_by)))
      dropped = Dropped::deep;
    drops_any_ |= dropped != Dropped::none;

    const auto next = static_cast<FunctionIndex>(functions_.size());
    const auto [at, is_new] = known.try_emplace(std::move(function), next);
    if (is_new)
      functions_.push_back(at->first);

    if (role == otf2_value::region_role_artificial)
      functions_[at->second].role = role;
    add(d.id(), {at->second, dropped}, first_sparse);
  }

  make_names_unique(functions_);
  if (const auto* window = find_window(filters)) {
    if (!window->crossing)
      throw std::logic_error("a window in time is used before it was looked at");
    window_ = std::make_shared<const WindowReader>(definitions, *window);
  }
  if (!contexts_.empty())
    for (const auto metric : find_time_metrics(definitions, *this))
      is_mpi_.push_back(is_mpi_time(metric));
}

void FunctionTable::add(std::uint64_t region, Entry entry, std::uint64_t first_sparse) {
  if (region >= first_sparse) {
    sparse_.emplace(region, entry);
    return;
  }

  if (dense_.size() <= region)
    dense_.resize(region + 1, {virtual_root, Dropped::all});
  dense_[region] = entry;
}

std::vector<Metric> find_time_metrics(const Definitions& definitions,
                                      const FunctionTable& functions) {
  using enum DefinitionKind;

  std::vector<Metric> metrics(functions.functions().size(), Metric::none);
  const auto known_by = find_mpi_known_by(definitions);

  for (const auto& d : definitions.all()) {
    if (d.kind != Region)
      continue;

    auto& metric = metrics[functions.find(d.id()).function];
    if (metric == Metric::none)
      metric = time_metric(get_field<"paradigm", Region>(d), get_field<"regionRole", Region>(d),
                           definitions.text(get_field<"name", Region>(d)), known_by);
  }

  return metrics;
}

}  // namespace tracefold
