// Converts between the values of a record and the arguments of libotf2's functions, in both
// directions. Pure functions.
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

// The bits of a typed value. Bytes of the union that its type does not use are left out, since OTF2
// does not define them.
inline std::uint64_t to_bits(std::uint64_t type, const OTF2_AttributeValue& value) {
  switch (type) {
    case OTF2_TYPE_UINT8:
    case OTF2_TYPE_INT8: return value.uint8;
    case OTF2_TYPE_UINT16:
    case OTF2_TYPE_INT16: return value.uint16;
    case OTF2_TYPE_UINT64:
    case OTF2_TYPE_INT64:
    case OTF2_TYPE_DOUBLE:
    case OTF2_TYPE_LOCATION: return value.uint64;
    default: return value.uint32;
  }
}

// Stores the arguments of a callback: scalars in consecutive slots, arrays in `list`, and
// characters in `text` (null where the record has none). The scalar before the first array is the
// length of the arrays.
struct ArgumentReader {
  std::uint64_t* slot;
  std::vector<std::uint64_t>& list;
  std::string* text;
  std::uint64_t last = 0;

  template <class... Args>
  void read(const Args&... args) {
    (read_one(args), ...);
  }

 private:
  template <class T>
  void read_one(const T& arg) {
    if constexpr (std::is_same_v<T, const char*>) {
      if (text && arg)
        *text = arg;
      *slot++ = 0;
    } else if constexpr (std::is_pointer_v<T>) {
      const std::size_t begin = list.size();
      for (std::uint64_t k = 0; k < last; ++k)
        list.push_back(element(arg[k], begin >= last ? list[begin - last + k] : 0));
      *slot++ = 0;
    } else {
      *slot = element(arg, last);
      if constexpr (!std::is_same_v<T, OTF2_AttributeValue>)
        last = *slot;
      ++slot;
    }
  }

  // `type` is the argument before it: the type of the value in the union.
  template <class T>
  static std::uint64_t element(const T& value, std::uint64_t type) {
    if constexpr (std::is_same_v<T, OTF2_AttributeValue>) {
      return to_bits(type, value);
    } else if constexpr (std::is_union_v<T>) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      return bits;
    } else {
      return static_cast<std::uint64_t>(value);
    }
  }
};

// The opposite of to_bits().
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

// One argument of a write function, with the memory that it points to.
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

// Calls `function` with the arguments in the slots and the list. The arrays follow each other in
// the list and have equal lengths.
template <class... Args, class Function>
OTF2_ErrorCode call_with_slots(const std::uint64_t* slots, std::span<const std::uint64_t> list,
                               const std::string& text, Function&& function) {
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

    return function(std::get<I>(holders).get(
        slots[I], arrays[I] ? list.subspan(before(arrays, I) * length, length) : list.first(0),
        text)...);
  }
  (std::index_sequence_for<Args...>{});
}

}  // namespace tracefold::detail
