#include "pipeline/rewrite/publish_archive.hpp"

#include "base/output_error.hpp"
#include "base/pending.hpp"
#include "base/publish.hpp"
#include "base/read_file.hpp"
#include "base/sha256.hpp"
#include "base/team.hpp"
#include "base/unfinished.hpp"
#include "model/plan.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/plan_beside.hpp"
#include "pipeline/streams/pack_archive.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string_view>
#include <system_error>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

// The archive that tracefold has written there; none where it is another's, or cannot be read.
std::optional<Archive> open_written(const fs::path& folder) {
  try {
    Diagnostics ignored;
    Archive archive((folder / "traces.otf2").string(), ignored);
    if (was_written_by_us(archive.facts()))
      return archive;
  } catch (const Error& problem) {
    if (problem.kind() == ErrorKind::interrupted)
      throw;
  }

  return std::nullopt;
}

// Whether it is the plan that the anchor names, not one that was edited or comes from elsewhere.
bool is_plan_of(const Archive& archive, const fs::path& file) try {
  const auto text = read_file(file);
  return text && is_named_plan(archive, *text);
} catch (const Error&) {
  return false;  // it cannot be read
}

// Whether a plan names the hash of this file.
bool is_named_by(const fs::path& plan, const fs::path& file) try {
  const auto text = read_file(plan), named = read_file(file);
  return text && named && text->find(hash_text(*named)) != std::string::npos;
} catch (const Error&) {
  return false;
}

// For a file of a plan that is gone.
bool begins_as_ours(const fs::path& file) {
  constexpr std::string_view word = "tracefold ";
  std::string begin(word.size(), '\0');
  std::ifstream in(file, std::ios::binary);
  return in.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == word;
}

// The events or the definitions of a location that the archive defines: ID.evt or ID.def.
bool is_location_file(const Archive& archive, const fs::directory_entry& entry) {
  const auto stem = entry.path().stem().string();
  const auto ending = entry.path().extension();
  std::uint64_t id = 0;
  const auto [end, code] = std::from_chars(stem.data(), stem.data() + stem.size(), id);

  return entry.symlink_status().type() == fs::file_type::regular &&
         (ending == ".evt" || ending == ".def") && code == std::errc{} &&
         end == stem.data() + stem.size() && std::to_string(id) == stem &&
         archive.definitions().find(Ref::location, id);
}

bool is_part_of_archive(const fs::directory_entry& entry) {
  constexpr std::array<std::string_view, 6> files{"traces.otf2", "traces.def",  "traces.marker",
                                                  plan_name,     messages_name, profiles_name};
  const auto name = entry.path().filename().string();
  const auto type = entry.symlink_status().type();

  if (type == fs::file_type::regular)
    return std::find(files.begin(), files.end(), name) != files.end();

  return type == fs::file_type::directory && name == "traces";
}

std::unique_ptr<Pending> make_folder_of_stream() {
  return make_temporary_folder("tracefold-output");
}

}  // namespace

std::optional<std::string> find_foreign_entry(const fs::path& folder) try {
  std::optional<std::string> part;
  for (const auto& entry : fs::directory_iterator(folder)) {
    part = entry.path().filename().string();
    if (!is_part_of_archive(entry))
      return part;
  }
  if (!part)
    return std::nullopt;

  const auto archive = open_written(folder);
  if (!archive)
    return fs::exists(folder / "traces.otf2") ? "traces.otf2" : part;
  if (archive->facts().stated_locations != archive->definitions().locations().size())
    return "traces.def";  // of another archive

  const auto plan = folder / plan_name;
  if (fs::exists(plan) && !is_plan_of(*archive, plan))
    return std::string(plan_name);
  for (const auto* name : {messages_name, profiles_name})
    if (fs::exists(folder / name) &&
        !(fs::exists(plan) ? is_named_by(plan, folder / name) : begins_as_ours(folder / name)))
      return std::string(name);

  if (fs::is_directory(fs::symlink_status(folder / "traces")))
    for (const auto& entry : fs::directory_iterator(folder / "traces"))
      if (!is_location_file(*archive, entry))
        return "traces/" + entry.path().filename().string();

  return std::nullopt;
} catch (const fs::filesystem_error& problem) {
  throw output_error("cannot be read", problem.code().value());
}

void check_folder_output(const fs::path& folder, bool force) try {
  check_replaceable(folder, {force, {}, find_foreign_entry});
  check_writable(folder);
} catch (Error& problem) {
  problem.in(folder.string());
  throw;
}

void check_tar_output(const fs::path& file, const TarOutput& tar, bool force) {
  if (tar.stream)
    make_folder_of_stream();
  else
    check_file_output(file, force);
}

