// What messages keep of windows and files, written and read again.
#include "base/error.hpp"
#include "base/json_text.hpp"
#include "model/messages/messages.hpp"
#include "model/messages/rank_list.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <vector>

namespace tracefold::messages_json_test {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

Messages make_messages() {
  Messages messages;
  messages.size = 4;
  messages.communicators.push_back({7, false, {0, 1, 2, 3}, {}});
  const auto add = [&](DefinitionKind kind, std::vector<std::uint64_t> fields,
                       std::vector<std::string> texts, std::vector<std::uint64_t> list = {}) {
    RecordDefinition one;
    one.definition.kind = kind;
    std::copy(fields.begin(), fields.end(), one.definition.fields.begin());
    one.definition.list = std::move(list);
    one.texts = std::move(texts);
    messages.definitions.push_back(one);
  };
  add(DefinitionKind::RmaWin, {3, 0, 7, 0}, {"a \"window\""});
  add(DefinitionKind::Group, {2, 0, 5, 4, 0}, {"some"}, {3, 1, 2});
  add(DefinitionKind::IoRegularFile, {1}, {"/tmp/file", "node 3"});
  add(DefinitionKind::IoHandle, {9, 0, 1, 255, 0, 0xffffffff, 0xffffffff}, {""});

  messages.names = {"MPI_Put"};
  messages.paths = {{}, {0, 0}};
  messages.columns = {parse_column("+1", 4), parse_column("3", 4), parse_column("8", 4)};
  messages.operations = {{EventKind::RmaPut, 0, false, 1, {0, 1, 2}},
                         {EventKind::RmaPut, 0, true, 1, {0, 1, 2}},
                         {EventKind::RmaOpCompleteRemote, 0, true, 1, {1, 2}}};
  messages.clusters = {{{0, 1, 2, 3}, {{0, 0, 1}, {1, 0, 1}, {2, 0, 1}}, {}}};
  return messages;
}

Json write(const Messages& messages) {
  return Json::parse(write_json_text(messages_to_json(messages)));
}

std::string refuse(const std::function<void(Json&)>& change) {
  auto json = write(make_messages());
  change(json);
  try {
    messages_from_json(json);
  } catch (const Error& problem) {
    return problem.what();
  } catch (const Json::exception& problem) {
    return problem.what();
  }
  return "it was taken";
}

TEST(MessagesJson, KeepsWindowsAndFilesAndWhatOneCallDoes) {
  const auto messages = make_messages();
  EXPECT_EQ(messages_from_json(write(messages)), messages);
}

TEST(MessagesJson, KeepsCommunicatorsThatNameARankTwice) {
  auto messages = make_messages();
  messages.communicators.push_back({8, false, {1, 1, 2}, {}});
  const auto read = messages_from_json(write(messages));
  ASSERT_EQ(read.communicators.size(), 2u);
  EXPECT_EQ(read.communicators[1].ranks, messages.communicators[1].ranks);
}

TEST(MessagesJson, KeepsInAPackedFileWhatGrowsWithThem) {
  auto messages = make_messages();
  messages.columns.push_back(
      Column{ColumnForm::table, {}, {{0, 70'000}, {1, 1}, {2, 5}, {3, 1ull << 63}}});
  messages.columns.push_back(Column{ColumnForm::table, {}, {{0, 7}, {1, 7}, {2, 7}, {3, 9}}});
  messages.operations[0].columns[2] = 3;
  messages.operations[1].columns[2] = 4;

  PackedSections packed;
  const auto json = Json::parse(write_json_text(messages_to_json(messages, &packed)));
  for (auto name : {"columns", "operations", "clusters"})
    EXPECT_FALSE(json.contains(name)) << name;
  EXPECT_EQ(packed["values"].size(), 1u + 4 * 8) << "one table is long as text, one is not";
  EXPECT_EQ(messages_from_json(json, {}, &packed), messages);
  EXPECT_ANY_THROW(messages_from_json(json));

  const auto refuses = [&](const char* section, const std::string& bytes) {
    auto changed = packed;
    changed[section] = bytes;
    EXPECT_ANY_THROW(messages_from_json(json, {}, &changed)) << section;
  };
  refuses("values", "");
  refuses("values", packed["values"].substr(1));
  refuses("values", packed["values"] + "x");
  refuses("values", std::string("\x09") + packed["values"].substr(1));
  refuses("operations", "7");
  refuses("columns", "[\"1\"");
}

TEST(MessagesJson, ArePackedOnlyWhereTheyAreMany) {
  auto messages = make_messages();
  EXPECT_FALSE(should_be_packed(messages));
  for (std::uint32_t k = 0; k < 20'000; ++k)
    messages.operations.push_back(messages.operations[0]);
  EXPECT_TRUE(should_be_packed(messages));
}

TEST(MessagesJson, SaysNothingOfWindowsAndFilesWhereThereAreNone) {
  auto messages = make_messages();
  messages.definitions.clear();
  const auto json = write(messages);
  EXPECT_FALSE(json.contains("definitions"));
  EXPECT_EQ(messages_from_json(json), messages);
}

TEST(MessagesJson, RefusesDefinitionsThatMakeNoSense) {
  const auto change_definition = [](std::size_t which, std::size_t field, const Json& value) {
    return [=](Json& json) { json["definitions"][which][field] = value; };
  };
  EXPECT_THAT(refuse(change_definition(0, 0, "Location")), HasSubstr("no kind of definition"));
  EXPECT_THAT(refuse(change_definition(0, 1, -1)), HasSubstr("-1"));
  EXPECT_THAT(refuse(change_definition(0, 1, 1ull << 32)), HasSubstr("4294967296"));
  EXPECT_THAT(refuse(change_definition(0, 2, 5)), HasSubstr("string"));
  EXPECT_THAT(refuse(change_definition(1, 6, {3u, 4u})), HasSubstr("ranks 3 to 4 of 4"));
  EXPECT_THAT(refuse([](Json& json) { json["definitions"][2].erase(3); }),
              HasSubstr("other fields than its kind"));
  EXPECT_THAT(refuse([](Json& json) { std::swap(json["definitions"][0], json["definitions"][1]); }),
              HasSubstr("not in ascending order"));
  EXPECT_THAT(refuse([](Json& json) { json["definitions"].push_back(json["definitions"][3]); }),
              HasSubstr("not in ascending order"));
  EXPECT_THAT(refuse([](Json& json) { json["definitions"] = 7; }), HasSubstr("no list"));
  EXPECT_THAT(refuse(change_definition(1, 3, 256u)), HasSubstr("256 is too much"));
  EXPECT_THAT(refuse(change_definition(1, 4, 256u)), HasSubstr("256 is too much"));
  EXPECT_THAT(refuse(change_definition(3, 4, 256u)), HasSubstr("256 is too much"));
  EXPECT_THAT(refuse(change_definition(1, 6, {0u, 3u, 0u, 0u})), HasSubstr("more ranks"));
  EXPECT_THAT(refuse([](Json& json) {
                auto& all = json["definitions"];
                auto directory = all[2];
                directory[0] = "IoDirectory";
                all.insert(all.begin() + 3, directory);
              }),
              HasSubstr("IoDirectory 1 is defined twice"));
}

Json make_thread(const std::vector<std::uint32_t>& ranks, const char* locations) {
  return {{"ranks", rank_list_text(make_rank_list(ranks))}, {"locations", locations}};
}

TEST(MessagesJson, KeepsWhichLocationsAreTheThreadsOfRanks) {
  auto messages = make_messages();
  messages.endpoints = {0, 10, 20, 30};
  messages.threads = {{{1, 3}, {15, 30}}, {{3}, {35}}};
  EXPECT_EQ(messages_from_json(write(messages)), messages);

  messages.threads = {{{1, 3}, {30, 15}}};
  EXPECT_EQ(messages_from_json(write(messages)), messages);
  const auto communication = decode_messages(messages);
  EXPECT_THAT(communication.ranks[0].threads, ::testing::IsEmpty());
  EXPECT_THAT(communication.ranks[3].threads, ::testing::ElementsAre(15));
}

TEST(MessagesJson, RefusesThreadsThatMakeNoSense) {
  const auto with_threads = [](const std::vector<Json>& threads) {
    return refuse([=](Json& json) { json["threads"] = threads; });
  };
  EXPECT_THAT(with_threads({make_thread({0, 1}, "7")}), HasSubstr("2 ranks is at 1 locations"));
  EXPECT_THAT(with_threads({make_thread({4}, "7")}), HasSubstr("4"));
  EXPECT_THAT(with_threads({make_thread({0, 1}, "1-99999999")}), HasSubstr("too many ids"));
  EXPECT_THAT(with_threads({make_thread({0}, "7"), make_thread({1}, "8")}),
              HasSubstr("a thread without the one before"));
  EXPECT_THAT(with_threads({make_thread({0, 1}, "7-8"), make_thread({1}, "8")}),
              HasSubstr("a location is two threads"));
  EXPECT_THAT(with_threads(std::vector<Json>(257, make_thread({0}, "7"))),
              HasSubstr("257 threads"));
  EXPECT_THAT(refuse([](Json& json) { json["threads"] = 7; }), HasSubstr("no list"));
  EXPECT_THAT(refuse([](Json& json) {
                json["threads"] = std::vector<Json>{make_thread({2}, "7")};
                json["operations"][0][1] = 1u;
              }),
              HasSubstr("thread 1 of rank 2 is at no location"));
}

TEST(MessagesJson, RefusesWhatIsNoOperation) {
  EXPECT_THAT(refuse([](Json& json) { json["operations"][1][0] = "RmaCollectiveBegin"; }),
              HasSubstr("no kind of operation"));
  EXPECT_THAT(refuse([](Json& json) { json["operations"][1][0] = "+"; }),
              HasSubstr("no kind of operation"));
}

// Whatever the limits are, what is storable can be read.
TEST(MessagesJson, AreStorableWhereAReaderTakesThem) {
  const auto messages = make_messages();
  const auto json = write(messages);
  const auto check = [&](auto limit) {
    std::size_t storable = 0;
    constexpr unsigned enough = 32;
    for (unsigned value = 0; value < enough; ++value) {
      MessageLimits limits;
      limits.*limit = value;
      if (!is_storable(messages, limits))
        continue;
      EXPECT_NO_THROW(messages_from_json(json, limits)) << value;
      ++storable;
    }
    EXPECT_GT(storable, 0u);
    EXPECT_LT(storable, enough);
  };
  check(&MessageLimits::ranks);
  check(&MessageLimits::listed_ranks);
  check(&MessageLimits::sequence_nodes);
}

}  // namespace tracefold::messages_json_test
