#include "pipeline/verify/stored_amounts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace tracefold {

namespace {

Function take_ascii_names(const Function& function) {
  return {take_ascii(function.name), take_ascii(function.canonical), take_ascii(function.file),
          function.line};
}

void compare_counters(RuleBook& rules, const MetricColumns& stored, const MetricColumns& done,
                      ComparedColumns& out) {
  std::multimap<std::string, std::size_t> left;  // those with equal names in their order
  for (std::size_t k = 0; k < stored.counters.size(); ++k)
    left.emplace(take_ascii(stored.counters[k].name), k);

  for (std::size_t k = 0; k < done.counters.size(); ++k) {
    const auto name = take_ascii(done.counters[k].name);
    const auto found = left.lower_bound(name);
    if (found == left.end() || found->first != name) {
      rules.add_violation(fmt::format("the counter '{}' is missing", name));
      continue;
    }

    const auto steps = stored.counters[found->second].steps_per_unit;
    if (steps != done.counters[k].steps_per_unit)
      rules.add_violation(fmt::format("the counter '{}' has {} steps per unit, not {}", name, steps,
                                      done.counters[k].steps_per_unit));
    else
      out.all.push_back({stored.measured.size() + found->second, done.measured.size() + k, name});
    left.erase(found);
  }

  for (const auto& [name, column] : left)
    rules.add_violation(fmt::format("the counter '{}' is not the original's", name));
}

class AmountsComparison {
 public:
  AmountsComparison(const StoredPaths& paths, const ComparedColumns& columns,
                    const std::vector<SeriesFold>& folds)
      : paths_(paths), columns_(columns), folds_(folds) {}

  std::vector<std::string> compare(const ProcessAmounts& stored, const ProcessAmounts& done) {
    for (const auto& [path, values] : done.paths)
      if (path != StoredPaths::outside && !stored.paths.contains(path))
        add(fmt::format("calls {} are missing", paths_.describe(path)));
    for (const auto& [path, values] : stored.paths)
      if (path != StoredPaths::outside && !done.paths.contains(path))
        add(fmt::format("there are calls {}, which are not the original's", paths_.describe(path)));

    const std::vector<std::uint64_t> nothing(columns_.all.size());
    std::set<std::size_t> known;  // columns that differ
    for_each_key(stored.paths, done.paths, nothing, [&](PathIndex path, auto& is, auto& was) {
      for (std::size_t c = 0; c < is.size(); ++c)
        if (is[c] != was[c] && known.insert(c).second)
          add(fmt::format("'{}' {} is {}, not {}", columns_.all[c].name, paths_.describe(path),
                          is[c], was[c]));
    });
    compare_iterations(stored, done);

    return std::move(out_);
  }

 private:
  // What only one side has is `nothing` on the other one.
  template <class Map, class Body>
  static void for_each_key(const Map& stored, const Map& done,
                           const std::vector<std::uint64_t>& nothing, Body&& body) {
    for (const auto& [key, values] : stored) {
      const auto found = done.find(key);
      body(key, values, found == done.end() ? nothing : found->second);
    }
    for (const auto& [key, values] : done)
      if (!stored.contains(key))
        body(key, nothing, values);
  }

  void compare_iterations(const ProcessAmounts& stored, const ProcessAmounts& done) {
    std::set<std::size_t> known;
    for (std::size_t l = 0; l < folds_.size(); ++l) {
      const std::vector<std::uint64_t> nothing(folds_[l].kept.size());
      for_each_key(stored.iterations, done.iterations, nothing,
                   [&](const ProcessAmounts::InIterations& where, auto& is, auto& was) {
                     if (where.loop != l || is == was || !known.insert(where.column).second)
                       return;
                     const auto at = static_cast<std::size_t>(
                         std::mismatch(is.begin(), is.end(), was.begin()).first - is.begin());
                     add(fmt::format("'{}' {} in iteration {} of loop {} is {}, not {}",
                                     columns_.all[where.column].name, paths_.describe(where.path),
                                     folds_[l].kept[at], l + 1, is[at], was[at]));
                   });
    }
  }

  void add(std::string words) { out_.push_back(std::move(words)); }

  const StoredPaths& paths_;
  const ComparedColumns& columns_;
  const std::vector<SeriesFold>& folds_;
  std::vector<std::string> out_;
};

}  // namespace

std::string take_ascii(const std::string& name) {
  std::string ascii;
  std::copy_if(name.begin(), name.end(), std::back_inserter(ascii),
               [](unsigned char c) { return c < 0x80; });
  return ascii;
}

std::vector<std::size_t> ComparedColumns::list(std::size_t Column::*side) const {
  std::vector<std::size_t> columns;
  for (const auto& column : all)
    columns.push_back(column.*side);
  return columns;
}

