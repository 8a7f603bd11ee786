#include "pipeline/streams/packed_trace.hpp"

#include "base/pending.hpp"
#include "base/tar_reader.hpp"
#include "base/text.hpp"
#include "model/plan_files.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t most_unasked = std::uint64_t{16} << 30;
constexpr std::uint64_t free_reserve = std::uint64_t{64} << 20;  // of free space, for others

std::optional<std::uint64_t> asked_bound;

// Folders of traces that were unpacked, and what messages call them.
std::mutex unpacked_names_lock;
std::vector<std::pair<std::string, std::string>> unpacked_names;

void remember_name(const fs::path& folder, const std::string& name) {
  std::lock_guard lock(unpacked_names_lock);
  unpacked_names.emplace_back(folder.string(), name);
}

// ANCHOR.otf2, ANCHOR.def, ANCHOR.marker and what tracefold puts beside them, at the top or in a
// folder; ID.evt and ID.def in a folder beside them.
bool is_trace_file(std::span<const std::string> parts) {
  const fs::path name(parts.back());
  const auto ending = name.extension();
  if (parts.back().starts_with('.'))  // as other systems put beside each file
    return false;
  if (ending == ".evt")
    return parts.size() == 2 || parts.size() == 3;
  if (ending == ".def")
    return parts.size() <= 3;
  const bool is_ours = name == plan_name || name == messages_name || name == profiles_name;
  return (ending == ".otf2" || ending == ".marker" || is_ours) && parts.size() <= 2;
}

// What is asked for, or else a usual bound; the free space where that is less. Where nothing is
// asked for, half of it is left to others.
TarBound choose_bound(const fs::path& folder) {
  const auto wanted = asked_bound.value_or(most_unasked);
  std::error_code unknown;
  const auto free = fs::space(folder, unknown).available;
  if (unknown)
    return {wanted};

  const auto usable = asked_bound ? free - std::min(free, free_reserve) : free / 2;
  if (wanted <= usable)
    return {wanted};
  const auto place = folder.parent_path().string();
  return {usable,
          asked_bound
              ? fmt::format("the free space in {}, of which {} are kept", place,
                            format_bytes(free_reserve))
              : fmt::format("half of the free space in {}, unless `max_size` allows more", place)};
}

struct UnpackedTrace {
  // Holds the archive's open files: so it comes first, and is removed after the archive is closed.
  std::unique_ptr<Pending> folder = make_temporary_folder("tracefold-input");
  std::optional<Archive> archive;
};

std::string find_anchor(const UnpackedTar& unpacked) {
  std::vector<std::string> anchors;
  for (const auto& file : unpacked.files)
    if (file.ends_with(".otf2"))
      anchors.push_back(file);
  if (anchors.size() > 1)
    throw Error(ErrorKind::input,
                fmt::format("holds {} traces: {} and {}", anchors.size(), anchors[0], anchors[1]))
        .hint("pack one of them");
  if (anchors.empty())
    throw Error(ErrorKind::input,
                "holds no anchor file (.otf2), at its top or in a folder there; or it is cut")
        .hint("pack the folder of a trace: 'tar c -C FOLDER .'");
  return anchors.front();
}

std::shared_ptr<const Archive> unpack_trace(int handle, std::string begin, const std::string& name,
                                            const std::string& source,
                                            Diagnostics& diagnostics) try {
  const auto trace = std::make_shared<UnpackedTrace>();
  const auto& folder = trace->folder->path();
  remember_name(folder, name);

  const auto unpacked =
      unpack_tar(handle, std::move(begin), folder, choose_bound(folder), is_trace_file);
  if (unpacked.skipped > 0)
    diagnostics.detail(fmt::format("{} files of {} are none of a trace, and were not read",
                                   group_digits(unpacked.skipped), name));
  trace->archive.emplace((folder / find_anchor(unpacked)).string(), diagnostics, source);

  return {trace, &*trace->archive};
} catch (Error& problem) {
  if (problem.kind() == ErrorKind::output)
    problem.hint("TMPDIR names another folder for temporary files");
  throw problem.in(name);
}

class OpenFile {
 public:
  explicit OpenFile(const std::string& file) : handle_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (handle_ < 0)
      throw Error(ErrorKind::input, errno == ENOENT
                                        ? std::string("no such file")
                                        : std::string("cannot be opened: ") + std::strerror(errno))
          .in(file);
  }
  ~OpenFile() { ::close(handle_); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int handle() const { return handle_; }

 private:
  int handle_;
};

}  // namespace

void bound_unpacking(std::uint64_t most_bytes) {
  asked_bound = most_bytes;
}

bool is_packed_trace(const std::string& file, std::string_view begin) {
  return begins_as_plain_tar(begin) || !find_tar_ending(file).empty();
}

std::shared_ptr<const Archive> open_packed_trace(const std::string& file,
                                                 Diagnostics& diagnostics) {
  const OpenFile packed(file);
  const auto source = fs::absolute(file).lexically_normal().string();
  return unpack_trace(packed.handle(), {}, file, source, diagnostics);
}

std::shared_ptr<const Archive> open_piped_trace(int handle, std::string begin,
                                                const std::string& name, Diagnostics& diagnostics) {
  return unpack_trace(handle, std::move(begin), name, piped_source, diagnostics);
}

std::string name_unpacked(std::string message) {
  std::lock_guard lock(unpacked_names_lock);
  for (const auto& [folder, name] : unpacked_names)
    for (auto at = message.find(folder); at != std::string::npos; at = message.find(folder, at)) {
      message.replace(at, folder.size(), name);
      at += name.size();
    }
  return message;
}

}  // namespace tracefold
