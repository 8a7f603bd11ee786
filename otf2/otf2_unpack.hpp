// Turns the slots of a record into the arguments of OTF2's write functions.
#pragma once

#include <otf2/otf2.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tracefold::detail {

template <class T>
T from_bits(std::uint64_t bits) {
  if constexpr (std::is_union_v<T>) {
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  } else {
    return static_cast<T>(bits);
  }
}

template <class T>
struct Argument {
  T get(std::uint64_t bits, std::span<const std::uint64_t>, const std::string&) {
    return from_bits<T>(bits);
  }
};

template <>
struct Argument<const char*> {
  const char* get(std::uint64_t, std::span<const std::uint64_t>, const std::string& text) {
    return text.c_str();
  }
};

template <class T>
struct Argument<const T*> {
  std::vector<T> array;
  const T* get(std::uint64_t, std::span<const std::uint64_t> part, const std::string&) {
    array.reserve(part.size());
    for (auto bits : part)
      array.push_back(from_bits<T>(bits));
    return array.data();
  }
};

template <class T>
inline constexpr bool is_array_argument = std::is_pointer_v<T> && !std::is_same_v<T, const char*>;

// Calls `f` with the arguments that the slots and the list hold; arrays stand
// one behind the other in the list and are as long as the slot before the
// first of them says.
template <class... Args, class F>
OTF2_ErrorCode call_unpacked(const std::uint64_t* slots, std::span<const std::uint64_t> list,
                             const std::string& text, F&& f) {
  constexpr std::array<bool, sizeof...(Args) + 1> arrays{is_array_argument<Args>..., false};

  constexpr std::size_t count = [&] {
    std::size_t n = 0;
    for (bool a : arrays)
      n += a;
    return n;
  }();

  const std::size_t length = count ? list.size() / (count ? count : 1) : 0;
  std::tuple<Argument<Args>...> holders;
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    [[maybe_unused]] constexpr auto before = [](const auto& flags, std::size_t i) {
      std::size_t n = 0;
      for (std::size_t k = 0; k < i; ++k)
        n += flags[k];
      return n;
    };

    return f(std::get<I>(holders).get(
        slots[I], arrays[I] ? list.subspan(before(arrays, I) * length, length) : list.first(0),
        text)...);
  }
  (std::index_sequence_for<Args...>{});
}

}  // namespace tracefold::detail
