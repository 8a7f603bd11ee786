#include "cli/did_you_mean.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tracefold::cli {

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known,
                         const std::string& otherwise) {
  std::string best;
  std::size_t least = 3;

  for (const auto& name : known) {
    std::vector<std::size_t> row(name.size() + 1);
    for (std::size_t j = 0; j <= name.size(); ++j)
      row[j] = j;

    for (std::size_t i = 1; i <= word.size(); ++i) {
      auto diagonal = std::exchange(row[0], i);
      for (std::size_t j = 1; j <= name.size(); ++j)
        diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1,
                                                   diagonal + (word[i - 1] != name[j - 1])}));
    }

    if (row.back() < least)
      least = row.back(), best = name;
  }

  return best.empty() ? otherwise : fmt::format("did you mean '{}'?", best);
}

}  // namespace tracefold::cli
