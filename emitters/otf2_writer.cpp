#include "emitters/otf2_writer.hpp"

#include "emitters/otf2_unpack.hpp"
#include "model/error.hpp"

#include <otf2/otf2.h>

#include <cstdlib>

#include <otf2/OTF2_Pthread_Locks.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <mutex>

namespace tracefold {

namespace {

constexpr std::uint64_t smallest_chunk = 1 << 18;  // bytes; OTF2 accepts 256 KiB to 16 MiB
constexpr std::uint64_t largest_chunk = 1 << 24;
constexpr std::uint64_t chunks_before_flush = 4;

std::uint64_t chunk_for(std::size_t record) { return std::clamp(std::bit_ceil(std::uint64_t{2} * record), smallest_chunk, largest_chunk); }

[[noreturn]] void refuse(OTF2_ErrorCode code, const std::string& what) {
  if (errno == ENOSPC) throw Error(ErrorKind::output, "no space left on the device").hint("free some space, or choose another place with -o");
  throw Error(ErrorKind::output, fmt::format("{}: {}", what, OTF2_Error_GetDescription(code)));
}

void check(OTF2_ErrorCode code, const char* what) {
  if (code != OTF2_SUCCESS) refuse(code, what);
}

OTF2_FlushType always_flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }

// Hands out a few chunks per buffer, so that a location is never held whole.
void* allocate_chunk(void*, OTF2_FileType type, OTF2_LocationRef, void** buffer, std::uint64_t size) {
  auto* chunks = static_cast<std::vector<void*>*>(*buffer);
  if (!chunks) *buffer = chunks = new std::vector<void*>;
  if (type == OTF2_FILETYPE_EVENTS && chunks->size() >= chunks_before_flush) return nullptr;
  void* chunk = std::malloc(size);
  if (chunk) chunks->push_back(chunk);
  return chunk;
}

void free_chunks(void*, OTF2_FileType, OTF2_LocationRef, void** buffer, bool final) {
  auto* chunks = static_cast<std::vector<void*>*>(*buffer);
  if (!chunks) return;
  for (auto* chunk : *chunks) std::free(chunk);
  chunks->clear();
  if (final) {
    delete chunks;
    *buffer = nullptr;
  }
}

// Deprecated kinds are copied like the others.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

using EventFunction = OTF2_ErrorCode (*)(OTF2_EvtWriter*, OTF2_AttributeList*, const Event&);

template <auto Function>
struct EventCall;
template <class... Args, OTF2_ErrorCode (*Function)(OTF2_EvtWriter*, OTF2_AttributeList*, OTF2_TimeStamp, Args...)>
struct EventCall<Function> {
  static OTF2_ErrorCode call(OTF2_EvtWriter* writer, OTF2_AttributeList* attributes, const Event& event) {
    return detail::call_unpacked<Args...>(event.fields.data(), event.list, {},
                                          [&](Args... args) { return Function(writer, attributes, event.time, args...); });
  }
};

constexpr EventFunction event_functions[] = {
#define TRACEFOLD_CALL(name, ...) &EventCall<OTF2_EvtWriter_##name>::call,
    TRACEFOLD_EVENTS(TRACEFOLD_CALL)
#undef TRACEFOLD_CALL
};

using DefinitionFunction = OTF2_ErrorCode (*)(OTF2_GlobalDefWriter*, const Definition&);

template <auto Function>
struct DefinitionCall;
template <class... Args, OTF2_ErrorCode (*Function)(OTF2_GlobalDefWriter*, Args...)>
struct DefinitionCall<Function> {
  static OTF2_ErrorCode call(OTF2_GlobalDefWriter* writer, const Definition& d) {
    return detail::call_unpacked<Args...>(d.fields.data(), d.list, d.text, [&](Args... args) { return Function(writer, args...); });
  }
};

constexpr DefinitionFunction definition_functions[] = {
#define TRACEFOLD_CALL(name, ...) &DefinitionCall<OTF2_GlobalDefWriter_Write##name>::call,
    TRACEFOLD_DEFINITIONS(TRACEFOLD_CALL)
#undef TRACEFOLD_CALL
};

#pragma GCC diagnostic pop

// A second callback would make the library add BufferFlush records of its own.
OTF2_FlushCallbacks flush_callbacks{always_flush, nullptr};
OTF2_MemoryCallbacks memory_callbacks{allocate_chunk, free_chunks};

}  // namespace

struct LocationWriter::State {
  OTF2_Archive* archive = nullptr;
  OTF2_EvtWriter* writer = nullptr;
  OTF2_AttributeList* attributes = OTF2_AttributeList_New();
  std::uint64_t records = 0;

  OTF2_AttributeList* with(std::span<const Attribute> list) {
    for (const auto& a : list)
      check(OTF2_AttributeList_AddAttribute(attributes, static_cast<OTF2_AttributeRef>(a.id), static_cast<OTF2_Type>(a.type),
                                            detail::value_of<OTF2_AttributeValue>(a.value)), "an attribute cannot be written");
    return attributes;
  }
  void wrote(OTF2_ErrorCode code) {
    check(code, "an event cannot be written");
    ++records;
  }
  ~State() { OTF2_AttributeList_Delete(attributes); }
};

LocationWriter::LocationWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
LocationWriter::LocationWriter(LocationWriter&&) noexcept = default;
LocationWriter::~LocationWriter() {
  if (state_ && state_->writer) OTF2_Archive_CloseEvtWriter(state_->archive, state_->writer);
}

void LocationWriter::enter(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes) {
  state_->wrote(OTF2_EvtWriter_Enter(state_->writer, attributes.empty() ? nullptr : state_->with(attributes), time, static_cast<OTF2_RegionRef>(region)));
}

