#include "filters/report/layered_graph.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace tracefold {

namespace {

using Point = LayeredGraph::Point;
using Places = std::vector<std::uint32_t>;  // by point: its place in its layer

std::vector<std::size_t> choose_layers(const std::vector<std::vector<std::size_t>>& up) {
  std::vector<std::size_t> layer_of(up.size()), edges_down(up.size());
  for (std::size_t n = 0; n < up.size(); ++n)
    for (const auto above : up[n]) {
      assert(above < n);
      layer_of[n] = std::max(layer_of[n], layer_of[above] + 1);
      ++edges_down[above];
    }

  // The highest layer of those right below: complete when a node's turn comes, from the bottom.
  const auto none = up.size();
  std::vector<std::size_t> below(up.size(), none);
  for (auto n = up.size(); n-- > 0;) {
    if (below[n] != none && edges_down[n] > up[n].size())
      layer_of[n] = below[n] - 1;
    for (const auto above : up[n])
      below[above] = std::min(below[above], layer_of[n]);
  }

  return layer_of;
}

// Puts a point into each layer that an edge passes.
void add_points(const std::vector<std::vector<std::size_t>>& up, LayeredGraph& graph) {
  const auto connect = [&](Point lower, Point upper) {
    graph.up[lower].push_back(upper);
    graph.down[upper].push_back(lower);
  };
  for (std::size_t n = 0; n < up.size(); ++n)
    for (const auto above : up[n]) {
      LayeredGraph::Edge edge{static_cast<Point>(n), static_cast<Point>(above), {}};
      auto last = edge.lower;
      for (auto layer = graph.layer_of[n] - 1; layer > graph.layer_of[above]; --layer) {
        const auto point = static_cast<Point>(graph.layer_of.size());
        graph.layer_of.push_back(layer);
        graph.up.emplace_back();
        graph.down.emplace_back();
        connect(last, point);
        edge.between.push_back(point);
        last = point;
      }
      connect(last, edge.upper);
      graph.edges.push_back(std::move(edge));
    }
}

// Points as they are met from the top downwards, so that a tree has no crossing from the beginning.
void fill_layers(LayeredGraph& graph) {
  graph.layers.resize(graph.layer_of.empty()
                          ? 0
                          : *std::max_element(graph.layer_of.begin(), graph.layer_of.end()) + 1);
  std::vector<bool> is_met(graph.layer_of.size());
  std::vector<Point> left;
  for (std::size_t n = 0; n < graph.nodes; ++n) {
    if (!graph.up[n].empty())
      continue;
    left.push_back(static_cast<Point>(n));
    while (!left.empty()) {
      const auto point = left.back();
      left.pop_back();
      if (is_met[point])
        continue;
      is_met[point] = true;
      graph.layers[graph.layer_of[point]].push_back(point);
      left.insert(left.end(), graph.down[point].rbegin(), graph.down[point].rend());
    }
  }
}

void write_places(const std::vector<Point>& layer, Places& places) {
  for (std::uint32_t k = 0; k < layer.size(); ++k)
    places[layer[k]] = k;
}

Places find_places(const LayeredGraph& graph) {
  Places places(graph.layer_of.size());
  for (const auto& layer : graph.layers)
    write_places(layer, places);

  return places;
}

// Adds up how many of the places that were counted are beyond one.
class PlaceCounts {
 public:
  explicit PlaceCounts(std::size_t places) : counts_(places + 1) {}

  void add(std::uint32_t place) {
    ++all_;
    for (std::size_t k = place + 1; k < counts_.size(); k += k & (~k + 1))
      ++counts_[k];
  }
  std::uint64_t count_beyond(std::uint32_t place) const {
    std::uint64_t before = 0;
    for (std::size_t k = place + 1; k > 0; k -= k & (~k + 1))
      before += counts_[k];
    return all_ - before;
  }

