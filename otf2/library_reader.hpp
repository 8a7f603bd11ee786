// Reads events with libotf2 and passes them to an event sink (event.hpp). It is used for
// files that our decoder does not know, and where the user asks for it.
#pragma once

#include "otf2/archive.hpp"
#include "otf2/event.hpp"
#include "otf2/library_arguments.hpp"

#include <otf2/otf2.h>

#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

namespace detail {

struct ReaderCloser {
  void operator()(OTF2_Reader* r) const { OTF2_Reader_Close(r); }
};
using ReaderHandle = std::unique_ptr<OTF2_Reader, ReaderCloser>;

// Also keeps libotf2 from printing its messages. Throws Error(input).
ReaderHandle open_reader(const std::filesystem::path& anchor);

// The first message of libotf2 in this thread since the last call of this function. Empty
// where there was none.
std::string take_otf2_message();

// What the callbacks of one location share.
template <EventSink Sink>
struct EventFeed {
  Sink& sink;
  Event event;
  std::exception_ptr problem;  // what the sink has thrown

  void load_attributes(OTF2_AttributeList* list) {
    event.attributes.clear();
    const auto n = OTF2_AttributeList_GetNumberOfElements(list);
    if (n == 0)
      return;

    for (std::uint32_t k = 0; k < n; ++k) {
      OTF2_AttributeRef id;
      OTF2_Type type;
      OTF2_AttributeValue value;
      if (OTF2_AttributeList_GetAttributeByIndex(list, k, &id, &type, &value) == OTF2_SUCCESS)
        event.attributes.push_back({id, type, to_bits(type, value)});
    }
  }
};

// Runs one step of a callback. What it throws must not pass through the C library, so it is
// kept until that has returned.
template <class Feed, class Step>
[[gnu::always_inline]] inline OTF2_CallbackCode run_guarded(void* user, Step&& step) {
  auto& feed = *static_cast<Feed*>(user);
  try {
    step(feed);
    return OTF2_CALLBACK_SUCCESS;
  } catch (...) {
    feed.problem = std::current_exception();
    return OTF2_CALLBACK_INTERRUPT;
  }
}

template <EventSink Sink, EventKind Kind, class... Args>
OTF2_CallbackCode on_event(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                           OTF2_AttributeList* attributes, Args... args) {
  static_assert(sizeof...(Args) == get_row(Kind).size,
                "the event table does not fit the OTF2 headers");
  return run_guarded<EventFeed<Sink>>(user, [&](auto& feed) {
    feed.load_attributes(attributes);
    if constexpr (Kind == EventKind::Enter) {
      feed.sink.enter(time, args..., std::span<const Attribute>(feed.event.attributes));
    } else if constexpr (Kind == EventKind::Leave) {
      feed.sink.leave(time, args..., std::span<const Attribute>(feed.event.attributes));
    } else {
      feed.event.kind = Kind;
      feed.event.time = time;
      feed.event.list.clear();
      ArgumentReader{feed.event.fields.data(), feed.event.list, nullptr}.read(args...);
      feed.sink.other(feed.event);
    }
  });
}

template <EventSink Sink>
OTF2_CallbackCode on_unknown(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                             OTF2_AttributeList*) {
  return run_guarded<EventFeed<Sink>>(user, [&](auto& feed) { feed.sink.unknown(time); });
}

template <EventSink Sink, EventKind Kind, class... Args>
void register_event(OTF2_EvtReaderCallbacks* callbacks,
                    OTF2_ErrorCode (*set)(OTF2_EvtReaderCallbacks*,
                                          OTF2_CallbackCode (*)(OTF2_LocationRef, OTF2_TimeStamp,
                                                                std::uint64_t, void*,
                                                                OTF2_AttributeList*, Args...))) {
  set(callbacks, &on_event<Sink, Kind, Args...>);
}

struct CallbacksDeleter {
  void operator()(OTF2_EvtReaderCallbacks* c) const { OTF2_EvtReaderCallbacks_Delete(c); }
};

template <EventSink Sink>
std::unique_ptr<OTF2_EvtReaderCallbacks, CallbacksDeleter> make_callbacks() {
  std::unique_ptr<OTF2_EvtReaderCallbacks, CallbacksDeleter> callbacks(
      OTF2_EvtReaderCallbacks_New());
#define TRACEFOLD_SET(name, ...)                         \
  register_event<Sink, EventKind::name>(callbacks.get(), \
                                        OTF2_EvtReaderCallbacks_Set##name##Callback);
  TRACEFOLD_EVENTS(TRACEFOLD_SET)
#undef TRACEFOLD_SET
  OTF2_EvtReaderCallbacks_SetUnknownCallback(callbacks.get(), &on_unknown<Sink>);
  return callbacks;
}

}  // namespace detail

// One thread. The time that libotf2 takes for each location grows with the number of locations
// that a reader knows. So there is a reader for each batch of locations, and none for the
// whole archive.
class LibraryReader {
 public:
  LibraryReader(const Archive& archive, std::span<const std::uint64_t> batch);

  // Passes all events of a location of the batch to the sink and sets `records` to their number.
  // False where the file ends early or is damaged. Throws Error(input) where it cannot be
  // opened or the local definitions are damaged, and whatever the sink throws.
  template <EventSink Sink>
  bool read(std::uint64_t location, Sink& sink, std::uint64_t& records) {
    OTF2_EvtReader* events = open(location);
    detail::EventFeed<Sink> feed{sink, {}, {}};
    const auto callbacks = detail::make_callbacks<Sink>();
    OTF2_Reader_RegisterEvtCallbacks(reader_.get(), events, callbacks.get(), &feed);
    const auto code = OTF2_Reader_ReadAllLocalEvents(reader_.get(), events, &records);
    OTF2_Reader_CloseEvtReader(reader_.get(), events);
    if (feed.problem)
      std::rethrow_exception(feed.problem);

    return code == OTF2_SUCCESS;
  }

 private:
  OTF2_EvtReader* open(std::uint64_t location);

  const Archive& archive_;
  detail::ReaderHandle reader_;
};

}  // namespace tracefold
