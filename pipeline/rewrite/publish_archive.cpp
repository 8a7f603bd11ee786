#include "pipeline/rewrite/publish_archive.hpp"

#include "base/output_error.hpp"
#include "base/publish.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <string_view>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

// An anchor is text or short binary records; in both the name of a property is plain text.
bool is_anchor_of_rewrite(const fs::path& anchor) {
  std::ifstream in(anchor, std::ios::binary);
  constexpr std::size_t largest_anchor = 64 << 20;
  std::string text;
  std::array<char, 1 << 16> buffer{};
  while (text.size() < largest_anchor && in.read(buffer.data(), buffer.size()).gcount() > 0)
    text.append(buffer.data(), static_cast<std::size_t>(in.gcount()));

  return text.find("TRACEFOLD::VERSION") != std::string::npos;
}

// A file of one location: digits, and the ending of events or of definitions.
bool is_location_file(const fs::directory_entry& entry) {
  const auto stem = entry.path().stem().string();
  const auto ending = entry.path().extension();

  return entry.symlink_status().type() == fs::file_type::regular &&
         (ending == ".evt" || ending == ".def") && !stem.empty() &&
         std::all_of(stem.begin(), stem.end(), [](unsigned char c) { return std::isdigit(c); });
}

bool is_part_of_archive(const fs::directory_entry& entry) {
  constexpr std::array<std::string_view, 3> files{"traces.def", "traces.marker", "tracefold.json"};
  const auto name = entry.path().filename().string();
  const auto type = entry.symlink_status().type();

  if (type == fs::file_type::regular)
    return std::find(files.begin(), files.end(), name) != files.end();

  return type == fs::file_type::directory && name == "traces";
}

}  // namespace

std::optional<std::string> find_foreign_entry(const fs::path& folder) try {
  bool has_anchor = false;
  std::optional<std::string> part;

  for (const auto& entry : fs::directory_iterator(folder)) {
    const auto name = entry.path().filename().string();

    if (name == "traces.otf2" && entry.symlink_status().type() == fs::file_type::regular &&
        is_anchor_of_rewrite(entry.path()))
      has_anchor = true;
    else if (is_part_of_archive(entry))
      part = name;
    else
      return name;
  }

  if (part && !has_anchor)
    return part;

  if (fs::is_directory(fs::symlink_status(folder / "traces")))
    for (const auto& entry : fs::directory_iterator(folder / "traces"))
      if (!is_location_file(entry))
        return "traces/" + entry.path().filename().string();

  return std::nullopt;
} catch (const fs::filesystem_error& problem) {
  throw output_error("cannot be read", problem.code().value());
}

void check_replaceable(const fs::path& folder, bool force) try {
  check_replaceable(folder, {force, {}, find_foreign_entry});
} catch (Error& problem) {
  problem.in(folder.string());
  throw;
}

void publish_archive(const fs::path& out, bool force, const Archive& read,
                     const std::function<void(const fs::path&)>& write) {
  PendingFolder pending(out, {force, read.paths().anchor, find_foreign_entry});

  try {
    write(pending.path());
    pending.publish();
  } catch (const fs::filesystem_error& problem) {
    throw Error(ErrorKind::output, "cannot be written: " + problem.code().message())
        .in(out.string())
        .hint("choose another `output`");
  } catch (Error& problem) {
    if (problem.kind() == ErrorKind::output)
      problem.in(out.string()).hint("choose another `output`");
    else
      problem.in(read.paths().anchor.string());
    throw;
  }
}

}  // namespace tracefold
