#include "pipeline/read_back.hpp"

#include "pipeline/otf2_archive.hpp"

namespace tracefold {

void read_back(const std::filesystem::path& anchor, std::size_t definitions) {
  const Error cut_short = Error(ErrorKind::output, "the definitions cannot be read again, they were cut short").hint("free some space, or choose another place with -o");
  try {
    Diagnostics diagnostics;
    const Archive archive(anchor.string(), diagnostics);
    if (archive.definitions().all().size() != definitions) throw cut_short;
  } catch (const Error& problem) {
    if (problem.kind() != ErrorKind::input) throw;
    throw cut_short;
  }
}

}  // namespace tracefold
