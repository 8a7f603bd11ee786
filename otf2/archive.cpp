#include "otf2/archive.hpp"

#include "base/pending.hpp"
#include "base/sha256.hpp"
#include "otf2/archive_parts.hpp"
#include "otf2/file_checks.hpp"
#include "otf2/library_arguments.hpp"
#include "otf2/library_reader.hpp"
#include "otf2/mended_definitions.hpp"
#include "otf2/name_codes.hpp"
#include "otf2/old_region_types.hpp"
#include "otf2/wire.hpp"

#include <fmt/format.h>
#include <otf2/otf2.h>

#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

struct DefinitionSink {
  Definitions& definitions;
  std::unordered_map<std::uint64_t, std::uint8_t> old_types;  // of regions without a role, by id
};

template <DefinitionKind Kind, class... Args>
OTF2_CallbackCode on_definition(void* user, Args... args) {
  static_assert(sizeof...(Args) == get_row(Kind).size,
                "the definition table does not fit the OTF2 headers");
  try {
    Definition d;
    d.kind = Kind;
    detail::ArgumentReader{d.fields.data(), d.list, &d.text}.read(args...);
    auto& sink = *static_cast<DefinitionSink*>(user);
    if constexpr (Kind == DefinitionKind::Region)
      if (const auto old = sink.old_types.find(d.id()); old != sink.old_types.end())
        set_old_type(d, old->second);
    sink.definitions.add(std::move(d));
    return OTF2_CALLBACK_SUCCESS;
  } catch (...) {
    return OTF2_CALLBACK_INTERRUPT;
  }
}

template <DefinitionKind Kind, class... Args>
void register_definition(OTF2_GlobalDefReaderCallbacks* callbacks,
                         OTF2_ErrorCode (*set)(OTF2_GlobalDefReaderCallbacks*,
                                               OTF2_CallbackCode (*)(void*, Args...))) {
  set(callbacks, &on_definition<Kind, Args...>);
}

void warn_of_left_out(const Definitions& definitions, const fs::path& file,
                      Diagnostics& diagnostics) {
  if (definitions.unusable())
    diagnostics.warn(
        "definitions that no reader could use were left out, parents in circles cut off",
        file.string(), definitions.unusable());
  if (definitions.duplicates())
    diagnostics.warn("definitions that repeat an id were left out", file.string(),
                     definitions.duplicates());
}