 private:
  std::vector<std::uint32_t> counts_;  // a binary indexed tree
  std::uint64_t all_ = 0;
};

std::vector<std::uint32_t> list_places(const std::vector<Point>& points, const Places& places) {
  std::vector<std::uint32_t> list;
  for (const auto point : points)
    list.push_back(places[point]);
  std::sort(list.begin(), list.end());

  return list;
}

// Between a layer and the next one below.
std::uint64_t count_between(const LayeredGraph& graph, std::size_t layer, const Places& places) {
  PlaceCounts met(graph.layers[layer + 1].size());
  std::uint64_t crossings = 0;
  for (const auto point : graph.layers[layer]) {
    const auto ends = list_places(graph.down[point], places);
    for (const auto end : ends)
      crossings += met.count_beyond(end);
    for (const auto end : ends)
      met.add(end);
  }

  return crossings;
}

std::uint64_t count_all(const LayeredGraph& graph, const Places& places) {
  std::uint64_t crossings = 0;
  for (std::size_t layer = 0; layer + 1 < graph.layers.size(); ++layer)
    crossings += count_between(graph, layer, places);

  return crossings;
}

// Orders a layer by the mean places of neighbours in the layer beside it. Those without any stay
// about where they are, and those of equal means stay in their order or turn it.
void order_by_means(std::vector<Point>& layer, const std::vector<std::vector<Point>>& neighbours,
                    std::size_t size_beside, bool turns_equal, Places& places) {
  std::vector<std::pair<double, Point>> keys;
  for (const auto point : layer) {
    const auto& beside = neighbours[point];
    double key = 0;
    for (const auto other : beside)
      key += places[other];
    if (beside.empty())
      key = static_cast<double>(places[point]) * static_cast<double>(size_beside) /
            static_cast<double>(layer.size());
    else
      key /= static_cast<double>(beside.size());
    keys.emplace_back(key, point);
  }
  if (turns_equal)
    std::reverse(keys.begin(), keys.end());
  std::stable_sort(keys.begin(), keys.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });

  for (std::size_t k = 0; k < layer.size(); ++k)
    layer[k] = keys[k].second;
  write_places(layer, places);
}

// Crossings of the edges of two points, the first of which stands to the left.
std::uint64_t count_of_two(const std::vector<std::uint32_t>& left,
                           const std::vector<std::uint32_t>& right) {
  std::uint64_t crossings = 0;
  std::size_t before = 0;  // ends of the right one that are left of an end of the left one
  for (const auto end : left) {
    while (before < right.size() && right[before] < end)
      ++before;
    crossings += before;
  }

  return crossings;
}

// Puts each point of a layer where its edges cross fewest others, as long as there is time for it.
//
// Source: Matuszewski, Schönfeld, Molitor: Using Sifting for k-Layer Straightline Crossing
// Minimization (1999).
class LayerSifter {
 public:
  explicit LayerSifter(LayeredGraph& graph) : graph_(graph), ends_(graph.layer_of.size()) {
    for (const auto& layer : graph.layers)
      pairs_ += layer.size() * layer.size();
  }

  // Until nothing gets better.
  void sift_all(Places& places) {
    constexpr int most_rounds = 8;
    for (int round = 0; round < most_rounds && spent_ + pairs_ <= most_pairs; ++round) {
      spent_ += pairs_;
      bool has_changed = false;
      for (auto& layer : graph_.layers)
        has_changed |= sift_layer(layer, places);
      if (!has_changed)
        break;
    }
  }

 private:
  // Points that are compared with each other: about a third of a second.
  static constexpr std::size_t most_pairs = 10'000'000;

  struct Ends {
    std::vector<std::uint32_t> up, down;  // places, ascending
  };

  // Counts crossings between the edges of two points when `left` stands to the left of `right`.
  std::int64_t count_crossings(Point left, Point right) const {
    const auto &a = ends_[left], &b = ends_[right];
    return static_cast<std::int64_t>(count_of_two(a.up, b.up) + count_of_two(a.down, b.down));
  }

  bool sift_layer(std::vector<Point>& layer, Places& places) {
    for (const auto point : layer)
      ends_[point] = {list_places(graph_.up[point], places),
                      list_places(graph_.down[point], places)};
    bool has_changed = false;
    for (const auto point : std::vector(layer))
      has_changed |= sift(point, layer);
    write_places(layer, places);

    return has_changed;
  }