namespace {

// Calls write(), and says of what it throws whose it is: what cannot be written is of `out`, all
// else of the archive that was read.
template <class Write>
void name_errors(const fs::path& out, const Archive& read, Write&& write) {
  try {
    write();
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

// Makes what the first member of a team fills together with the others, and tells all its path.
template <class Hidden, class Make>
fs::path make_together(Team* team, std::optional<Hidden>& hidden, Make&& make) {
  decide_once(team, [&] {
    make(hidden);
    if (team)
      hidden->expect_others();
  });
  const fs::path path = compute_once<std::string>(team, [&] { return hidden->path().string(); });
  // Where the first member does not live to remove it, the others do, as they end the run.
  if (!is_first(team))
    add_unfinished(path);
  return path;
}

// Calls fill(), and says of what cannot be written that the team was stopped, where what it writes
// into is gone: another member has failed then, and tells why.
template <class Fill>
void fill_shared(const fs::path& hidden, Fill&& fill) {
  const auto check_is_there = [&] {
    std::error_code unknown;
    if (!fs::exists(fs::symlink_status(hidden, unknown)))
      throw TeamStopped("another process has failed");
  };
  try {
    fill();
  } catch (const fs::filesystem_error&) {
    check_is_there();
    throw;
  } catch (const Error& problem) {
    if (problem.kind() == ErrorKind::output)
      check_is_there();
    throw;
  }
}

// Calls fill() by all members of a team, and then publish() by the first one. Where one fails, all
// do, and whoever comes first removes what they were making: the first member may not live to.
template <class Fill, class Publish>
void fill_and_publish(Team* team, const fs::path& hidden, Fill&& fill, Publish&& publish) {
  if (!team) {
    fill();
    publish();
    return;
  }

  try {
    fill_shared(hidden, fill);
    team->barrier();
    decide_once(team, publish);
  } catch (...) {
    remove_for_good(hidden);
    throw;
  }
  if (!is_first(team))
    forget_unfinished(hidden);
}

}  // namespace

void publish_folder(const fs::path& out, const Replacement& replacement, const Archive& read,
                    const std::function<void(const fs::path&)>& write, Team* team) {
  std::optional<PendingFolder> pending;
  const auto folder =
      make_together(team, pending, [&](auto& made) { made.emplace(out, replacement); });
  name_errors(out, read, [&] {
    fill_and_publish(
        team, folder, [&] { write(folder); }, [&] { pending->publish(); });
  });
}

void publish_archive(const fs::path& out, bool force, const Archive& read,
                     const std::function<void(const fs::path&)>& write, Team* team) {
  publish_folder(out, {force, read.paths().anchor, find_foreign_entry}, read, write, team);
}

namespace {

void check_is_not_read(const fs::path& file, const Archive& read) {
  std::error_code unknown;
  if (fs::equivalent(file, read.source(), unknown))
    throw Error(ErrorKind::output, "is the trace that is read, and is not replaced")
        .hint("choose another name");
}

std::uint64_t publish_stream(int stream, const std::function<void(const fs::path&)>& write,
                             TarPacking packing) {
  const auto made = make_folder_of_stream();
  try {
    write(made->path());
  } catch (Error& problem) {
    if (problem.kind() == ErrorKind::output)
      problem.in(made->path().parent_path().string());
    throw;
  }

  return pack_archive(made->path(), packing, stream);
}

}  // namespace

std::uint64_t publish_tar(const fs::path& file, const TarOutput& tar, bool force,
                          const Archive& read, const std::function<void(const fs::path&)>& write,
                          Team* team) {
  std::uint64_t bytes = 0;
  name_errors(tar.stream ? fs::path("stdout") : file, read, [&] {
    if (tar.stream) {
      bytes = publish_stream(*tar.stream, write, tar.packing);
      return;
    }
    std::optional<Pending> pending;
    const auto hidden = make_together(team, pending, [&](auto& made) {
      check_file_replaceable(file, force);
      check_is_not_read(file, read);
      made.emplace(file, PendingKind::folder);
      fs::create_directory(made->path() / "trace");
    });
    const auto folder = hidden / "trace", made = hidden / "tar";
    const auto publish = [&] {
      bytes = pack_archive_to_file(folder, tar.packing, made);
      publish_made_file(made, file, force);
    };
    fill_and_publish(
        team, hidden, [&] { write(folder); }, publish);
  });

  return compute_once<std::uint64_t>(team, [&] { return bytes; });
}

void publish_view(const fs::path& file, bool force, const Archive& read,
                  const std::function<fs::path(const fs::path&)>& make, Team* team) {
  name_errors(file, read, [&] {
    std::optional<Pending> pending;
    const auto hidden = make_together(team, pending, [&](auto& made) {
      check_file_replaceable(file, force);
      check_is_not_read(file, read);
      made.emplace(file, PendingKind::folder);
    });
    fs::path made;
    fill_and_publish(
        team, hidden, [&] { made = make(hidden); }, [&] { publish_made_file(made, file, force); });
  });
}

}  // namespace tracefold
