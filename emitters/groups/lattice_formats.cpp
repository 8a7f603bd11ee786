#include "emitters/groups/lattice_formats.hpp"

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "emitters/groups/graphviz.hpp"
#include "emitters/groups/shared_by_runs.hpp"
#include "emitters/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t most_label_lines = 8;
constexpr std::size_t most_tooltip_lines = 40;
constexpr std::size_t most_label_calls = 3;
constexpr std::size_t longest_line = 80;        // characters
constexpr std::size_t longest_label_line = 48;  // of a call in a label

// What a colour stands for.
struct ParadigmColour {
  std::string_view paradigm, colour, meaning;
};
constexpr ParadigmColour no_paradigm{"", "#ffffff", "no call more"};
constexpr ParadigmColour other_paradigm{"other", "#e2e2e2", "calls of other kinds"};

// Fills are light, so that text on them can be read.
const ParadigmColour& choose_colour(std::string_view paradigm) {
  static constexpr std::string_view accelerators = "calls of accelerators",
                                    own = "calls of the program itself";
  static constexpr std::array<ParadigmColour, 9> colours{
      {{"MPI", "#f4b6b0", "calls of MPI"},
       {"OpenMP", "#b9d7f0", "calls of OpenMP"},
       {"CUDA", "#c5e3a8", accelerators},
       {"HIP", "#c5e3a8", accelerators},
       {"OpenCL", "#c5e3a8", accelerators},
       {"OpenACC", "#c5e3a8", accelerators},
       {"Pthreads", "#d3c5ec", "calls of Pthreads"},
       {"user", "#fbe7a1", own},
       {"compiler", "#fbe7a1", own}}};

  if (paradigm.empty())
    return no_paradigm;
  const auto found = std::find_if(colours.begin(), colours.end(),
                                  [&](const auto& one) { return one.paradigm == paradigm; });
  return found == colours.end() ? other_paradigm : *found;
}

// A name without its first bytes, but for a few characters before these.
std::string cut_begin(const std::string& name, std::size_t bytes) {
  constexpr std::size_t context = 8;
  auto begin = bytes - std::min(bytes, context);
  while (begin > 0 && (static_cast<unsigned char>(name[begin]) & 0xc0) == 0x80)
    --begin;
  return begin == 0 ? name : "…" + name.substr(begin);
}

std::size_t count_common_bytes(const std::set<std::string>& names) {
  const auto &first = *names.begin(), &last = *names.rbegin();  // the others lie between
  const auto end = std::mismatch(
      first.begin(),
      first.begin() + static_cast<std::ptrdiff_t>(std::min(first.size(), last.size())),
      last.begin());
  return static_cast<std::size_t>(end.first - first.begin());
}

// Long names as they are short, each in another way: where the usual way to shorten them makes
// several the same, they are shown from where they begin to differ.
class ShortNames {
 public:
  ShortNames(const std::vector<std::string>& names, std::size_t longest) {
    std::map<std::string, std::set<std::string>> whole;  // by the short one
    for (const auto& name : names)
      whole[shorten_name(make_printable(name), longest)].insert(name);
    for (const auto& [brief, all] : whole)
      if (all.size() == 1)
        short_.emplace(*all.begin(), brief);
      else
        part(all, longest);
  }

  const std::string& find(const std::string& name) const { return short_.at(name); }

 private:
  void part(const std::set<std::string>& alike, std::size_t longest) {
    std::set<std::string> taken;
    const auto common = count_common_bytes(alike);
    for (const auto& name : alike) {
      const auto brief = shorten(make_printable(cut_begin(name, common)), longest);
      auto distinct = brief;
      for (std::size_t k = 2; !taken.insert(distinct).second; ++k)
        distinct = fmt::format("{} #{}", brief, k);
      short_.emplace(name, distinct);
    }
  }

  std::map<std::string, std::string> short_;  // by name
};

std::vector<std::string> list_attributes(const LatticeDrawing& drawing) {
  std::vector<std::string> names;
  for (const auto& node : drawing.nodes)
    names.insert(names.end(), node.attributes.begin(), node.attributes.end());
  return names;
}

// The first `most` names, a line each, and a line that counts the others.
std::string make_lines(const std::vector<std::string>& names, std::size_t most) {
  std::string out;
  for (std::size_t k = 0; k < names.size() && k < most; ++k)
    out += escape_dot(shorten(names[k], longest_line)) + "\\n";

  if (names.size() > most)
    out += fmt::format("… and {} more\\n", names.size() - most);

  return out;
}

// Call pairs are calls to people: who calls whom.
std::string name_attributes(const LatticeDrawing& drawing, std::size_t count) {
  const auto plural = drawing.attribute == "pairs" ? std::string("calls") : drawing.attribute;
  return count == 1 ? plural.substr(0, plural.size() - 1) : plural;
}

