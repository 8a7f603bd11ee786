#include "pipeline/streams/pack_archive.hpp"

#include "base/output_error.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

std::uint64_t pack_archive(const std::filesystem::path& folder, TarPacking packing, int handle) {
  namespace fs = std::filesystem;
  std::vector<std::pair<bool, std::string>> entries;  // whether it is an anchor, and its name
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const auto name = entry.path().lexically_relative(folder).generic_string();
    if (entry.is_directory())
      entries.emplace_back(false, name + "/");
    else
      entries.emplace_back(entry.path().extension() == ".otf2", name);
  }
  std::sort(entries.begin(), entries.end());

  std::vector<std::string> names;
  for (auto& [is_anchor, name] : entries)
    names.push_back(std::move(name));
  return pack_tar(folder, names, packing, handle);
}

std::uint64_t pack_archive_to_file(const std::filesystem::path& folder, TarPacking packing,
                                   const std::filesystem::path& file) {
  constexpr auto rights = 0666;
  const int handle = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, rights);
  if (handle < 0)
    throw output_error("cannot be made", errno);
  std::uint64_t bytes = 0;
  try {
    bytes = pack_archive(folder, packing, handle);
  } catch (...) {
    ::close(handle);
    throw;
  }
  if (::close(handle) != 0 && errno != EINTR)  // network file systems tell of a full disk here
    throw output_error("cannot be written", errno);

  return bytes;
}

}  // namespace tracefold
