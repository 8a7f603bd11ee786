#include "otf2/anchor_file.hpp"

#include "base/error.hpp"
#include "otf2/byte_cursor.hpp"
#include "otf2/chunk_file.hpp"

#include <algorithm>
#include <string_view>

namespace tracefold {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_anchor = 16 << 20;  // bytes
constexpr std::uint64_t most_properties = 4096;     // libotf2 compares each with all others
constexpr std::string_view magic("OTF2\0", 5);
constexpr std::uint8_t current_format =
    3;  // of the anchor; later ones add fields behind those known
constexpr std::uint64_t posix = 1, uncompressed = 1;  // OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE

// Takes fields out of an anchor file until one is not there.
template <bool Big>
class AnchorFields {
 public:
  explicit AnchorFields(std::span<const std::uint8_t> bytes)
      : at_(bytes.data()), end_(at_ + bytes.size()) {}

  std::uint64_t number(unsigned width) {
    if (!skip(width))
      return 0;
    return load<Big>(at_ - width, width);
  }
  bool skip(std::uint64_t bytes) {
    whole_ = whole_ && bytes <= static_cast<std::uint64_t>(end_ - at_);
    if (whole_)
      at_ += bytes;
    return whole_;
  }
  void texts(std::uint64_t count) {
    for (; count > 0 && whole_; --count)
      skip(static_cast<std::uint64_t>(std::find(at_, end_, 0) - at_) + 1);
  }
  bool whole() const { return whole_; }

 private:
  const std::uint8_t *at_, *end_;
  bool whole_ = true;
};

bool is_chunk_size(std::uint64_t size) {
  return size >= wire::smallest_chunk && size <= wire::largest_chunk;
}

// Of what follows on the magic word.
template <bool Big>
bool is_whole(std::span<const std::uint8_t> bytes) {
  AnchorFields<Big> fields(bytes);
  const auto format = fields.number(1);
  fields.skip(4);  // versions
  const auto event_chunk = fields.number(8), definition_chunk = fields.number(8);
  const auto substrate = fields.number(1), compression = fields.number(1);
  fields.skip(16);  // numbers of locations and definitions
  fields.texts(3);  // machine, creator, description

  if (format > 1) {
    const auto properties = fields.number(4);
    if (properties > most_properties)
      return false;
    fields.texts(2 * properties);
    fields.skip(8);  // identifier
  }

  if (format > 2)
    fields.skip(8);  // numbers of snapshots and thumbnails
  if (format == current_format && fields.number(1) != wire::file_end)
    return false;

  const bool plain = substrate == posix && compression == uncompressed;

  return format > 0 && fields.whole() &&
         (!plain || (is_chunk_size(event_chunk) && is_chunk_size(definition_chunk)));
}

void check_place(const fs::path& anchor) {
  std::error_code problem;
  const auto status = fs::status(anchor, problem);
  if (!fs::exists(status))
    throw Error(ErrorKind::input,
                status.type() == fs::file_type::not_found ? "no such file" : problem.message())
        .in(anchor.string())
        .hint("give the anchor file, as in app/traces.otf2");

  if (fs::is_directory(status))
    throw Error(ErrorKind::input, "is a folder")
        .in(anchor.string())
        .hint("give the anchor file in it, as in app/traces.otf2");
}

}  // namespace

void check_anchor_file(const fs::path& anchor) {
  check_place(anchor);
  const auto file = ChunkFile::open(anchor, largest_anchor);
  ChunkBuffer buffer;
  const auto bytes =
      file && file->size() > 0 ? file->read(0, buffer).bytes : std::span<const std::uint8_t>();
  const bool begins = bytes.size() > 2 + magic.size() && bytes[0] == wire::chunk_header &&
                      std::equal(magic.begin(), magic.end(), bytes.begin() + 2);
  if (!begins)
    throw Error(ErrorKind::input, "not an OTF2 archive")
        .in(anchor.string())
        .hint("give the anchor file, as in app/traces.otf2");

  const auto rest = bytes.subspan(2 + magic.size());
  const bool whole =
      file->chunks() == 1 && ((bytes[1] == wire::little_endian && is_whole<false>(rest)) ||
                              (bytes[1] == wire::big_endian && is_whole<true>(rest)));
  if (!whole || ChunkBuffer::failed())
    throw Error(ErrorKind::input, "the anchor file is damaged")
        .in(anchor.string())
        .hint("copy it again");
}

}  // namespace tracefold