// `chunk` is the size of the file's chunks in bytes, or 0 where the files are not plain.
void read_definitions(OTF2_Reader* reader, const ArchivePaths& paths, std::uint64_t chunk,
                      Definitions& definitions, Diagnostics& diagnostics) {
  DefinitionSink sink{definitions, {}};
  if (chunk)
    for (const auto& region : check_definition_file(paths.definitions(), chunk))
      sink.old_types.emplace(region.id, region.type);

  std::optional<MendedDefinitions> mended;
  detail::ReaderHandle reader_of_mended;
  if (!sink.old_types.empty()) {
    mended.emplace(paths, chunk);
    reader_of_mended = detail::open_reader(mended->anchor());
    reader = reader_of_mended.get();
  }

  auto* handle = OTF2_Reader_GetGlobalDefReader(reader);
  if (!handle)
    throw Error(ErrorKind::input, "the global definitions are missing")
        .in(paths.definitions().string())
        .hint(incomplete_archive);

  auto* callbacks = OTF2_GlobalDefReaderCallbacks_New();
#define TRACEFOLD_SET(name, ...)                       \
  register_definition<DefinitionKind::name>(callbacks, \
                                            OTF2_GlobalDefReaderCallbacks_Set##name##Callback);
  TRACEFOLD_DEFINITIONS(TRACEFOLD_SET)
#undef TRACEFOLD_SET
  OTF2_Reader_RegisterGlobalDefCallbacks(reader, handle, callbacks, &sink);
  OTF2_GlobalDefReaderCallbacks_Delete(callbacks);

  std::uint64_t n = 0;
  if (OTF2_Reader_ReadAllGlobalDefinitions(reader, handle, &n) != OTF2_SUCCESS)
    throw Error(ErrorKind::input,
                fmt::format("the global definitions are damaged after {} records", n))
        .in(paths.definitions().string())
        .hint("copy the archive again");

  definitions.finish();
  warn_of_left_out(definitions, paths.definitions(), diagnostics);
}

OTF2_CallbackCode on_marker_kind(void* user, OTF2_MarkerRef id, const char* group,
                                 const char* category, OTF2_MarkerSeverity severity) {
  static_cast<ArchiveFacts*>(user)->marker_kinds.push_back({id, group, category, severity});
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_marker(void* user, OTF2_TimeStamp time, OTF2_TimeStamp duration,
                            OTF2_MarkerRef kind, OTF2_MarkerScope scope, std::uint64_t scope_id,
                            const char* text) {
  static_cast<ArchiveFacts*>(user)->markers.push_back(
      {time, duration, kind, scope, scope_id, text});
  return OTF2_CALLBACK_SUCCESS;
}

void read_markers(OTF2_Reader* reader, std::uint64_t chunk, ArchiveFacts& facts,
                  const fs::path& marker_file) {
  std::error_code ignored;
  if (!fs::exists(marker_file, ignored))
    return;
  const auto expected = chunk ? check_marker_file(marker_file, chunk) : 0;

  const Error damaged = Error(ErrorKind::input, "the marker file cannot be read, or is damaged")
                            .in(marker_file.string())
                            .hint("copy the archive again");
  auto* handle = OTF2_Reader_GetMarkerReader(reader);
  if (!handle)
    throw damaged;

  auto* callbacks = OTF2_MarkerReaderCallbacks_New();
  OTF2_MarkerReaderCallbacks_SetDefMarkerCallback(callbacks, on_marker_kind);
  OTF2_MarkerReaderCallbacks_SetMarkerCallback(callbacks, on_marker);
  OTF2_Reader_RegisterMarkerCallbacks(reader, handle, callbacks, &facts);
  OTF2_MarkerReaderCallbacks_Delete(callbacks);
  std::uint64_t n = 0;
  const auto code = OTF2_Reader_ReadAllMarkers(reader, handle, &n);
  OTF2_Reader_CloseMarkerReader(reader, handle);

  // Where the file fails while it is read, libotf2 takes that for its end.
  const auto found = facts.marker_kinds.size() + facts.markers.size();
  if (code != OTF2_SUCCESS || (chunk && found != expected))
    throw damaged;
}

// Takes over a text that libotf2 has allocated. Empty where it gave an error.
std::string take_text(OTF2_ErrorCode code, char* text) {
  if (code != OTF2_SUCCESS)
    return {};

  std::string copy = text ? text : "";
  std::free(text);
  return copy;
}

void read_properties(OTF2_Reader* reader, ArchiveFacts& facts) {
  std::uint32_t n = 0;
  char** names = nullptr;

  if (OTF2_Reader_GetPropertyNames(reader, &n, &names) == OTF2_SUCCESS) {
    for (std::uint32_t k = 0; k < n; ++k) {
      char* value = nullptr;
      const auto code = OTF2_Reader_GetProperty(reader, names[k], &value);
      facts.properties[names[k]] = take_text(code, value);
    }
    std::free(names);
  }

  char* text = nullptr;
  auto code = OTF2_Reader_GetMachineName(reader, &text);
  facts.machine = take_text(code, text);
  code = OTF2_Reader_GetCreator(reader, &text);
  facts.creator = take_text(code, text);
  code = OTF2_Reader_GetDescription(reader, &text);
  facts.description = take_text(code, text);

  OTF2_Reader_GetNumberOfLocations(reader, &facts.stated_locations);
  OTF2_Reader_GetNumberOfGlobalDefinitions(reader, &facts.stated_definitions);
  OTF2_Reader_GetTraceId(reader, &facts.trace_id);

  std::uint32_t snapshots = 0;
  std::uint32_t thumbnails = 0;
  OTF2_Reader_GetNumberOfSnapshots(reader, &snapshots);
  OTF2_Reader_GetNumberOfThumbnails(reader, &thumbnails);
  facts.has_snapshots = snapshots || thumbnails;
}

// Whether the files are as wire.hpp describes them: none is compressed or packed with others.
bool has_plain_files(OTF2_Reader* reader, std::uint64_t event_chunk,
                     std::uint64_t definition_chunk) {
  OTF2_FileSubstrate substrate = OTF2_SUBSTRATE_UNDEFINED;
  OTF2_Compression compression = OTF2_COMPRESSION_UNDEFINED;
  return OTF2_Reader_GetFileSubstrate(reader, &substrate) == OTF2_SUCCESS &&
         substrate == OTF2_SUBSTRATE_POSIX &&
         OTF2_Reader_GetCompression(reader, &compression) == OTF2_SUCCESS &&
         compression == OTF2_COMPRESSION_NONE && wire::is_chunk_size(event_chunk) &&
         wire::is_chunk_size(definition_chunk);
}

// libotf2 finds files by the name of the anchor: one that was renamed alone is linked to from a
// folder in which it has its old name. The folder stays until the program ends, as its files may be
// read until then.
fs::path restore_name(const fs::path& anchor) {
  const auto before = find_renamed(anchor);
  if (!before)
    return anchor;

  static std::vector<std::unique_ptr<Pending>> folders;
  static std::mutex lock;
  auto folder = make_temporary_folder("tracefold-renamed");
  std::error_code problem;
  for (fs::directory_iterator at(anchor.parent_path(), problem), end; !problem && at != end;
       at.increment(problem))
    if (const auto name = at->path().filename();
        name.stem() == before->stem() || name.stem() == "tracefold")
      fs::create_symlink(at->path(), folder->path() / name, problem);
  fs::create_symlink(anchor, folder->path() / before->filename(), problem);
  if (problem)
    throw Error(ErrorKind::input, fmt::format("was called {} before, and there is no place for "
                                              "links: {}",
                                              before->filename().string(), problem.message()))
        .in(anchor.string())
        .hint("rename it to that");

  const std::lock_guard one_at_a_time(lock);
  folders.push_back(std::move(folder));
  return folders.back()->path() / before->filename();
}

}  // namespace

Archive::Archive(const Archive& named, NameCodes& codes) : Archive(named) {
  codes.apply(facts_);
  source_ = "-";
  has_codes_ = true;
}

// A folder that ends in a slash: what lies beside the anchor would lie in it.
Archive::Archive(ArchiveFacts facts, ArchiveParts parts)
    : paths_{fs::path(parts.folder) / ""},
      source_(parts.folder),
      facts_(std::move(facts)),
      parts_(std::make_shared<const ArchiveParts>(std::move(parts))),
      event_chunk_(parts_->parts.front().event_chunk),
      definition_chunk_(parts_->parts.front().definition_chunk) {}

LocationFiles Archive::find_files(std::uint64_t location) const {
  const auto* part = parts_ ? &parts_->parts[parts_->locations.at(location).first] : nullptr;
  const auto& paths = part ? part->paths : paths_;
  const auto id = part ? parts_->locations[location].second : location;
  return {paths.events(id), paths.local_definitions(id), part ? part->event_chunk : event_chunk_,
          part ? part->definition_chunk : definition_chunk_, part};
}

std::string LocationFiles::name(const fs::path& file) const {
  if (!part)
    return file.filename().string();
  return (fs::path(part->name.anchor).replace_extension() / file.filename()).string();
}

std::vector<TracePart> Archive::read_parts() const {
  std::vector<TracePart> parts;
  if (!parts_)
    return parts;
  for (const auto& part : parts_->parts) {
    parts.push_back(part.name);
    parts.back().identity = read_identity(part.paths);
  }
  return parts;
}

std::vector<ArchivePaths> Archive::list_paths() const {
  if (!parts_)
    return {paths_};
  std::vector<ArchivePaths> paths;
  for (const auto& part : parts_->parts)
    paths.push_back(part.paths);
  return paths;
}

std::uint64_t Archive::bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& paths : list_paths())
    bytes += count_bytes(paths);
  return bytes;
}

