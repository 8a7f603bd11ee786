#include "emitters/groups/like_formats.hpp"

#include "base/text.hpp"
#include "emitters/show_numbers.hpp"
#include "model/groups/like_section.hpp"
#include "model/iterations/iteration_section.hpp"
#include "model/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tracefold {

namespace {

constexpr std::size_t most_misfits = 3;

std::string join_misfits(const LikeSection& like, bool all) {
  const auto shown = all ? like.misfits.size() : std::min(most_misfits, like.misfits.size());
  std::vector<std::string> words;
  for (std::size_t k = 0; k < shown; ++k)
    words.push_back(make_printable(like.misfits[k]));
  if (shown < like.misfits.size())
    words.push_back(fmt::format("{} more in the plan", like.misfits.size() - shown));
  return fmt::format("{}", fmt::join(words, "; "));
}

}  // namespace

std::string describe_like(const Plan& plan, bool all) {
  if (!plan.like)
    return {};

  const auto& like = *plan.like;
  const auto here = count_processes(plan, list_processes(plan));
  auto out = fmt::format("like {}: its groups by {}", make_printable(like.run),
                         like.is_by_place ? "rank and thread" : "what they call");
  if (like.processes != here)
    out +=
        fmt::format(" ({} processes there, {} here)", show_count(like.processes), show_count(here));
  if (plan.iterations && !plan.iterations->like.empty())
    out += ", and its iterations";
  out += like.misfits.empty() ? "; all of it fits\n" : "\n";
  if (!like.misfits.empty())
    out += fmt::format("where it does not fit: {}\n", join_misfits(like, all));
  return out;
}

}  // namespace tracefold
