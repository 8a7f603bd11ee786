// Turns the arguments of OTF2's callbacks into the slots of a record.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace tracefold::detail {

// The value of a union by its type; the bytes beyond it are not defined by OTF2.
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

// Scalars go to consecutive slots, arrays to `list`; an array is as long as
// the scalar before the first array says.
struct Packer {
  std::uint64_t* slot;
  std::vector<std::uint64_t>& list;
  std::string* text;
  std::uint64_t last = 0;

  template <class... Args>
  void pack(const Args&... args) {
    (one(args), ...);
  }

 private:
  template <class T>
  void one(const T& arg) {
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

  // `type` is what stands before a union.
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

}  // namespace tracefold::detail
