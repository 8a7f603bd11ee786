#include "base/text.hpp"

#include <gmock/gmock.h>

namespace tracefold::text_test {

TEST(Text, KeepsUtf8AndReplacesTheRest) {
  EXPECT_EQ(make_printable("iteration ≈ #3 ✓ 𝄞"), "iteration ≈ #3 ✓ 𝄞");
  EXPECT_EQ(make_printable("a\xff"
                           "b"),
            "a\xef\xbf\xbd"
            "b");

  EXPECT_EQ(make_printable("\xc3"), "\xef\xbf\xbd");                  // cut short
  EXPECT_EQ(make_printable("\xc0\xaf"), "\xef\xbf\xbd\xef\xbf\xbd");  // longer than need be
  EXPECT_EQ(make_printable("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");  // a surrogate
  EXPECT_EQ(make_printable("\xf4\x90\x80\x80"),
            "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");  // beyond the last
  EXPECT_EQ(make_printable("\x1b[31mred\n\x7f\xc2\x9b"), "?[31mred???");
}

TEST(Text, QuotesFieldsOfCsv) {
  EXPECT_EQ(quote_csv("plain name"), "plain name");
  EXPECT_EQ(quote_csv("a,b"), "\"a,b\"");
  EXPECT_EQ(quote_csv("say \"hi\"\r\n"), "\"say \"\"hi\"\"??\"");
  EXPECT_EQ(quote_csv(" a"), "\" a\"");
  EXPECT_EQ(quote_csv("\xff\x1b"), "\xef\xbf\xbd?");
  EXPECT_EQ(quote_csv(""), "");
}

TEST(Text, EscapesXmlAndDot) {
  EXPECT_EQ(escape_xml("vector<int>::at(\"x\") & 'y'"),
            "vector&lt;int&gt;::at(&quot;x&quot;) &amp; &#39;y&#39;");
  EXPECT_EQ(escape_dot("C:\\n \"x\"\n"), "C:\\\\n \\\"x\\\"?");
  EXPECT_EQ(escape_dot("a&#1;&lt;"), "a&amp;#1;&amp;lt;");
}

TEST(Text, IsMadeUtf8) {
  EXPECT_EQ(make_utf8("a\n≈\xff\xc2"), "a\n≈\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(Text, IsQuotedForJson) {
  EXPECT_EQ(quote_json("≈ \"a\\b\"\n\x7f\xc2\x85\xff"),
            "\"≈ \\\"a\\\\b\\\"\\u000a\\u007f\\u0085\xef\xbf\xbd\"");
}

TEST(Text, IsShortenedByCharacters) {
  EXPECT_EQ(shorten("äöüäöü", 6), "äöüäöü");
  EXPECT_EQ(shorten("äöüäöüä", 6), "äöüäö…");
}

TEST(Text, NamesLoseWhatIsInTheirBracketsFirst) {
  const std::string name = "HPCCG(const HPC_Sparse_Matrix&, std::vector<double>&)";
  EXPECT_EQ(shorten_name(name, 60), name);
  EXPECT_EQ(shorten_name(name, 20), "HPCCG(…)");
  EXPECT_EQ(shorten_name("std::map<int, std::pair<int, int>>::at(const int&) const", 30),
            "std::map<…>::at(…) const");
  EXPECT_EQ(shorten_name("solve() and more that is long", 24), "solve() and more…is long");
}

TEST(Text, LongCallPathsLoseTheirFirstFunctions) {
  EXPECT_EQ(shorten_name("main > solve(int, double) > MPI_Wait", 30), "main > solve(…) > MPI_Wait");
  EXPECT_EQ(shorten_name("main > solve(int, double) > MPI_Wait", 25), "… > solve(…) > MPI_Wait");
  EXPECT_EQ(shorten_name("main > solve(int, double) > MPI_Wait", 20), "… > MPI_Wait");
  EXPECT_EQ(shorten_name("main > solve(int, double) > MPI_Wait", 10), "… > MP…ait");
}

TEST(Text, LongNamesLoseTheirMiddle) {
  EXPECT_EQ(shorten_name("äöüäöüäöüäöü", 7), "äöüä…öü");
  EXPECT_EQ(shorten_name("operator<<(std::ostream&", 12), "operator…am&");
  EXPECT_EQ(shorten_name("abcdef", 3), "ab…");
}

TEST(Text, GroupsDigitsByThousands) {
  EXPECT_EQ(group_digits(0), "0");
  EXPECT_EQ(group_digits(999), "999");
  EXPECT_EQ(group_digits(1234567), "1 234 567");
}

TEST(Text, GivesBytesInTheLargestUnitThatFits) {
  EXPECT_EQ(format_bytes(1023), "1023 bytes");
  EXPECT_EQ(format_bytes(1024), "1.0 KiB");
  EXPECT_EQ(format_bytes(std::uint64_t{5} << 50), "5120 TiB");
  EXPECT_EQ(format_bytes(99 * 1024), "99.0 KiB");
  EXPECT_EQ(format_bytes(1000 * 1024), "1000 KiB");
}

}  // namespace tracefold::text_test
