// Reading an OTF2 archive by libotf2: definitions once, events by location.
//
// Events reach a pass through one interface, the event sink, which any decoder
// of event files can feed. A sink is a class with
//   void enter(std::uint64_t time, std::uint64_t region, std::span<const Attribute>);
//   void leave(std::uint64_t time, std::uint64_t region, std::span<const Attribute>);
//   void other(Event&);                 // any other kind; may be changed by the sink
//   void unknown(std::uint64_t time);   // a kind that this version of OTF2 adds
// called in the order of the location's records, times in ticks and corrected
// by the clock offsets, ids global. Exceptions may leave a sink.
#pragma once

#include "model/definition.hpp"
#include "model/error.hpp"
#include "model/event.hpp"
#include "model/interrupt.hpp"
#include "model/plan.hpp"
#include "pipeline/otf2_pack.hpp"

#include <otf2/otf2.h>

#include <exception>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace tracefold {

// Where the files of an archive are.
struct ArchivePaths {
  std::filesystem::path anchor;

  std::filesystem::path folder() const { return anchor.parent_path() / anchor.stem(); }
  std::filesystem::path definitions() const { return std::filesystem::path(anchor).replace_extension(".def"); }
  std::filesystem::path events(std::uint64_t location) const { return folder() / (std::to_string(location) + ".evt"); }
  std::filesystem::path local_definitions(std::uint64_t location) const { return folder() / (std::to_string(location) + ".def"); }
};

// An opened archive with its definitions. Immutable: readers in any number of
// threads may share it. Throws Error(input).
class Archive {
 public:
  explicit Archive(const std::string& anchor, Diagnostics& diagnostics);

  const ArchivePaths& paths() const { return paths_; }
  const ArchiveFacts& facts() const { return facts_; }
  const Definitions& definitions() const { return facts_.definitions; }
  TraceIdentity identity() const;

 private:
  ArchivePaths paths_;
  ArchiveFacts facts_;
};

namespace detail {

// What libotf2 said last in this thread, instead of printing it.
std::string take_otf2_message();
void silence_otf2();

struct ReaderCloser { void operator()(OTF2_Reader* r) const { OTF2_Reader_Close(r); } };
using ReaderHandle = std::unique_ptr<OTF2_Reader, ReaderCloser>;
ReaderHandle open_reader(const std::filesystem::path& anchor);

// What the callbacks of one location share.
template <class Sink>
struct EventFeed {
  Sink& sink;
  Event event;
  std::exception_ptr problem;
  std::uint32_t until_check = 4096;

  void load_attributes(OTF2_AttributeList* list) {
    event.attributes.clear();
    const auto n = OTF2_AttributeList_GetNumberOfElements(list);
    if (n == 0) return;
    for (std::uint32_t k = 0; k < n; ++k) {
      OTF2_AttributeRef id;
      OTF2_Type type;
      OTF2_AttributeValue value;
      if (OTF2_AttributeList_GetAttributeByIndex(list, k, &id, &type, &value) == OTF2_SUCCESS)
        event.attributes.push_back({id, type, bits_of(type, value)});
    }
  }
};

// Runs `step`, keeping what it throws for after the C library has returned.
template <class Feed, class Step>
[[gnu::always_inline]] inline OTF2_CallbackCode guarded(void* user, Step&& step) {
  auto& feed = *static_cast<Feed*>(user);
  try {
    if (--feed.until_check == 0) {
      feed.until_check = 4096;
      check_stop();
    }
    step(feed);
    return OTF2_CALLBACK_SUCCESS;
  } catch (...) {
    feed.problem = std::current_exception();
    return OTF2_CALLBACK_INTERRUPT;
  }
}

template <class Sink, EventKind Kind, class... Args>
OTF2_CallbackCode on_event(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, OTF2_AttributeList* attributes,
                           Args... args) {
  static_assert(sizeof...(Args) == row_of(Kind).size, "the event table does not fit the OTF2 headers");
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
OTF2_CallbackCode on_unknown(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, OTF2_AttributeList*) {
  return guarded<EventFeed<Sink>>(user, [&](auto& feed) { feed.sink.unknown(time); });
}

template <class Sink, EventKind Kind, class... Args>
void register_event(OTF2_EvtReaderCallbacks* callbacks,
                    OTF2_ErrorCode (*set)(OTF2_EvtReaderCallbacks*,
                                          OTF2_CallbackCode (*)(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void*,
                                                                OTF2_AttributeList*, Args...))) {
  set(callbacks, &on_event<Sink, Kind, Args...>);
}

struct CallbacksDeleter { void operator()(OTF2_EvtReaderCallbacks* c) const { OTF2_EvtReaderCallbacks_Delete(c); } };

template <class Sink>
std::unique_ptr<OTF2_EvtReaderCallbacks, CallbacksDeleter> event_callbacks() {
  std::unique_ptr<OTF2_EvtReaderCallbacks, CallbacksDeleter> callbacks(OTF2_EvtReaderCallbacks_New());
#define TRACEFOLD_SET(name, ...) register_event<Sink, EventKind::name>(callbacks.get(), OTF2_EvtReaderCallbacks_Set##name##Callback);
  TRACEFOLD_EVENTS(TRACEFOLD_SET)
#undef TRACEFOLD_SET
  OTF2_EvtReaderCallbacks_SetUnknownCallback(callbacks.get(), &on_unknown<Sink>);
  return callbacks;
}

}  // namespace detail

// Reads the events of a few locations, one after the other, in one thread. The
// library's cost for each location grows with the number of locations that a
// reader knows, so a reader is made for a batch and not for the archive.
class EventReader {
 public:
  EventReader(const Archive& archive, std::span<const std::uint64_t> batch, Diagnostics& diagnostics, bool partial);

  // Feeds all events of a location of the batch to the sink. False where the
  // file ends early or is damaged and `partial` was asked for. Throws
  // Error(input), and whatever the sink throws.
  template <class Sink>
  bool read(std::uint64_t location, Sink& sink) {
    OTF2_EvtReader* events = open(location);
    if (!events) return !missing_;
    detail::EventFeed<Sink> feed{sink, {}, {}};
    const auto callbacks = detail::event_callbacks<Sink>();
    OTF2_Reader_RegisterEvtCallbacks(reader_.get(), events, callbacks.get(), &feed);
    std::uint64_t count = 0;
    const auto code = OTF2_Reader_ReadAllLocalEvents(reader_.get(), events, &count);
    OTF2_Reader_CloseEvtReader(reader_.get(), events);
    if (feed.problem) std::rethrow_exception(feed.problem);
    return code == OTF2_SUCCESS || damaged(location);
  }

 private:
  OTF2_EvtReader* open(std::uint64_t location);
  bool damaged(std::uint64_t location);

  const Archive& archive_;
  Diagnostics& diagnostics_;
  bool partial_;
  bool missing_ = false;
  detail::ReaderHandle reader_;
};

}  // namespace tracefold
