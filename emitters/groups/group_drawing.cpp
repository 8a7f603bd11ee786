#include "emitters/groups/group_drawing.hpp"

#include "base/choose_largest.hpp"
#include "base/text.hpp"
#include "emitters/iterations/place_drawing.hpp"
#include "emitters/show_names.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/svg.hpp"
#include "model/plan.hpp"
#include "model/process_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace tracefold {

namespace {

// Pixels.
constexpr double picture_margin = 40, picture_width = 800, grid_top = 66, largest_group_place = 44;
constexpr double key_size = 13, key_height = 19, least_separated_place = 8;
constexpr std::size_t most_keys = 24, longest_key = 110, longest_of_two_keys = 52,
                      most_in_one_column = 10;

// From the hue itself nearly to white.
Colour choose_shade(const Colour& hue, std::size_t shade, std::size_t shades) {
  constexpr double lightest = 0.75;
  const auto white = shades < 2 ? 0
                                : lightest * static_cast<double>(shade) /
                                      static_cast<double>(std::max<std::size_t>(shades - 1, 2));
  const auto mix = [&](std::uint8_t part) {
    return static_cast<std::uint8_t>(std::lround(part + white * (255 - part)));
  };
  return {mix(hue.red), mix(hue.green), mix(hue.blue)};
}

bool is_dark(const Colour& colour) {
  return 0.3 * colour.red + 0.59 * colour.green + 0.11 * colour.blue < 140;
}

// The colour of each process.
std::vector<Colour> choose_colours(const Plan& plan) {
  std::vector<std::pair<std::size_t, std::size_t>> hue_and_shade(plan.processes.size());
  std::vector<std::size_t> shades;  // by hue
  std::map<std::uint32_t, std::size_t> hue_of_main;
  for (const auto& group : *plan.groups) {
    auto hue = shades.size();
    if (group.clusters)
      hue = hue_of_main.try_emplace(group.clusters->main, hue).first->second;
    if (hue == shades.size())
      shades.push_back(0);
    for (auto process : group.members)
      hue_and_shade[process] = {hue, shades[hue]};
    for (std::size_t k = 0; k < group.merged.size(); ++k)
      for (auto process : group.merged[k])
        hue_and_shade[process] = {hue, shades[hue] + k};
    shades[hue] += std::max<std::size_t>(group.merged.size(), 1);
  }

  std::vector<Colour> colours;
  for (const auto& [hue, shade] : hue_and_shade)
    colours.push_back(shades.empty() ? Colour{}
                                     : choose_shade(choose_hue(hue), shade, shades[hue]));
  return colours;
}

std::string fill_with(const Colour& colour) {
  return fmt::format(" fill=\"{}\"", write_colour(colour));
}

// The largest groups, in their order.
std::vector<std::size_t> choose_keys(const Plan& plan) {
  std::vector<std::size_t> groups(plan.groups->size());
  std::iota(groups.begin(), groups.end(), std::size_t{0});
  return choose_largest(std::move(groups), most_keys, [&](std::size_t g) {
    return count_processes(plan, (*plan.groups)[g].members);
  });
}

}  // namespace

// Beyond the colours that all people tell apart, hues are as far from each other as may be.
Colour choose_hue(std::size_t group) {
  static constexpr std::array told_apart{okabe_ito::blue,         okabe_ito::orange,
                                         okabe_ito::bluish_green, okabe_ito::reddish_purple,
                                         okabe_ito::sky_blue,     okabe_ito::vermillion,
                                         okabe_ito::yellow};
  if (group < told_apart.size())
    return told_apart[group];
  constexpr double golden_angle = 2.399963;
  const auto turn = golden_angle * static_cast<double>(group);
  const auto part = [&](double shift) {
    return static_cast<std::uint8_t>(std::lround(140 + 80 * std::cos(turn + shift)));
  };
  return {part(0), part(2.0944), part(4.1888)};
}

