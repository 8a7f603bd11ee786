#include "filters/report/lay_out_poset.hpp"

#include "base/sort_and_unite.hpp"
#include "base/text.hpp"
#include "filters/report/layered_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace tracefold {

namespace {

using Point = LayeredGraph::Point;

// In pixels, for text of 12 pixels.
constexpr double character_width = 7, text_margin = 16, poset_node_height = 24;
constexpr double gap_between_nodes = 16, gap_beside_edges = 8;
constexpr double least_layer_gap = 48, most_layer_gap = 600;
// A drawing is not flatter than this, as far as its layers can be apart.
constexpr double widest_ratio = 4;
constexpr double poset_margin = 8;

// The longest label, in characters, so that layers of many nodes are not too wide.
std::size_t choose_label_length(std::size_t widest_layer) {
  constexpr std::size_t shortest = 6, longest = 28, in_a_layer = 600;
  return std::clamp(in_a_layer / std::max<std::size_t>(widest_layer, 1), shortest, longest);
}

std::string label_node(const LatticeDrawing& drawing, const LatticeDrawing::Node& node,
                       std::size_t most) {
  const auto& added = node.entries.empty() ? node.attributes : node.entries;
  const auto& names = added.empty() ? node.processes : added;
  if (names.empty())
    return "";
  // What all have tells nobody apart.
  if (!added.empty() && node.reaching == drawing.processes && drawing.nodes.size() > 1)
    return shorten(fmt::format("all: {}", node.attributes.size()), most);

  const auto others = (added.empty() ? names.size() : node.attributes.size()) - 1;
  const auto more = others == 0 ? std::string() : fmt::format(" +{}", others);
  const auto room = most > more.size() + 3 ? most - more.size() : std::size_t{3};

  return shorten_name(names.front(), room) + more;
}

std::string list_names(const std::vector<std::string>& names) {
  constexpr std::size_t most_listed = 24, longest_listed = 200;
  std::string out;
  for (std::size_t k = 0; k < names.size() && k < most_listed; ++k)
    out += "\n" + shorten_name(names[k], longest_listed);
  if (names.size() > most_listed)
    out += fmt::format("\n… and {} more", names.size() - most_listed);

  return out;
}

std::string describe_node(const LatticeDrawing& drawing, const LatticeDrawing::Node& node) {
  const auto plural = drawing.attribute == "pairs" ? std::string_view("calls") : drawing.attribute;
  auto text = fmt::format("{} of {} processes have this", group_digits(node.reaching),
                          group_digits(drawing.processes));
  if (node.count > 0)
    text += fmt::format("; {} of them no more:{}", group_digits(node.count),
                        list_names(node.processes));
  if (!node.attributes.empty())
    text += fmt::format("\nadds {} {}:{}", node.attributes.size(),
                        node.attributes.size() == 1 ? plural.substr(0, plural.size() - 1) : plural,
                        list_names(node.attributes));

  return text;
}

// Places in a row that are as near to the wanted ones as their order and the room between them
// allow, in the sense of least squares.
//
// Source: Ayer, Brunk, Ewing, Reid, Silverman: An Empirical Distribution Function for Sampling with
// Incomplete Information (1955): neighbours that stand in the wrong order move together.
class RowFitter {
 public:
  // From left to right; `room` is what is needed between the one before and this one.
  void add(double wanted, double weight, double room) {
    offset_ += offsets_.empty() ? 0 : room;
    offsets_.push_back(offset_);
    blocks_.push_back({wanted - offset_, weight, 1});
    while (blocks_.size() > 1 && blocks_[blocks_.size() - 2].place > blocks_.back().place) {
      const auto last = blocks_.back();
      blocks_.pop_back();
      auto& before = blocks_.back();
      const auto sum = before.weight + last.weight;
      before.place = (before.place * before.weight + last.place * last.weight) / sum;
      before.weight = sum;
      before.members += last.members;
    }
  }

  std::vector<double> take() const {
    std::vector<double> places;
    for (const auto& block : blocks_)
      for (std::size_t k = 0; k < block.members; ++k)
        places.push_back(block.place + offsets_[places.size()]);

    return places;
  }

 private:
  struct Block {
    double place, weight;
    std::size_t members;
  };
  std::vector<Block> blocks_;
  std::vector<double> offsets_;
  double offset_ = 0;
};

class PlaceFinder {
 public:
  PlaceFinder(const LayeredGraph& graph, const std::vector<PosetLayout::Node>& nodes)
      : graph_(graph), nodes_(nodes), x_(graph.layer_of.size()) {
    for (const auto& layer : graph.layers)
      fit(layer, [](Point) { return Wanted{0, 1}; });
  }

  std::vector<double> find() {
    constexpr int rounds = 8;
    for (int round = 0; round < rounds; ++round) {
      for (std::size_t layer = 1; layer < graph_.layers.size(); ++layer)
        fit(graph_.layers[layer], [&](Point point) { return want(point, true, false); });
      for (auto layer = graph_.layers.size(); layer-- > 0;)
        fit(graph_.layers[layer], [&](Point point) { return want(point, false, true); });
    }
    for (const auto& layer : graph_.layers)
      fit(layer, [&](Point point) { return want(point, true, true); });

    return x_;
  }

 private:
  struct Wanted {
    double place, weight;
  };

  bool is_node(Point point) const { return point < graph_.nodes; }
  double half_width(Point point) const { return is_node(point) ? nodes_[point].width / 2 : 0; }

