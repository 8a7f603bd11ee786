#include "model/trace_name.hpp"

#include "base/tar_reader.hpp"

#include <system_error>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

// The name of the file stays: beside what a link of it leads to, there may be no trace.
fs::path follow_links_to_folder(const fs::path& file) {
  return follow_links(file.parent_path()) / file.filename();
}

// "-" is what came through a pipe.
bool is_nowhere(const std::string& name) {
  return name.empty() || name == "-";
}

bool is_there(const fs::path& file) {
  std::error_code unknown;
  return fs::exists(file, unknown);
}

// The name of a file alone tells nothing: nearly every trace is called traces.otf2, also the
// reduced one beside its plan.
bool has_same_folder(const fs::path& file, const fs::path& folder) {
  return file.parent_path().filename() == follow_links(folder).filename();
}

}  // namespace

// ".." goes up where a link leads to.
fs::path follow_links(const fs::path& path) {
  std::error_code unknown;
  const auto absolute = fs::absolute(path);
  const auto real = fs::weakly_canonical(absolute, unknown);
  return unknown ? absolute.lexically_normal() : real;
}

std::string name_trace_from(const std::string& trace, const fs::path& folder) {
  const fs::path given(trace);
  if (is_nowhere(trace) || !given.is_absolute())
    return trace;

  const auto real = follow_links_to_folder(given), from = follow_links(folder);
  const auto first = [](const fs::path& path) { return *path.relative_path().begin(); };
  if (!real.has_relative_path() || !from.has_relative_path() || first(real) != first(from))
    return trace;
  const auto seen = real.lexically_relative(from);
  return seen.empty() ? trace : seen.string();
}

std::string find_trace_from(const std::string& name, const fs::path& folder) {
  if (is_nowhere(name))
    return name;
  const fs::path given(name);
  if (given.is_relative())
    return follow_links_to_folder(folder / given).string();
  if (is_there(given))
    return name;

  auto rest = given.relative_path();
  while (rest.has_parent_path()) {
    rest = rest.lexically_relative(*rest.begin());
    if (!rest.has_parent_path() && !has_same_folder(given, folder))
      break;
    if (is_there(folder / rest))
      return follow_links_to_folder(folder / rest).string();
  }
  return name;
}

std::string name_after_folder(const std::string& trace) {
  const auto path = fs::absolute(trace).lexically_normal();
  if (std::error_code unknown; fs::is_directory(path, unknown))
    return (path.has_filename() ? path : path.parent_path()).filename().string();
  const auto file = path.filename().string();
  if (const auto ending = find_tar_ending(file); !ending.empty() && ending.size() < file.size())
    return file.substr(0, file.size() - ending.size());
  return path.parent_path().filename().string();
}

}  // namespace tracefold
