#include "pipeline/read_back.hpp"

#include "pipeline/each_location.hpp"

#include <fmt/format.h>

namespace tracefold {

namespace {

struct CountingSink {
  std::uint64_t records = 0;
  void enter(std::uint64_t, std::uint64_t, std::span<const Attribute>) { ++records; }
  void leave(std::uint64_t, std::uint64_t, std::span<const Attribute>) { ++records; }
  void other(Event&) { ++records; }
  void unknown(std::uint64_t) { ++records; }
};

Error cut_short(const std::string& what) {
  return Error(ErrorKind::output, what + ", it was cut short").hint("free some space, or choose another place with -o");
}

}  // namespace

void read_back(const std::filesystem::path& anchor, const std::vector<std::uint64_t>& ids, const std::vector<std::uint64_t>& events, std::size_t definitions) {
  try {
    Diagnostics diagnostics;
    const Archive archive(anchor.string(), diagnostics);
    if (archive.definitions().all().size() != definitions) throw cut_short("the definitions cannot be read again");
    each_location(archive, ids, {}, diagnostics, [&](EventReader& reader, std::size_t i) {
      CountingSink sink;
      if (!reader.read(ids[i], sink) || sink.records != events[i]) throw cut_short(fmt::format("location {} cannot be read again", ids[i]));
    });
  } catch (const Error& problem) {
    if (problem.kind() != ErrorKind::input) throw;
    throw cut_short("the archive cannot be read again");
  }
}

}  // namespace tracefold
