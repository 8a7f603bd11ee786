#include "otf2/file_checks.hpp"

#include "base/error.hpp"
#include "otf2/anchors.hpp"
#include "otf2/definition_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t largest_anchor = 16 << 20;  // bytes
constexpr std::uint64_t most_properties = 4096;     // libotf2 compares each with all others
constexpr std::string_view magic("OTF2\0", 5);
constexpr std::uint8_t current_format = 3;  // of the anchor; later ones append fields
constexpr std::uint64_t posix = 1;          // OTF2_SUBSTRATE_POSIX
constexpr std::uint64_t uncompressed = 1;   // OTF2_COMPRESSION_NONE

// Takes the fields of an anchor file one after the other, until one is not there.
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

  void skip_texts(std::uint64_t count) {
    for (; count > 0 && whole_; --count)
      skip(static_cast<std::uint64_t>(std::find(at_, end_, 0) - at_) + 1);
  }

  bool whole() const { return whole_; }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  bool whole_ = true;
};

// Whether what follows the magic word of an anchor file is whole.
template <bool Big>
bool is_whole_anchor(std::span<const std::uint8_t> bytes) {
  AnchorFields<Big> fields(bytes);
  const auto format = fields.number(1);
  fields.skip(4);  // versions
  const auto event_chunk = fields.number(8);
  const auto definition_chunk = fields.number(8);
  const auto substrate = fields.number(1);
  const auto compression = fields.number(1);
  fields.skip(16);       // numbers of locations and definitions
  fields.skip_texts(3);  // machine, creator, description

  if (format > 1) {
    const auto properties = fields.number(4);
    if (properties > most_properties)
      return false;

    fields.skip_texts(2 * properties);
    fields.skip(8);  // identifier
  }

  if (format > 2)
    fields.skip(8);  // numbers of snapshots and thumbnails
  if (format == current_format && fields.number(1) != wire::file_end)
    return false;

  const bool is_plain = substrate == posix && compression == uncompressed;
  const bool has_chunks =
      !is_plain || (wire::is_chunk_size(event_chunk) && wire::is_chunk_size(definition_chunk));

  return format > 0 && fields.whole() && has_chunks;
}

void check_is_file(const fs::path& anchor) {
  std::error_code problem;
  const auto status = fs::status(anchor, problem);
  if (!fs::exists(status))
    throw Error(ErrorKind::input,
                status.type() == fs::file_type::not_found ? "no such file" : problem.message())
        .in(anchor.string())
        .hint("give the anchor file, as in app/traces.otf2");

  if (fs::is_directory(status)) {
    const auto inside = find_anchors_below(anchor, 2);
    throw Error(ErrorKind::input, "is a folder")
        .in(anchor.string())
        .hint(inside.size() == 1 ? fmt::format("did you mean {}?", inside.front().string())
              : inside.empty()
                  ? "no trace is in it; give an anchor file, as in app/traces.otf2"
                  : "give one of the anchor files in it, or `as_one` for all as one run");
  }
}

// The anchor file of the archive that such a file is a part of: app/traces.otf2 of app/traces.def
// and app/traces/0.evt. None where it is no such part, or the anchor is not there.
std::optional<fs::path> find_anchor_of_part(const fs::path& part) {
  const auto ending = part.extension();
  std::vector<fs::path> anchors;
  if (ending == ".def" || ending == ".marker")
    anchors.push_back(fs::path(part).replace_extension());
  if (ending == ".def" || ending == ".evt" || ending == ".snap")
    anchors.push_back(part.parent_path());

  for (auto& anchor : anchors) {
    anchor += anchor_ending;
    std::error_code unknown;
    if (fs::is_regular_file(anchor, unknown))
      return anchor;
  }
  return std::nullopt;
}

// Throws what is wrong with a file that does not begin as an anchor does.
[[noreturn]] void refuse_other_file(const fs::path& file, std::string_view format) {
  if (const auto anchor = find_anchor_of_part(file))
    throw Error(ErrorKind::input, "is a part of a trace")
        .in(file.string())
        .hint(fmt::format("give its anchor file {}", anchor->string()));
  if (format.empty() && file.extension() == anchor_ending)
    throw Error(ErrorKind::input, "not an OTF2 archive, or its anchor file is damaged")
        .in(file.string())
        .hint("copy it again");
  throw Error(ErrorKind::input, fmt::format("not an OTF2 archive{}", format))
      .in(file.string())
      .hint("give the anchor file, as in app/traces.otf2");
}

// A record of a region that ends behind the canonical name.
template <bool Big>
std::optional<RegionWithoutRole> find_region_without_role(ByteReader<Big> reader,
                                                          const std::uint8_t* end) {
  if (!is_region_without_role(reader, end))
    return std::nullopt;

  RegionWithoutRole region;
  region.id = reader.number(4);
  reader.number(4);  // the name
  reader.number(4);  // the description
  region.type = reader.u8();

  return region;
}

// `check` says whether the fields of a record end where it does, or before.
template <class Check>
void check_records(const fs::path& path, std::uint64_t chunk_size, const std::string& what,
                   Check&& check) {
  const auto refuse = [&](const std::string& problem) {
    throw Error(ErrorKind::input, what + problem).in(path.string()).hint("copy the archive again");
  };

  const auto file = ChunkFile::open(path, chunk_size);
  if (!file)
    throw Error(ErrorKind::input, what + " are missing").in(path.string()).hint(incomplete_archive);

  ChunkBuffer buffer;

  for (std::size_t k = 0; k < file->chunks(); ++k) {
    const auto walked = walk_records(file->read(k, buffer), [&](auto type, auto& reader, auto end) {
      return check(type, reader, end);
    });

    switch (walked.end) {
      case WalkEnd::chunk: break;
      case WalkEnd::file: return;
      case WalkEnd::fault:
        refuse(fmt::format(" end early or are damaged at byte {}", k * chunk_size + walked.at));
    }
  }

  refuse(" end early");
}

