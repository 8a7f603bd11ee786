#include "model/iterations/kept_folds.hpp"

#include "base/error.hpp"
#include "base/number_list.hpp"
#include "base/ranges.hpp"
#include "base/whole_number.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace tracefold {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::array series_sources{LoopSource::asked, LoopSource::asked_begin, LoopSource::marked,
                                    LoopSource::call_path, LoopSource::sequence};

[[noreturn]] void throw_unfit_series(const std::string& what) {
  throw Error(ErrorKind::input, "the series of the plan " + what);
}

std::vector<std::uint64_t> read_list(const Json& in, std::size_t most) {
  return parse_numbers(in.get_ref<const std::string&>(), most);
}

std::vector<std::uint32_t> read_small(const Json& in, std::size_t most) {
  std::vector<std::uint32_t> out;
  for (auto number : read_list(in, most))
    out.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(number, 0xffffffff)));
  return out;
}

std::string write_small(const std::vector<std::uint32_t>& numbers) {
  return write_numbers({numbers.begin(), numbers.end()});
}

Json fold_to_json(const LoopFold& fold) {
  return {{"kept", to_ranges({fold.kept.begin(), fold.kept.end()})},
          {"kept_of", write_small(fold.kept_of)}};
}

LoopFold fold_from_json(const Json& in, std::size_t most_iterations) {
  LoopFold fold;
  for (auto id : parse_ranges(in.at("kept").get_ref<const std::string&>(), most_iterations))
    fold.kept.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(id, 0xffffffff)));
  fold.kept_of = read_small(in.at("kept_of"), most_iterations);

  bool fits = !fold.kept.empty();
  for (auto k : fold.kept_of)
    fits = fits && k < fold.kept.size();
  for (std::size_t k = 0; fits && k < fold.kept.size(); ++k)
    fits = fold.kept[k] < fold.kept_of.size() && fold.kept_of[fold.kept[k]] == k;
  if (!fits)
    throw_unfit_series("have kept iterations that do not fit their loop");

  return fold;
}

Json series_to_json(const KeptSeries& series) {
  std::vector<std::uint64_t> begins, lengths;
  for (std::size_t k = 0; k < series.iterations.size(); ++k) {
    const auto [begin, end] = series.iterations[k];
    begins.push_back(k == 0 ? begin : begin - series.iterations[k - 1].begin);
    lengths.push_back(end - begin);
  }

  Json out{{"source", to_text(series.source)}};
  if (series.is_taken)
    out["taken"] = true;
  out["begins"] = write_numbers(begins);
  out["lengths"] = write_numbers(lengths);
  out["orders"] = write_small(series.begin_orders);
  out["end_orders"] = write_small(series.end_orders);

  return out;
}

KeptSeries series_from(const Json& in, const LoopFold& fold) {
  KeptSeries out;
  const auto source = std::find_if(series_sources.begin(), series_sources.end(),
                                   [&](auto s) { return in.at("source") == to_text(s); });
  if (source == series_sources.end())
    throw_unfit_series("have a loop that was found in no way that is known");
  out.source = *source;
  out.is_taken = in.value("taken", false);

  const auto size = fold.kept.size();
  const auto begins = read_list(in.at("begins"), size);
  const auto lengths = read_list(in.at("lengths"), size);
  out.begin_orders = read_small(in.at("orders"), size);
  out.end_orders = read_small(in.at("end_orders"), size);
  if (begins.size() != size || lengths.size() != size || out.begin_orders.size() != size ||
      out.end_orders.size() != size)
    throw_unfit_series("have other iterations than their loop");

  std::uint64_t begin = 0;
  for (std::size_t k = 0; k < size; ++k) {
    const auto next = begin + begins[k];
    const auto end = next + lengths[k];
    if (next < begin || end < next || (k > 0 && next < out.iterations.back().end))
      throw_unfit_series("have iterations that do not follow on each other");
    out.iterations.push_back({next, end});
    begin = next;
  }

  return out;
}

}  // namespace

Json kept_folds_to_json(const KeptFolds& folds) {
  Json out{{"loops", Json::array()}, {"processes", Json::array()}};
  for (const auto& loop : folds.loops)
    out["loops"].push_back(fold_to_json(loop));
  for (const auto& [location, loops] : folds.series) {
    Json series = Json::array();
    for (const auto& loop : loops)
      series.push_back(series_to_json(loop));
    out["processes"].push_back({{"id", std::to_string(location)}, {"series", std::move(series)}});
  }

  return out;
}

KeptFolds kept_folds_from_json(const Json& in, std::size_t most_iterations) {
  KeptFolds folds;
  for (const auto& loop : in.at("loops"))
    folds.loops.push_back(fold_from_json(loop, most_iterations));
  for (const auto& process : in.at("processes")) {
    const auto id = parse_ranges(process.at("id").get_ref<const std::string&>(), 1);
    const auto& series = process.at("series");
    if (id.size() != 1 || series.size() != folds.loops.size())
      throw_unfit_series("are not one of each loop of a process");
    auto& loops = folds.series[id[0]];
    if (!loops.empty())
      throw_unfit_series("name a process twice");
    for (std::size_t l = 0; l < series.size(); ++l)
      loops.push_back(series_from(series[l], folds.loops[l]));
  }

  return folds;
}

}  // namespace tracefold
