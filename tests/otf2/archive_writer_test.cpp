#include "otf2/archive_writer.hpp"

#include "base/error.hpp"
#include "otf2/wire.hpp"
#include "tests/support/every_record.hpp"

#include <otf2/otf2.h>

#include <gmock/gmock.h>

#include <array>
#include <cstdarg>
#include <set>

namespace tracefold::archive_writer_test {

using testing::TestFolder;

using Counts = std::array<std::uint64_t, event_kinds>;

template <EventKind Kind, class... Args>
OTF2_CallbackCode count_event(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* counts,
                              OTF2_AttributeList*, Args...) {
  ++static_cast<Counts*>(counts)->at(static_cast<std::size_t>(Kind));
  return OTF2_CALLBACK_SUCCESS;
}

template <EventKind Kind, class... Args>
void count_by(OTF2_EvtReaderCallbacks* callbacks,
              OTF2_ErrorCode (*set)(OTF2_EvtReaderCallbacks*,
                                    OTF2_CallbackCode (*)(OTF2_LocationRef, OTF2_TimeStamp,
                                                          std::uint64_t, void*, OTF2_AttributeList*,
                                                          Args...))) {
  set(callbacks, &count_event<Kind, Args...>);
}

// The records of each kind that libotf2 finds on a location. All kinds at once:
// it hands a record to the callback of an older kind where the right one is not set.
Counts count_records(const std::filesystem::path& anchor, std::uint64_t location) {
  OTF2_Reader* reader = OTF2_Reader_Open(anchor.c_str());
  OTF2_Reader_SetSerialCollectiveCallbacks(reader);
  OTF2_Reader_SelectLocation(reader, location);
  OTF2_Reader_OpenEvtFiles(reader);
  OTF2_EvtReader* events = OTF2_Reader_GetEvtReader(reader, location);
  auto* callbacks = OTF2_EvtReaderCallbacks_New();
#define TRACEFOLD_SET(name, ...) \
  count_by<EventKind::name>(callbacks, OTF2_EvtReaderCallbacks_Set##name##Callback);
  TRACEFOLD_EVENTS(TRACEFOLD_SET)
#undef TRACEFOLD_SET
  Counts found{};
  std::uint64_t read = 0;
  OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, &found);
  OTF2_EvtReaderCallbacks_Delete(callbacks);
  EXPECT_EQ(OTF2_Reader_ReadAllLocalEvents(reader, events, &read), OTF2_SUCCESS);
  OTF2_Reader_CloseEvtReader(reader, events);
  OTF2_Reader_Close(reader);
  return found;
}

TEST(EveryRecord, HoldsEveryKindOfEventAndOfDefinition) {
  const auto content = testing::every_record();
  std::set<EventKind> events;
  for (const auto& e : content.events.at(testing::master_0))
    events.insert(e.kind);

  EXPECT_EQ(events.size(), event_kinds);
  std::set<DefinitionKind> definitions;
  for (const auto& d : content.definitions)
    definitions.insert(d.kind);

  EXPECT_EQ(definitions.size(), definition_kinds);
}

TEST(ArchiveWriter, WritesEveryKindOfRecordAsLibotf2ReadsIt) {
  TestFolder folder;
  const auto content = testing::every_record();
  std::uint64_t expected = 0;
  for (const auto& [id, list] : content.events)
    expected += list.size();

  EXPECT_EQ(testing::write_archive(content, folder.path()), expected);
  const auto anchor = folder.path() / "traces.otf2";
  const auto found = count_records(anchor, testing::master_0);
  Counts wanted{};
  for (const auto& e : content.events.at(testing::master_0))
    ++wanted[static_cast<std::size_t>(e.kind)];
  for (std::size_t k = 0; k < event_kinds; ++k)
    EXPECT_EQ(found[k], wanted[k]) << event_table[k].name;
}

TEST(ArchiveWriter, MakesTheFilesOfAnArchive) {
  TestFolder folder;
  testing::write_archive(testing::every_record(), folder.path());
  for (auto name : {"traces.otf2", "traces.def", "traces.marker", "traces/10.evt", "traces/10.def",
                    "traces/4294967301.evt"})
    EXPECT_TRUE(std::filesystem::exists(folder.path() / name)) << name;
}

TEST(ArchiveWriter, RefusesAFolderThatCannotBeMade) {
  OTF2_Error_RegisterCallback([](void*, const char*, std::uint64_t, const char*,
                                 OTF2_ErrorCode code, const char*, va_list) { return code; },
                              nullptr);
  try {
    ArchiveWriter out("/proc/nothing/here", wire::smallest_chunk, {});
    FAIL() << "it was made";
  } catch (const Error& problem) {
    EXPECT_EQ(problem.kind(), ErrorKind::output);
  }
}

}  // namespace tracefold::archive_writer_test
