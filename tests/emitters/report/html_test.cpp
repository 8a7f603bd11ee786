#include "emitters/report/html.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace tracefold::html_test {

namespace {

using namespace std::string_view_literals;

TEST(Html, EscapesAllThatIsMarkup) {
  EXPECT_EQ(escape_html("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
}

TEST(Html, ShowsControlCharactersAsSymbols) {
  EXPECT_EQ(make_visible("a\0b\n\x1b[31m\x7f"sv), "a␀b␊␛[31m␡");
  EXPECT_EQ(make_visible("\xc2\x85\xc2\x9b"), "⟨U+0085⟩⟨U+009B⟩");
}

TEST(Html, ShowsCharactersThatTurnTheDirectionOfWriting) {
  EXPECT_EQ(make_visible("a\u202eb\u2066c\u200f\u061c"), "a⟨U+202E⟩b⟨U+2066⟩c⟨U+200F⟩⟨U+061C⟩");
}

TEST(Html, ShowsCharactersThatAreNotSeen) {
  EXPECT_EQ(make_visible("a\u200bb\ufeff\u2028\u00ad\U000e0041"),
            "a⟨U+200B⟩b⟨U+FEFF⟩⟨U+2028⟩⟨U+00AD⟩⟨U+E0041⟩");
}

TEST(Html, LeavesOtherCharactersOfAllScripts) {
  const auto* name = "Größe 速度 مجموع 😀 می\u200cخواهم";
  EXPECT_EQ(make_visible(name), name);
}

TEST(Html, PutsASignForBytesThatAreNoText) {
  EXPECT_EQ(make_visible("a\xff\xed\xa0\x80z\xe2\x82"), "a\ufffd\ufffd\ufffd\ufffdz\ufffd\ufffd");
  EXPECT_EQ(make_visible("\uffff\ufdd0"), "\ufffd\ufffd");
}

TEST(Html, KeepsTheDirectionOfANameInside) {
  EXPECT_EQ(write_name("<i>"), "<bdi>&lt;i&gt;</bdi>");
}

TEST(Html, KeepsLinesOfATextOfSeveral) {
  EXPECT_EQ(escape_lines("a <b>\n\nc\n"), "a &lt;b&gt;\n\nc\n");
  EXPECT_EQ(escape_lines("a\tb"), "a␉b");
  EXPECT_EQ(make_lines_visible("a\n<b\t>"), "a\n<b␉>");
}

TEST(Html, DoesNotEndALineInsideOfANumber) {
  EXPECT_EQ(keep_numbers_whole("<td>1 234 567</td> 452.20 ms, 3 % of 2 min"),
            "<td>1\u00a0234\u00a0567</td> 452.20\u00a0ms, 3\u00a0% of 2\u00a0min");
  EXPECT_EQ(keep_numbers_whole("12 ranks, 2 seconds; rank 3 5000, a 2"),
            "12 ranks, 2 seconds; rank 3 5000, a 2");
}

TEST(Html, KeepsNumbersOfNamesAndMarkup) {
  const auto* html = "<bdi>f 3 s</bdi><rect x=\"3 s\"/><code>--at 3 s</code>";
  EXPECT_EQ(keep_numbers_whole(html), html);
  EXPECT_EQ(keep_numbers_whole("<bdi>f 3 s"), "<bdi>f 3\u00a0s") << "no end";
}

TEST(ScriptJson, CannotEndItsElement) {
  const nlohmann::ordered_json value{{"</script><!--", "a&b<script>"}};
  const auto text = write_script_json(value);
  EXPECT_EQ(text.find('<'), std::string::npos);
  EXPECT_EQ(nlohmann::ordered_json::parse(text), value);
}

TEST(HtmlTable, HasHeadingsForReadersOfScreens) {
  HtmlTable table("Times", {"what", "#time"});
  EXPECT_TRUE(table.is_empty());
  table.add({"a", "1 s"}, " data-group=\"0\"");
  EXPECT_FALSE(table.is_empty());
  EXPECT_EQ(table.write(),
            "<table><caption>Times</caption>\n<thead><tr><th scope=\"col\">what</th>"
            "<th scope=\"col\" class=\"number\">time</th></tr></thead>\n<tbody>\n"
            "<tr data-group=\"0\"><th scope=\"row\">a</th><td class=\"number\">1 s</td></tr>\n"
            "</tbody></table>\n");
}

TEST(HtmlTable, LeavesOutColumnsWithoutText) {
  HtmlTable table("Times", {"what", "#time", "who"});
  table.add({"a", "", ""});
  table.add({"b", "", "rank 1"});
  const auto text = table.write();
  EXPECT_EQ(text.find("time</th>"), std::string::npos);
  EXPECT_NE(text.find("<th scope=\"row\">a</th><td></td></tr>"), std::string::npos);
  EXPECT_NE(text.find("<th scope=\"row\">b</th><td>rank 1</td></tr>"), std::string::npos);
}

TEST(HtmlTable, SaysWhatIsNotOnPaper) {
  HtmlTable table("Times", {"what"});
  for (int row = 0; row < 20; ++row)
    table.add({"a"});
  EXPECT_EQ(table.write().find("paper"), std::string::npos);
  table.add({"a"});
  table.add({"a"});
  const auto text = table.write();
  EXPECT_TRUE(text.starts_with("<table class=\"cut\">"));
  EXPECT_TRUE(text.ends_with("<p class=\"paper\">2 more rows are in the file of this page.</p>\n"));
}

}  // namespace

}  // namespace tracefold::html_test
