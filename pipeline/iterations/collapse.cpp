#include "pipeline/iterations/collapse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tracefold {

namespace {

constexpr std::string_view stand_in_name = "iteration ≈ #";

}  // namespace

bool is_stand_in(std::string_view name) {
  return name.starts_with(stand_in_name);
}

bool is_collapsed(const Definitions& definitions) {
  return std::any_of(definitions.all().begin(), definitions.all().end(), [&](const Definition& d) {
    return d.kind == DefinitionKind::Region && is_stand_in(definitions.text(d.fields[1]));
  });
}

bool outlasts_iterations(EventKind kind) {
  using enum EventKind;
  constexpr std::array kinds{IoCreateHandle, IoDuplicateHandle, IoDestroyHandle, CommCreate,
                             CommDestroy,    RmaWinCreate,      RmaWinDestroy};
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

Collapse::Collapse(const Plan& plan) {
  if (!plan.iterations)
    return;

  const auto& section = *plan.iterations;

  for (std::size_t l = 0; l < section.loops.size(); ++l) {
    const auto& choice = section.loops[l].choice;
    std::vector<std::uint32_t> place(choice.kept.size(), kept);  // of the kept iterations' names

    for (std::size_t i = 0; i < choice.kept_of.size(); ++i) {
      const auto k = choice.kept_of[i];
      if (choice.kept[k] == i) {
        stand_ins_.push_back(kept);
        continue;
      }

      if (place[k] == kept) {
        place[k] = static_cast<std::uint32_t>(names_.size());
        names_.push_back(
            fmt::format("{}{}{}", stand_in_name, choice.kept[k],
                        section.loops.size() > 1 ? fmt::format(" of loop {}", l + 1) : ""));
      }

      stand_ins_.push_back(place[k]);
    }
  }

  for (const auto& p : section.processes)
    loops_.emplace(plan.processes[p.process].id, &p.loops);
}

const ProcessLoops* Collapse::find_loops(std::uint64_t location) const {
  const auto at = loops_.find(location);
  return at == loops_.end() ? nullptr : at->second;
}

}  // namespace tracefold
