#include "otf2/library_reader.hpp"

#include "base/error.hpp"
#include "otf2/library_arguments.hpp"

#include <cstdarg>
#include <cstdio>
#include <exception>
#include <mutex>
#include <utility>

namespace tracefold {

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

// The first message of libotf2 in this thread since the last call of this function. Empty
// where there was none.
std::string take_otf2_message() {
  return std::exchange(first_message, {});
}

}  // namespace

detail::ReaderHandle detail::open_reader(const std::filesystem::path& anchor) {
  static std::once_flag once;
  std::call_once(once, [] { OTF2_Error_RegisterCallback(keep_message, nullptr); });
  take_otf2_message();

  ReaderHandle reader(OTF2_Reader_Open(anchor.c_str()));
  if (!reader || OTF2_Reader_SetSerialCollectiveCallbacks(reader.get()) != OTF2_SUCCESS)
    throw Error(ErrorKind::input, "not an OTF2 archive, or its anchor file is damaged")
        .in(anchor.string())
        .hint("copy it again");

  return reader;
}

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

// What the callbacks of one location share.
struct EventFeed {
  EventReceiver& receiver;
  Event event;
  std::exception_ptr problem;  // what the receiver has thrown

  void load_attributes(OTF2_AttributeList* list) {
    event.attributes.clear();
    const auto n = OTF2_AttributeList_GetNumberOfElements(list);

    for (std::uint32_t k = 0; k < n; ++k) {
      OTF2_AttributeRef id;
      OTF2_Type type;
      OTF2_AttributeValue value;
      if (OTF2_AttributeList_GetAttributeByIndex(list, k, &id, &type, &value) == OTF2_SUCCESS)
        event.attributes.push_back({id, type, detail::to_bits(type, value)});
    }
  }
};

// Runs one step of a callback. What it throws must not pass through the C library, so it is
// kept until that has returned.
template <class Step>
OTF2_CallbackCode run_guarded(void* user, Step&& step) {
  auto& feed = *static_cast<EventFeed*>(user);
  try {
    step(feed);
    return OTF2_CALLBACK_SUCCESS;
  } catch (...) {
    feed.problem = std::current_exception();
    return OTF2_CALLBACK_INTERRUPT;
  }
}

template <EventKind Kind, class... Args>
OTF2_CallbackCode on_event(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                           OTF2_AttributeList* attributes, Args... args) {
  static_assert(sizeof...(Args) == get_row(Kind).size,
                "the event table does not fit the OTF2 headers");
  return run_guarded(user, [&](EventFeed& feed) {
    auto& event = feed.event;
    feed.load_attributes(attributes);
    if constexpr (Kind == EventKind::Enter) {
      feed.receiver.enter(time, args..., event.attributes);
    } else if constexpr (Kind == EventKind::Leave) {
      feed.receiver.leave(time, args..., event.attributes);
    } else {
      event.kind = Kind;
      event.time = time;
      event.list.clear();
      detail::ArgumentReader{event.fields.data(), event.list, nullptr}.read(args...);
      feed.receiver.other(event);
    }
  });
}

OTF2_CallbackCode on_unknown(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                             OTF2_AttributeList*) {
  return run_guarded(user, [&](EventFeed& feed) { feed.receiver.unknown(time); });
}

template <EventKind Kind, class... Args>
void register_event(OTF2_EvtReaderCallbacks* callbacks,
                    OTF2_ErrorCode (*set)(OTF2_EvtReaderCallbacks*,
                                          OTF2_CallbackCode (*)(OTF2_LocationRef, OTF2_TimeStamp,
                                                                std::uint64_t, void*,
                                                                OTF2_AttributeList*, Args...))) {
  set(callbacks, &on_event<Kind, Args...>);
}

struct CallbacksDeleter {
  void operator()(OTF2_EvtReaderCallbacks* c) const { OTF2_EvtReaderCallbacks_Delete(c); }
};
using CallbacksHandle = std::unique_ptr<OTF2_EvtReaderCallbacks, CallbacksDeleter>;

CallbacksHandle make_callbacks() {
  CallbacksHandle callbacks(OTF2_EvtReaderCallbacks_New());
#define TRACEFOLD_SET(name, ...) \
  register_event<EventKind::name>(callbacks.get(), OTF2_EvtReaderCallbacks_Set##name##Callback);
  TRACEFOLD_EVENTS(TRACEFOLD_SET)
#undef TRACEFOLD_SET
  OTF2_EvtReaderCallbacks_SetUnknownCallback(callbacks.get(), &on_unknown);

  return callbacks;
}

}  // namespace

bool LibraryReader::read(std::uint64_t location, EventReceiver& receiver, std::uint64_t& records) {
  auto* events = open(location);
  EventFeed feed{receiver, {}, {}};
  const auto callbacks = make_callbacks();

  OTF2_Reader_RegisterEvtCallbacks(reader_.get(), events, callbacks.get(), &feed);
  const auto code = OTF2_Reader_ReadAllLocalEvents(reader_.get(), events, &records);
  OTF2_Reader_CloseEvtReader(reader_.get(), events);
  if (feed.problem)
    std::rethrow_exception(feed.problem);

  return code == OTF2_SUCCESS;
}

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

  take_otf2_message();
  auto* events = OTF2_Reader_GetEvtReader(reader_.get(), location);
  if (!events)
    throw Error(ErrorKind::input, "the event file cannot be opened: " + take_otf2_message())
        .in(paths.events(location).string())
        .hint("copy the archive again");

  return events;
}

}  // namespace tracefold
