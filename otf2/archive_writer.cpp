#include "otf2/archive_writer.hpp"

#include "base/error.hpp"
#include "otf2/library_arguments.hpp"
#include "otf2/library_reader.hpp"
#include "otf2/wire.hpp"

#include <otf2/otf2.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <string_view>

namespace tracefold {

namespace {

// The most bytes that a definition takes in a file.
std::size_t max_bytes(const Definition& d) {
  return 32 + 10 * (d.fields.size() + d.list.size()) + d.text.size();
}

[[noreturn]] void refuse(OTF2_ErrorCode code, const std::string& what) {
  if (errno == ENOSPC)
    throw Error(ErrorKind::output, "no space left on the device")
        .hint("free some space, or choose another `output`");
  throw Error(ErrorKind::output, fmt::format("{}: {}", what, OTF2_Error_GetDescription(code)));
}

void check(OTF2_ErrorCode code, const char* what) {
  if (code != OTF2_SUCCESS)
    refuse(code, what);
}

OTF2_FlushType always_flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
  return OTF2_FLUSH;
}

// Deprecated kinds are written like the others.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

using DefinitionFunction = OTF2_ErrorCode (*)(OTF2_GlobalDefWriter*, const Definition&);

template <auto Function>
struct DefinitionCall;
template <class... Args, OTF2_ErrorCode (*Function)(OTF2_GlobalDefWriter*, Args...)>
struct DefinitionCall<Function> {
  static OTF2_ErrorCode call(OTF2_GlobalDefWriter* writer, const Definition& d) {
    return detail::call_with_slots<Args...>(
        d.fields.data(), d.list, d.text, [&](Args... args) { return Function(writer, args...); });
  }
};

constexpr DefinitionFunction definition_functions[] = {
#define TRACEFOLD_CALL(name, ...) &DefinitionCall<OTF2_GlobalDefWriter_Write##name>::call,
    TRACEFOLD_DEFINITIONS(TRACEFOLD_CALL)
#undef TRACEFOLD_CALL
};

#pragma GCC diagnostic pop

// There is no second callback, since that would make the library write BufferFlush records.
OTF2_FlushCallbacks flush_callbacks{always_flush, nullptr};

}  // namespace

std::filesystem::path location_folder(const std::filesystem::path& folder) {
  return folder / "locations";
}

std::uint64_t choose_definition_chunk(const std::vector<Definition>& definitions) {
  std::size_t largest = 0;
  for (const auto& d : definitions)
    largest = std::max(largest, max_bytes(d));
  return std::clamp(std::bit_ceil(std::uint64_t{2} * largest), wire::smallest_chunk,
                    wire::largest_chunk);
}

void set_trace_id(const std::filesystem::path& anchor, std::uint64_t id) {
  const auto refuse_anchor = [&](const char* what) {
    return Error(ErrorKind::output, what).in(anchor.string());
  };

  std::uint64_t old = 0;
  try {
    const auto reader = detail::open_reader(anchor);
    OTF2_Reader_GetTraceId(reader.get(), &old);
  } catch (const Error&) {
    throw refuse_anchor("the anchor cannot be read again");
  }

  std::string bytes;
  {
    std::ifstream in(anchor, std::ios::binary);
    std::stringstream all;
    all << in.rdbuf();
    bytes = all.str();
  }

  // The number stands behind all properties, in the byte order of the machine.
  const std::string_view number(reinterpret_cast<const char*>(&old), sizeof old);
  const auto at = bytes.rfind(number);
  if (at == std::string::npos)
    throw refuse_anchor("the identifier of the archive is not where it should be");

  std::fstream out(anchor, std::ios::binary | std::ios::in | std::ios::out);
  out.seekp(static_cast<std::streamoff>(at));
  out.write(reinterpret_cast<const char*>(&id), sizeof id);
  out.close();
  if (!out)
    throw refuse_anchor("the identifier of the archive cannot be written");
}

