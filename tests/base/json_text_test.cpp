#include "base/json_text.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace tracefold::json_text_test {

TEST(Utf8, TellsCharactersApart) {
  const std::string text = "aü€𝄞";
  std::vector<std::uint32_t> codes;
  for (std::size_t at = 0; at < text.size(); at += read_character(text, at)->bytes)
    codes.push_back(read_character(text, at)->code);
  EXPECT_THAT(codes, ::testing::ElementsAre('a', 0xfc, 0x20ac, 0x1d11e));
}

TEST(Utf8, TakesNothingElse) {
  for (auto text : {"\x80", "\xc3", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf",
                    "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x82"})
    EXPECT_FALSE(read_character(text, 0)) << ::testing::PrintToString(text);
}

TEST(JsonText, LeavesNothingForATerminal) {
  const nlohmann::ordered_json names{"\x1b[31m", "\x7f", "\xc2\x9b", "\xc2\xa0×", "\xff", "\xc2"};
  const auto text = write_json_text(names);
  EXPECT_EQ(text,
            "[\n \"\\u001b[31m\",\n \"\\u007f\",\n \"\\u009b\",\n \"\xc2\xa0×\",\n "
            "\"\xef\xbf\xbd\",\n \"\xef\xbf\xbd\"\n]\n");
  EXPECT_EQ(nlohmann::ordered_json::parse(text)[2], "\xc2\x9b");
}

TEST(JsonText, PutsWhatHoldsNoListOfObjectsInOneLine) {
  const std::string text = R"({
 "trace": {"locations":2,"clock":{"ticks":10}},
 "ids": [0,1],
 "none": [],
 "groups": [
  {"members":[0,1],"why":"equal"},
  {
   "members": [2],
   "loops": [
    {"function":"step","kept":[1,5]}
   ]
  }
 ],
 "matrix": [
  [1.0,0.5],
  [0.5,1.0]
 ]
}
)";
  const auto document = nlohmann::ordered_json::parse(text);
  EXPECT_EQ(write_json_text(document), text);
  EXPECT_EQ(write_json_text(document, JsonLines::one), document.dump() + "\n");
}

TEST(JsonText, WritesListsThatAreTextAlreadyAsItWritesOthers) {
  const auto make = [](const auto& make_list) {
    nlohmann::ordered_json document{{"names", make_list(R"(["a","b"])")}};
    document["rows"] = {make_list("[1,2]"), make_list("[3]")};
    document["clusters"] = {{{"ranks", "0 1"}, {"gaps", {{"1", make_list("[7,8]")}}}}};
    return document;
  };
  const auto parsed = make([](const char* text) { return nlohmann::ordered_json::parse(text); });
  const auto written = make([](const char* text) { return make_written_list(text); });
  for (auto lines : {JsonLines::one, JsonLines::many})
    EXPECT_EQ(write_json_text(written, lines), write_json_text(parsed, lines));
}

TEST(JsonText, MakesElementsWhileItWritesThem) {
  using Json = nlohmann::ordered_json;
  constexpr std::size_t count = 40'000;
  const auto make_element = [](std::size_t k) {
    return Json{{"name", k % 1000 == 0 ? "\u009b\xff" : "größer"}, {"values", {k, k + 1}}};
  };
  Json document{{"version", 1}, {"list", Json::array()}, {"none", Json::array()}, {"end", true}};
  for (std::size_t k = 0; k < count; ++k)
    document["list"].push_back(make_element(k));
  const auto text = write_json_text(document);

  document["list"] = Json::array();
  std::size_t next = 0;
  const JsonLists lists{{"none", {}}, {"list", {count, [&](std::size_t k) {
                                                  EXPECT_EQ(k, next++);
                                                  return make_element(k);
                                                }}}};
  std::vector<std::string> pieces;
  write_json(document, lists, [&](const std::string& piece) { pieces.push_back(piece); });
  EXPECT_GT(pieces.size(), 1u);
  for (const auto& piece : pieces)
    EXPECT_LT(piece.size(), 1'100'000u);
  EXPECT_TRUE(fmt::format("{}", fmt::join(pieces, "")) == text);
}

}  // namespace tracefold::json_text_test
