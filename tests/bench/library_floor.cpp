// What libotf2 itself takes, to measure against. Prints the number of events, the wall and CPU
// seconds.
//   library_floor read TRACE.otf2 [THREADS]   all events by the local event readers with empty
//   callbacks; each thread has a reader of its own library_floor copy TRACE.otf2 FOLDER      all
//   events by the local event readers into event writers, one location after the other, in one
//   thread
// `copy` knows the kinds of records that make_bench_trace writes, and no others: it ends with
// status 3 where the copy would have fewer events.
#include <otf2/otf2.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <thread>
#include <vector>

namespace {

void check(bool good, const char* what) {
  if (good)
    return;
  std::fprintf(stderr, "library_floor: %s failed\n", what);
  std::exit(3);
}
void check(OTF2_ErrorCode code, const char* what) {
  check(code == OTF2_SUCCESS, what);
}

constexpr auto done = OTF2_CALLBACK_SUCCESS;
OTF2_CallbackCode code_of(OTF2_ErrorCode code) {
  return code == OTF2_SUCCESS ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_ERROR;
}

struct Location {
  OTF2_LocationRef id;
  std::uint64_t events;
};

// What the callbacks for definitions are given; `out` only where they are copied.
struct Definitions {
  std::vector<Location> locations;
  OTF2_GlobalDefWriter* out = nullptr;
};

OTF2_CallbackCode location(void* user, OTF2_LocationRef id, OTF2_StringRef name,
                           OTF2_LocationType type, std::uint64_t events,
                           OTF2_LocationGroupRef group) {
  auto& to = *static_cast<Definitions*>(user);
  to.locations.push_back({id, events});
  return to.out ? code_of(OTF2_GlobalDefWriter_WriteLocation(to.out, id, name, type, events, group))
                : done;
}

// Passes a definition on to the function that writes it, whatever its fields are.
template <auto write, class... Fields>
OTF2_CallbackCode copy_definition(void* user, Fields... fields) {
  return code_of(write(static_cast<Definitions*>(user)->out, fields...));
}

void set_copying(OTF2_GlobalDefReaderCallbacks* callbacks) {
  OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(
      callbacks, copy_definition<OTF2_GlobalDefWriter_WriteClockProperties>);
  OTF2_GlobalDefReaderCallbacks_SetParadigmCallback(
      callbacks, copy_definition<OTF2_GlobalDefWriter_WriteParadigm>);
  OTF2_GlobalDefReaderCallbacks_SetStringCallback(
      callbacks, copy_definition<OTF2_GlobalDefWriter_WriteString>);
  OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(
      callbacks, copy_definition<OTF2_GlobalDefWriter_WriteSystemTreeNode>);
  OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(
      callbacks, copy_definition<OTF2_GlobalDefWriter_WriteLocationGroup>);
  OTF2_GlobalDefReaderCallbacks_SetRegionCallback(
      callbacks, copy_definition<OTF2_GlobalDefWriter_WriteRegion>);
  OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks,
                                                 copy_definition<OTF2_GlobalDefWriter_WriteGroup>);
  OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks,
                                                copy_definition<OTF2_GlobalDefWriter_WriteComm>);
}

void read_definitions(OTF2_Reader* reader, Definitions& to) {
  auto* definitions = OTF2_Reader_GetGlobalDefReader(reader);
  auto* callbacks = OTF2_GlobalDefReaderCallbacks_New();
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, location);
  if (to.out)
    set_copying(callbacks);

  OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, &to);
  OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
  std::uint64_t n = 0;
  check(OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &n), "reading the definitions");
}

OTF2_Reader* open(const char* anchor) {
  auto* reader = OTF2_Reader_Open(anchor);
  check(reader != nullptr, "opening the trace");
  OTF2_Reader_SetSerialCollectiveCallbacks(reader);
  return reader;
}

void open_files(OTF2_Reader* reader, const std::vector<Location>& locations) {
  for (const auto& l : locations)
    OTF2_Reader_SelectLocation(reader, l.id);
  OTF2_Reader_OpenDefFiles(reader);
  OTF2_Reader_OpenEvtFiles(reader);
}

// With its local definitions, so that mapping tables and clock offsets apply.
std::uint64_t read_events(OTF2_Reader* reader, OTF2_LocationRef id,
                          const OTF2_EvtReaderCallbacks* callbacks, void* user) {
  std::uint64_t n = 0;
  if (auto* local = OTF2_Reader_GetDefReader(reader, id)) {
    OTF2_Reader_ReadAllLocalDefinitions(reader, local, &n);
    OTF2_Reader_CloseDefReader(reader, local);
  }

  auto* events = OTF2_Reader_GetEvtReader(reader, id);
  check(events != nullptr, "opening an event file");
  OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, user);
  check(OTF2_Reader_ReadAllLocalEvents(reader, events, &n), "reading events");
  OTF2_Reader_CloseEvtReader(reader, events);

  return n;
}

OTF2_CallbackCode ignore(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void*,
                         OTF2_AttributeList*, OTF2_RegionRef) {
  return done;
}