  // Whether the point has moved.
  bool sift(Point point, std::vector<Point>& layer) const {
    const auto now =
        static_cast<std::size_t>(std::find(layer.begin(), layer.end(), point) - layer.begin());
    layer.erase(layer.begin() + static_cast<std::ptrdiff_t>(now));

    // How many crossings more than at the left end.
    std::int64_t crossings = 0, fewest = 0, of_now = 0;
    std::size_t best = 0;
    for (std::size_t k = 0; k < layer.size(); ++k) {
      crossings += count_crossings(layer[k], point) - count_crossings(point, layer[k]);
      if (crossings < fewest) {
        fewest = crossings;
        best = k + 1;
      }
      if (k + 1 == now)
        of_now = crossings;
    }

    const bool moves = fewest < of_now;
    layer.insert(layer.begin() + static_cast<std::ptrdiff_t>(moves ? best : now), point);

    return moves;
  }

  LayeredGraph& graph_;
  std::vector<Ends> ends_;  // by point; those of the layer that is sifted are right
  std::size_t pairs_ = 0, spent_ = 0;
};

class LayerOrder {
 public:
  explicit LayerOrder(LayeredGraph& graph)
      : graph_(graph),
        sifter_(graph),
        best_(graph.layers),
        fewest_(::tracefold::count_crossings(graph)) {}

  // From several beginnings, since each leads to another order: down or up first, and with every
  // second layer turned.
  void order() {
    const auto begin = graph_.layers;
    const std::size_t ways = graph_.layer_of.size() <= most_tried_again ? 4 : 1;
    for (std::size_t way = 0; way < ways && fewest_ > 0; ++way) {
      graph_.layers = begin;
      if (way >= 2)
        for (std::size_t layer = 1; layer < begin.size(); layer += 2)
          std::reverse(graph_.layers[layer].begin(), graph_.layers[layer].end());
      sweep(way % 2);
    }
    graph_.layers = std::move(best_);
  }

 private:
  static constexpr std::size_t most_tried_again = 2000;

  // Even sweeps go down.
  void sweep(std::size_t first) {
    constexpr std::size_t most_sweeps = 24, least_sweeps = 4, most_work = 4'000'000;
    constexpr std::size_t most_in_vain = 4;
    const auto sweeps = std::clamp(most_work / std::max<std::size_t>(graph_.layer_of.size(), 1),
                                   least_sweeps, most_sweeps);
    auto places = find_places(graph_);
    keep_best(places);
    std::size_t in_vain = 0;
    for (auto s = first; fewest_ > 0 && s < sweeps && in_vain < most_in_vain; ++s) {
      const bool turns_equal = s / 2 % 2 == 1;
      if (s % 2 == 0) {
        for (std::size_t layer = 1; layer < graph_.layers.size(); ++layer)
          order_by_means(graph_.layers[layer], graph_.up, graph_.layers[layer - 1].size(),
                         turns_equal, places);
      } else {
        for (auto layer = graph_.layers.size() - 1; layer-- > 0;)
          order_by_means(graph_.layers[layer], graph_.down, graph_.layers[layer + 1].size(),
                         turns_equal, places);
      }
      sifter_.sift_all(places);
      in_vain = keep_best(places) ? 0 : in_vain + 1;
    }
  }

  bool keep_best(const Places& places) {
    const auto crossings = count_all(graph_, places);
    if (crossings >= fewest_)
      return false;
    fewest_ = crossings;
    best_ = graph_.layers;

    return true;
  }

  LayeredGraph& graph_;
  LayerSifter sifter_;
  std::vector<std::vector<Point>> best_;
  std::uint64_t fewest_;
};

}  // namespace

LayeredGraph make_layers(const std::vector<std::vector<std::size_t>>& up) {
  LayeredGraph graph;
  graph.nodes = up.size();
  graph.layer_of = choose_layers(up);
  graph.up.resize(up.size());
  graph.down.resize(up.size());
  add_points(up, graph);
  fill_layers(graph);
  LayerOrder(graph).order();

  return graph;
}

std::uint64_t count_crossings(const LayeredGraph& graph) {
  return count_all(graph, find_places(graph));
}

}  // namespace tracefold
