#include "model/plan_options.hpp"

#include "base/error.hpp"
#include "base/ranges.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>

namespace tracefold {

using Json = nlohmann::ordered_json;

std::string_view to_text(TreeChoice tree) {
  return tree == TreeChoice::groups ? "groups" : "machine";
}

std::string_view to_text(CompareBy by) {
  switch (by) {
    case CompareBy::functions: return "functions";
    case CompareBy::signature: return "signature";
    default: return "pairs";
  }
}

namespace {

std::string_view to_text(ClusterLevel level) {
  return level == ClusterLevel::main ? "main" : "sub";
}

std::string_view to_text(ComparePeers peers) {
  switch (peers) {
    case ComparePeers::pattern: return "pattern";
    case ComparePeers::ignore: return "ignore";
    default: return "relative";
  }
}

std::string_view word_of_bytes(bool compared) {
  return compared ? "5%" : "ignore";
}

std::string_view word_of_order(bool kept) {
  return kept ? "keep" : "ignore";
}

[[noreturn]] void refuse_word(std::string_view word, const char* what, const char* choices) {
  throw Error(ErrorKind::usage, fmt::format("'{}' is no {}", word, what)).hint(choices);
}

std::string_view to_text(Choice choice) {
  switch (choice) {
    case Choice::first: return "first";
    case Choice::slowest: return "slowest";
    case Choice::connected: return "connected";
    default: return "medoid";
  }
}

std::string_view to_text(TimeFeatures features) {
  return features == TimeFeatures::all ? "all" : "ten";
}

}  // namespace

Comparison change_comparison(Comparison comparison, const ComparisonOptions& options) {
  if (options.by)
    comparison.by = *options.by;
  if (!options.ignore.empty())
    comparison.ignore = options.ignore;
  if (options.ignore_root)
    comparison.ignore_root = true;
  if (!options.combine.empty())
    comparison.combine = options.combine;

  auto& signature = comparison.signature;
  signature.level = options.level.value_or(signature.level);
  signature.peers = options.peers.value_or(signature.peers);
  signature.compare_bytes = options.compare_bytes.value_or(signature.compare_bytes);
  signature.keep_order = options.keep_order.value_or(signature.keep_order);

  return comparison;
}

CompareBy parse_compare_by(std::string_view word) {
  for (auto by : {CompareBy::pairs, CompareBy::functions, CompareBy::signature})
    if (word == to_text(by))
      return by;
  throw Error(ErrorKind::usage, fmt::format("'{}' is nothing to compare processes by", word))
      .hint("pairs, functions or signature");
}

ClusterLevel parse_level(std::string_view word) {
  for (auto level : {ClusterLevel::main, ClusterLevel::sub})
    if (word == to_text(level))
      return level;
  refuse_word(word, "level of clusters", "main or sub");
}

ComparePeers parse_peers(std::string_view word) {
  for (auto peers : {ComparePeers::relative, ComparePeers::pattern, ComparePeers::ignore})
    if (word == to_text(peers))
      return peers;
  refuse_word(word, "way to compare peers", "relative, pattern or ignore");
}

bool parse_compare_bytes(std::string_view word) {
  for (auto compared : {true, false})
    if (word == word_of_bytes(compared))
      return compared;
  refuse_word(word, "way to compare bytes", "5% or ignore");
}

bool parse_keep_order(std::string_view word) {
  for (auto kept : {true, false})
    if (word == word_of_order(kept))
      return kept;
  refuse_word(word, "way to see the order of operations", "keep or ignore");
}

TreeChoice parse_tree(std::string_view word) {
  for (auto tree : {TreeChoice::machine, TreeChoice::groups})
    if (word == to_text(tree))
      return tree;
  refuse_word(word, "system tree to write", "machine or groups");
}

Choice parse_choice(std::string_view word) {
  for (auto choice : {Choice::first, Choice::medoid, Choice::slowest, Choice::connected})
    if (word == to_text(choice))
      return choice;
  throw Error(ErrorKind::usage, fmt::format("'{}' is no way to choose a representative", word))
      .hint("first, medoid, slowest or connected");
}

std::size_t parse_per_group(std::string_view word) {
  if (word == "auto")
    return auto_per_group;

  std::uint32_t number = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (code != std::errc{} || end != word.data() + word.size() || number == 0)
    throw Error(ErrorKind::usage,
                fmt::format("'{}' is no number of processes to keep per group", word))
        .hint("1 or more, or auto");

  return number;
}

TimeFeatures parse_time_features(std::string_view word) {
  for (auto features : {TimeFeatures::ten, TimeFeatures::all})
    if (word == to_text(features))
      return features;
  refuse_word(word, "choice of functions whose times make clusters", "ten or all");
}

Json to_json(const Comparison& c) {
  Json out{{"by", to_text(c.by)},
           {"ignore", c.ignore},
           {"ignore_root", c.ignore_root},
           {"combine", c.combine}};
  if (c.by == CompareBy::signature)
    out["signature"] = {{"level", to_text(c.signature.level)},
                        {"peers", to_text(c.signature.peers)},
                        {"bytes", word_of_bytes(c.signature.compare_bytes)},
                        {"order", word_of_order(c.signature.keep_order)}};
  return out;
}

Json to_json(const Selection& s) {
  Json out{{"by", to_text(s.choice)}};
  out["per_group"] = s.per_group == auto_per_group ? "auto" : std::to_string(s.per_group);
  out["keep_extremes"] = s.keep_extremes;
  out["always"] = to_ranges(s.always);
  if (s.features != TimeFeatures::ten)
    out["time_features"] = to_text(s.features);
  return out;
}

Comparison comparison_from_json(const Json& in) {
  Comparison c{parse_compare_by(in.at("by").get_ref<const std::string&>()),
               in.at("ignore").get<std::vector<std::string>>(),
               in.at("ignore_root"),
               in.at("combine").get<std::vector<std::string>>(),
               {}};
  if (c.by == CompareBy::signature) {
    const auto& signature = in.at("signature");
    const auto word = [&](const char* key) -> const std::string& {
      return signature.at(key).get_ref<const std::string&>();
    };
    c.signature = {parse_level(word("level")), parse_peers(word("peers")),
                   parse_compare_bytes(word("bytes")), parse_keep_order(word("order"))};
  }
  return c;
}

Selection selection_from_json(const Json& in) {
  Selection selection{parse_choice(in.at("by").get_ref<const std::string&>()),
                      parse_per_group(in.at("per_group").get_ref<const std::string&>()),
                      in.at("keep_extremes"),
                      parse_ranges(in.at("always").get_ref<const std::string&>())};
  if (const auto features = in.find("time_features"); features != in.end())
    selection.features = parse_time_features(features->get_ref<const std::string&>());
  return selection;
}

}  // namespace tracefold