void read_all(const char* anchor, std::atomic<std::size_t>& next,
              std::atomic<std::uint64_t>& events) {
  auto* reader = open(anchor);
  Definitions definitions;
  read_definitions(reader, definitions);
  open_files(reader, definitions.locations);
  auto* callbacks = OTF2_EvtReaderCallbacks_New();
  OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, ignore);
  OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, ignore);
  for (std::size_t i; (i = next++) < definitions.locations.size();)
    events += read_events(reader, definitions.locations[i].id, callbacks, nullptr);

  OTF2_EvtReaderCallbacks_Delete(callbacks);
  OTF2_Reader_Close(reader);
}

std::uint64_t read(const char* anchor, int threads) {
  std::atomic<std::size_t> next{0};
  std::atomic<std::uint64_t> events{0};
  std::vector<std::jthread> workers;
  for (int t = 1; t < threads; ++t)
    workers.emplace_back([&] { read_all(anchor, next, events); });

  read_all(anchor, next, events);
  workers.clear();

  return events;
}

template <auto write, class... Fields>
OTF2_CallbackCode copy_event(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                             OTF2_AttributeList* attributes, Fields... fields) {
  return code_of(write(static_cast<OTF2_EvtWriter*>(user), attributes, time, fields...));
}

OTF2_EvtReaderCallbacks* copying_callbacks() {
  auto* callbacks = OTF2_EvtReaderCallbacks_New();
  OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, copy_event<OTF2_EvtWriter_Enter>);
  OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, copy_event<OTF2_EvtWriter_Leave>);
  OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, copy_event<OTF2_EvtWriter_MpiSend>);
  OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, copy_event<OTF2_EvtWriter_MpiRecv>);
  OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(
      callbacks, copy_event<OTF2_EvtWriter_MpiCollectiveBegin>);
  OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks,
                                                      copy_event<OTF2_EvtWriter_MpiCollectiveEnd>);

  return callbacks;
}

OTF2_FlushType always_flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
  return OTF2_FLUSH;
}

OTF2_Archive* create(const char* folder, OTF2_Reader* like) {
  std::uint64_t event_chunk = 0, definition_chunk = 0;
  check(OTF2_Reader_GetChunkSize(like, &event_chunk, &definition_chunk),
        "asking for the chunk sizes");
  auto* archive = OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, event_chunk,
                                    definition_chunk, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  check(archive != nullptr, "making the copy");
  static const OTF2_FlushCallbacks flush{always_flush, nullptr};  // libotf2 keeps the address
  check(OTF2_Archive_SetFlushCallbacks(archive, &flush, nullptr), "setting flush callbacks");
  check(OTF2_Archive_SetSerialCollectiveCallbacks(archive), "making the copy's folder");

  return archive;
}

// Ids and times are global once they are read: the local definition files of the copy are empty.
std::uint64_t copy(const char* anchor, const char* folder) {
  check(!std::filesystem::exists(folder), "making the copy, which exists,");
  auto* reader = open(anchor);
  auto* archive = create(folder, reader);
  Definitions definitions;
  definitions.out = OTF2_Archive_GetGlobalDefWriter(archive);
  read_definitions(reader, definitions);
  open_files(reader, definitions.locations);
  auto* callbacks = copying_callbacks();
  std::uint64_t events = 0;
  check(OTF2_Archive_OpenEvtFiles(archive), "opening the copy's event files");

  for (const auto& l : definitions.locations) {
    auto* writer = OTF2_Archive_GetEvtWriter(archive, l.id);
    check(writer != nullptr, "opening an event file to write");
    events += read_events(reader, l.id, callbacks, writer);
    std::uint64_t written = 0;
    check(OTF2_EvtWriter_GetNumberOfEvents(writer, &written), "counting events");
    check(written == l.events, "copying all events");
    check(OTF2_Archive_CloseEvtWriter(archive, writer), "closing an event file");
  }

  OTF2_EvtReaderCallbacks_Delete(callbacks);
  check(OTF2_Archive_CloseEvtFiles(archive), "closing the copy's event files");
  check(OTF2_Archive_OpenDefFiles(archive), "opening the copy's definition files");
  for (const auto& l : definitions.locations)
    check(OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, l.id)),
          "closing a definition file");

  check(OTF2_Archive_CloseDefFiles(archive), "closing the copy's definition files");
  check(OTF2_Archive_Close(archive), "closing the copy");
  OTF2_Reader_Close(reader);

  return events;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  const bool reads = mode == "read" && (argc == 3 || argc == 4);

  if (!reads && !(mode == "copy" && argc == 4)) {
    std::fputs(
        "usage: library_floor read TRACE.otf2 [THREADS]\n       library_floor copy TRACE.otf2 "
        "FOLDER\n",
        stderr);
    return 2;
  }

  const auto start = std::chrono::steady_clock::now();
  const auto events =
      reads ? read(argv[2], argc > 3 ? std::atoi(argv[3]) : 1) : copy(argv[2], argv[3]);
  const double wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%llu events, %.3f s wall, %.3f s CPU\n", static_cast<unsigned long long>(events),
              wall, static_cast<double>(std::clock()) / CLOCKS_PER_SEC);

  return 0;
}