void LocationWriter::leave(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes) {
  state_->wrote(OTF2_EvtWriter_Leave(state_->writer, attributes.empty() ? nullptr : state_->with(attributes), time, static_cast<OTF2_RegionRef>(region)));
}

void LocationWriter::write(const Event& event) {
  state_->wrote(event_functions[static_cast<std::size_t>(event.kind)](state_->writer, state_->with(event.attributes), event));
}

std::uint64_t LocationWriter::close() {
  errno = 0;
  check(OTF2_Archive_CloseEvtWriter(state_->archive, std::exchange(state_->writer, nullptr)), "an event file cannot be written");
  return state_->records;
}

struct OutputArchive::State {
  OTF2_Archive* archive = nullptr;
};

std::size_t encoded_size(const Definition& d) { return 32 + 10 * (d.fields.size() + d.list.size()) + d.text.size(); }
std::size_t encoded_size(const Event& e) { return 32 + 10 * (e.fields.size() + e.list.size()) + 20 * e.attributes.size(); }

OutputArchive::OutputArchive(const std::filesystem::path& folder, std::size_t largest_definition, std::size_t largest_event) : state_(std::make_unique<State>()) {
  errno = 0;
  auto*& archive = state_->archive;
  archive = OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, chunk_for(largest_event), chunk_for(largest_definition), OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  if (!archive) refuse(OTF2_ERROR_INVALID, "the archive cannot be made");
  check(OTF2_Pthread_Archive_SetLockingCallbacks(archive, nullptr), "locks");
  check(OTF2_Archive_SetFlushCallbacks(archive, &flush_callbacks, nullptr), "flush callbacks");
  check(OTF2_Archive_SetMemoryCallbacks(archive, &memory_callbacks, nullptr), "memory callbacks");
  check(OTF2_Archive_SetSerialCollectiveCallbacks(archive), "the archive's folder cannot be made");
  check(OTF2_Archive_OpenEvtFiles(archive), "the event files cannot be made");
}

OutputArchive::~OutputArchive() {
  if (state_->archive) OTF2_Archive_Close(state_->archive);
}

void OutputArchive::describe(const ArchiveFacts& original) {
  auto* archive = state_->archive;
  if (!original.machine.empty()) check(OTF2_Archive_SetMachineName(archive, original.machine.c_str()), "machine name");
  if (!original.creator.empty()) check(OTF2_Archive_SetCreator(archive, original.creator.c_str()), "creator");
  if (!original.description.empty()) check(OTF2_Archive_SetDescription(archive, original.description.c_str()), "description");
}

void OutputArchive::set_property(const std::string& name, const std::string& value) {
  check(OTF2_Archive_SetProperty(state_->archive, name.c_str(), value.c_str(), true), "a property of the archive cannot be written");
}

LocationWriter OutputArchive::open_location(std::uint64_t id) {
  auto state = std::make_unique<LocationWriter::State>();
  state->archive = state_->archive;
  errno = 0;
  state->writer = OTF2_Archive_GetEvtWriter(state_->archive, id);
  if (!state->writer) refuse(OTF2_ERROR_INVALID, "an event file cannot be made");
  return LocationWriter(std::move(state));
}

void OutputArchive::finish_locations(const std::vector<std::uint64_t>& ids) {
  auto* archive = state_->archive;
  errno = 0;
  check(OTF2_Archive_CloseEvtFiles(archive), "the event files cannot be written");
  check(OTF2_Archive_OpenDefFiles(archive), "the local definition files cannot be made");
  for (auto id : ids) {
    auto* writer = OTF2_Archive_GetDefWriter(archive, id);
    if (!writer) refuse(OTF2_ERROR_INVALID, "a local definition file cannot be made");
    check(OTF2_Archive_CloseDefWriter(archive, writer), "a local definition file cannot be written");
  }
  check(OTF2_Archive_CloseDefFiles(archive), "the local definition files cannot be written");
}

void OutputArchive::write_definitions(const std::vector<Definition>& definitions) {
  errno = 0;
  auto* writer = OTF2_Archive_GetGlobalDefWriter(state_->archive);
  if (!writer) refuse(OTF2_ERROR_INVALID, "the definitions cannot be made");
  for (const auto& d : definitions) {
    const auto code = definition_functions[static_cast<std::size_t>(d.kind)](writer, d);
    if (code != OTF2_SUCCESS) refuse(code, fmt::format("{} {} cannot be written", row_of(d.kind).name, d.id()));
  }
  check(OTF2_Archive_CloseGlobalDefWriter(state_->archive, writer), "the definitions cannot be written");
}

void OutputArchive::write_markers(const std::vector<MarkerKind>& kinds, const std::vector<Marker>& markers) {
  if (kinds.empty()) return;
  auto* writer = OTF2_Archive_GetMarkerWriter(state_->archive);
  if (!writer) refuse(OTF2_ERROR_INVALID, "the marker file cannot be made");
  for (const auto& k : kinds)
    check(OTF2_MarkerWriter_WriteDefMarker(writer, static_cast<OTF2_MarkerRef>(k.id), k.group.c_str(), k.category.c_str(),
                                           static_cast<OTF2_MarkerSeverity>(k.severity)), "a marker cannot be written");
  for (const auto& m : markers)
    check(OTF2_MarkerWriter_WriteMarker(writer, m.time, m.duration, static_cast<OTF2_MarkerRef>(m.kind),
                                        static_cast<OTF2_MarkerScope>(m.scope), m.scope_id, m.text.c_str()), "a marker cannot be written");
  check(OTF2_Archive_CloseMarkerWriter(state_->archive, writer), "the markers cannot be written");
}

void OutputArchive::close() {
  errno = 0;
  check(OTF2_Archive_Close(std::exchange(state_->archive, nullptr)), "the archive cannot be written");
}

}  // namespace tracefold
