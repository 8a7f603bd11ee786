#include "otf2/otf2_archive.hpp"

#include "base/sha256.hpp"
#include "otf2/anchor_file.hpp"
#include "otf2/definition_file.hpp"
#include "otf2/otf2_pack.hpp"
#include "otf2/wire.hpp"

#include <fmt/format.h>

#include <sys/stat.h>

#include <cstdarg>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <sstream>
#include <utility>

namespace tracefold {

namespace fs = std::filesystem;

static_assert(otf2_value::paradigm_mpi == OTF2_PARADIGM_MPI &&
              otf2_value::group_locations == OTF2_GROUP_TYPE_LOCATIONS &&
              otf2_value::group_regions == OTF2_GROUP_TYPE_REGIONS &&
              otf2_value::group_metric == OTF2_GROUP_TYPE_METRIC &&
              otf2_value::group_comm_locations == OTF2_GROUP_TYPE_COMM_LOCATIONS &&
              otf2_value::group_comm_group == OTF2_GROUP_TYPE_COMM_GROUP &&
              otf2_value::group_comm_self == OTF2_GROUP_TYPE_COMM_SELF);
static_assert(otf2_value::location_type_cpu == OTF2_LOCATION_TYPE_CPU_THREAD &&
              otf2_value::location_type_accelerator == OTF2_LOCATION_TYPE_ACCELERATOR_STREAM &&
              otf2_value::location_type_metric == OTF2_LOCATION_TYPE_METRIC &&
              otf2_value::location_group_accelerator == OTF2_LOCATION_GROUP_TYPE_ACCELERATOR &&
              otf2_value::group_flag_global_members == OTF2_GROUP_FLAG_GLOBAL_MEMBERS);
static_assert(otf2_value::root_none == OTF2_COLLECTIVE_ROOT_NONE &&
              otf2_value::root_self == OTF2_COLLECTIVE_ROOT_SELF &&
              otf2_value::root_this_group == OTF2_COLLECTIVE_ROOT_THIS_GROUP &&
              otf2_value::scope_group == OTF2_SCOPE_GROUP &&
              otf2_value::type_uint32 == OTF2_TYPE_UINT32 &&
              otf2_value::type_uint64 == OTF2_TYPE_UINT64 &&
              otf2_value::type_string == OTF2_TYPE_STRING &&
              otf2_value::type_int64 == OTF2_TYPE_INT64 &&
              otf2_value::type_double == OTF2_TYPE_DOUBLE);
static_assert(otf2_value::paradigm_unknown == OTF2_PARADIGM_UNKNOWN &&
              otf2_value::paradigm_user == OTF2_PARADIGM_USER &&
              otf2_value::paradigm_compiler == OTF2_PARADIGM_COMPILER &&
              otf2_value::paradigm_openmp == OTF2_PARADIGM_OPENMP);
static_assert(otf2_value::region_role_function == OTF2_REGION_ROLE_FUNCTION &&
              otf2_value::region_role_loop == OTF2_REGION_ROLE_LOOP &&
              otf2_value::region_role_code == OTF2_REGION_ROLE_CODE &&
              otf2_value::region_role_parallel == OTF2_REGION_ROLE_PARALLEL &&
              otf2_value::region_role_sections == OTF2_REGION_ROLE_SECTIONS &&
              otf2_value::region_role_section == OTF2_REGION_ROLE_SECTION &&
              otf2_value::region_role_workshare == OTF2_REGION_ROLE_WORKSHARE &&
              otf2_value::region_role_single_sblock == OTF2_REGION_ROLE_SINGLE_SBLOCK &&
              otf2_value::region_role_master == OTF2_REGION_ROLE_MASTER &&
              otf2_value::region_role_critical_sblock == OTF2_REGION_ROLE_CRITICAL_SBLOCK &&
              otf2_value::region_role_barrier == OTF2_REGION_ROLE_BARRIER &&
              otf2_value::region_role_implicit_barrier == OTF2_REGION_ROLE_IMPLICIT_BARRIER &&
              otf2_value::region_role_ordered_sblock == OTF2_REGION_ROLE_ORDERED_SBLOCK &&
              otf2_value::region_role_task == OTF2_REGION_ROLE_TASK);
static_assert(otf2_value::region_role_coll_one2all == OTF2_REGION_ROLE_COLL_ONE2ALL &&
              otf2_value::region_role_coll_all2one == OTF2_REGION_ROLE_COLL_ALL2ONE &&
              otf2_value::region_role_coll_all2all == OTF2_REGION_ROLE_COLL_ALL2ALL &&
              otf2_value::region_role_coll_other == OTF2_REGION_ROLE_COLL_OTHER &&
              otf2_value::region_role_file_io == OTF2_REGION_ROLE_FILE_IO &&
              otf2_value::region_role_point2point == OTF2_REGION_ROLE_POINT2POINT &&
              otf2_value::region_role_rma == OTF2_REGION_ROLE_RMA &&
              otf2_value::region_role_artificial == OTF2_REGION_ROLE_ARTIFICIAL &&
              otf2_value::region_role_task_untied == OTF2_REGION_ROLE_TASK_UNTIED &&
              otf2_value::region_role_file_io_metadata == OTF2_REGION_ROLE_FILE_IO_METADATA);
static_assert(otf2_value::collective_barrier == OTF2_COLLECTIVE_OP_BARRIER &&
              otf2_value::collective_bcast == OTF2_COLLECTIVE_OP_BCAST &&
              otf2_value::collective_gather == OTF2_COLLECTIVE_OP_GATHER &&
              otf2_value::collective_gatherv == OTF2_COLLECTIVE_OP_GATHERV &&
              otf2_value::collective_scatter == OTF2_COLLECTIVE_OP_SCATTER &&
              otf2_value::collective_scatterv == OTF2_COLLECTIVE_OP_SCATTERV &&
              otf2_value::collective_reduce == OTF2_COLLECTIVE_OP_REDUCE &&
              otf2_value::collective_create_handle == OTF2_COLLECTIVE_OP_CREATE_HANDLE);
static_assert(otf2_value::io_read == OTF2_IO_OPERATION_MODE_READ &&
              otf2_value::io_write == OTF2_IO_OPERATION_MODE_WRITE &&
              otf2_value::io_flag_collective == OTF2_IO_OPERATION_FLAG_COLLECTIVE &&
              otf2_value::metric_value_mask == OTF2_METRIC_VALUE_MASK &&
              otf2_value::metric_accumulated == OTF2_METRIC_VALUE_ACCUMULATED &&
              otf2_value::metric_relative == OTF2_METRIC_VALUE_RELATIVE);

namespace detail {

namespace {

thread_local std::string last_message;

OTF2_ErrorCode remember(void*, const char*, std::uint64_t, const char*, OTF2_ErrorCode code,
                        const char* format, va_list args) {
  if (last_message.empty()) {
    char words[512];
    std::vsnprintf(words, sizeof words, format, args);
    last_message = words;
  }

  return code;
}

}  // namespace

std::string take_otf2_message() {
  return std::exchange(last_message, {});
}

void silence_otf2() {
  static std::once_flag once;
  std::call_once(once, [] { OTF2_Error_RegisterCallback(remember, nullptr); });
}

ReaderHandle open_reader(const fs::path& anchor) {
  silence_otf2();
  take_otf2_message();
  ReaderHandle reader(OTF2_Reader_Open(anchor.c_str()));
  if (!reader || OTF2_Reader_SetSerialCollectiveCallbacks(reader.get()) != OTF2_SUCCESS)
    throw Error(ErrorKind::input, "not an OTF2 archive")
        .in(anchor.string())
        .hint("give the anchor file, as in app/traces.otf2");

  return reader;
}

}  // namespace detail

namespace {

template <DefinitionKind Kind, class... Args>
OTF2_CallbackCode on_definition(void* user, Args... args) {
  static_assert(sizeof...(Args) == get_row(Kind).size,
                "the definition table does not fit the OTF2 headers");
  try {
    Definition d;
    d.kind = Kind;
    detail::Packer{d.fields.data(), d.list, &d.text}.pack(args...);
    static_cast<Definitions*>(user)->add(std::move(d));
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

// `chunk` is the size of the file's chunks, 0 where it is not plain.
void read_definitions(OTF2_Reader* reader, const ArchivePaths& paths, std::uint64_t chunk,
                      Definitions& definitions, Diagnostics& diagnostics) {
  if (chunk)
    check_definition_file(paths.definitions(), chunk);
  auto* handle = OTF2_Reader_GetGlobalDefReader(reader);
  if (!handle)
    throw Error(ErrorKind::input, "the global definitions are missing")
        .in(paths.definitions().string())
        .hint("the archive is incomplete: copy all of its files");
  auto* callbacks = OTF2_GlobalDefReaderCallbacks_New();
#define TRACEFOLD_SET(name, ...)                       \
  register_definition<DefinitionKind::name>(callbacks, \
                                            OTF2_GlobalDefReaderCallbacks_Set##name##Callback);
  TRACEFOLD_DEFINITIONS(TRACEFOLD_SET)
#undef TRACEFOLD_SET
  OTF2_Reader_RegisterGlobalDefCallbacks(reader, handle, callbacks, &definitions);
  OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
  std::uint64_t n = 0;
  if (OTF2_Reader_ReadAllGlobalDefinitions(reader, handle, &n) != OTF2_SUCCESS)
    throw Error(ErrorKind::input,
                fmt::format("the global definitions are damaged after {} records", n))
        .in(paths.definitions().string())
        .hint("copy the archive again");
  definitions.finish();
  if (definitions.unusable())
    diagnostics.warn(
        "definitions that no reader could use were left out, parents in circles cut off",
        paths.definitions().string(), definitions.unusable());
  if (definitions.duplicates())
    diagnostics.warn("definitions that repeat an id were left out", paths.definitions().string(),
                     definitions.duplicates());
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
  if (chunk)
    check_marker_file(marker_file, chunk);

  auto* handle = OTF2_Reader_GetMarkerReader(reader);
  if (!handle)
    return;

  auto* callbacks = OTF2_MarkerReaderCallbacks_New();
  OTF2_MarkerReaderCallbacks_SetDefMarkerCallback(callbacks, on_marker_kind);
  OTF2_MarkerReaderCallbacks_SetMarkerCallback(callbacks, on_marker);
  OTF2_Reader_RegisterMarkerCallbacks(reader, handle, callbacks, &facts);
  OTF2_MarkerReaderCallbacks_Delete(callbacks);
  std::uint64_t n = 0;
  const auto code = OTF2_Reader_ReadAllMarkers(reader, handle, &n);
  OTF2_Reader_CloseMarkerReader(reader, handle);
  if (code != OTF2_SUCCESS)
    throw Error(ErrorKind::input, "the marker file is damaged")
        .in(marker_file.string())
        .hint("copy the archive again");
}

std::string owned(OTF2_ErrorCode code, char* text) {
  std::string copy = code == OTF2_SUCCESS && text ? text : "";
  if (code == OTF2_SUCCESS)
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
      facts.properties[names[k]] = owned(code, value);
    }
    std::free(names);
  }

  char* text = nullptr;
  auto code = OTF2_Reader_GetMachineName(reader, &text);
  facts.machine = owned(code, text);
  code = OTF2_Reader_GetCreator(reader, &text);
  facts.creator = owned(code, text);
  code = OTF2_Reader_GetDescription(reader, &text);
  facts.description = owned(code, text);
  std::uint32_t snapshots = 0, thumbnails = 0;
  OTF2_Reader_GetNumberOfSnapshots(reader, &snapshots);
  OTF2_Reader_GetNumberOfThumbnails(reader, &thumbnails);
  facts.has_snapshots = snapshots || thumbnails;
}

bool is_chunk_size(std::uint64_t size) {
  return size >= wire::smallest_chunk && size <= wire::largest_chunk;
}

// Whether the files are as model/wire.hpp says, and none is packed with others or compressed.
bool has_plain_files(OTF2_Reader* reader, std::uint64_t event_chunk,
                     std::uint64_t definition_chunk) {
  OTF2_FileSubstrate substrate = OTF2_SUBSTRATE_UNDEFINED;
  OTF2_Compression compression = OTF2_COMPRESSION_UNDEFINED;
  return OTF2_Reader_GetFileSubstrate(reader, &substrate) == OTF2_SUCCESS &&
         substrate == OTF2_SUBSTRATE_POSIX &&
         OTF2_Reader_GetCompression(reader, &compression) == OTF2_SUCCESS &&
         compression == OTF2_COMPRESSION_NONE && is_chunk_size(event_chunk) &&
         is_chunk_size(definition_chunk);
}

}  // namespace

Archive::Archive(const std::string& anchor, Diagnostics& diagnostics)
    : paths_{fs::absolute(anchor)} {
  try {
    check_anchor_file(paths_.anchor);
    auto reader = detail::open_reader(paths_.anchor);
    read_properties(reader.get(), facts_);
    OTF2_Reader_GetChunkSize(reader.get(), &event_chunk_, &definition_chunk_);
    if (!has_plain_files(reader.get(), event_chunk_, definition_chunk_))
      event_chunk_ = definition_chunk_ = 0;

    read_definitions(reader.get(), paths_, definition_chunk_, facts_.definitions, diagnostics);
    read_markers(reader.get(), definition_chunk_, facts_,
                 fs::path(paths_.anchor).replace_extension(".marker"));
  } catch (Error& problem) {
    throw problem.in(anchor);
  }

  if (facts_.has_snapshots)
    diagnostics.note("snapshots and thumbnails describe all events and are left out");
}

std::uint64_t Archive::bytes() const {
  std::uint64_t bytes = 0;
  std::error_code ignored;
  const auto add = [&](const fs::path& file) {
    if (auto size = fs::file_size(file, ignored); !ignored)
      bytes += size;
  };

  add(paths_.anchor);
  add(paths_.definitions());
  add(fs::path(paths_.anchor).replace_extension(".marker"));
  for (fs::directory_iterator at(paths_.folder(), ignored), end; !ignored && at != end;
       at.increment(ignored))
    add(at->path());

  return bytes;
}

TraceIdentity Archive::identity() const {
  TraceIdentity identity;
  Sha256 hash;

  for (const auto& file : {paths_.anchor, paths_.definitions()}) {
    struct ::stat facts {};
    if (::stat(file.c_str(), &facts) != 0)
      throw Error(ErrorKind::input, "cannot be read").in(file.string());

    identity.size += static_cast<std::uint64_t>(facts.st_size);
    identity.mtime_ns = std::max(identity.mtime_ns,
                                 static_cast<std::uint64_t>(facts.st_mtim.tv_sec) * 1'000'000'000u +
                                     static_cast<std::uint64_t>(facts.st_mtim.tv_nsec));
    std::ifstream in(file, std::ios::binary);
    std::vector<char> buffer(1 << 16);
    while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || in.gcount())
      hash.add(std::string_view(buffer.data(), static_cast<std::size_t>(in.gcount())));
  }

  identity.sha256 = hash.hex();

  return identity;
}

}  // namespace tracefold