std::string to_svg(const Plan& plan, const ShownRows& rows) {
  const auto colours = choose_colours(plan);
  std::vector<std::size_t> group_of(plan.processes.size());
  for (std::size_t g = 0; g < plan.groups->size(); ++g)
    for (auto process : (*plan.groups)[g].members)
      group_of[process] = g;
  std::vector<std::vector<std::size_t>> there(count_places(rows.axes));
  for (std::size_t r = 0; r < rows.places.size(); ++r)
    if (!rows.places[r].empty()) {
      auto& processes = there[number_place(rows.axes, rows.places[r])];
      processes.insert(processes.end(), rows.members[r].begin(), rows.members[r].end());
    }

  const auto grid_width = picture_width - 2 * picture_margin;
  const PlaceDrawing grid(rows.axes, grid_width, largest_group_place);
  const auto is_separated =
      !rows.axes.empty() &&
      grid_width / static_cast<double>(rows.axes.back().size) >= least_separated_place;
  bool has_several = false;
  const auto find_cell = [&](std::size_t place) {
    if (there[place].empty())
      return PlaceCell{" fill=\"white\"", "no process"};
    const auto first = there[place].front();
    std::vector<std::string> words;
    for (auto process : there[place]) {
      words.push_back(
          fmt::format("{} in group {}", name_process(plan.processes[process]), group_of[process]));
      has_several |= group_of[process] != group_of[first];
    }
    return PlaceCell{fill_with(colours[first]) + (is_separated ? " stroke=\"white\"" : ""),
                     fmt::format("{}", fmt::join(words, ", ")), std::to_string(group_of[first]),
                     is_dark(colours[first]) ? " fill=\"white\"" : ""};
  };
  const auto cells = grid.draw(picture_margin, grid_top, find_cell);

  std::vector<std::size_t> sizes;
  for (const auto& axis : rows.axes)
    sizes.push_back(axis.size);
  auto y = grid_top + grid.height() + 14;
  const auto keys = choose_keys(plan);
  const auto in_column =
      keys.size() > most_in_one_column ? (keys.size() + 1) / 2 : most_in_one_column;
  std::string legend;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const auto& members = (*plan.groups)[keys[k]].members;
    const auto x = picture_margin + (k < in_column ? 0 : picture_width / 2);
    const auto line = y + key_height * static_cast<double>(k % in_column);
    const auto processes = count_processes(plan, members);
    auto words = fmt::format("group {}: ", keys[k]);
    words += processes == 1 ? show_group(plan, keys[k])
                            : fmt::format("{} × {} ({})", show_count(processes),
                                          show_group(plan, keys[k]), list_places(plan, members));
    legend += draw_rectangle({x, line, key_size, key_size}, fill_with(colours[members.front()]));
    legend += draw_text(
        x + key_size + 8, line + key_size - 2, "start",
        shorten(words, keys.size() > most_in_one_column ? longest_of_two_keys : longest_key));
  }
  y += key_height * static_cast<double>(std::min(in_column, keys.size()));
  if (keys.size() < plan.groups->size()) {
    legend += draw_text(picture_margin, y + key_size - 2, "start",
                        fmt::format("and {} groups more", plan.groups->size() - keys.size()));
    y += key_height;
  }

  const auto how = plan.comparison.by == CompareBy::signature
                       ? ", by signature: groups of one main cluster have one hue"
                       : "";
  return begin_svg(static_cast<int>(picture_width), static_cast<int>(y) + 10) +
         draw_text(picture_margin, 26, "start", "Groups of " + shorten_anchor(plan.trace.anchor),
                   svg_style::title_text) +
         draw_text(picture_margin, 48, "start",
                   fmt::format("{} processes in {} groups on a grid of {}{}{}",
                               show_count(count_processes(plan, list_processes(plan))),
                               show_count(plan.groups->size()), fmt::join(sizes, " × "), how,
                               has_several ? "; a place is of its first process" : ""),
                   svg_style::grey_text) +
         cells + legend + std::string(end_svg());
}

}  // namespace tracefold
