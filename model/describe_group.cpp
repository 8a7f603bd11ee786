#include "model/describe_group.hpp"

#include "base/text.hpp"
#include "model/plan.hpp"
#include "model/process_names.hpp"
#include "model/profile/function_names.hpp"

#include <array>
#include <string_view>

namespace tracefold {

namespace {

// Whichever of them stay: so it is called the same before and after it is reduced.
std::string compare_with_first(const Plan& plan, const Group& group) {
  return "like " + name_process(plan.processes.at(group.members.front()));
}

// "calls A and B" and "lacks A in B" with shorter names of functions.
std::string shorten_call_words(const std::string& words) {
  if (!words.starts_with("calls ") && !words.starts_with("lacks "))
    return words;

  constexpr std::array<std::string_view, 2> separators{" and ", " in "};
  auto begin = words.find(' ') + 1;
  auto out = words.substr(0, begin);
  while (true) {
    auto end = std::string::npos;
    std::string_view found;
    for (const auto separator : separators)
      if (const auto at = words.find(separator, begin); at < end) {
        end = at;
        found = separator;
      }
    out += shorten_function_name(words.substr(begin, end - begin));
    if (end == std::string::npos)
      return out;
    out += found;
    begin = end + found.size();
  }
}

}  // namespace

std::string describe_group(const Plan& plan, std::size_t group) {
  const auto& found = plan.groups->at(group);
  if (found.name.empty())
    return compare_with_first(plan, found);

  return make_printable(found.name);
}

std::string label_group(const Plan& plan, std::size_t group) {
  return shorten(shorten_call_words(describe_group(plan, group)), longest_group_label);
}

}  // namespace tracefold
