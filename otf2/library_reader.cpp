#include "otf2/library_reader.hpp"

namespace tracefold {

LibraryReader::LibraryReader(const Archive& archive, std::span<const std::uint64_t> batch)
    : archive_(archive), reader_(detail::open_reader(archive.paths().anchor)) {
  for (auto location : batch)
    OTF2_Reader_SelectLocation(reader_.get(), location);
  OTF2_Reader_OpenDefFiles(reader_.get());
  OTF2_Reader_OpenEvtFiles(reader_.get());
}

OTF2_EvtReader* LibraryReader::open(std::uint64_t location) {
  const auto& paths = archive_.paths();
  std::error_code ignored;

  if (std::filesystem::exists(paths.local_definitions(location), ignored)) {
    auto* local = OTF2_Reader_GetDefReader(reader_.get(), location);
    std::uint64_t n = 0;
    const bool whole =
        local && OTF2_Reader_ReadAllLocalDefinitions(reader_.get(), local, &n) == OTF2_SUCCESS;
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