// What a file is that is no anchor: one of the kinds that are made of traces, and may be given for
// one. Empty where it is something else.
std::string_view name_other_format(std::span<const std::uint8_t> bytes) {
  constexpr std::uint8_t packet = 0x0a, packet_sequence = 0x50;  // fields of Perfetto's Trace
  const auto begins_with = [&](std::string_view text) {
    return bytes.size() >= text.size() &&
           std::equal(text.begin(), text.end(), bytes.begin(), [](char c, std::uint8_t byte) {
             return static_cast<std::uint8_t>(c) == byte;
           });
  };

  if (begins_with("{") || begins_with("["))
    return ", but JSON";
  if (begins_with("\x1f\x8b"))
    return ", but a file of gzip";
  const auto is_last = [](std::uint8_t byte) { return byte < 0x80; };
  if (bytes.empty() || bytes[0] != packet)
    return "";
  const auto length = std::find_if(bytes.begin() + 1, bytes.end(), is_last);
  const bool is_perfetto = bytes.end() - length > 1 && length[1] == packet_sequence;
  return is_perfetto ? ", but a trace of Perfetto" : "";
}

}  // namespace

void check_anchor_file(const fs::path& anchor) {
  check_is_file(anchor);

  const auto file = ChunkFile::open(anchor, largest_anchor);
  ChunkBuffer buffer;
  const auto chunk = file && file->size() > 0 ? file->read(0, buffer) : Chunk();
  const auto bytes = chunk.bytes;
  const bool is_anchor = bytes.size() > 2 + magic.size() && bytes[0] == wire::chunk_header &&
                         std::equal(magic.begin(), magic.end(), bytes.begin() + 2);
  if (!is_anchor)
    refuse_other_file(anchor, name_other_format(bytes));

  const auto rest = bytes.subspan(2 + magic.size());
  const bool is_whole =
      file->chunks() == 1 && ((bytes[1] == wire::little_endian && is_whole_anchor<false>(rest)) ||
                              (bytes[1] == wire::big_endian && is_whole_anchor<true>(rest)));
  if (!is_whole || chunk.has_failed)
    throw Error(ErrorKind::input, "the anchor file is damaged")
        .in(anchor.string())
        .hint("copy it again");
}

std::optional<std::string> describe_unusual_format(const fs::path& anchor) {
  constexpr std::size_t format_at = 7, substrate_at = 28, compression_at = 29;
  constexpr std::uint8_t sion = 2, zlib = 2;  // OTF2_SUBSTRATE_SION, OTF2_COMPRESSION_ZLIB

  const auto file = ChunkFile::open(anchor, largest_anchor);
  ChunkBuffer buffer;
  const auto bytes =
      file && file->size() > 0 ? file->read(0, buffer).bytes : std::span<const std::uint8_t>();
  if (bytes.size() <= compression_at)
    return std::nullopt;

  if (bytes[format_at] > current_format)
    return fmt::format("it has format {} of a later OTF2", bytes[format_at]);
  if (bytes[substrate_at] == sion)
    return "its files are packed by SIONlib";
  if (bytes[compression_at] == zlib)
    return "its files are compressed by zlib";

  return std::nullopt;
}

std::optional<fs::path> find_renamed(const fs::path& anchor) {
  std::error_code problem;
  if (fs::exists(fs::path(anchor).replace_extension(".def"), problem))
    return std::nullopt;

  std::vector<fs::path> others;
  for (fs::directory_iterator at(anchor.parent_path(), problem), end; !problem && at != end;
       at.increment(problem)) {
    const auto other = fs::path(at->path()).replace_extension(anchor_ending);
    std::error_code unknown;
    if (at->path().extension() == ".def" && !fs::exists(other, unknown))
      others.push_back(other);
  }
  return others.size() == 1 ? std::optional(others.front()) : std::nullopt;
}

std::vector<RegionWithoutRole> check_definition_file(const fs::path& path,
                                                     std::uint64_t chunk_size) {
  std::vector<RegionWithoutRole> without_role;

  check_records(path, chunk_size, "the global definitions",
                [&](std::uint8_t type, auto& reader, const std::uint8_t* end) {
                  if (type == region_record)
                    if (const auto region = find_region_without_role(reader, end))
                      without_role.push_back(*region);

                  const auto layout =
                      type < definition_layouts.size() ? definition_layouts[type] : "";
                  return fits(layout, reader, end);
                });

  return without_role;
}

std::uint64_t check_marker_file(const fs::path& path, std::uint64_t chunk_size) {
  std::uint64_t count = 0;
  check_records(path, chunk_size, "the markers",
                [&count](std::uint8_t type, auto& reader, const std::uint8_t* end) {
                  count += type == wire::marker_kind || type == wire::marker;
                  if (type == wire::marker_kind)
                    return fits(marker_kind_layout, reader, end);
                  return fits(type == wire::marker ? marker_layout : "", reader, end);
                });
  return count;
}

}  // namespace tracefold
