#include "pipeline/jobs/trace_files.hpp"

#include <fmt/format.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

// As in 12.evt.
bool is_file_of_location(const fs::path& name) {
  constexpr auto endings = std::to_array<std::string_view>({".evt", ".def", ".snap"});
  const auto number = name.stem().string(), ending = name.extension().string();
  return !number.empty() && number.find_first_not_of("0123456789") == number.npos &&
         std::find(endings.begin(), endings.end(), ending) != endings.end();
}

void add_trace_file(const fs::path& path, TraceFiles& found) {
  struct ::stat status {};
  if (::lstat(path.c_str(), &status) != 0) {
    found.oddity = fmt::format("{}: {}", path.filename().string(), std::strerror(errno));
    return;
  }
  if (!S_ISREG(status.st_mode))
    found.oddity = fmt::format("{} is a link, or no file", path.filename().string());
  else if (status.st_nlink > 1)
    found.oddity = fmt::format("{} has another name, too", path.filename().string());
  found.files.push_back({path, static_cast<std::uint64_t>(status.st_size), status.st_ino,
                         status.st_mtim.tv_sec, status.st_mtim.tv_nsec});
}

}  // namespace

TraceFiles list_trace_files(const ArchivePaths& paths) {
  TraceFiles found;
  add_trace_file(paths.anchor, found);

  std::vector<fs::path> others;
  std::error_code problem;
  for (const auto& ending : {".def", ".marker", ".thumb"}) {
    const auto file = fs::path(paths.anchor).replace_extension(ending);
    if (fs::exists(fs::symlink_status(file, problem)))
      others.push_back(file);
  }

  const auto folder = paths.folder();
  if (fs::is_symlink(fs::symlink_status(folder, problem)))
    found.oddity = fmt::format("{} is a link", folder.filename().string());
  fs::directory_iterator at(folder, problem);
  for (const fs::directory_iterator end; !problem && at != end; at.increment(problem)) {
    if (!is_file_of_location(at->path().filename()))
      found.oddity = fmt::format("{} holds '{}', which is no part of a trace",
                                 folder.filename().string(), at->path().filename().string());
    others.push_back(at->path());
  }
  if (problem && problem != std::errc::no_such_file_or_directory)
    found.oddity = fmt::format("{}: {}", folder.filename().string(), problem.message());

  std::sort(others.begin(), others.end());
  for (const auto& file : others)
    add_trace_file(file, found);
  return found;
}

std::optional<std::string> delete_trace(const ArchivePaths& paths, const TraceFiles& files) {
  for (const auto& file : files.files)
    if (::unlink(file.path.c_str()) != 0 && errno != ENOENT)
      return fmt::format("{}: {}", file.path.filename().string(), std::strerror(errno));
  ::rmdir(paths.folder().c_str());
  return std::nullopt;
}

}  // namespace tracefold
