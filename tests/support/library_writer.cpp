#include "tests/support/library_writer.hpp"

#include "otf2/library_arguments.hpp"

#include <otf2/otf2.h>

#include <stdexcept>

namespace tracefold::testing {

namespace {

void check(OTF2_ErrorCode code) {
  if (code != OTF2_SUCCESS)
    throw std::runtime_error(OTF2_Error_GetDescription(code));
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

template <auto Function>
struct EventCall;
template <class... Args,
          OTF2_ErrorCode (*Function)(OTF2_EvtWriter*, OTF2_AttributeList*, OTF2_TimeStamp, Args...)>
struct EventCall<Function> {
  static OTF2_ErrorCode call(OTF2_EvtWriter* writer, OTF2_AttributeList* attributes,
                             const Event& event) {
    return detail::call_with_slots<Args...>(event.fields.data(), event.list, {}, [&](Args... args) {
      return Function(writer, attributes, event.time, args...);
    });
  }
};

constexpr OTF2_ErrorCode (*event_functions[])(OTF2_EvtWriter*, OTF2_AttributeList*,
                                              const Event&) = {
#define TRACEFOLD_CALL(name, ...) &EventCall<OTF2_EvtWriter_##name>::call,
    TRACEFOLD_EVENTS(TRACEFOLD_CALL)
#undef TRACEFOLD_CALL
};

#pragma GCC diagnostic pop

OTF2_FlushType always_flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
  return OTF2_FLUSH;
}
OTF2_FlushCallbacks flush_callbacks{always_flush, nullptr};

}  // namespace

void write_events_by_library(const std::map<std::uint64_t, std::vector<Event>>& events,
                             std::uint64_t chunk_size, const std::filesystem::path& folder) {
  auto* archive = OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, chunk_size,
                                    chunk_size, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  check(OTF2_Archive_SetFlushCallbacks(archive, &flush_callbacks, nullptr));
  check(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
  check(OTF2_Archive_OpenEvtFiles(archive));
  auto* attributes = OTF2_AttributeList_New();

  for (const auto& [id, list] : events) {
    auto* writer = OTF2_Archive_GetEvtWriter(archive, id);
    for (const auto& event : list) {
      for (const auto& a : event.attributes)
        check(OTF2_AttributeList_AddAttribute(attributes, static_cast<OTF2_AttributeRef>(a.id),
                                              static_cast<OTF2_Type>(a.type),
                                              detail::from_bits<OTF2_AttributeValue>(a.value)));
      check(event_functions[static_cast<std::size_t>(event.kind)](writer, attributes, event));
    }

    check(OTF2_Archive_CloseEvtWriter(archive, writer));
  }

  OTF2_AttributeList_Delete(attributes);
  check(OTF2_Archive_CloseEvtFiles(archive));
  check(OTF2_Archive_Close(archive));
}

}  // namespace tracefold::testing
