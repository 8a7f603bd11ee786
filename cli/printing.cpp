#include "cli/printing.hpp"

#include "base/publish.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

namespace tracefold::cli {

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