std::string make_lines(const std::vector<std::string>& names, const ShortNames& shorts,
                       std::size_t most) {
  std::vector<std::string> lines;
  for (const auto& name : names)
    lines.push_back(shorts.find(name));
  return make_lines(lines, most);
}

// "MPI 12, program 3": whose the attributes are that a node adds; empty where all are of one kind.
std::string list_paradigms(const LatticeDrawing::Node& node) {
  std::vector<std::pair<std::string, std::uint64_t>> kinds;
  for (const auto& [paradigm, count] : node.paradigms) {
    const bool is_own = paradigm == "user" || paradigm == "compiler";
    const std::string name = is_own ? "program" : paradigm;
    const auto known = std::find_if(kinds.begin(), kinds.end(),
                                    [&](const auto& kind) { return kind.first == name; });
    (known == kinds.end() ? kinds.emplace_back(name, 0) : *known).second += count;
  }
  if (kinds.size() < 2)
    return "";
  std::string out;
  for (const auto& [name, count] : kinds)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", name, count);
  return out;
}

// What a node adds is told of those that not all processes have: that is what tells them apart.
std::string make_label(const LatticeDrawing& drawing, const LatticeDrawing::Node& node,
                       const ShortNames& shorts) {
  auto label = make_lines(node.processes, most_label_lines);

  const bool is_one_number = node.count == node.reaching || node.count == 0;
  const auto count = is_one_number ? std::to_string(node.reaching)
                                   : fmt::format("{} of {}", node.count, node.reaching);
  label += fmt::format("{} process{}\\n", count, node.reaching == 1 ? "" : "es");

  if (const auto some = name_some_runs(node.reaching_of_runs); !some.empty())
    label += "only in " + some + "\\n";
  if (const auto added = node.attributes.size()) {
    label += fmt::format("{} new {}, {:.1f} %", added, name_attributes(drawing, added),
                         100 * drawing.share(node));
    if (const auto paradigms = list_paradigms(node); !paradigms.empty())
      label += "\\n" + paradigms;
    if (node.reaching < drawing.processes)
      label += "\\n" + make_lines(node.entries, shorts, most_label_calls);
  }

  return label;
}

// Nodes with more processes are larger, and those with none as small as their text.
std::string choose_size(const LatticeDrawing& drawing, const LatticeDrawing::Node& node) {
  if (node.count == 0 || drawing.processes == 0)
    return "";
  const auto part =
      std::sqrt(static_cast<double>(node.count) / static_cast<double>(drawing.processes));
  return fmt::format(", width={:.2f}, height={:.2f}", 1 + 3 * part, 0.5 + 1.5 * part);
}

// A table below the drawing: the colours that there are, and what boxes and lines mean.
std::string make_legend(const LatticeDrawing& drawing) {
  std::map<std::string_view, std::string_view> colours;  // by meaning
  for (const auto& node : drawing.nodes) {
    const auto& found = choose_colour(node.paradigm);
    colours.emplace(found.meaning, found.colour);
  }
  if (colours.empty())
    return "";

  std::string rows;
  const auto add_row = [&rows](const std::string& text) {
    rows += "<tr><td align=\"left\">" + text + "</td></tr>";
  };
  for (const auto& [meaning, colour] : colours) {
    const bool is_empty = meaning == no_paradigm.meaning;
    add_row(fmt::format("<font color=\"{}\" point-size=\"16\">{}</font> {}{}",
                        is_empty ? "#555555" : colour, is_empty ? "□" : "■",
                        is_empty ? "adds " : "adds mostly ", meaning));
  }
  const auto both = std::find_if(drawing.nodes.begin(), drawing.nodes.end(), [](const auto& node) {
    return node.count > 0 && node.count < node.reaching;
  });
  if (both != drawing.nodes.end())
    add_row(
        fmt::format("{} of {} processes: {} {} these calls and no others, the rest makes these "
                    "and more.",
                    both->count, both->reaching, both->count, both->count == 1 ? "makes" : "make"));
  for (const auto* line :
       {"A box is larger the more processes make the same calls.",
        drawing.is_closed
            ? "Along a line downwards, calls are added: those below do the work of those above,"
              " also through other functions."
            : "Along a line downwards, calls are added: those below make all calls of those above.",
        "Percent: of all different calls."})
    add_row(line);
  for (std::size_t r = 0; r < drawing.runs.size(); ++r)
    add_row(fmt::format("{}: {}, {} processes", name_run_letter(r),
                        escape_xml(make_printable(drawing.runs[r].name)),
                        drawing.runs[r].processes));

  return ", labelloc=b, labeljust=l, fontname=\"Helvetica\", fontsize=10, label=<<table "
         "border=\"0\" cellspacing=\"0\">" +
         rows + "</table>>";
}

