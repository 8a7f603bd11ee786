#include "emitters/groups/lattice_files.hpp"

#include "base/json_text.hpp"
#include "base/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <string_view>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t most_names = 8, most_tips = 40;  // lines of a label, and of a tooltip
constexpr std::size_t longest_line = 80;               // characters

// Light fills, so that the text stays readable.
std::string_view colour_of(std::string_view paradigm) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> colours{
      {{"MPI", "#f4b6b0"},
       {"OpenMP", "#b9d7f0"},
       {"CUDA", "#c5e3a8"},
       {"HIP", "#c5e3a8"},
       {"OpenCL", "#c5e3a8"},
       {"OpenACC", "#c5e3a8"},
       {"Pthreads", "#d3c5ec"},
       {"user", "#fbe7a1"},
       {"compiler", "#fbe7a1"}}};

  if (paradigm.empty())
    return "#ffffff";
  for (auto [name, colour] : colours)
    if (name == paradigm)
      return colour;

  return "#e2e2e2";
}

// At most so many lines of a list, with a word on the others.
std::string lines(const std::vector<std::string>& names, std::size_t most) {
  std::string out;
  for (std::size_t k = 0; k < names.size() && k < most; ++k)
    out += dot_text(shortened(names[k], longest_line)) + "\\n";
  if (names.size() > most)
    out += fmt::format("… and {} more\\n", names.size() - most);

  return out;
}

std::string label_of(const LatticeDrawing& drawing, const LatticeDrawing::Node& node) {
  auto label = lines(node.processes, most_names);
  const auto count = node.count == node.reaching || node.count == 0
                         ? std::to_string(node.reaching)
                         : fmt::format("{} of {}", node.count, node.reaching);
  label += fmt::format("{} process{}\\n", count, node.reaching == 1 ? "" : "es");
  const auto added = node.attributes.size();
  if (added)
    label += fmt::format(
        "{} new {}, {:.1f} %", added,
        added == 1 ? drawing.attribute.substr(0, drawing.attribute.size() - 1) : drawing.attribute,
        100 * drawing.share(node));

  return label;
}

}  // namespace

std::string to_dot(const LatticeDrawing& drawing) {
  std::string out = fmt::format(
      "digraph lattice {{\n  graph [rankdir=BT, tooltip=\"{} of {} processes by {} {}\"];\n"
      "  node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\", fontsize=11];\n  edge "
      "[arrowhead=none, color=\"#555555\"];\n",
      drawing.kind, drawing.processes, drawing.attributes, drawing.attribute);

  for (std::size_t n = 0; n < drawing.nodes.size(); ++n) {
    const auto& node = drawing.nodes[n];
    out += fmt::format("  n{} [label=\"{}\", fillcolor=\"{}\", tooltip=\"{}\"];\n", n,
                       label_of(drawing, node), colour_of(node.paradigm),
                       node.attributes.empty() ? "nothing new" : lines(node.attributes, most_tips));
  }

  for (std::size_t n = 0; n < drawing.nodes.size(); ++n)
    for (auto up : drawing.nodes[n].up)
      out += fmt::format("  n{} -> n{};\n", n, up);

  return out + "}\n";
}

std::string to_json(const LatticeDrawing& drawing) {
  using Json = nlohmann::ordered_json;
  Json nodes = Json::array();

  for (const auto& node : drawing.nodes)
    nodes.push_back({{"processes", node.processes},
                     {"count", node.count},
                     {"reaching", node.reaching},
                     {"new", node.attributes},
                     {"share", drawing.share(node)},
                     {"inherited", node.inherited},
                     {"paradigm", node.paradigm},
                     {"up", node.up}});

  const Json out{{"lattice", drawing.kind},
                 {"by", drawing.attribute},
                 {"processes", drawing.processes},
                 {"attributes", drawing.attributes},
                 {"nodes", nodes}};

  return json_text(out);
}

std::string to_graphml(const LatticeDrawing& drawing) {
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml "
      "xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";

  for (auto [id, type] : {std::pair("processes", "string"),
                          {"count", "long"},
                          {"reaching", "long"},
                          {"new", "string"},
                          {"share", "double"},
                          {"inherited", "long"},
                          {"paradigm", "string"}})
    out += fmt::format(" <key id=\"{0}\" for=\"node\" attr.name=\"{0}\" attr.type=\"{1}\"/>\n", id,
                       type);

  out += " <graph id=\"lattice\" edgedefault=\"directed\">\n";

  const auto joined = [](const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names)
      text += (text.empty() ? "" : "\n") + xml_text(name);
    return text;
  };

  for (std::size_t n = 0; n < drawing.nodes.size(); ++n) {
    const auto& node = drawing.nodes[n];
    out += fmt::format("  <node id=\"n{}\">", n);
    for (const auto& [key, value] :
         {std::pair<const char*, std::string>{"processes", joined(node.processes)},
          {"count", std::to_string(node.count)},
          {"reaching", std::to_string(node.reaching)},
          {"new", joined(node.attributes)},
          {"share", fmt::format("{}", drawing.share(node))},
          {"inherited", std::to_string(node.inherited)},
          {"paradigm", xml_text(node.paradigm)}})
      out += fmt::format("<data key=\"{}\">{}</data>", key, value);

    out += "</node>\n";
  }

  for (std::size_t n = 0; n < drawing.nodes.size(); ++n)
    for (auto up : drawing.nodes[n].up)
      out += fmt::format("  <edge source=\"n{}\" target=\"n{}\"/>\n", n, up);

  return out + " </graph>\n</graphml>\n";
}

}  // namespace tracefold
