// Events as libotf2's local readers give them, fed to an event sink (see
// event_reader.hpp).
#pragma once

#include "base/error.hpp"
#include "otf2/event.hpp"
#include "otf2/otf2_archive.hpp"
#include "otf2/otf2_pack.hpp"

#include <otf2/otf2.h>

#include <exception>
#include <memory>
#include <span>
#include <vector>

namespace tracefold {

namespace detail {

// What the callbacks of one location share.
template <class Sink>
struct EventFeed {
  Sink& sink;
  Event event;
  std::exception_ptr problem;

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

// Runs `step`, keeping what it throws for after the C library has returned.
template <class Feed, class Step>
[[gnu::always_inline]] inline OTF2_CallbackCode guarded(void* user, Step&& step) {
  auto& feed = *static_cast<Feed*>(user);
  try {
    step(feed);
    return OTF2_CALLBACK_SUCCESS;
  } catch (...) {
    feed.problem = std::current_exception();
    return OTF2_CALLBACK_INTERRUPT;
  }
}

template <class Sink, EventKind Kind, class... Args>
OTF2_CallbackCode on_event(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                           OTF2_AttributeList* attributes, Args... args) {
  static_assert(sizeof...(Args) == get_row(Kind).size,
                "the event table does not fit the OTF2 headers");
  return guarded<EventFeed<Sink>>(user, [&](auto& feed) {
    feed.load_attributes(attributes);
    if constexpr (Kind == EventKind::Enter) {
      feed.sink.enter(time, args..., std::span<const Attribute>(feed.event.attributes));
    } else if constexpr (Kind == EventKind::Leave) {
      feed.sink.leave(time, args..., std::span<const Attribute>(feed.event.attributes));
    } else {
      feed.event.kind = Kind;
      feed.event.time = time;
      feed.event.list.clear();
      Packer{feed.event.fields.data(), feed.event.list, nullptr}.pack(args...);
      feed.sink.other(feed.event);
    }
  });
}

template <class Sink>
OTF2_CallbackCode on_unknown(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                             OTF2_AttributeList*) {
  return guarded<EventFeed<Sink>>(user, [&](auto& feed) { feed.sink.unknown(time); });
}

template <class Sink, EventKind Kind, class... Args>
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

template <class Sink>
std::unique_ptr<OTF2_EvtReaderCallbacks, CallbacksDeleter> event_callbacks() {
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

// The library's cost for each location grows with the number of locations that
// a reader knows, so a reader is made for a batch and not for the archive. One
// thread.
class LibraryReader {
 public:
  LibraryReader(const Archive& archive, std::span<const std::uint64_t> batch);

  // Counts the records. False where the file ends early or is damaged. Throws Error(input) where it
  // cannot be opened or the location's definitions are damaged, and whatever
  // the sink throws.
  template <class Sink>
  bool read(std::uint64_t location, Sink& sink, std::uint64_t& records) {
    OTF2_EvtReader* events = open(location);
    detail::EventFeed<Sink> feed{sink, {}, {}};
    const auto callbacks = detail::event_callbacks<Sink>();
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