std::string join_xml_lines(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names)
    text += (text.empty() ? "" : "\n") + escape_xml(name);

  return text;
}

nlohmann::ordered_json list_counts_by_name(
    const std::vector<std::pair<std::string, std::uint64_t>>& counts) {
  auto out = nlohmann::ordered_json::object();
  for (const auto& [name, count] : counts)
    out[name] = count;
  return out;
}

std::vector<TableColumn> list_counts(const LatticeDrawing& drawing, const std::string& who) {
  std::vector<TableColumn> columns{in_both("node", "node"), in_csv("processes", {"count"})};
  if (drawing.runs.empty()) {
    columns.push_back(in_text(who + " here", {"count"}));
    columns.push_back(in_text(who + " below", {"below"}).left_out(3));
  }
  columns.push_back(in_csv("reaching"));
  if (!drawing.runs.empty()) {
    add_run_columns(drawing.runs, columns);
    columns.push_back(in_both("only_in", "only in"));
    columns.push_back(in_csv("of_runs", {"of_runs", "*"}));
    columns.push_back(in_csv("reaching_of_runs", {"reaching_of_runs", "*"}));
  }
  return columns;
}

Table tabulate_nodes(const LatticeDrawing& drawing, const std::string& who) {
  Table table{list_counts(drawing, who)};
  const std::vector<TableColumn> others{
      in_both("new", name_attributes(drawing, 2) + " added"),
      in_both("share", "share", Show::percent_with_decimal).left_out(1),
      in_csv("inherited"),
      in_csv("paradigm"),
      in_csv("above", {"up", "*"}),
      in_text("above", {"up", "*"}).left_out(2),
      in_both("names", "who"),
      in_csv("attributes")};
  table.columns.insert(table.columns.end(), others.begin(), others.end());
  for (const auto& node : drawing.nodes) {
    table.rows.push_back(
        {{"processes", node.processes},
         {"count", node.count},
         {"reaching", node.reaching},
         {"new", node.attributes},
         {"share", drawing.share(node)},
         {"inherited", node.inherited},
         {"paradigm", node.paradigm},
         {"paradigms", list_counts_by_name(node.paradigms)},
         {"up", node.up},
         {beside,
          {{"node", table.rows.size()},
           {"below", node.reaching - node.count},
           {"new", node.attributes.size()},
           {"names",
            fmt::format("{}", fmt::join(node.processes, drawing.runs.empty() ? ", " : "; "))},
           {"only_in", name_some_runs(node.reaching_of_runs)},
           {"attributes", fmt::format("{}", fmt::join(node.attributes, ", "))}}}});
    if (!drawing.runs.empty()) {
      table.rows.back()["of_runs"] = node.of_runs;
      table.rows.back()["reaching_of_runs"] = node.reaching_of_runs;
    }
  }
  return table;
}

// What is in which runs; empty where all is of one.
std::string describe_runs(const LatticeDrawing& drawing) {
  if (drawing.runs.empty())
    return {};
  std::vector<std::pair<std::vector<std::uint64_t>, std::size_t>> calls, groups;
  for (const auto& node : drawing.nodes) {
    calls.emplace_back(node.reaching_of_runs, node.attributes.size());
    groups.emplace_back(node.of_runs, node.count > 0 ? 1 : 0);
  }
  return list_runs(drawing.runs) + count_shared("groups", groups) +
         count_shared(name_attributes(drawing, 2).c_str(), calls) + "\n";
}

bool breaks_line(std::uint32_t code) {
  return is_control(code) || code == 0x2028 || code == 0x2029;
}

void write_escaped(std::string& out, std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += "\\x";
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
}

void write_cxt_name(std::string& out, std::string_view name) {
  if (name.empty())
    out += '\\';

  for (std::size_t i = 0; i < name.size();) {
    const auto character = read_character(name, i);
    const auto bytes = name.substr(i, character ? character->bytes : 1);
    const bool is_outer_space = bytes == " " && (i == 0 || i + 1 == name.size());

    if (!character || breaks_line(character->code) || is_outer_space || bytes == "\\")
      write_escaped(out, bytes);
    else
      out += bytes;

    i += bytes.size();
  }

  out += '\n';
}

}  // namespace

std::string describe(const LatticeDrawing& drawing) {
  return fmt::format("{} process{}, {} distinct {}{}", drawing.processes,
                     drawing.processes == 1 ? "" : "es", drawing.attributes,
                     name_attributes(drawing, drawing.attributes),
                     drawing.is_closed ? ", also through others" : "");
}

