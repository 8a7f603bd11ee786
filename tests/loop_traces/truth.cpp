#include "tests/loop_traces/truth.hpp"

#include "tests/loop_traces/definitions.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <stdexcept>

namespace tracefold::testing {

namespace {

using Json = nlohmann::ordered_json;

Json call_paths(const CallTrees& trees) {
  Json out = Json::array();
  for (const auto& path : trees.paths())
    out.push_back({{"function", region_table[path.region].name},
                   {"caller", path.caller == no_path ? Json() : Json(path.caller)}});
  return out;
}

Json weak_classes(const CallTrees& trees) {
  Json out(Json::value_t::array);
  out.get_ref<Json::array_t&>().resize(trees.weak().size());
  for (const auto& [paths, number] : trees.weak())
    out[number] = paths;
  return out;
}

Json strong_classes(const CallTrees& trees) {
  Json out(Json::value_t::array);
  out.get_ref<Json::array_t&>().resize(trees.strong().size());
  for (const auto& [key, number] : trees.strong())
    out[number] = {{"weak", key.first}, {"visits", key.second}};
  return out;
}

Json loops(const Options& options) {
  Json out = Json::array();
  for (std::uint32_t loop = 0; loop < (options.second_loop ? 2 : 1); ++loop) {
    const bool has_function = options.style != LoopStyle::written_inline;
    out.push_back(
        {{"style", style_names[static_cast<std::size_t>(options.style)]},
         {"function", has_function ? Json(region_table[region_of_loop(loop)].name) : Json()},
         {"call_path", {"main"}}});
  }

  return out;
}

template <class Value>
Json list(const WrittenLoop& loop, Value&& value) {
  Json out = Json::array();
  for (const auto& iteration : loop.iterations)
    out.push_back(value(iteration));
  return out;
}

Json loop_json(const Options& options, const WrittenLoop& loop) {
  Json metrics = Json::object();
  for (std::size_t c = 0; c < column_names.size(); ++c)
    if (options.counters || c != static_cast<std::size_t>(Column::instructions))
      metrics[column_names[c]] = list(loop, [c](const Iteration& i) { return i.columns[c]; });

  return {{"loop", loop.loop},
          {"iterations", loop.iterations.size()},
          {"begin", list(loop, [](const Iteration& i) { return i.begin; })},
          {"end", list(loop, [](const Iteration& i) { return i.end; })},
          {"weak", list(loop, [](const Iteration& i) { return i.tree.weak; })},
          {"strong", list(loop, [](const Iteration& i) { return i.tree.strong; })},
          {"metrics", std::move(metrics)}};
}

Json locations(const Options& options, Program& program) {
  Json out = Json::array();
  for (std::uint32_t k = 0; const auto& location : program.locations()) {
    Json of_location = Json::array();
    for (const auto& loop : location.loops())
      of_location.push_back(loop_json(options, loop));

    out.push_back({{"id", std::to_string(location.id())},
                   {"rank", k / options.threads},
                   {"thread", k % options.threads},
                   {"loops", std::move(of_location)}});

    ++k;
  }

  return out;
}

}  // namespace

void write_truth(const std::filesystem::path& file, const Options& options, const CallTrees& trees,
                 Program& program) {
  const Json truth{{"ticks_per_second", ticks_per_second},    {"resolution", options.resolution},
                   {"call_paths", call_paths(trees)},         {"weak_classes", weak_classes(trees)},
                   {"strong_classes", strong_classes(trees)}, {"loops", loops(options)},
                   {"locations", locations(options, program)}};

  std::ofstream out(file);
  out << truth << std::endl;
  if (!out)
    throw std::runtime_error("truth.json could not be written");
}

}  // namespace tracefold::testing
