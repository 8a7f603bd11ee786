#include "base/packed_file.hpp"

#include "base/error.hpp"
#include "base/zstd_frame.hpp"

#include <fmt/format.h>

namespace tracefold {

namespace {

constexpr std::string_view first_word = "tracefold packed ";
constexpr std::string_view version_line = "tracefold packed 1\n";

template <std::size_t bytes>
void put_number(std::string& out, std::uint64_t number) {
  for (std::size_t k = 0; k < bytes; ++k)
    out += static_cast<char>(number >> (8 * k) & 0xff);
}

[[noreturn]] void refuse_file(std::string_view why) {
  throw Error(ErrorKind::input, fmt::format("is no file of packed sections: {}", why));
}

class Unpacker {
 public:
  Unpacker(std::string_view file, std::uint64_t most_bytes) : rest_(file), left_(most_bytes) {}

  PackedSections unpack() {
    check_version();
    PackedSections sections;
    while (!rest_.empty()) {
      const std::string name(take(take_number<4>()));
      const auto size = take_number<8>(), packed = take_number<8>();
      if (size > left_)
        refuse_file("its sections are too large");
      left_ -= size;
      if (!sections.try_emplace(name, unpack_section(take(packed), size)).second)
        refuse_file(fmt::format("it has two sections '{}'", name.substr(0, 40)));
    }
    return sections;
  }

 private:
  void check_version() {
    if (rest_.starts_with(version_line)) {
      rest_.remove_prefix(version_line.size());
      return;
    }
    const auto end = rest_.find('\n');
    if (!rest_.starts_with(first_word) || end == std::string_view::npos || end > 40)
      refuse_file("it does not begin as one");
    throw Error(ErrorKind::input,
                fmt::format("is a packed file of version {}, and version 1 is read",
                            rest_.substr(first_word.size(), end - first_word.size())));
  }

  std::string_view take(std::uint64_t bytes) {
    if (bytes > rest_.size())
      refuse_file("it is cut");
    const auto taken = rest_.substr(0, static_cast<std::size_t>(bytes));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  template <std::size_t bytes>
  std::uint64_t take_number() {
    std::uint64_t number = 0;
    const auto taken = take(bytes);
    for (std::size_t k = 0; k < bytes; ++k)
      number |= std::uint64_t{static_cast<unsigned char>(taken[k])} << (8 * k);
    return number;
  }

  std::string unpack_section(std::string_view packed, std::uint64_t size) {
    try {
      return unpack_frame(packed, size);
    } catch (const Error& problem) {
      refuse_file(std::string("of a section, ") + problem.what());
    }
  }

  std::string_view rest_;
  std::uint64_t left_;
};

}  // namespace

std::string pack_sections(const PackedSections& sections) {
  std::string file(version_line);
  for (const auto& [name, bytes] : sections) {
    const auto packed = pack_frame(bytes, FrameContent::sections);
    put_number<4>(file, name.size());
    file += name;
    put_number<8>(file, bytes.size());
    put_number<8>(file, packed.size());
    file += packed;
  }
  return file;
}

PackedSections unpack_sections(std::string_view file, std::uint64_t most_bytes) {
  return Unpacker(file, most_bytes).unpack();
}

}  // namespace tracefold
