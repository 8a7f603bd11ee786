#include "emitters/report/page_sections.hpp"

#include "emitters/report/html.hpp"
#include "emitters/report/page_words.hpp"
#include "emitters/tables.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tracefold {

namespace {

constexpr std::size_t most_similar_rows = 12;

// Of each group the one that is most like it.
std::string write_similar(const Report& report) {
  const auto& similarity = *report.similarity;
  const auto size = similarity.groups.size();
  HtmlTable table("Which groups are most alike, from 0 to 1",
                  {"group", "is most like", "#similarity"});
  const auto shown = std::min(size, most_similar_rows);
  for (std::size_t row = 0; row < shown; ++row) {
    std::size_t nearest = row;
    for (std::size_t column = 0; column < size; ++column)
      if (column != row && (nearest == row || similarity.values[row * size + column] >
                                                  similarity.values[row * size + nearest]))
        nearest = column;
    if (nearest == row)
      continue;
    table.add({write_name(report.groups[similarity.groups[row]].name),
               write_name(report.groups[similarity.groups[nearest]].name),
               show_similarity(static_cast<double>(similarity.values[row * size + nearest]))});
  }
  return table.is_empty() ? std::string() : table.write() + tell_rest(shown, size, "groups");
}

}  // namespace

std::string write_structure_section(const Report& report) {
  std::string out = "<section id=\"structure\"><h2>Structure</h2>\n";
  if (report.groups.size() == 1)
    out += "<p>All processes make the same calls: there is one group.</p>\n";
  if (report.similarity && report.groups.size() > 1)
    out += "<div class=\"view\" data-view=\"similarity\"></div>\n" + write_similar(report);
  else if (!report.similarity)
    out += write_unknown(
        "How alike the groups are is not shown: there are too many, or they are not known.");
  if (report.poset)
    out += fmt::format(
        "<div class=\"view\" data-view=\"poset\"></div>\n<p>Who does the work of whom: {} nodes; "
        "each adds its calls to those of all nodes above it.</p>\n",
        show_count(report.poset->nodes.size()));
  else
    out += write_unknown(
        "Who does the work of whom is not drawn: there are too many nodes, or they are not known.");
  return out + "</section>\n";
}

}  // namespace tracefold
