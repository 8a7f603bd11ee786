// Describes the fields of a struct once, for writing it as a JSON object and for reading that:
//
//   void list_fields(JsonFields& fields, Point& point) {
//     fields.field("x", point.x);
//     fields.id("number", point.number);
//     fields.unless("weight", point.weight, 1);
//   }
//
// Then a point converts to JSON and json.get<Point>() reads one. Such a function is found by
// argument-dependent lookup. A field is what the JSON library converts, such as a described struct
// or a vector of these, or an optional value of it, which is left out where it is not set. Keys
// stand in the order of the description.
//
// Errors: a field that is missing or of another type throws what the JSON library throws, and a
// number that should count and does not throws Error(input).
#pragma once

#include "base/error.hpp"
#include "base/ranges.hpp"
#include "base/whole_number.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tracefold {

// The words of an enumeration, or of a choice between true and false.
template <class Value>
struct Word {
  Value value;
  const char* word;
};

template <class Value, std::size_t count>
constexpr std::optional<Value> find_by_word(const Word<Value> (&words)[count],
                                            std::string_view word) {
  for (const auto& one : words)
    if (one.word == word)
      return one.value;
  return std::nullopt;
}

// Every value has to have a word.
template <class Value, std::size_t count>
constexpr const char* get_word(const Word<Value> (&words)[count], Value value) {
  std::size_t at = 0;
  while (at + 1 < count && words[at].value != value)
    ++at;
  return words[at].word;
}

// For a field that is one of these words.
template <class Value, std::size_t count>
auto word_writer(const Word<Value> (&words)[count]) {
  return [&words](Value value) { return get_word(words, value); };
}

// Numbers of 64 bits are text in JSON.
inline std::string write_id(std::uint64_t id) {
  return std::to_string(id);
}
inline std::uint64_t read_id(const std::string& text) {
  const auto ids = parse_ranges(text, 1);
  if (ids.size() != 1)
    throw Error(ErrorKind::input, fmt::format("'{}' is not an id", text));
  return ids[0];
}

namespace detail {

template <class T>
inline constexpr bool is_count = std::unsigned_integral<T> && !std::same_as<T, bool>;
template <class T>
inline constexpr bool is_count_list = false;
template <class T>
inline constexpr bool is_count_list<std::vector<T>> = is_count<T>;

}  // namespace detail

class JsonFields {
 public:
  using Json = nlohmann::ordered_json;
  // Null is what is not done: reading, or writing.
  JsonFields(const Json* in, Json* out) : in_(in), out_(out) {}

  // Whether a field is there, which may be left out. Where it is written, `is_written` says so.
  bool has(const char* name, bool is_written = true) const {
    return out_ ? is_written : in_->contains(name);
  }
  template <class T>
  void field(const char* name, T& value) {
    if (out_)
      (*out_)[name] = value;
    else if constexpr (detail::is_count<T>)
      value = read_whole<T>(in_->at(name));
    else if constexpr (detail::is_count_list<T>)
      value = read_all_whole<typename T::value_type>(in_->at(name));
    else
      in_->at(name).get_to(value);
  }
  template <class T>
  void field(const char* name, std::optional<T>& value) {
    if (has(name, value.has_value()))
      field(name, out_ ? *value : value.emplace());
  }
  // Always written. Where it is missing, the value stays as it is.
  template <class T>
  void if_there(const char* name, T& value) {
    if (has(name))
      field(name, value);
  }
  // Null where the value is not set.
  template <class T>
  void nullable(const char* name, std::optional<T>& value) {
    if (out_ && !value)
      (*out_)[name] = nullptr;
    else if (out_ || !in_->at(name).is_null())
      field(name, value);
  }
  // Left out where the value is the one that it has before it is read.
  template <class T>
  void unless(const char* name, T& value, const std::type_identity_t<T>& usual) {
    if (has(name, value != usual))
      field(name, value);
  }
  // A text that write(value) gives and read(text) takes.
  template <class T, class Write, class Read>
  void text(const char* name, T& value, Write write, Read read) {
    form(name, value, write,
         [&](const Json& in) { return read(in.get_ref<const std::string&>()); });
  }
  template <class T>
  void id(const char* name, T& value) {
    text(name, value, write_id, read_id);
  }
  // Numbers as "0-6:2,9".
  void ranges(const char* name, std::vector<std::uint64_t>& numbers) {
    text(name, numbers, to_ranges, [](const std::string& text) { return parse_ranges(text); });
  }
  // Any JSON that write(value) gives and read(JSON) takes.
  template <class T, class Write, class Read>
  void form(const char* name, T& value, Write write, Read read) {
    if (out_)
      (*out_)[name] = write(value);
    else
      value = read(in_->at(name));
  }
  template <class T, class Write, class Read>
  void form(const char* name, std::optional<T>& value, Write write, Read read) {
    if (has(name, value.has_value()))
      form(name, out_ ? *value : value.emplace(), write, read);
  }
  // An object, whose fields list(fields) lists.
  void object(const char* name, auto list) {
    auto inside = Json::object();
    JsonFields fields(out_ ? nullptr : &in_->at(name), out_ ? &inside : nullptr);
    list(fields);
    if (out_)
      (*out_)[name] = std::move(inside);
  }

 private:
  const Json* in_;
  Json* out_;
};

// Adds the fields of a struct to an object.
template <class T>
void write_fields(T value, nlohmann::ordered_json& out) {
  JsonFields fields(nullptr, &out);
  list_fields(fields, value);
}

template <class T>
concept Described = requires(JsonFields& fields, T& value) {
  list_fields(fields, value);
};

// The JSON library finds these.
template <Described T>
void to_json(nlohmann::ordered_json& out, const T& value) {
  out = nlohmann::ordered_json::object();
  write_fields(value, out);
}
template <Described T>
void from_json(const nlohmann::ordered_json& in, T& value) {
  JsonFields fields(&in, nullptr);
  list_fields(fields, value);
}

}  // namespace tracefold
