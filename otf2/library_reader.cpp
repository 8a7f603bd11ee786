#include "otf2/library_reader.hpp"

#include "base/error.hpp"

#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <utility>

namespace tracefold {

namespace detail {

namespace {

thread_local std::string first_message;

// Called by libotf2 instead of printing.
OTF2_ErrorCode keep_message(void*, const char*, std::uint64_t, const char*, OTF2_ErrorCode code,
                            const char* format, va_list args) {
  if (first_message.empty()) {
    char message[512];
    std::vsnprintf(message, sizeof message, format, args);
    first_message = message;
  }

  return code;
}

}  // namespace

std::string take_otf2_message() {
  return std::exchange(first_message, {});
}

ReaderHandle open_reader(const std::filesystem::path& anchor) {
  static std::once_flag once;
  std::call_once(once, [] { OTF2_Error_RegisterCallback(keep_message, nullptr); });
  take_otf2_message();

  ReaderHandle reader(OTF2_Reader_Open(anchor.c_str()));
  if (!reader || OTF2_Reader_SetSerialCollectiveCallbacks(reader.get()) != OTF2_SUCCESS)
    throw Error(ErrorKind::input, "not an OTF2 archive")
        .in(anchor.string())
        .hint("give the anchor file, as in app/traces.otf2");

  return reader;
}

}  // namespace detail

LibraryReader::LibraryReader(const Archive& archive, std::span<const std::uint64_t> batch)
    : archive_(archive), reader_(detail::open_reader(archive.paths().anchor)) {
  for (auto location : batch)
    OTF2_Reader_SelectLocation(reader_.get(), location);
  OTF2_Reader_OpenDefFiles(reader_.get());
  OTF2_Reader_OpenEvtFiles(reader_.get());
}

namespace {

// A second mapping table of a kind is an error, behind which reading goes on.
OTF2_ErrorCode read_all_local(OTF2_Reader* reader, OTF2_DefReader* local) {
  OTF2_ErrorCode code = OTF2_SUCCESS;
  do {
    std::uint64_t n = 0;
    code = OTF2_Reader_ReadAllLocalDefinitions(reader, local, &n);
  } while (code == OTF2_ERROR_DUPLICATE_MAPPING_TABLE);

  return code;
}

}  // namespace

OTF2_EvtReader* LibraryReader::open(std::uint64_t location) {
  const auto& paths = archive_.paths();
  std::error_code unknown;

  // A file without a byte defines nothing.
  const auto size = std::filesystem::file_size(paths.local_definitions(location), unknown);
  if (!unknown && size > 0) {
    auto* local = OTF2_Reader_GetDefReader(reader_.get(), location);
    const bool whole = local && read_all_local(reader_.get(), local) == OTF2_SUCCESS;
    if (local)
      OTF2_Reader_CloseDefReader(reader_.get(), local);
    if (!whole)
      throw Error(ErrorKind::input, "the local definitions are damaged")
          .in(paths.local_definitions(location).string())
          .hint("copy the archive again");
  }

  detail::take_otf2_message();
  auto* events = OTF2_Reader_GetEvtReader(reader_.get(), location);
  if (!events)
    throw Error(ErrorKind::input, "the event file cannot be opened: " + detail::take_otf2_message())
        .in(paths.events(location).string())
        .hint("copy the archive again");

  return events;
}

}  // namespace tracefold
