#include "base/text.hpp"

#include <gmock/gmock.h>

namespace tracefold {
namespace {

TEST(Text, KeepsUtf8AndReplacesTheRest) {
  EXPECT_EQ(printable("iteration ≈ #3 ✓ 𝄞"), "iteration ≈ #3 ✓ 𝄞");
  EXPECT_EQ(printable("a\xff"
                      "b"),
            "a\xef\xbf\xbd"
            "b");

  EXPECT_EQ(printable("\xc3"), "\xef\xbf\xbd");                  // cut short
  EXPECT_EQ(printable("\xc0\xaf"), "\xef\xbf\xbd\xef\xbf\xbd");  // longer than need be
  EXPECT_EQ(printable("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");  // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"),
            "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");  // beyond the last
  EXPECT_EQ(printable("\x1b[31mred\n\x7f\xc2\x9b"), "?[31mred???");
}

TEST(Text, QuotesFieldsOfCsv) {
  EXPECT_EQ(csv_field("plain name"), "plain name");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"hi\"\r\n"), "\"say \"\"hi\"\"??\"");
  EXPECT_EQ(csv_field(" a"), "\" a\"");
  EXPECT_EQ(csv_field("\xff\x1b"), "\xef\xbf\xbd?");
  EXPECT_EQ(csv_field(""), "");
}

TEST(Text, EscapesXmlAndDot) {
  EXPECT_EQ(xml_text("vector<int>::at(\"x\") & 'y'"),
            "vector&lt;int&gt;::at(&quot;x&quot;) &amp; &#39;y&#39;");
  EXPECT_EQ(dot_text("C:\\n \"x\"\n"), "C:\\\\n \\\"x\\\"?");
  EXPECT_EQ(dot_text("a&#1;&lt;"), "a&amp;#1;&amp;lt;");
}

TEST(Text, IsShortenedByCharacters) {
  EXPECT_EQ(shortened("äöüäöü", 6), "äöüäöü");
  EXPECT_EQ(shortened("äöüäöüä", 6), "äöü...");
}

}  // namespace
}  // namespace tracefold
