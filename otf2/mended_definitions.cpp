#include "otf2/mended_definitions.hpp"

#include "base/error.hpp"
#include "base/publish.hpp"
#include "otf2/definition_records.hpp"

#include <exception>
#include <span>
#include <string>
#include <string_view>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view missing_fields("\0\0\0", 3);  // role, paradigm and flags

// Puts records into chunks as large as the anchor says.
class ChunkPacker {
 public:
  explicit ChunkPacker(std::uint64_t chunk_size) : chunk_size_(chunk_size) {}

  // The header says the byte order of what follows.
  void begin(std::span<const std::uint8_t> header) {
    header_.assign(header.begin(), header.end());
    if (bytes_.empty())
      bytes_ = header_;
  }

  void add(std::string_view record) {
    constexpr std::size_t mark = 1;
    make_room(record.size() + mark);
    bytes_ += record;
  }

  const std::string& end() {
    constexpr std::size_t marks = 2;
    make_room(marks);
    bytes_.push_back(wire::file_end);
    bytes_.push_back(wire::buffer_end);
    return bytes_;
  }

 private:
  // Every chunk holds a header, so the place in the last one is never 0.
  void make_room(std::size_t size) {
    if (bytes_.size() % chunk_size_ + size <= chunk_size_)
      return;
    bytes_.push_back(wire::chunk_end);
    bytes_.resize((bytes_.size() + chunk_size_ - 1) / chunk_size_ * chunk_size_);
    bytes_ += header_;
  }

  std::uint64_t chunk_size_;
  std::string header_, bytes_;
};

// The bytes of a record, of which the reader has read type and length.
template <bool Big>
std::string mend_record(std::uint8_t type, const ByteReader<Big>& reader, const std::uint8_t* begin,
                        const std::uint8_t* end) {
  if (type != region_record || !is_region_without_role(reader, end))
    return {begin, end};

  // Such a record is short, so its length is one byte.
  std::string fields(reader.at, end);
  fields += missing_fields;

  return std::string{static_cast<char>(type), static_cast<char>(fields.size())} + fields;
}

std::string mend(const fs::path& path, std::uint64_t chunk_size) {
  ChunkPacker packer(chunk_size);
  ChunkBuffer buffer;
  const auto file = ChunkFile::open(path, chunk_size);

  for (std::size_t k = 0; file && k < file->chunks(); ++k) {
    const auto chunk = file->read(k, buffer);
    if (chunk.bytes.size() < wire::header_size)
      break;
    packer.begin(chunk.bytes.first(wire::header_size));

    const auto* begin = chunk.bytes.data() + wire::header_size;
    const auto walked = walk_records(chunk, [&](auto type, const auto& reader, auto end) {
      packer.add(mend_record(type, reader, begin, end));
      begin = end;
      return true;
    });
    if (walked.end == WalkEnd::file)
      return packer.end();
    if (walked.end == WalkEnd::fault)
      break;
  }

  throw Error(ErrorKind::input, "the global definitions end early")
      .in(path.string())
      .hint("copy the archive again");
}

}  // namespace

MendedDefinitions::MendedDefinitions(const ArchivePaths& paths, std::uint64_t chunk_size) {
  const auto mended = mend(paths.definitions(), chunk_size);
  try {
    folder_.emplace(fs::temp_directory_path() / "definitions", PendingKind::folder);
    fs::copy_file(paths.anchor, anchor());
    write_file(folder_->path() / "traces.def", mended);
  } catch (const std::exception&) {
    throw Error(ErrorKind::input,
                "the definitions are of a development version of OTF2 1.1, and there is no place "
                "for the copy that libotf2 can read")
        .in(paths.definitions().string())
        .hint("set TMPDIR to a folder that you can write to");
  }
}

}  // namespace tracefold
