#include "emitters/iterations/map_layers.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

namespace tracefold {

namespace {

constexpr double least_part = 0.001;  // of the whole: what is less would not be seen
constexpr std::size_t longest_layer_name = 28;

constexpr Colour others_colour{153, 153, 153};

// In the order in which parts lie on each other.
constexpr std::array<Colour, 8> part_colours{
    okabe_ito::sky_blue,     okabe_ito::reddish_purple, okabe_ito::blue,       okabe_ito::orange,
    okabe_ito::bluish_green, okabe_ito::yellow,         okabe_ito::vermillion, okabe_ito::black};

// Names of times, all of one unit, need not say so.
std::string shorten_layer_name(const std::string& name, MetricKind kind) {
  constexpr std::string_view ending = " time";
  const bool has_ending = kind == MetricKind::time && name.size() > ending.size() &&
                          std::string_view(name).substr(name.size() - ending.size()) == ending;
  return shorten(make_printable(has_ending ? name.substr(0, name.size() - ending.size()) : name),
                 longest_layer_name);
}

double sum_layer(const MapLayer& layer) {
  double sum = 0;
  for (const auto* values : {&layer.original, &layer.reconstruction})
    for (auto value : *values)
      sum += std::isnan(value) ? 0 : std::abs(value);
  return sum;
}

// Adds up layers to one.
MapLayer merge_layers(const std::vector<const MapLayer*>& layers) {
  auto merged = *layers.front();
  merged.metric = "others";
  const auto add = [](std::vector<double>& to, const std::vector<double>& values) {
    std::transform(to.begin(), to.end(), values.begin(), to.begin(), std::plus<>());
  };
  for (std::size_t k = 1; k < layers.size(); ++k) {
    add(merged.original, layers[k]->original);
    add(merged.reconstruction, layers[k]->reconstruction);
    add(merged.original_rows, layers[k]->original_rows);
    add(merged.reconstruction_rows, layers[k]->reconstruction_rows);
  }

  return merged;
}

}  // namespace

std::vector<DrawnLayer> choose_layers(const MapLayers& all) {
  std::vector<std::pair<double, std::size_t>> sums;
  double whole = 0;
  for (std::size_t l = 0; l < all.layers.size(); ++l) {
    sums.emplace_back(sum_layer(all.layers[l]), l);
    whole += sums.back().first;
  }
  std::erase_if(sums, [&](const auto& of) { return of.first <= least_part * whole; });
  std::stable_sort(sums.begin(), sums.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });

  const auto own = std::min(sums.size(), part_colours.size());
  std::vector<const MapLayer*> others;
  for (auto k = own; k < sums.size(); ++k)
    others.push_back(&all.layers[sums[k].second]);
  sums.resize(own);
  std::sort(sums.begin(), sums.end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });

  std::vector<DrawnLayer> drawn;
  for (const auto& [sum, l] : sums)
    drawn.push_back(
        {all.layers[l], part_colours[all.layers.size() <= part_colours.size() ? l : drawn.size()]});
  if (!others.empty())
    drawn.push_back({merge_layers(others), others_colour});

  return drawn;
}

void show_shares(std::vector<StackedLayer>& stack) {
  const auto whole = stack.empty() ? std::vector<double>() : stack.back().upper;
  for (auto& layer : stack)
    for (auto* values : {&layer.lower, &layer.upper})
      for (std::size_t k = 0; k < values->size(); ++k)
        (*values)[k] = whole[k] > 0 ? 100 * (*values)[k] / whole[k] : whole[k];
}

std::vector<StackedLayer> stack_layers(const std::vector<DrawnLayer>& layers, MetricKind kind,
                                       std::vector<double> MapLayer::*values) {
  std::vector<StackedLayer> all;
  for (const auto& [layer, colour] : layers) {
    const auto& own = layer.*values;
    StackedLayer stacked{shorten_layer_name(layer.metric, kind), colour, {}, {}};
    stacked.lower = all.empty() ? std::vector<double>(own.size()) : all.back().upper;
    for (std::size_t c = 0; c < own.size(); ++c)
      stacked.upper.push_back(std::isnan(own[c]) ? own[c]
                                                 : stacked.lower[c] + std::max(own[c], 0.0));
    all.push_back(std::move(stacked));
  }

  return all;
}

}  // namespace tracefold
