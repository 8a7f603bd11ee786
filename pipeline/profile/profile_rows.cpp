#include "pipeline/profile/profile_rows.hpp"

#include <algorithm>

namespace tracefold {

void ProfileRows::make(PathIndex path) {
  if (path >= place_.size())
    place_.resize(std::max<std::size_t>(path + 1, 2 * place_.size()), none);
  place_[path] = static_cast<std::uint32_t>(paths_.size());
  paths_.push_back(path);
  values_.resize(values_.size() + columns_);
}

void ProfileRows::take(std::span<const CallPath> tree, IterationProfile& out) {
  std::sort(paths_.begin(), paths_.end());
  out.rows.clear();
  out.values.clear();

  for (const auto path : paths_) {
    out.rows.push_back(
        {CallPathId{path}, path == 0 ? PathKind::usr : form_.kind(tree[path].function)});
    const auto from = values_.begin() + static_cast<std::ptrdiff_t>(place_[path] * columns_);
    for (auto part : form_.execution_parts())
      from[form_.column(Metric::execution_time)] += from[part];
    out.values.insert(out.values.end(), from, from + static_cast<std::ptrdiff_t>(columns_));
    place_[path] = static_cast<std::uint32_t>(out.rows.size() - 1);
  }

  for (auto k = out.rows.size(); k-- > 0;) {  // callees before their callers
    const auto caller = tree[paths_[k]].caller;
    if (out.rows[k].kind == PathKind::usr || caller == no_path || caller >= place_.size() ||
        place_[caller] == none)
      continue;

    auto& kind = out.rows[place_[caller]].kind;
    if (kind == PathKind::usr)
      kind = PathKind::com;
  }

  for (const auto path : paths_)
    place_[path] = none;

  paths_.clear();
  values_.clear();
}

}  // namespace tracefold
