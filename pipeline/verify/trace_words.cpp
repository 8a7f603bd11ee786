#include "pipeline/verify/trace_words.hpp"

#include <fmt/format.h>

namespace tracefold {

namespace {

// In quotation marks; empty where it has none.
std::string find_quoted_name(const Definitions& definitions, const Definition& definition) {
  if (definition.kind == DefinitionKind::String)
    return fmt::format("'{}'", definition.text);

  const auto shape = get_row(definition.kind).shape();
  for (std::size_t k = 0; k < shape.size(); ++k)
    if (shape[k].name == "name" && shape[k].role == FieldRole::ref)
      return fmt::format("'{}'", definitions.text(definition.fields[k]));

  return {};
}

}  // namespace

TraceWords::TraceWords(const Definitions& definitions)
    : definitions_(definitions),
      properties_(read_location_properties(definitions)),
      times_(definitions) {}

std::string TraceWords::describe_location(std::uint64_t id) const {
  auto words = fmt::format("location {}", id);
  const auto at = properties_.find(id);
  if (at == properties_.end() || !at->second.rank)
    return words;

  const auto thread = at->second.thread.value_or(0);
  words += fmt::format(" (rank {}", *at->second.rank);
  return words + (thread > 0 ? fmt::format(", thread {})", thread) : ")");
}

std::string TraceWords::describe_event(EventKind kind, std::uint64_t region) const {
  const auto name = get_row(kind).name;
  if (kind != EventKind::Enter && kind != EventKind::Leave)
    return std::string(name);

  const auto* found = definitions_.find(Ref::region, region);
  return fmt::format("{} of {}", name,
                     found ? find_quoted_name(definitions_, *found)
                           : fmt::format("region {}, which is not defined", region));
}

// Whole numbers, so that times that differ by a tick differ in words.
std::string TraceWords::describe_time(std::uint64_t ticks) const {
  __extension__ using WideTicks = unsigned __int128;
  const auto begin = times_.begin();
  const auto ticks_per_second = times_.ticks_per_second();
  const bool is_before = ticks < begin;
  const auto passed = is_before ? begin - ticks : ticks - begin;

  std::uint64_t steps = 1;  // that can be told apart, of a second
  int digits = 0;
  for (; steps < ticks_per_second && digits < 18; ++digits)
    steps *= 10;
  const auto part =
      static_cast<std::uint64_t>(WideTicks{passed % ticks_per_second} * steps / ticks_per_second);

  auto words =
      fmt::format("{}{}.{:0{}}", is_before ? "-" : "", passed / ticks_per_second, part, digits);
  words.erase(words.find_last_not_of('0') + 1);
  if (words.back() == '.')
    words.pop_back();

  return words + " s";
}

std::string describe_value(const Definitions& definitions, const Field& field,
                           std::uint64_t value) {
  const auto* named =
      field.role == FieldRole::ref ? definitions.find(field.target, value) : nullptr;
  const auto name = named ? find_quoted_name(definitions, *named) : "";
  if (name.empty())
    return std::to_string(value);

  return field.target == Ref::string ? name : fmt::format("{} ({})", value, name);
}

std::string describe_definition(const Definitions& definitions, const Definition& definition) {
  const auto name = find_quoted_name(definitions, definition);
  return name.empty() ? describe(definition) : fmt::format("{} ({})", describe(definition), name);
}

}  // namespace tracefold
