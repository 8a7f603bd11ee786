// Packs values as bytes that another process of the same program can unpack. Small numbers take few
// bytes, a list begins with its length, and a checksum follows at the end.
//
// It packs numbers, enumerations, texts, vectors, arrays, pairs, maps, sets and optional values,
// and each class that lists its members in a function found by argument-dependent lookup:
//
//   auto list_members(Like<Point> auto& point) { return std::tie(point.x, point.y); }
//
// Memory: the bytes, besides the value. Thread-safe.
#pragma once

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "base/varints.hpp"

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace tracefold {

// T or const T.
template <class Type, class T>
concept Like = std::same_as<std::remove_const_t<Type>, T>;

namespace detail {

[[noreturn]] inline void throw_damaged_values() {
  throw Error(ErrorKind::input, "what another process found arrived damaged");
}

class Packer {
 public:
  template <class Number>
  void visit_number(Number value) {
    put_varint(bytes_, static_cast<std::uint64_t>(value));
  }
  void visit_size(const auto& list) { visit_number(list.size()); }
  void visit_text(const std::string& text) {
    visit_size(text);
    bytes_ += text;
  }

  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}

  template <class Number>
  void visit_number(Number& value) {
    value = static_cast<Number>(bytes_.take());
  }
  void visit_size(auto& list) {
    std::size_t size = 0;
    visit_number(size);
    if (size > bytes_.size())  // every element takes a byte at least
      throw_damaged_values();
    list.resize(size);
  }
  void visit_text(std::string& text) {
    std::size_t size = 0;
    visit_number(size);
    text = bytes_.take_bytes(size);
  }

  bool at_end() const { return bytes_.at_end(); }

 private:
  VarintReader bytes_;
};

template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t size>
inline constexpr bool is_array<std::array<T, size>> = true;
template <class T>
inline constexpr bool is_pair = false;
template <class A, class B>
inline constexpr bool is_pair<std::pair<A, B>> = true;
template <class T>
inline constexpr bool is_map = false;
template <class Key, class T>
inline constexpr bool is_map<std::map<Key, T>> = true;
template <class Key, class T, class Hash>
inline constexpr bool is_map<std::unordered_map<Key, T, Hash>> = true;
template <class T>
inline constexpr bool is_tuple = false;
template <class... Types>
inline constexpr bool is_tuple<std::tuple<Types...>> = true;
template <class T>
inline constexpr bool is_set = false;
template <class T>
inline constexpr bool is_set<std::set<T>> = true;
template <class T>
inline constexpr bool is_set<std::unordered_set<T>> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

// 0, -1, 1 and -2 are packed as 0, 1, 2 and 3, so that small numbers of both signs take few bytes.
template <class Visitor, class Value>
void visit_signed(Visitor& visitor, Value& value) {
  auto number = to_zigzag(static_cast<std::uint64_t>(value));
  visitor.visit_number(number);
  if constexpr (!std::is_const_v<Value>)
    value = static_cast<Value>(from_zigzag(number));
}

// The bit pattern is packed.
template <class Visitor, class Value>
void visit_floating(Visitor& visitor, Value& value) {
  using T = std::remove_const_t<Value>;
  static_assert(std::same_as<T, float> || std::same_as<T, double>);
  using Bits = std::conditional_t<std::same_as<T, float>, std::uint32_t, std::uint64_t>;
  auto bits = std::bit_cast<Bits>(value);
  visitor.visit_number(bits);
  if constexpr (!std::is_const_v<Value>)
    value = std::bit_cast<T>(bits);
}

// Eight values in each byte, the first one in its lowest bit.
template <class Visitor, class Bits>
void visit_bits(Visitor& visitor, Bits& bits) {
  auto size = bits.size();
  visitor.visit_number(size);
  std::string bytes;
  if constexpr (std::is_const_v<Bits>) {
    bytes.resize((size + 7) / 8);
    for (std::size_t i = 0; i < size; ++i)
      bytes[i / 8] = static_cast<char>(bytes[i / 8] | (bits[i] << i % 8));
    visitor.visit_text(bytes);
  } else {
    visitor.visit_text(bytes);
    if (size / 8 + (size % 8 != 0) != bytes.size())
      throw_damaged_values();
    bits.resize(size);
    for (std::size_t i = 0; i < size; ++i)
      bits[i] = (bytes[i / 8] >> i % 8 & 1) != 0;
  }
}

// Packs `value`, or unpacks into it; it has to be empty then.
template <class Visitor, class Value>
void visit_value(Visitor& visitor, Value& value) {
  using T = std::remove_const_t<Value>;
  if constexpr (std::unsigned_integral<T> || std::is_enum_v<T>) {
    visitor.visit_number(value);
  } else if constexpr (std::signed_integral<T>) {
    visit_signed(visitor, value);
  } else if constexpr (std::floating_point<T>) {
    visit_floating(visitor, value);
  } else if constexpr (std::same_as<T, std::string>) {
    visitor.visit_text(value);
  } else if constexpr (std::same_as<T, std::vector<bool>>) {
    visit_bits(visitor, value);
  } else if constexpr (is_vector<T> || is_array<T>) {
    if constexpr (is_vector<T>)
      visitor.visit_size(value);
    for (auto& element : value)
      visit_value(visitor, element);
  } else if constexpr (is_pair<T>) {
    visit_value(visitor, value.first);
    visit_value(visitor, value.second);
  } else if constexpr (is_optional<T>) {
    std::vector<typename T::value_type> content;
    if (value)
      content.push_back(*value);
    visit_value(visitor, content);
    if constexpr (!std::is_const_v<Value>)
      if (!content.empty())
        value = std::move(content.front());
  } else if constexpr (is_set<T>) {
    std::vector<typename T::value_type> elements(value.begin(), value.end());
    visit_value(visitor, elements);
    if constexpr (!std::is_const_v<Value>)
      value.insert(elements.begin(), elements.end());
  } else if constexpr (is_map<T>) {
    std::vector<std::pair<typename T::key_type, typename T::mapped_type>> entries(value.begin(),
                                                                                  value.end());
    visit_value(visitor, entries);
    if constexpr (!std::is_const_v<Value>)
      value.insert(entries.begin(), entries.end());
  } else if constexpr (is_tuple<T>) {
    std::apply([&](auto&... members) { (visit_value(visitor, members), ...); }, value);
  } else {
    std::apply([&](auto&... members) { (visit_value(visitor, members), ...); },
               list_members(value));
  }
}

}  // namespace detail

template <class T>
std::string pack(const T& value) {
  detail::Packer packer;
  detail::visit_value(packer, value);
  auto bytes = packer.take();
  return bytes + hash_text(bytes);
}

// Throws Error(input) where the bytes are damaged.
template <class T>
T unpack(std::string_view bytes) {
  static const auto checksum_size = hash_text("").size();
  if (bytes.size() < checksum_size)
    detail::throw_damaged_values();
  const auto checksum = bytes.substr(bytes.size() - checksum_size);
  bytes.remove_suffix(checksum_size);
  if (hash_text(bytes) != checksum)
    detail::throw_damaged_values();

  T value;
  detail::Unpacker unpacker(bytes);
  detail::visit_value(unpacker, value);
  if (!unpacker.at_end())
    detail::throw_damaged_values();
  return value;
}

}  // namespace tracefold