TraceIdentity Archive::identity() const {
  auto identity = parts_ ? join_identities(read_parts()) : read_identity(paths_);
  if (has_codes_)
    identity.sha256 = hash_text(identity.sha256 + " with codes");
  return identity;
}

Archive::Archive(const std::string& anchor, Diagnostics& diagnostics, const std::string& source)
    : paths_{fs::absolute(anchor)},
      source_(source.empty() ? paths_.anchor.lexically_normal().string() : source) {
  bool is_checked = false;
  try {
    check_anchor_file(paths_.anchor);
    is_checked = true;
    paths_.anchor = restore_name(paths_.anchor);
    auto reader = detail::open_reader(paths_.anchor);
    read_properties(reader.get(), facts_);
    OTF2_Reader_GetChunkSize(reader.get(), &event_chunk_, &definition_chunk_);
    if (!has_plain_files(reader.get(), event_chunk_, definition_chunk_))
      event_chunk_ = definition_chunk_ = 0;  // the library reads them

    read_definitions(reader.get(), paths_, definition_chunk_, facts_.definitions, diagnostics);
    read_markers(reader.get(), definition_chunk_, facts_, paths_.markers());
  } catch (Error& problem) {
    const auto format = is_checked && problem.kind() == ErrorKind::input
                            ? describe_unusual_format(paths_.anchor)
                            : std::nullopt;
    if (format)
      throw Error(
          ErrorKind::input,
          fmt::format("{}; the installed libotf2 cannot read that, or it is damaged", *format))
          .in(anchor)
          .hint("convert it with the OTF2 that wrote it");
    throw problem.in(anchor);
  }

  if (facts_.has_snapshots)
    diagnostics.note("snapshots and thumbnails describe all events and are left out");
}

}  // namespace tracefold
