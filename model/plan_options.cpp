#include "model/plan_options.hpp"

#include "base/error.hpp"
#include "base/json_fields.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>

namespace tracefold {

namespace {

constexpr Word<TreeChoice> tree_words[] = {{TreeChoice::machine, "machine"},
                                           {TreeChoice::groups, "groups"}};
constexpr Word<CompareBy> compare_words[] = {{CompareBy::pairs, "pairs"},
                                             {CompareBy::functions, "functions"},
                                             {CompareBy::signature, "signature"}};
constexpr Word<ClusterLevel> level_words[] = {{ClusterLevel::main, "main"},
                                              {ClusterLevel::sub, "sub"}};
constexpr Word<ComparePeers> peer_words[] = {{ComparePeers::relative, "relative"},
                                             {ComparePeers::pattern, "pattern"},
                                             {ComparePeers::ignore, "ignore"}};
constexpr Word<bool> byte_words[] = {{true, "5%"}, {false, "ignore"}};
constexpr Word<bool> order_words[] = {{true, "keep"}, {false, "ignore"}};
constexpr Word<Choice> choice_words[] = {{Choice::first, "first"},
                                         {Choice::medoid, "medoid"},
                                         {Choice::slowest, "slowest"},
                                         {Choice::connected, "connected"}};
constexpr Word<TimeFeatures> feature_words[] = {{TimeFeatures::ten, "ten"},
                                                {TimeFeatures::all, "all"}};

template <class Value, std::size_t count>
Value parse(const Word<Value> (&words)[count], std::string_view word, const char* what,
            const char* choices) {
  if (const auto value = find_by_word(words, word))
    return *value;
  throw Error(ErrorKind::usage, fmt::format("'{}' is {}", word, what)).hint(choices);
}

std::string write_per_group(std::size_t number) {
  return number == auto_per_group ? "auto" : std::to_string(number);
}

}  // namespace

std::string_view to_text(TreeChoice tree) {
  return get_word(tree_words, tree);
}

std::string_view to_text(CompareBy by) {
  return get_word(compare_words, by);
}

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
  return parse(compare_words, word, "nothing to compare processes by",
               "pairs, functions or signature");
}

ClusterLevel parse_level(std::string_view word) {
  return parse(level_words, word, "no level of clusters", "main or sub");
}

ComparePeers parse_peers(std::string_view word) {
  return parse(peer_words, word, "no way to compare peers", "relative, pattern or ignore");
}

bool parse_compare_bytes(std::string_view word) {
  return parse(byte_words, word, "no way to compare bytes", "5% or ignore");
}

bool parse_keep_order(std::string_view word) {
  return parse(order_words, word, "no way to see the order of operations", "keep or ignore");
}

TreeChoice parse_tree(std::string_view word) {
  return parse(tree_words, word, "no system tree to write", "machine or groups");
}

Choice parse_choice(std::string_view word) {
  return parse(choice_words, word, "no way to choose a representative",
               "first, medoid, slowest or connected");
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
  return parse(feature_words, word, "no choice of functions whose times make clusters",
               "ten or all");
}

void list_fields(JsonFields& fields, SignatureOptions& signature) {
  fields.text("level", signature.level, word_writer(level_words), parse_level);
  fields.text("peers", signature.peers, word_writer(peer_words), parse_peers);
  fields.text("bytes", signature.compare_bytes, word_writer(byte_words), parse_compare_bytes);
  fields.text("order", signature.keep_order, word_writer(order_words), parse_keep_order);
}

void list_fields(JsonFields& fields, Comparison& comparison) {
  fields.text("by", comparison.by, word_writer(compare_words), parse_compare_by);
  fields.field("ignore", comparison.ignore);
  fields.field("ignore_root", comparison.ignore_root);
  fields.field("combine", comparison.combine);
  if (comparison.by == CompareBy::signature)
    fields.field("signature", comparison.signature);
}

void list_fields(JsonFields& fields, Selection& selection) {
  fields.text("by", selection.choice, word_writer(choice_words), parse_choice);
  fields.text("per_group", selection.per_group, write_per_group, parse_per_group);
  fields.ranges("always", selection.always);
  if (fields.has("time_features", selection.features != TimeFeatures::ten))
    fields.text("time_features", selection.features, word_writer(feature_words),
                parse_time_features);
  if (fields.has("odd", !selection.keep_odd))
    fields.field("odd", selection.keep_odd);
  if (fields.has("rows", selection.rows > 0))
    fields.field("rows", selection.rows);
}

}  // namespace tracefold
