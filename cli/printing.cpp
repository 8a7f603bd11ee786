#include "cli/printing.hpp"

#include "base/publish.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace tracefold::cli {

std::string quote_for_shell(const std::string& word) {
  // Bytes of letters beyond ASCII mean nothing to a shell.
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || c >= 0x80 ||
           std::string_view("._/+-:@,=").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain))
    return word;

  std::string out = "'";
  for (const char c : word)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

void put_drawing(const Session& session, const DrawingOptions& options, const std::string& svg,
                 const std::string& what) {
  session.clear_line();
  if (options.out == "-") {
    print(svg);
    return;
  }

  if (!is_first_member())
    return;
  publish_file(options.out, svg, options.force);
  session.note(fmt::format("{} is in {}", what, make_printable(options.out)));
}

}  // namespace tracefold::cli
