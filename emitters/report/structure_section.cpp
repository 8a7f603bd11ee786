#include "emitters/report/html.hpp"
#include "emitters/report/page_sections.hpp"
#include "emitters/report/page_words.hpp"
#include "emitters/show_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tracefold {

namespace {

constexpr std::size_t most_similar_rows = 12;

// For each group, the one that is most like it.
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
  return table.is_empty() ? std::string() : table.write() + describe_rest(shown, size, "groups");
}

std::string write_poset(const PosetLayout& poset) {
  const auto boxes = poset.nodes.size();
  return fmt::format(
      "<h3>Who does the work of whom</h3>\n<p>{} A line goes up from a box to another one whose "
      "calls its processes make, too.</p>\n<p class=\"key\">A box says what it adds to the boxes "
      "above it: <q>f -&gt; g +5</q> is g, called by f, and 5 calls more; <q>-&gt; main</q> is "
      "main, "
      "which nothing calls; <q>all: 35</q> are 35 calls that all processes make. A box that adds "
      "nothing names its processes. A thick border: a group ends there.</p>\n"
      "<div class=\"view\" data-view=\"poset\"></div>\n",
      boxes == 1
          ? std::string("The box stands for processes that make the same calls.")
          : fmt::format("Each of the {} boxes stands for processes that make the same calls.",
                        show_count(boxes)));
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
    out += write_poset(*report.poset);
  else
    out += write_unknown(
        "Who does the work of whom is not drawn: there are too many nodes, or they are not known.");
  return out + "</section>\n";
}

}  // namespace tracefold