  // The mean of neighbours. Edges are to run straight where they pass layers, rather than to
  // stand right above a node.
  Wanted want(Point point, bool by_up, bool by_down) const {
    constexpr double weight_of_passing = 4, weight_of_none = 0.1;
    double sum = 0;
    std::size_t count = 0;
    const auto add = [&](const std::vector<Point>& others) {
      for (const auto other : others)
        sum += x_[other];
      count += others.size();
    };
    if (by_up)
      add(graph_.up[point]);
    if (by_down)
      add(graph_.down[point]);
    if (count == 0)
      return {x_[point], weight_of_none};

    return {sum / static_cast<double>(count), is_node(point) ? 1 : weight_of_passing};
  }

  template <class Want>
  void fit(const std::vector<Point>& layer, Want&& wants) {
    RowFitter fitter;
    for (std::size_t k = 0; k < layer.size(); ++k) {
      const auto wanted = wants(layer[k]);
      double room = 0;
      if (k > 0)
        room = half_width(layer[k - 1]) + half_width(layer[k]) +
               (is_node(layer[k - 1]) && is_node(layer[k]) ? gap_between_nodes : gap_beside_edges);
      fitter.add(wanted.place, wanted.weight, room);
    }
    const auto places = fitter.take();
    for (std::size_t k = 0; k < layer.size(); ++k)
      x_[layer[k]] = places[k];
  }

  const LayeredGraph& graph_;
  const std::vector<PosetLayout::Node>& nodes_;
  std::vector<double> x_;
};

// To a tenth of a pixel, which nobody sees and which is short to write.
double round_place(double place) {
  return std::round(place * 10) / 10;
}

// By node the groups of those that stand there.
std::vector<std::vector<std::size_t>> find_groups(const LatticeDrawing& drawing,
                                                  std::span<const std::uint32_t> group_of) {
  std::vector<std::vector<std::size_t>> found;
  for (const auto& node : drawing.nodes) {
    auto& groups = found.emplace_back();
    for (const auto process : node.members)
      groups.push_back(group_of[process]);
    sort_and_unite(groups);
  }

  return found;
}

std::vector<PosetLayout::Node> name_nodes(const LatticeDrawing& drawing,
                                          const std::vector<std::vector<std::size_t>>& groups_of,
                                          const LayeredGraph& graph) {
  std::size_t widest = 0;
  for (const auto& layer : graph.layers)
    widest = std::max(
        widest, static_cast<std::size_t>(std::count_if(
                    layer.begin(), layer.end(), [&](auto point) { return point < graph.nodes; })));
  const auto most = choose_label_length(widest);

  std::vector<PosetLayout::Node> nodes;
  for (const auto& node : drawing.nodes) {
    auto& named = nodes.emplace_back();
    named.label = label_node(drawing, node, most);
    named.title = describe_node(drawing, node);
    named.groups = groups_of[nodes.size() - 1];
    named.processes = node.reaching;
    named.width = text_margin + character_width * static_cast<double>(measure_width(named.label));
  }

  return nodes;
}

// Moves all to the right of the margin, and says how wide the drawing is.
double shift_into_drawing(const LayeredGraph& graph, const std::vector<PosetLayout::Node>& nodes,
                          std::vector<double>& x) {
  double left = 0, right = 0;
  for (std::size_t point = 0; point < x.size(); ++point) {
    const auto half = point < graph.nodes ? nodes[point].width / 2 : 0;
    left = point == 0 ? x[point] - half : std::min(left, x[point] - half);
    right = point == 0 ? x[point] + half : std::max(right, x[point] + half);
  }
  for (auto& place : x)
    place = round_place(place - left + poset_margin);

  return std::ceil(right - left + 2 * poset_margin);
}

// An edge passes a layer straight up, so that it stays clear of the boxes beside it.
std::vector<PosetLayout::Point> list_bends(const LayeredGraph::Edge& edge,
                                           const LayeredGraph& graph, const std::vector<double>& x,
                                           const std::vector<double>& y) {
  std::vector<PosetLayout::Point> bends;
  const auto add = [&](PosetLayout::Point bend) {
    // No bend in the middle of a straight piece.
    if (bends.size() > 1 && bends.back().x == bend.x && bends[bends.size() - 2].x == bend.x)
      bends.pop_back();
    bends.push_back(bend);
  };
  for (const auto point : edge.between) {
    const auto middle = y[graph.layer_of[point]];
    add({x[point], middle + poset_node_height / 2});
    add({x[point], middle - poset_node_height / 2});
  }

  return bends;
}

}  // namespace

PosetLayout lay_out_poset(const LatticeDrawing& drawing, std::span<const std::uint32_t> group_of) {
  std::vector<std::vector<std::size_t>> up;
  for (const auto& node : drawing.nodes)
    up.push_back(node.up);
  const auto graph = make_layers(up);

  PosetLayout out;
  out.node_height = poset_node_height;
  out.nodes = name_nodes(drawing, find_groups(drawing, group_of), graph);
  auto x = PlaceFinder(graph, out.nodes).find();
  out.width = shift_into_drawing(graph, out.nodes, x);

  const auto layers = static_cast<double>(std::max<std::size_t>(graph.layers.size(), 1));
  const auto step = poset_node_height + std::round(std::clamp(out.width / widest_ratio / layers,
                                                              least_layer_gap, most_layer_gap));
  std::vector<double> y;
  for (std::size_t layer = 0; layer < graph.layers.size(); ++layer)
    y.push_back(poset_margin + poset_node_height / 2 + static_cast<double>(layer) * step);
  out.height = 2 * poset_margin + poset_node_height + (layers - 1) * step;

  for (std::size_t n = 0; n < out.nodes.size(); ++n) {
    out.nodes[n].x = x[n];
    out.nodes[n].y = y[graph.layer_of[n]];
  }
  for (const auto& edge : graph.edges)
    out.edges.push_back({edge.lower, edge.upper, list_bends(edge, graph, x, y)});

  return out;
}

}  // namespace tracefold
