#include "emitters/report/rank_chart.hpp"

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

std::string write_places(const Report& report, const RankBars& chart) {
  std::string out;
  const auto last = chart.bars.size() - 1;
  const auto add = [&](std::size_t bar) {
    out += fmt::format("<span>{}</span>",
                       write_name(name_report_process(report, chart.bars[bar].process)));
  };
  add(0);
  if (last > 2)
    add(last / 2);
  if (last > 0)
    add(last);
  return out;
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
      "<div class=\"plot\">{}</div>\n<div class=\"places\">{}</div></div>\n{}"
      "<div class=\"view\" data-view=\"ranks\"></div></figure>\n",
      describe_bars(run, chart), escape_html(describe_part(run)), format_seconds(chart.most),
      format_seconds(chart.most / 2), draw_bars(chart), write_places(report, chart),
      write_rank_legend(chart));
}

}  // namespace tracefold
