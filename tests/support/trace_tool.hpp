// What the programs share that write made-up traces with libotf2.
#pragma once

#include <otf2/otf2.h>

#include <cstdarg>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace tracefold::testing {

inline void check(OTF2_ErrorCode code, const char* what) {
  if (code != OTF2_SUCCESS)
    throw std::runtime_error(std::string(what) + ": " + OTF2_Error_GetDescription(code));
}

template <class T>
T* need(T* pointer, const char* what) {
  if (!pointer)
    throw std::runtime_error(std::string("no ") + what + " from libotf2");
  return pointer;
}

// libotf2 would print what check() says again.
inline void silence_library() {
  OTF2_Error_RegisterCallback([](void*, const char*, std::uint64_t, const char*,
                                 OTF2_ErrorCode code, const char*, va_list) { return code; },
                              nullptr);
}

inline OTF2_Archive* open_archive(const std::string& folder, std::uint64_t event_chunk,
                                  std::uint64_t definition_chunk, const char* creator) {
  // libotf2 would overwrite parts of an archive that is there.
  if (std::filesystem::exists(folder) && !std::filesystem::is_empty(folder))
    throw std::runtime_error("already exists and is not empty");

  auto* archive =
      need(OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, event_chunk,
                             definition_chunk, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE),
           "archive");

  static const OTF2_FlushCallbacks flush{[](void*, OTF2_FileType, OTF2_LocationRef, void*,
                                            bool) -> OTF2_FlushType { return OTF2_FLUSH; },
                                         nullptr};  // libotf2 keeps the address
  check(OTF2_Archive_SetFlushCallbacks(archive, &flush, nullptr), "flush callbacks");
  check(OTF2_Archive_SetSerialCollectiveCallbacks(archive), "making the folder");
  check(OTF2_Archive_SetCreator(archive, creator), "creator");
  check(OTF2_Archive_OpenEvtFiles(archive), "opening the event files");

  return archive;
}

// libotf2 does not say that a disk was full. A whole file ends in the mark 1.
inline void check_files(const std::string& folder) {
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
    if (file.path().extension() != ".evt" && file.path().extension() != ".def")
      continue;
    std::ifstream in(file.path(), std::ios::binary);
    if (!in.seekg(-1, std::ios::end) || in.get() != 1)
      throw std::runtime_error("could not be written whole; is the disk full?");
  }
}

}  // namespace tracefold::testing
