#include "base/json_fields.hpp"

#include <gtest/gtest.h>

namespace tracefold::json_fields_test {

using Json = nlohmann::ordered_json;
using tracefold::from_json;
using tracefold::to_json;

enum class Colour { red, blue };
constexpr Word<Colour> colours[] = {{Colour::red, "red"}, {Colour::blue, "blue"}};

struct Inner {
  std::uint64_t size = 0;
  bool operator==(const Inner&) const = default;
};
void list_fields(JsonFields& fields, Inner& inner) {
  fields.field("size", inner.size);
}

struct Outer {
  std::string name;
  std::uint64_t id = 0;
  std::optional<std::uint64_t> creator, rank;
  std::vector<std::uint64_t> members;
  std::uint32_t weight = 1;
  bool is_new = true;
  Colour colour = Colour::red;
  std::vector<Inner> list;
  std::optional<Inner> inner, other;
  double share = 0;

  bool operator==(const Outer&) const = default;
};
Colour read_colour(const std::string& word) {
  if (const auto colour = find_by_word(colours, word))
    return *colour;
  throw Error(ErrorKind::input, "no colour");
}

void list_fields(JsonFields& fields, Outer& outer) {
  fields.field("name", outer.name);
  fields.id("id", outer.id);
  fields.id("creator", outer.creator);
  fields.field("rank", outer.rank);
  fields.ranges("members", outer.members);
  fields.unless("weight", outer.weight, 1);
  fields.if_there("new", outer.is_new);
  fields.text("colour", outer.colour, word_writer(colours), read_colour);
  fields.field("list", outer.list);
  fields.nullable("inner", outer.inner);
  fields.field("other", outer.other);
  fields.object("figures", [&](JsonFields& figures) { figures.field("share", outer.share); });
}

const char* const least =
    R"({"name":"a","id":"18446744073709551615","members":"1-3","new":true,"colour":"red",)"
    R"("list":[],"inner":null,"figures":{"share":0.0}})";
const char* const most =
    R"({"name":"a","id":"1","creator":"7","rank":0,"members":"2","weight":3,"new":false,)"
    R"("colour":"blue","list":[{"size":1},{"size":2}],"inner":{"size":3},"other":{"size":4},)"
    R"("figures":{"share":0.25}})";

TEST(JsonFields, AreWrittenInTheOrderOfTheirDescriptionAndReadAgain) {
  const Outer few{"a", ~std::uint64_t{0}, {}, {}, {1, 2, 3}, 1, true, Colour::red, {}, {}, {}, 0};
  const Outer many{"a", 1, 7, 0, {2}, 3, false, Colour::blue, {{1}, {2}}, Inner{3}, Inner{4}, 0.25};
  EXPECT_EQ(Json(few).dump(), least);
  EXPECT_EQ(Json(many).dump(), most);
  EXPECT_EQ(Json::parse(least).get<Outer>(), few);
  EXPECT_EQ(Json::parse(most).get<Outer>(), many);
}

TEST(JsonFields, TakeWhatIsLeftOutAsItIsMeant) {
  auto in = Json::parse(most);
  for (const auto* name : {"creator", "rank", "weight", "new", "other"})
    in.erase(name);
  const auto read = in.get<Outer>();
  EXPECT_FALSE(read.creator || read.rank || read.other);
  EXPECT_EQ(read.weight, 1u);
  EXPECT_TRUE(read.is_new);
}

std::string find_refusal(const char* name, Json value) {
  auto in = Json::parse(most);
  if (value.is_discarded())
    in.erase(name);
  else
    in[name] = std::move(value);
  try {
    in.get<Outer>();
    return "";
  } catch (const Error& problem) {
    return problem.what();
  } catch (const Json::exception& problem) {
    return problem.what();
  }
}

TEST(JsonFields, AreRefusedWhereTheyAreMissingOrOfAnotherType) {
  const Json missing(Json::value_t::discarded);
  for (const auto* name : {"name", "id", "members", "colour", "list", "inner", "figures"})
    EXPECT_NE(find_refusal(name, missing).find(std::string("key '") + name + "' not found"),
              std::string::npos)
        << name;
  EXPECT_NE(find_refusal("name", 1).find("type must be string"), std::string::npos);
  EXPECT_NE(find_refusal("new", "x").find("type must be boolean"), std::string::npos);
  EXPECT_NE(find_refusal("id", 1).find("actual type is number"), std::string::npos);
  EXPECT_EQ(find_refusal("id", "1-2"), "'1-2' names too many ids");
  EXPECT_EQ(find_refusal("rank", -1), "the plan has -1 where a number that counts should be");
  EXPECT_EQ(find_refusal("weight", std::uint64_t{1} << 32),
            "the plan has 4294967296 where a number that counts should be");
  EXPECT_EQ(find_refusal("colour", "green"), "no colour");
}

}  // namespace tracefold::json_fields_test
