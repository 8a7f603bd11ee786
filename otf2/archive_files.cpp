#include "otf2/archive_files.hpp"

#include "base/error.hpp"
#include "base/sha256.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <vector>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

void add_file(const fs::path& file, Sha256& hash) {
  std::ifstream in(file, std::ios::binary);
  std::vector<char> buffer(1 << 16);
  while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || in.gcount())
    hash.add(std::string_view(buffer.data(), static_cast<std::size_t>(in.gcount())));
  if (!in.is_open() || in.bad())
    throw Error(ErrorKind::input, "cannot be read").in(file.string());
}

// A line with name and size for each event file, in one order everywhere.
std::vector<std::string> list_event_files(const ArchivePaths& paths) {
  std::vector<std::string> lines;
  std::error_code problem;
  for (fs::directory_iterator at(paths.folder(), problem), end; !problem && at != end;
       at.increment(problem)) {
    std::error_code ignored;
    if (at->path().extension() == ".evt")
      lines.push_back(at->path().filename().string() + " " +
                      std::to_string(at->file_size(ignored)) + "\n");
  }

  if (problem && problem != std::errc::no_such_file_or_directory)
    throw Error(ErrorKind::input, "cannot be read: " + problem.message())
        .in(paths.folder().string());
  std::sort(lines.begin(), lines.end());

  return lines;
}

}  // namespace

std::uint64_t count_bytes(const ArchivePaths& paths) {
  std::uint64_t bytes = 0;
  std::error_code problem;
  const auto add = [&](const fs::path& file) {
    if (const auto size = fs::file_size(file, problem); !problem)
      bytes += size;
  };

  add(paths.anchor);
  add(paths.definitions());
  add(paths.markers());
  for (fs::directory_iterator at(paths.folder(), problem), end; !problem && at != end;
       at.increment(problem))
    add(at->path());

  return bytes;
}

TraceIdentity read_identity(const ArchivePaths& paths) {
  TraceIdentity identity;
  Sha256 hash;

  for (const auto& file : {paths.anchor, paths.definitions()}) {
    struct ::stat facts {};
    if (::stat(file.c_str(), &facts) != 0)
      throw Error(ErrorKind::input, "cannot be read").in(file.string());

    identity.size += static_cast<std::uint64_t>(facts.st_size);
    add_file(file, hash);
  }

  for (const auto& line : list_event_files(paths))
    hash.add(line);

  identity.sha256 = hash.hex();

  return identity;
}

TraceIdentity join_identities(const std::vector<TracePart>& parts) {
  TraceIdentity identity;
  Sha256 hash;
  for (const auto& part : parts) {
    identity.size += part.identity.size;
    hash.add(part.identity.sha256 + " " + std::to_string(part.rank) + " " +
             std::to_string(part.begin) + " " + std::to_string(part.clock) + "\n");
  }
  identity.sha256 = hash.hex();
  return identity;
}

}  // namespace tracefold
