#include "pipeline/definition_file.hpp"

#include "model/error.hpp"
#include "pipeline/record_walk.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tracefold {

void check_definition_file(const std::filesystem::path& path, std::uint64_t chunk_size) {
  const auto size = std::max<std::uint64_t>(chunk_size, wire::header_size);
  const auto file = ChunkFile::open(path, size);
  ChunkBuffer buffer;
  for (std::size_t k = 0; file && k < file->chunks(); ++k) {
    const auto walked = walk_records(file->read(k, buffer), [](auto, auto&, auto) { return true; });
    switch (walked.end) {
      case WalkEnd::chunk: break;
      case WalkEnd::file: return;
      case WalkEnd::fault:
        throw Error(ErrorKind::input, fmt::format("the definitions end early or are damaged at byte {}", k * size + walked.at)).in(path.string()).hint("copy the archive again");
    }
  }
  throw Error(ErrorKind::input, "the definitions end early").in(path.string()).hint("copy the archive again");
}

}  // namespace tracefold
