// The floor to measure against: one plain read of all events of an archive by
// libotf2's local event readers with empty callbacks, in a given number of
// threads with a reader each.
//   read_floor TRACE.otf2 [THREADS]
// Prints the number of events, the wall and CPU seconds.
#include <otf2/otf2.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <vector>

namespace {

OTF2_CallbackCode location(void* user, OTF2_LocationRef id, OTF2_StringRef, OTF2_LocationType, std::uint64_t, OTF2_LocationGroupRef) {
  static_cast<std::vector<OTF2_LocationRef>*>(user)->push_back(id);
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode call(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void*, OTF2_AttributeList*, OTF2_RegionRef) { return OTF2_CALLBACK_SUCCESS; }

struct Source {
  OTF2_Reader* reader;
  std::vector<OTF2_LocationRef> ids;
};

Source open(const char* anchor) {
  Source s{OTF2_Reader_Open(anchor), {}};
  if (!s.reader) std::exit(3);
  OTF2_Reader_SetSerialCollectiveCallbacks(s.reader);
  auto* definitions = OTF2_Reader_GetGlobalDefReader(s.reader);
  auto* callbacks = OTF2_GlobalDefReaderCallbacks_New();
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, location);
  OTF2_Reader_RegisterGlobalDefCallbacks(s.reader, definitions, callbacks, &s.ids);
  OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
  std::uint64_t n = 0;
  if (OTF2_Reader_ReadAllGlobalDefinitions(s.reader, definitions, &n) != OTF2_SUCCESS) std::exit(3);
  for (auto id : s.ids) OTF2_Reader_SelectLocation(s.reader, id);
  OTF2_Reader_OpenDefFiles(s.reader);
  OTF2_Reader_OpenEvtFiles(s.reader);
  return s;
}

void read_all(const char* anchor, std::atomic<std::size_t>& next, std::atomic<std::uint64_t>& events) {
  auto s = open(anchor);
  auto* callbacks = OTF2_EvtReaderCallbacks_New();
  OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, call);
  OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, call);
  for (std::size_t i; (i = next++) < s.ids.size();) {
    std::uint64_t n = 0;
    if (auto* local = OTF2_Reader_GetDefReader(s.reader, s.ids[i])) {
      OTF2_Reader_ReadAllLocalDefinitions(s.reader, local, &n);
      OTF2_Reader_CloseDefReader(s.reader, local);
    }
    auto* reader = OTF2_Reader_GetEvtReader(s.reader, s.ids[i]);
    if (!reader) continue;
    OTF2_Reader_RegisterEvtCallbacks(s.reader, reader, callbacks, nullptr);
    OTF2_Reader_ReadAllLocalEvents(s.reader, reader, &n);
    OTF2_Reader_CloseEvtReader(s.reader, reader);
    events += n;
  }
  OTF2_EvtReaderCallbacks_Delete(callbacks);
  OTF2_Reader_Close(s.reader);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: read_floor TRACE.otf2 [THREADS]\n");
    return 2;
  }
  const int threads = argc > 2 ? std::atoi(argv[2]) : 1;
  const auto start = std::chrono::steady_clock::now();
  std::atomic<std::size_t> next{0};
  std::atomic<std::uint64_t> events{0};
  std::vector<std::jthread> workers;
  for (int t = 1; t < threads; ++t) workers.emplace_back([&] { read_all(argv[1], next, events); });
  read_all(argv[1], next, events);
  workers.clear();
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%llu events, %.3f s wall, %.3f s CPU\n", static_cast<unsigned long long>(events), wall, static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
  return 0;
}
