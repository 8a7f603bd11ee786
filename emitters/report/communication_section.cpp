#include "base/text.hpp"
#include "emitters/report/html.hpp"
#include "emitters/report/page_sections.hpp"
#include "emitters/report/page_words.hpp"
#include "emitters/show_numbers.hpp"

#include <fmt/format.h>

namespace tracefold {

std::string write_communication_section(const Report& report) {
  std::string out = "<section id=\"communication\"><h2>Communication</h2>\n";
  if (!report.runs.front().has_mpi)
    return out + write_unknown("No MPI was recorded: there are no messages.") + "</section>\n";
  if (!report.matrix)
    return out + write_unknown("Who sends messages to whom is not known.") + "</section>\n";
  const auto& matrix = *report.matrix;
  if (matrix.pairs == 0)
    return out + "<p>No rank sends a message to another one.</p>\n</section>\n";

  out += "<div class=\"view\" data-view=\"matrix\"></div>\n";
  HtmlTable table("Pairs that wait longest for each other, or send most, in the whole run",
                  {"from", "to", "#messages", "#bytes", "#waiting"});
  for (const auto& pair : matrix.largest)
    table.add({escape_html(pair.from), escape_html(pair.to), show_count(pair.messages),
               format_bytes(pair.bytes),
               pair.waiting ? format_seconds(*pair.waiting) : "not known"});
  return out + table.write() + describe_rest(matrix.largest.size(), matrix.pairs, "pairs") +
         "</section>\n";
}

}  // namespace tracefold
