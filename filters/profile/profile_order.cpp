#include "filters/profile/profile_order.hpp"

#include "base/ranges.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

double value_of(const ProfileRow& row, SortKey key) {
  switch (key) {
    case SortKey::variation: return static_cast<double>(row.exclusive_width());
    case SortKey::exclusive: return row.exclusive.total;
    case SortKey::inclusive: return row.inclusive.total;
    case SortKey::visits: return row.visits.total;
    case SortKey::name: break;
  }

  return 0;
}

using Before = std::function<bool(const ProfileRow&, const ProfileRow&)>;

// Ties by exclusive time, then by name, then as they were defined.
Before order_by(SortKey key, const std::vector<Function>& functions) {
  return [key, &functions](const ProfileRow& a, const ProfileRow& b) {
    if (const auto x = value_of(a, key), y = value_of(b, key); x != y)
      return x > y;
    if (key != SortKey::name && a.exclusive.total != b.exclusive.total)
      return a.exclusive.total > b.exclusive.total;

    static const std::string nobody;
    const auto& x = a.function < functions.size() ? functions[a.function].name : nobody;
    const auto& y = b.function < functions.size() ? functions[b.function].name : nobody;

    return std::tie(x, a.function, a.path) < std::tie(y, b.function, b.path);
  };
}

std::size_t sort_and_cut(std::vector<ProfileRow>& rows, const Before& before, std::size_t most) {
  std::sort(rows.begin(), rows.end(), before);
  if (most == 0 || rows.size() <= most)
    return 0;
  const auto left_out = rows.size() - most;
  rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(most), rows.end());

  return left_out;
}

// Rows are call paths in the order of the tree: which are among the first, or lead to one that is.
std::vector<bool> chosen_paths(const std::vector<ProfileRow>& rows,
                               const std::vector<std::size_t>& caller, const Before& before,
                               std::size_t most) {
  std::vector<std::size_t> order(rows.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    order[k] = k;

  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return before(rows[a], rows[b]); });
  std::vector<bool> chosen(rows.size(), most == 0);
  for (std::size_t k = 0; k < std::min(most, order.size()); ++k)
    for (auto row = order[k]; row < rows.size() && !chosen[row]; row = caller[row])
      chosen[row] = true;

  return chosen;
}

}  // namespace

std::optional<SortKey> sort_key_of(std::string_view word) {
  const auto at = std::find(std::begin(sort_keys), std::end(sort_keys), word);
  if (at == std::end(sort_keys))
    return std::nullopt;
  return static_cast<SortKey>(at - std::begin(sort_keys));
}

void sort_rows(GroupProfile& group, SortKey key, const std::vector<Function>& functions,
               std::size_t most) {
  group.left_out = sort_and_cut(group.rows, order_by(key, functions), most);
}

void sort_paths(GroupProfile& group, const std::vector<CallPath>& paths, SortKey key,
                const std::vector<Function>& functions, std::size_t most) {
  auto rows = std::exchange(group.rows, {});
  std::unordered_map<PathIndex, std::size_t> row_at;
  std::vector<std::size_t> caller;
  std::vector<std::vector<std::size_t>> callees(rows.size());
  std::vector<std::size_t> open;

  for (std::size_t k = 0; k < rows.size(); ++k) {
    row_at.emplace(rows[k].path, k);
    const auto up = paths[rows[k].path].caller;
    caller.push_back(up == no_path ? rows.size() : row_at.at(up));
    (up == no_path ? open : callees[caller[k]]).push_back(k);
  }

  const auto before = order_by(key, functions);
  const auto last_first = [&](auto a, auto b) { return before(rows[b], rows[a]); };
  const auto chosen = chosen_paths(rows, caller, before, most);
  std::sort(open.begin(), open.end(), last_first);

  while (!open.empty()) {
    const auto row = open.back();
    open.pop_back();
    if (!chosen[row]) {
      ++group.left_out;
      open.insert(open.end(), callees[row].begin(), callees[row].end());  // to be counted
      continue;
    }

    std::sort(callees[row].begin(), callees[row].end(), last_first);
    open.insert(open.end(), callees[row].begin(), callees[row].end());
    group.rows.push_back(std::move(rows[row]));
  }
}

GroupProfile neighbours_of(const std::string& glob, GroupProfile group, const GroupProfile& pairs,
                           SortKey key, const std::vector<Function>& functions, std::size_t most) {
  auto subjects = std::exchange(group.rows, {});
  std::erase_if(subjects,
                [&](const auto& row) { return !matches_glob(glob, functions[row.function].name); });
  const auto before = order_by(key, functions);
  group.left_out = sort_and_cut(subjects, before, most);

  for (auto& subject : subjects) {
    std::vector<ProfileRow> callers, callees;
    const auto function = subject.function;

    for (const auto& pair : pairs.rows) {
      if (pair.subject == function)
        callees.push_back(pair);
      if (pair.function != function)
        continue;
      auto& row = callers.emplace_back(pair);
      row.relation = Relation::caller;
      row.function = std::exchange(row.subject, function);
    }

    subject.subject = function;
    group.left_out += sort_and_cut(callers, before, most) + sort_and_cut(callees, before, most);
    std::move(callers.begin(), callers.end(), std::back_inserter(group.rows));
    group.rows.push_back(std::move(subject));
    std::move(callees.begin(), callees.end(), std::back_inserter(group.rows));
  }

  return group;
}

}  // namespace tracefold
