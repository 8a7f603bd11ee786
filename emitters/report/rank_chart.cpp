#include "emitters/report/rank_chart.hpp"

#include "base/text.hpp"
#include "emitters/report/html.hpp"
#include "emitters/report/page_words.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/summary/headline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace tracefold {

namespace {

constexpr std::size_t kinds = rank_time_kinds.size();
constexpr double chart_height = 1000;     // in the units of the drawing
constexpr std::size_t most_parted = 128;  // bars with gaps between them
constexpr std::size_t most_named = 8;

RankBar measure_bar(const RankTimes& rank) {
  const auto waiting = rank.waiting.value_or(0);
  const auto runtime = std::min(rank.openmp, rank.useful);
  return {rank.master,
          {rank.useful - runtime, waiting, std::max(rank.mpi - waiting - rank.mpi_io, 0.0), rank.io,
           runtime, rank.measurement}};
}

std::vector<RankBar> list_bars(const Summary& run, bool are_threads) {
  std::vector<RankBar> out;
  for (const auto& rank : run.ranks) {
    out.push_back(measure_bar(rank));
    for (std::size_t t = 1; are_threads && t < rank.threads.size(); ++t)
      out.push_back({rank.threads[t], {rank.computation[t]}});
  }
  return out;
}

double sum_kinds(const RankBar& bar) {
  return std::accumulate(bar.seconds.begin(), bar.seconds.end(), 0.0);
}

std::string draw_steps(const RankBars& chart, std::size_t kind) {
  auto out = fmt::format("M0 {}", chart_height);
  long before = -1;
  std::size_t same = 0;
  const auto go = [&] {
    if (same > 0)
      fmt::format_to(std::back_inserter(out), "h{}", same);
    same = 0;
  };
  for (const auto& bar : chart.bars) {
    const auto top = std::accumulate(bar.seconds.begin(), bar.seconds.begin() + kind + 1, 0.0);
    const auto y = std::lround(chart_height * (1 - top / chart.most));
    if (y != before) {
      go();
      fmt::format_to(std::back_inserter(out), "V{}", y);
    }
    before = y;
    ++same;
  }
  go();
  return out + fmt::format("V{}z", chart_height);
}

// From the last kind to the first, each from the ground up: those before it cover it.
std::string draw_bars(const RankBars& chart) {
  const auto count = chart.bars.size();
  auto out =
      fmt::format("<svg viewBox=\"0 0 {} {}\" preserveAspectRatio=\"none\" aria-hidden=\"true\">",
                  count, chart_height);
  for (auto kind = kinds; kind-- > 0;)
    if (chart.sums[kind] > 0)
      out += fmt::format("<path class=\"{}\" d=\"{}\"/>", rank_time_kinds[kind].style,
                         draw_steps(chart, kind));
  if (count > 1 && count <= most_parted) {
    out += "<path class=\"gaps\" d=\"";
    for (std::size_t k = 1; k < count; ++k)
      out += fmt::format("M{} 0v{}", k, chart_height);
    out += "\"/>";
  }
  return out + "</svg>";
}

// Labels are below their own bars. The processes that the headline names have arrows, and the first
// of them has a label; others stand where they leave it room.
std::string draw_places(const Report& report, const RankBars& chart) {
  constexpr double least_distance = 20, right_border = 92;  // percent of the width
  constexpr int arrow_y = 11, label_y = 13, label_y_below_arrows = 26;
  constexpr std::size_t longest_label = 16;
  const auto count = chart.bars.size();
  const auto find_middle = [&](std::size_t bar) {
    return 100 * (static_cast<double>(bar) + 0.5) / static_cast<double>(count);
  };
  const auto y = chart.named.empty() ? label_y : label_y_below_arrows;

  std::string out;
  std::vector<double> taken;
  const auto add_label = [&](std::size_t bar, std::size_t process, const char* style) {
    const auto x = find_middle(bar);
    if (std::any_of(taken.begin(), taken.end(),
                    [&](double other) { return std::abs(other - x) < least_distance; }))
      return;
    taken.push_back(x);
    const bool is_at_end = x > right_border;
    out +=
        fmt::format("<text class=\"{}\" x=\"{:.4g}%\" y=\"{}\" text-anchor=\"{}\">{}</text>", style,
                    is_at_end ? 100 : x, y, is_at_end ? "end" : "middle",
                    escape_html(shorten_name(name_report_process(report, process), longest_label)));
  };

  for (const auto& one : chart.named)
    out +=
        fmt::format("<text class=\"named\" x=\"{:.4g}%\" y=\"{}\" text-anchor=\"middle\">▲</text>",
                    find_middle(one.bar), arrow_y);
  if (!chart.named.empty())
    add_label(chart.named.front().bar, chart.named.front().process, "named");
  for (const auto bar : {std::size_t{0}, count - 1, (count - 1) / 2})
    add_label(bar, chart.bars[bar].process, "place");
  return fmt::format("<svg class=\"places\" width=\"100%\" height=\"{}\">{}</svg>", y + 4, out);
}

std::string write_rank_legend(const RankBars& chart) {
  std::string out;
  for (std::size_t kind = 0; kind < kinds; ++kind)
    if (chart.sums[kind] > 0) {
      const auto& [name, style] = rank_time_kinds[kind];
      out += fmt::format("<li class=\"{}\">{} <b>{}</b> {}</li>", style,
                         style == std::string("mpi") && !chart.knows_waiting ? "MPI" : name,
                         show_percent(chart.sums[kind] / chart.time),
                         format_seconds(chart.sums[kind]));
    }
  if (!chart.named.empty())
    out += "<li class=\"named\">in the headline</li>";
  return "<ul class=\"kinds\">" + out + "</ul>\n";
}

std::string describe_bars(const Summary& run, const RankBars& chart) {
  if (chart.are_threads)
    return "each thread";
  const std::string one = run.has_ranks ? "rank" : "process";
  const auto threads = run.threads > run.ranks.size() ? ", by main threads" : "";
  return chart.per_bar > 1
             ? fmt::format("the {} that computes longest of each {}{}", one, chart.per_bar, threads)
             : fmt::format("each {}{}", one, threads);
}

}  // namespace

