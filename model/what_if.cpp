#include "model/what_if.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string_view>

namespace tracefold {

namespace {

[[noreturn]] void refuse(const std::string& words) {
  throw Error(ErrorKind::usage, fmt::format("`what_if` {}: means nothing", words))
      .hint("as in 'solve=0.5', 'balance:solve' or 'network:ideal'");
}

}  // namespace

std::vector<WhatIf> parse_what_if(const std::vector<std::string>& words) {
  constexpr std::string_view balance = "balance:";
  std::vector<WhatIf> out;
  for (const auto& one : words) {
    if (one == "network:ideal") {
      out.push_back({WhatIf::Kind::network});
    } else if (one.starts_with(balance) && one.size() > balance.size()) {
      out.push_back({WhatIf::Kind::balance, one.substr(balance.size())});
    } else {
      const auto equal = one.rfind('=');
      if (equal == one.npos || equal == 0)
        refuse(one);
      WhatIf of_function{WhatIf::Kind::factor, one.substr(0, equal)};
      const auto* const begin = one.data() + equal + 1;
      const auto* const end = one.data() + one.size();
      const auto [rest, problem] = std::from_chars(begin, end, of_function.factor);
      if (problem != std::errc() || rest != end || !std::isfinite(of_function.factor) ||
          of_function.factor < 0)
        refuse(one);
      out.push_back(std::move(of_function));
    }
  }
  return out;
}

}  // namespace tracefold
