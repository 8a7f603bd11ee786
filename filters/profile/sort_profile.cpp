#include "filters/profile/sort_profile.hpp"

#include "model/profile/function_names.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

double get_value(const ProfileRow& row, SortKey key) {
  switch (key) {
    case SortKey::variation: return static_cast<double>(row.exclusive_width());
    case SortKey::exclusive: return row.exclusive.total;
    case SortKey::inclusive: return row.inclusive.total;
    case SortKey::visits: return row.visits.total;
    case SortKey::name: break;
  }

  return 0;
}

// Whether a row comes before another one.
using Order = std::function<bool(const ProfileRow&, const ProfileRow&)>;

// Rows with equal values are ordered by exclusive time, then by name, then by index.
Order make_order(SortKey key, const std::vector<Function>& functions) {
  return [key, &functions](const ProfileRow& a, const ProfileRow& b) {
    if (const auto x = get_value(a, key), y = get_value(b, key); x != y)
      return x > y;

    if (key != SortKey::name && a.exclusive.total != b.exclusive.total)
      return a.exclusive.total > b.exclusive.total;

    static const std::string no_name;  // of the virtual root
    const auto& x = a.function < functions.size() ? functions[a.function].shown_name() : no_name;
    const auto& y = b.function < functions.size() ? functions[b.function].shown_name() : no_name;

    return std::tie(x, a.function, a.path) < std::tie(y, b.function, b.path);
  };
}

// Gives the number of rows that were removed.
std::size_t sort_and_cut(std::vector<ProfileRow>& rows, const Order& is_before, std::size_t most) {
  std::sort(rows.begin(), rows.end(), is_before);
  if (most == 0 || rows.size() <= most)
    return 0;

  const auto left_out = rows.size() - most;
  rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(most), rows.end());

  return left_out;
}

// For each row of a call path whether it is among the first `most`, or leads to one that is.
// `caller_of` has the row of each path's caller, or the number of rows where nobody calls it.
std::vector<bool> choose_paths(const std::vector<ProfileRow>& rows,
                               const std::vector<std::size_t>& caller_of, const Order& is_before,
                               std::size_t most) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return is_before(rows[a], rows[b]); });

  std::vector<bool> is_chosen(rows.size(), most == 0);
  for (std::size_t k = 0; k < std::min(most, order.size()); ++k)
    for (auto row = order[k]; row < rows.size() && !is_chosen[row]; row = caller_of[row])
      is_chosen[row] = true;

  return is_chosen;
}

}  // namespace

std::optional<SortKey> find_sort_key(std::string_view word) {
  const auto at = std::find(std::begin(sort_keys), std::end(sort_keys), word);
  if (at == std::end(sort_keys))
    return std::nullopt;

  return static_cast<SortKey>(at - std::begin(sort_keys));
}

void sort_rows(GroupProfile& group, SortKey key, const std::vector<Function>& functions,
               std::size_t most) {
  group.left_out = sort_and_cut(group.rows, make_order(key, functions), most);
}

void sort_paths(GroupProfile& group, const std::vector<CallPath>& paths, SortKey key,
                const std::vector<Function>& functions, std::size_t most) {
  auto rows = std::exchange(group.rows, {});
  std::unordered_map<PathIndex, std::size_t> get_row;
  std::vector<std::size_t> caller_of;  // for each row; rows.size() where nobody calls the path
  std::vector<std::vector<std::size_t>> callees_of(rows.size());
  std::vector<std::size_t> open;  // rows still to be placed, the next one last

  for (std::size_t k = 0; k < rows.size(); ++k) {
    get_row.emplace(rows[k].path, k);
    const auto caller = paths[rows[k].path].caller;

    if (caller == no_path) {
      caller_of.push_back(rows.size());
      open.push_back(k);
    } else {
      caller_of.push_back(get_row.at(caller));
      callees_of[caller_of[k]].push_back(k);
    }
  }

  const auto is_before = make_order(key, functions);
  const auto is_after = [&](auto a, auto b) { return is_before(rows[b], rows[a]); };
  const auto is_chosen = choose_paths(rows, caller_of, is_before, most);
  std::sort(open.begin(), open.end(), is_after);

  while (!open.empty()) {
    const auto row = open.back();
    open.pop_back();
    auto& callees = callees_of[row];

    if (is_chosen[row])
      std::sort(callees.begin(), callees.end(), is_after);

    open.insert(open.end(), callees.begin(), callees.end());

    if (is_chosen[row])
      group.rows.push_back(std::move(rows[row]));
    else
      ++group.left_out;
  }
}

GroupProfile list_neighbours(const std::string& glob, GroupProfile group, const GroupProfile& pairs,
                             SortKey key, const std::vector<Function>& functions,
                             std::size_t most) {
  auto subjects = std::exchange(group.rows, {});
  std::erase_if(subjects,
                [&](const auto& row) { return !matches_function(glob, functions[row.function]); });

  const auto is_before = make_order(key, functions);
  group.left_out = sort_and_cut(subjects, is_before, most);

  for (auto& subject : subjects) {
    const auto function = subject.function;
    std::vector<ProfileRow> callers, callees;

    for (const auto& pair : pairs.rows) {
      if (pair.subject == function)
        callees.push_back(pair);

      if (pair.function == function) {
        auto& caller = callers.emplace_back(pair);
        caller.relation = Relation::caller;
        caller.function = pair.subject;
        caller.subject = function;
      }
    }

    subject.subject = function;
    group.left_out += sort_and_cut(callers, is_before, most);
    group.left_out += sort_and_cut(callees, is_before, most);

    std::move(callers.begin(), callers.end(), std::back_inserter(group.rows));
    group.rows.push_back(std::move(subject));
    std::move(callees.begin(), callees.end(), std::back_inserter(group.rows));
  }

  return group;
}

}  // namespace tracefold
