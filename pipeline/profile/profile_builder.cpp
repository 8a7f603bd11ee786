#include "pipeline/profile/profile_builder.hpp"

#include <algorithm>

namespace tracefold {

void ProfileBuilder::add_row(PathIndex path) {
  if (path >= places_.size())
    places_.resize(std::max<std::size_t>(path + 1, 2 * places_.size()), none);

  places_[path] = static_cast<std::uint32_t>(paths_.size());
  paths_.push_back(path);
  values_.resize(values_.size() + width_);
}

void ProfileBuilder::take(std::span<const CallPath> tree, CallPathProfile& out) {
  std::sort(paths_.begin(), paths_.end());
  out.rows.clear();
  out.values.clear();

  for (const auto path : paths_) {
    const auto row = values_.begin() + static_cast<std::ptrdiff_t>(places_[path] * width_);
    for (auto part : columns_.execution_parts())
      row[columns_.column(Metric::execution_time)] += row[part];

    out.rows.push_back({path, path == 0 ? PathKind::usr : columns_.kind(tree[path].function)});
    out.values.insert(out.values.end(), row, row + static_cast<std::ptrdiff_t>(width_));
    places_[path] = static_cast<std::uint32_t>(out.rows.size() - 1);
  }

  mark_callers_of_mpi(tree, out);

  for (const auto path : paths_)
    places_[path] = none;

  paths_.clear();
  values_.clear();
}

void ProfileBuilder::mark_callers_of_mpi(std::span<const CallPath> tree,
                                         CallPathProfile& out) const {
  for (auto k = out.rows.size(); k-- > 0;) {  // callees before their callers
    const auto caller = tree[paths_[k]].caller;
    if (out.rows[k].kind == PathKind::usr || caller == no_path || caller >= places_.size() ||
        places_[caller] == none)
      continue;

    auto& kind = out.rows[places_[caller]].kind;
    if (kind == PathKind::usr)
      kind = PathKind::com;
  }
}

}  // namespace tracefold
