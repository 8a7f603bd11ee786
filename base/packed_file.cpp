#include "base/packed_file.hpp"

#include "base/error.hpp"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

namespace tracefold {

namespace {

constexpr std::string_view first_word = "tracefold packed ";
constexpr std::string_view version_line = "tracefold packed 1\n";

// Sections of many megabytes may repeat themselves over all of their length, in pieces of some
// dozen bytes: these are looked for from each eighth byte on, with 32 MiB for where they were.
constexpr std::pair<ZSTD_cParameter, int> parameters[] = {{ZSTD_c_compressionLevel, 3},
                                                          {ZSTD_c_windowLog, 25},
                                                          {ZSTD_c_enableLongDistanceMatching, 1},
                                                          {ZSTD_c_ldmMinMatch, 32},
                                                          {ZSTD_c_ldmHashRateLog, 3},
                                                          {ZSTD_c_ldmHashLog, 22}};

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

template <std::size_t bytes>
void put_number(std::string& out, std::uint64_t number) {
  for (std::size_t k = 0; k < bytes; ++k)
    out += static_cast<char>(number >> (8 * k) & 0xff);
}

std::string pack(ZSTD_CCtx* context, const std::string& bytes) {
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  const auto size =
      ZSTD_compress2(context, packed.data(), packed.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size))
    throw std::bad_alloc();  // there is room enough, and nothing else goes wrong
  packed.resize(size);
  return packed;
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
    // A frame tells how much it holds, so that a size that lies takes no memory.
    if (ZSTD_getFrameContentSize(packed.data(), packed.size()) != size)
      refuse_file("a section has another size than it says");
    const std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
    if (!context)
      throw std::bad_alloc();
    std::string bytes(static_cast<std::size_t>(size), '\0');
    const auto unpacked = ZSTD_decompressDCtx(context.get(), bytes.data(), bytes.size(),
                                              packed.data(), packed.size());
    if (ZSTD_isError(unpacked) || unpacked != size)
      refuse_file("a section is damaged");
    return bytes;
  }

  std::string_view rest_;
  std::uint64_t left_;
};

}  // namespace

std::string pack_sections(const PackedSections& sections) {
  const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
  if (!context)
    throw std::bad_alloc();
  for (const auto& [parameter, value] : parameters)
    ZSTD_CCtx_setParameter(context.get(), parameter, value);

  std::string file(version_line);
  for (const auto& [name, bytes] : sections) {
    const auto packed = pack(context.get(), bytes);
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