struct ArchiveWriter::State {
  OTF2_Archive* archive = nullptr;
  ~State() {
    if (archive)
      OTF2_Archive_Close(archive);
  }
};

ArchiveWriter::ArchiveWriter(const std::filesystem::path& folder, std::uint64_t event_chunk,
                             const std::vector<Definition>& definitions)
    : state_(std::make_unique<State>()) {
  errno = 0;
  auto*& archive = state_->archive;
  archive = OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, event_chunk,
                              choose_definition_chunk(definitions), OTF2_SUBSTRATE_POSIX,
                              OTF2_COMPRESSION_NONE);
  if (!archive)
    refuse(OTF2_ERROR_INVALID, "the archive cannot be made");

  check(OTF2_Archive_SetFlushCallbacks(archive, &flush_callbacks, nullptr), "flush callbacks");
  check(OTF2_Archive_SetSerialCollectiveCallbacks(archive), "the archive's folder cannot be made");

  std::error_code problem;
  std::filesystem::rename(location_folder(folder), folder / "traces", problem);
  if (problem)
    throw Error(ErrorKind::output,
                "the locations' folder cannot be given its name: " + problem.message())
        .in(folder.string());

  write_definitions(definitions);
}

ArchiveWriter::~ArchiveWriter() = default;

void ArchiveWriter::describe(const ArchiveFacts& original) {
  auto* archive = state_->archive;
  if (!original.machine.empty())
    check(OTF2_Archive_SetMachineName(archive, original.machine.c_str()), "machine name");
  if (!original.creator.empty())
    check(OTF2_Archive_SetCreator(archive, original.creator.c_str()), "creator");
  if (!original.description.empty())
    check(OTF2_Archive_SetDescription(archive, original.description.c_str()), "description");
}

void ArchiveWriter::set_property(const std::string& name, const std::string& value) {
  check(OTF2_Archive_SetProperty(state_->archive, name.c_str(), value.c_str(), true),
        "a property of the archive cannot be written");
}

void ArchiveWriter::write_definitions(const std::vector<Definition>& definitions) {
  errno = 0;
  auto* writer = OTF2_Archive_GetGlobalDefWriter(state_->archive);
  if (!writer)
    refuse(OTF2_ERROR_INVALID, "the definitions cannot be made");

  for (const auto& d : definitions) {
    const auto code = definition_functions[static_cast<std::size_t>(d.kind)](writer, d);
    if (code != OTF2_SUCCESS)
      refuse(code, fmt::format("{} {} cannot be written", get_row(d.kind).name, d.id()));
  }

  check(OTF2_Archive_CloseGlobalDefWriter(state_->archive, writer),
        "the definitions cannot be written");
}

void ArchiveWriter::write_markers(const std::vector<MarkerKind>& kinds,
                                  const std::vector<Marker>& markers) {
  if (kinds.empty())
    return;

  auto* writer = OTF2_Archive_GetMarkerWriter(state_->archive);
  if (!writer)
    refuse(OTF2_ERROR_INVALID, "the marker file cannot be made");

  for (const auto& k : kinds)
    check(OTF2_MarkerWriter_WriteDefMarker(writer, static_cast<OTF2_MarkerRef>(k.id),
                                           k.group.c_str(), k.category.c_str(),
                                           static_cast<OTF2_MarkerSeverity>(k.severity)),
          "a marker cannot be written");

  for (const auto& m : markers)
    check(OTF2_MarkerWriter_WriteMarker(
              writer, m.time, m.duration, static_cast<OTF2_MarkerRef>(m.kind),
              static_cast<OTF2_MarkerScope>(m.scope), m.scope_id, m.text.c_str()),
          "a marker cannot be written");

  check(OTF2_Archive_CloseMarkerWriter(state_->archive, writer), "the markers cannot be written");
}

void ArchiveWriter::close() {
  errno = 0;
  check(OTF2_Archive_Close(std::exchange(state_->archive, nullptr)),
        "the archive cannot be written");
}

}  // namespace tracefold