RankBars make_rank_bars(const Summary& run) {
  RankBars out;
  out.are_threads = run.ranks.size() == 1 && run.ranks.front().threads.size() > 1;
  out.knows_waiting = run.has_mpi && !run.ranks.empty() && run.ranks.front().waiting.has_value();
  const auto all = list_bars(run, out.are_threads);
  for (const auto& bar : all) {
    for (std::size_t kind = 0; kind < kinds; ++kind)
      out.sums[kind] += bar.seconds[kind];
    out.most = std::max(out.most, sum_kinds(bar));
    out.time += sum_kinds(bar);
  }
  out.per_bar = std::max<std::size_t>((all.size() + most_rank_bars - 1) / most_rank_bars, 1);
  for (std::size_t first = 0; first < all.size(); first += out.per_bar)
    out.bars.push_back(*std::max_element(
        all.begin() + static_cast<std::ptrdiff_t>(first),
        all.begin() + static_cast<std::ptrdiff_t>(std::min(first + out.per_bar, all.size())),
        [](const RankBar& a, const RankBar& b) { return a.seconds[0] < b.seconds[0]; }));
  const auto& who = run.finding.who;
  for (std::size_t k = 0; k < all.size() && who.size() <= most_named; ++k)
    if (std::find(who.begin(), who.end(), all[k].process) != who.end())
      out.named.push_back({k / out.per_bar, all[k].process});
  return out;
}

std::string write_rank_chart(const Report& report) {
  const auto& run = report.runs.front();
  const auto chart = make_rank_bars(run);
  if (chart.most <= 0)
    return {};
  return fmt::format(
      "<figure id=\"ranks\"><figcaption>Time of {} in {}</figcaption>\n"
      "<div class=\"chart\"><div "
      "class=\"scale\"><span>{}</span><span>{}</span><span>0</span></div>\n"
      "<div class=\"plot\">{}</div>\n{}</div>\n{}"
      "<div class=\"view\" data-view=\"ranks\"></div></figure>\n",
      describe_bars(run, chart), escape_html(describe_part(run)), format_seconds(chart.most),
      format_seconds(chart.most / 2), draw_bars(chart), draw_places(report, chart),
      write_rank_legend(chart));
}

}  // namespace tracefold
