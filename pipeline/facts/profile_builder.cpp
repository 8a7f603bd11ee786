#include "pipeline/facts/profile_builder.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

void ProfileBuilder::add_row(PathIndex path) {
  if (path >= places_.size())
    places_.resize(std::max<std::size_t>(path + 1, 2 * places_.size()), none);

  places_[path] = static_cast<std::uint32_t>(paths_.size());
  paths_.push_back(path);
  if (values_.size() < paths_.size() * width_)
    values_.resize(paths_.size() * width_);
}

void ProfileBuilder::add_all(const ProfileBuilder& other) {
  for (const auto path : other.paths_) {
    auto* to = row(path);
    const auto* from = other.values_.data() + other.places_[path] * width_;
    for (std::size_t column = 0; column < width_; ++column)
      to[column] += from[column];
  }
}

void ProfileBuilder::take_values(std::uint64_t* row, CallPathProfile& out) const {
  constexpr std::size_t together = 4;  // looked at together, since most are 0
  const auto take = [&](std::size_t column) {
    if (row[column] != 0)
      out.values.push_back({static_cast<std::uint32_t>(column), std::exchange(row[column], 0)});
  };

  std::size_t column = 0;
  for (; column + together <= width_; column += together)
    if ((row[column] | row[column + 1] | row[column + 2] | row[column + 3]) != 0)
      for (std::size_t k = 0; k < together; ++k)
        take(column + k);
  for (; column < width_; ++column)
    take(column);
}

// Iterations mostly visit the paths of the one before, in the same order. Where they do not, all
// paths are looked at unless most have no row.
void ProfileBuilder::sort_paths() {
  constexpr std::size_t few = 16;  // one path in so many
  if (paths_ != visited_) {
    visited_ = paths_;
    sorted_ = paths_;
    if (paths_.size() < places_.size() / few)
      std::sort(sorted_.begin(), sorted_.end());
    else
      for (PathIndex path = 0, k = 0; k < sorted_.size(); ++path)
        if (places_[path] != none)
          sorted_[k++] = path;
  }
  paths_ = sorted_;
}

void ProfileBuilder::take(std::span<const CallPath> tree, CallPathProfile& out) {
  sort_paths();
  out.clear();

  for (const auto path : paths_) {
    auto* row = values_.data() + places_[path] * width_;
    for (auto part : columns_.execution_parts())
      row[columns_.column(Metric::execution_time)] += row[part];

    take_values(row, out);
    out.rows.push_back({path, path == 0 ? PathKind::usr : columns_.kind(tree[path].function)});
    out.ends.push_back(static_cast<std::uint32_t>(out.values.size()));
    places_[path] = static_cast<std::uint32_t>(out.rows.size() - 1);
  }

  mark_callers_of_mpi(tree, out);

  for (const auto path : paths_)
    places_[path] = none;

  paths_.clear();
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
