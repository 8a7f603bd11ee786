#include "otf2/definition_file.hpp"

#include "base/error.hpp"
#include "otf2/record_layout.hpp"
#include "otf2/record_walk.hpp"

#include <fmt/format.h>

#include <string>

namespace tracefold {

namespace {

// `layout_of` gives the layout of a type of records, empty where it is not known.
template <class LayoutOf>
void check_file(const std::filesystem::path& path, std::uint64_t chunk_size,
                const std::string& what, LayoutOf&& layout_of) {
  const auto refuse = [&](const std::string& words) {
    throw Error(ErrorKind::input, what + words).in(path.string()).hint("copy the archive again");
  };
  const auto file = ChunkFile::open(path, chunk_size);
  if (!file)
    throw Error(ErrorKind::input, what + " are missing")
        .in(path.string())
        .hint("the archive is incomplete: copy all of its files");

  ChunkBuffer buffer;

  for (std::size_t k = 0; k < file->chunks(); ++k) {
    const auto walked = walk_records(file->read(k, buffer), [&](auto type, auto& cursor, auto end) {
      return fits(layout_of(type), cursor, end);
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

}  // namespace

void check_definition_file(const std::filesystem::path& path, std::uint64_t chunk_size) {
  check_file(path, chunk_size, "the global definitions", [](std::uint8_t type) {
    return type < definition_layouts.size() ? definition_layouts[type] : std::string_view();
  });
}

void check_marker_file(const std::filesystem::path& path, std::uint64_t chunk_size) {
  check_file(path, chunk_size, "the markers", [](std::uint8_t type) {
    return type == wire::marker_kind ? marker_kind_layout
           : type == wire::marker    ? marker_layout
                                     : std::string_view();
  });
}

}  // namespace tracefold