ComparedColumns compare_columns(RuleBook& rules, const MetricColumns& stored,
                                const MetricColumns& done, const std::set<Metric>& unknown) {
  ComparedColumns out;
  for (std::size_t c = 0; c < stored.measured.size(); ++c) {
    const auto metric = stored.measured[c];
    const std::string name(get_entry(metric).name);
    if (const auto column = done.find(metric))
      out.all.push_back({c, *column, name});
    else if (!unknown.contains(metric))
      rules.add_violation(fmt::format("the metric '{}' is not the original's", name));
  }
  for (auto metric : done.measured)
    if (!stored.find(metric))
      rules.add_violation(fmt::format("the metric '{}' is missing", get_entry(metric).name));
  compare_counters(rules, stored, done, out);

  return out;
}

StoredPaths::StoredPaths(const Aggregates& stored) : stored_(stored) {
  for (std::size_t f = 0; f < stored.functions.size(); ++f)
    functions_.try_emplace(take_ascii_names(stored.functions[f]), static_cast<FunctionIndex>(f));

  const auto functions = number_functions(stored.functions);
  std::vector<PathIndex> numbers;
  for (std::size_t p = 0; p < stored.profiles.paths.size(); ++p) {
    const auto [caller, function] = stored.profiles.paths[p];
    const std::pair key(caller == no_path ? outside : numbers[caller], functions[function]);
    numbers.push_back(paths_.try_emplace(key, static_cast<PathIndex>(p)).first->second);
  }
}

std::vector<FunctionIndex> StoredPaths::number_functions(const std::vector<Function>& list) const {
  std::vector<FunctionIndex> numbers;
  for (const auto& function : list) {
    const auto found = functions_.find(take_ascii_names(function));
    numbers.push_back(found == functions_.end() ? virtual_root : found->second);
  }
  return numbers;
}

std::vector<PathIndex> StoredPaths::number(std::span<const CallPath> tree,
                                           const std::vector<FunctionIndex>& functions) const {
  std::vector<PathIndex> numbers;
  for (const auto& [caller, function] : tree) {
    if (function == virtual_root) {
      numbers.push_back(outside);
      continue;
    }
    const auto found =
        paths_.find({caller == no_path ? outside : numbers[caller], functions[function]});
    numbers.push_back(found == paths_.end() ? unknown : found->second);
  }
  return numbers;
}

std::string StoredPaths::describe(PathIndex path) const {
  if (path == outside)
    return "outside of calls";
  if (path == unknown)
    return "in another call path";

  std::vector<std::string> names;
  for (; path != no_path; path = stored_.profiles.paths[path].caller)
    names.push_back(stored_.functions[stored_.profiles.paths[path].function].name);
  return fmt::format("in '{}'", fmt::join(names.rbegin(), names.rend(), " > "));
}

void ProcessAmounts::add(PathIndex path, const std::uint64_t* values,
                         const std::vector<std::size_t>& columns) {
  auto& row = paths[path];
  row.resize(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c)
    row[c] += values[columns[c]];
}

void ProcessAmounts::add(const InIterations& where, const std::vector<std::uint64_t>& values) {
  if (std::all_of(values.begin(), values.end(), [](auto value) { return value == 0; }))
    return;
  auto& list = iterations[where];
  list.resize(values.size());
  for (std::size_t k = 0; k < values.size(); ++k)
    list[k] += values[k];
}

ProcessAmounts take_amounts(const Aggregates& aggregates, std::size_t process,
                            const std::vector<PathIndex>& numbers,
                            const std::vector<std::size_t>& columns) {
  const auto& profiles = aggregates.profiles;
  const auto& [shape, values, outside] = profiles.processes[process];
  const auto& paths = profiles.shapes[shape].paths;

  ProcessAmounts out;
  for (std::size_t k = 0; k < paths.size(); ++k)
    out.add(numbers[paths[k]], values.data() + k * profiles.columns.size(), columns);
  if (!outside.empty())
    out.add(StoredPaths::outside, outside.data(), columns);

  if (aggregates.series.empty())
    return out;
  for (std::size_t l = 0; l < aggregates.series[process].size(); ++l)
    for (const auto& one : aggregates.series[process][l].amounts) {
      const auto column = std::find(columns.begin(), columns.end(), one.column);
      const auto path = one.path == no_path ? StoredPaths::outside : numbers[one.path];
      if (column != columns.end())
        out.add({l, path, static_cast<std::size_t>(column - columns.begin())}, one.values);
    }

  return out;
}

std::vector<std::string> compare_amounts(const ProcessAmounts& stored, const ProcessAmounts& done,
                                         const StoredPaths& paths, const ComparedColumns& columns,
                                         const std::vector<SeriesFold>& folds) {
  return AmountsComparison(paths, columns, folds).compare(stored, done);
}

}  // namespace tracefold