std::string to_dot(const LatticeDrawing& drawing) {
  std::string out = fmt::format(
      "digraph lattice {{\n"
      "  graph [rankdir=BT, tooltip=\"{}\"{}];\n"
      "  node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\", fontsize=11];\n"
      "  edge [arrowhead=none, color=\"#555555\"];\n",
      describe(drawing), make_legend(drawing));
  const auto names = list_attributes(drawing);
  const ShortNames in_labels(names, longest_label_line), in_tooltips(names, longest_line);

  for (std::size_t n = 0; n < drawing.nodes.size(); ++n) {
    const auto& node = drawing.nodes[n];
    const auto tooltip = node.attributes.empty()
                             ? std::string("nothing new")
                             : make_lines(node.attributes, in_tooltips, most_tooltip_lines);
    out += fmt::format("  n{} [label=\"{}\", fillcolor=\"{}\"{}, tooltip=\"{}\"];\n", n,
                       make_label(drawing, node, in_labels), choose_colour(node.paradigm).colour,
                       choose_size(drawing, node), tooltip);
  }

  for (std::size_t n = 0; n < drawing.nodes.size(); ++n)
    for (auto up : drawing.nodes[n].up)
      out += fmt::format("  n{} -> n{};\n", n, up);

  return out + "}\n";
}

std::string to_svg(const LatticeDrawing& drawing) {
  return draw_svg(to_dot(drawing));
}

std::string to_table(const LatticeDrawing& drawing) {
  const std::string who = drawing.has_only_ranks ? "ranks" : "processes";
  return describe_runs(drawing) + describe(drawing) + "\n" +
         write_text(tabulate_nodes(drawing, who), 2);
}

std::string to_csv(const LatticeDrawing& drawing) {
  return write_csv(tabulate_nodes(drawing, ""));
}

std::string to_json(const LatticeDrawing& drawing) {
  nlohmann::ordered_json document{{"lattice", drawing.kind},
                                  {"by", drawing.attribute},
                                  {"processes", drawing.processes},
                                  {"attributes", drawing.attributes}};
  if (!drawing.runs.empty())
    document["runs"] = make_runs_json(drawing.runs);
  document["nodes"] = make_json(tabulate_nodes(drawing, ""));
  return write_json_text(document);
}

std::string to_graphml(const LatticeDrawing& drawing) {
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";

  std::vector<std::pair<const char*, const char*>> keys{
      {"processes", "string"}, {"count", "long"},     {"reaching", "long"},  {"new", "string"},
      {"share", "double"},     {"inherited", "long"}, {"paradigm", "string"}};
  if (!drawing.runs.empty())
    keys.insert(keys.end(), {{"of_runs", "string"}, {"reaching_of_runs", "string"}});
  for (const auto& [id, type] : keys)
    out += fmt::format(" <key id=\"{0}\" for=\"node\" attr.name=\"{0}\" attr.type=\"{1}\"/>\n", id,
                       type);

  out += " <graph id=\"lattice\" edgedefault=\"directed\">\n";

  for (std::size_t n = 0; n < drawing.nodes.size(); ++n) {
    const auto& node = drawing.nodes[n];
    out += fmt::format("  <node id=\"n{}\">", n);

    const std::string values[] = {join_xml_lines(node.processes),
                                  std::to_string(node.count),
                                  std::to_string(node.reaching),
                                  join_xml_lines(node.attributes),
                                  fmt::format("{}", drawing.share(node)),
                                  std::to_string(node.inherited),
                                  escape_xml(node.paradigm),
                                  fmt::format("{}", fmt::join(node.of_runs, " ")),
                                  fmt::format("{}", fmt::join(node.reaching_of_runs, " "))};
    for (std::size_t k = 0; k < keys.size(); ++k)
      out += fmt::format("<data key=\"{}\">{}</data>", keys[k].first, values[k]);

    out += "</node>\n";
  }

  for (std::size_t n = 0; n < drawing.nodes.size(); ++n)
    for (auto up : drawing.nodes[n].up)
      out += fmt::format("  <edge source=\"n{}\" target=\"n{}\"/>\n", n, up);

  return out + " </graph>\n</graphml>\n";
}

std::string to_cxt(const NamedContext& context) {
  std::string out = "B\n\n" + std::to_string(context.objects.size()) + '\n' +
                    std::to_string(context.attributes.size()) + "\n\n";
  for (const auto& name : context.objects)
    write_cxt_name(out, name);
  for (const auto& name : context.attributes)
    write_cxt_name(out, name);

  for (std::size_t i = 0; i < context.objects.size(); ++i) {
    for (std::size_t j = 0; j < context.attributes.size(); ++j)
      out += context.incidence[i][j] ? 'X' : '.';
    out += '\n';
  }

  return out;
}

}  // namespace tracefold
