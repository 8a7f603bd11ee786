#include "model/messages/early_messages.hpp"

#include <fmt/format.h>

namespace tracefold {

std::string describe_early_messages(const EarlyMessages& messages, const std::string& whose) {
  const auto percent = 100 * messages.share();
  return fmt::format(
      "{:.{}f} % of the messages{} arrive before they were sent, since clocks differ", percent,
      percent < 9.95 ? 1 : 0, whose);
}

}  // namespace tracefold
