#include "base/same_files.hpp"

#include "base/error.hpp"
#include "base/host_name.hpp"
#include "base/pending.hpp"
#include "base/sha256.hpp"
#include "base/team.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

// What the first member says of a file of its.
struct SeenFile {
  std::string path;  // empty: it sees none, and will say so itself
  std::string host;
  std::uint64_t bytes = 0;
  std::string hash;  // of the first bytes
};
auto list_members(Like<SeenFile> auto& file) {
  return std::tie(file.path, file.host, file.bytes, file.hash);
}

constexpr std::size_t hashed_bytes = std::size_t{1} << 20;

SeenFile look_at(const fs::path& file) {
  std::error_code unknown;
  const auto bytes = fs::file_size(file, unknown);
  std::ifstream in(file, std::ios::binary);
  if (unknown || !in)
    return {};

  std::string begin(std::min<std::uint64_t>(bytes, hashed_bytes), '\0');
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return {fs::absolute(file).string(), read_host_name(), bytes, hash_text(begin)};
}

// Network file systems show what another node has made only after a while.
bool comes_to_be(const fs::path& file) {
  constexpr auto pause = std::chrono::milliseconds(100);
  constexpr int tries = 50;
  for (int k = 0; k < tries; ++k) {
    std::error_code unknown;
    if (fs::exists(file, unknown))
      return true;
    fs::directory_iterator(file.parent_path(), unknown);  // asks for the folder again
    std::this_thread::sleep_for(pause);
  }
  return false;
}

}  // namespace

void check_same_file(Team* team, const fs::path& file) {
  if (!team)
    return;
  const auto first = compute_once<SeenFile>(team, [&] { return look_at(file); });
  if (is_first(team) || first.path.empty())
    return;

  const auto own = look_at(file);
  if (own.path.empty())
    throw Error(ErrorKind::input, "no such file, which rank 0 on " + first.host + " sees")
        .in(file.string())
        .hint("the trace has to be where all nodes see it");
  if (own.bytes != first.bytes || own.hash != first.hash)
    throw Error(ErrorKind::input, "is not the file that rank 0 on " + first.host + " sees")
        .in(file.string())
        .hint("the trace has to be where all nodes see it");
}

void check_same_folder(Team* team, const fs::path& folder) {
  if (!team)
    return;

  std::unique_ptr<Pending> made;
  const auto first = compute_once<SeenFile>(team, [&] {
    made = std::make_unique<Pending>(fs::absolute(folder) / "seen-by-all", PendingKind::file);
    return SeenFile{made->path().string(), read_host_name(), 0, {}};
  });
  const bool is_seen = is_first(team) || comes_to_be(first.path);
  team->barrier();  // the first member keeps it until all have looked
  if (!is_seen)
    throw Error(ErrorKind::output, "no such file, which rank 0 on " + first.host + " has made")
        .in(first.path)
        .hint("the output has to be where all nodes see it");
}

}  // namespace tracefold
