#include "emitters/show_names.hpp"

#include "base/ranges.hpp"
#include "base/sort_and_unite.hpp"
#include "base/text.hpp"
#include "emitters/layout.hpp"
#include "model/describe_group.hpp"
#include "model/plan.hpp"

#include <cstdint>

namespace tracefold {

std::string show_group(const Plan& plan, std::size_t group) {
  return shows_all() ? describe_group(plan, group) : label_group(plan, group);
}

std::string fit_name(const std::string& name, std::size_t most) {
  return text_layout().columns == 0 ? name : shorten_name(name, most);
}

std::string list_ranks(const Plan& plan, const std::vector<std::size_t>& processes) {
  std::vector<std::uint64_t> ranks;
  for (auto p : processes)
    if (plan.processes[p].rank)
      ranks.push_back(*plan.processes[p].rank);

  sort_and_unite(ranks);

  return to_ranges(ranks);
}

}  // namespace tracefold
