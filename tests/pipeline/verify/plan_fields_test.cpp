// Every field of the plan beside a reduced trace is changed, one at a time, with all hashes made
// right again, and `verify` has to refuse each of them but those that are listed here.
#include "base/sha256.hpp"
#include "base/version.hpp"
#include "base/zstd_frame.hpp"
#include "model/plan_files.hpp"
#include "pipeline/reduce/reduce.hpp"
#include "pipeline/verify/verify.hpp"
#include "tests/support/archive_content.hpp"
#include "tests/support/two_kinds_trace.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cctype>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold::plan_fields_test {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Json = nlohmann::ordered_json;

using namespace testing::two_kinds;

// Fields whose change alters no answer:
//   /trace/anchor  says where the original lay; it may have been moved, and is given to verify
// Sections without which less is known, and nothing else:
//   /messages      what all ranks communicate is unknown
const std::set<std::string> free_to_change{"/trace/anchor"};
const std::set<std::string> free_to_remove{"/messages"};

struct Change {
  std::string words;
  std::function<void(Json&)> apply;
};

// Ways to make the value at a place another one.
std::vector<Change> list_changes(const Json::json_pointer& at, const Json& value) {
  std::vector<Change> changes;
  const auto add = [&](const std::string& how, Json other) {
    changes.push_back({at.to_string() + " " + how,
                       [at, other = std::move(other)](Json& plan) { plan[at] = other; }});
  };

  if (value.is_boolean())
    add("flipped", !value.get<bool>());
  else if (value.is_number_integer())
    add("+ 1", value.get<std::int64_t>() + 1);
  else if (value.is_number())
    add("+ 0.25", value.get<double>() + 0.25);
  else if (value.is_string()) {
    auto text = value.get<std::string>();
    add("with a letter behind it", text + "x");
    const auto digit =
        std::find_if(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
    if (digit != text.end()) {
      *digit = *digit == '9' ? '8' : static_cast<char>(*digit + 1);
      add("with another digit", text);
    }
  }

  return changes;
}

// All changes of what is below a place: of long lists those of the first and the last.
void add_changes(const Json::json_pointer& at, const Json& value, std::vector<Change>& changes) {
  const auto add_removal = [&](const Json::json_pointer& from, const std::string& name) {
    if (!free_to_remove.contains((from / name).to_string()))
      changes.push_back({(from / name).to_string() + " removed",
                         [from, name](Json& plan) { plan[from].erase(name); }});
  };

  if (value.is_object()) {
    for (const auto& [name, member] : value.items()) {
      add_changes(at / name, member, changes);
      add_removal(at, name);
    }
  } else if (value.is_array()) {
    for (std::size_t k = 0; k < value.size(); ++k)
      if (k < 2 || k + 1 == value.size())
        add_changes(at / k, value[k], changes);
    if (!value.empty())
      changes.push_back({at.to_string() + " without its last entry",
                         [at](Json& plan) { plan[at].erase(plan[at].size() - 1); }});
  } else if (!free_to_change.contains(at.to_string())) {
    for (auto& change : list_changes(at, value))
      changes.push_back(std::move(change));
  }
}

// Two processes of each kind, whose steps differ. Those of a kind send each other messages.
class PlanFields : public ::testing::Test {
 protected:
  PlanFields() {
    const auto measure = [](std::uint64_t process, std::uint64_t i) {
      return 100 * (i % 3 + 1) + i + process;
    };
    testing::build_two_kinds_trace(measure).write(folder_.path());
    original_ = open_trace((folder_.path() / "traces.otf2").string(), ignored_);
  }

  std::filesystem::path small() const { return folder_.path() / "small"; }

  void reduce_it(ReduceOptions options) {
    options.output.folder = small();
    reduce(original_, options, Context{ignored_});
    plan_ = read_small(plan_name);
    Diagnostics ignored;
    const Archive reduced((small() / "traces.otf2").string(), ignored);
    content_ = testing::read_content(reduced);
  }

  std::string read_small(std::string_view name) const {
    std::ifstream in(small() / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  // What verify finds where this is the plan, and the anchor has its hash.
  Verification verify_with(const std::string& plan) {
    std::filesystem::remove_all(small() / "traces");
    std::ofstream(small() / plan_name, std::ios::binary) << plan;
    const auto hash = hash_text(plan);
    content_.properties["TRACEFOLD::PLAN_SHA256"] = hash;
    content_.trace_id = std::stoull(hash.substr(0, 16), nullptr, 16);
    write_archive(content_, small());

    Diagnostics ignored;
    const Archive reduced((small() / "traces.otf2").string(), ignored);
    return verify(reduced, *original_, {}, ignored);
  }

  static std::string list_violations(const Verification& found) {
    std::string list;
    for (const auto& rule : found.rules)
      for (const auto& violation : rule.violations)
        list += rule.rule + ": " + violation + "\n";
    return list;
  }

  void expect_every_change_to_be_refused() {
    ASSERT_THAT(list_violations(verify_with(plan_)), IsEmpty());
    const auto plan = Json::parse(plan_);
    std::vector<Change> changes;
    add_changes(Json::json_pointer(), plan, changes);
    EXPECT_GT(changes.size(), 200u);

    for (const auto& change : changes) {
      auto changed = plan;
      change.apply(changed);
      EXPECT_FALSE(verify_with(changed.dump()).holds()) << change.words;
    }
  }

  testing::TestFolder folder_;
  Diagnostics ignored_;
  std::shared_ptr<const Archive> original_;
  std::string plan_;
  testing::TraceContent content_;
};

TEST_F(PlanFields, AreEachComparedWithWhatTheOriginalGives) {
  ReduceOptions options;
  options.folding->asked.region = "step";
  options.folding->max_clusters = 3;
  options.folding->keep = {5};
  reduce_it(options);
  expect_every_change_to_be_refused();
}

TEST_F(PlanFields, AreComparedWhereSignaturesMakeGroups) {
  ReduceOptions options;
  options.grouping.comparison.by = CompareBy::signature;
  options.folding.reset();
  options.selection.per_group = 2;
  reduce_it(options);
  expect_every_change_to_be_refused();
}

TEST_F(PlanFields, AreComparedWhereRowsWereAskedFor) {
  ReduceOptions options;
  options.to = Target{.rows = 2};
  options.folding.reset();
  reduce_it(options);
  expect_every_change_to_be_refused();
}

TEST_F(PlanFields, NameWhatDiffers) {
  reduce_it({});
  auto plan = Json::parse(plan_);
  plan["representatives"][1]["why"] = "because";
  EXPECT_THAT(list_violations(verify_with(plan.dump())),
              HasSubstr("tracefold.json: representatives[1].why is \"because\", and should be \""));
}

// A number of 8 bytes.
std::uint64_t read_number(const std::string& bytes, std::size_t at) {
  std::uint64_t number = 0;
  for (std::size_t k = 8; k-- > 0;)
    number = number << 8 | static_cast<unsigned char>(bytes[at + k]);
  return number;
}

std::string write_number(std::uint64_t number) {
  std::string bytes;
  for (unsigned k = 0; k < 8; ++k)
    bytes += static_cast<char>(number >> (8 * k) & 0xff);
  return bytes;
}

// A file of profiles with a changed document, which is packed in another way.
std::string pack_again(const std::string& file, const std::function<void(std::string&)>& change) {
  const auto footer = file.size() - 48;
  const auto begin = read_number(file, footer), packed = read_number(file, footer + 8);
  auto document =
      unpack_frame(std::string_view(file).substr(begin, packed), read_number(file, footer + 16));
  change(document);
  const auto again = pack_frame(document, FrameContent::differences);
  return file.substr(0, begin) + again + file.substr(begin + packed, footer - begin - packed) +
         write_number(begin) + write_number(again.size()) + write_number(document.size()) +
         file.substr(footer + 24);
}

TEST_F(PlanFields, MayNameProfilesThatAreOnlyPackedInAnotherWay) {
  reduce_it({});
  const auto profiles = read_small(profiles_name);
  const auto verify_changed = [&](const std::function<void(std::string&)>& change) {
    const auto other = pack_again(profiles, change);
    EXPECT_NE(other, profiles);
    std::ofstream(small() / profiles_name, std::ios::binary) << other;
    auto plan = Json::parse(plan_);
    plan["program"]["sha256"] = hash_text(other);
    return list_violations(verify_with(plan.dump()));
  };

  EXPECT_THAT(verify_changed([](std::string&) {}), IsEmpty());
  EXPECT_THAT(verify_changed([](std::string& document) {
                document.replace(document.find("compute"), 7, "pretend");
              }),
              HasSubstr("tracefold.json: program.sha256 is"));
}

// The choices of another version may be others. Everything else is compared.
TEST_F(PlanFields, OfAnotherVersionAreNotDerivedAgain) {
  reduce_it({});
  auto plan = Json::parse(plan_);
  plan["write"]["version"] = "0.0.1";
  EXPECT_THAT(
      list_violations(verify_with(plan.dump())),
      HasSubstr("TRACEFOLD::VERSION is '" + std::string(version) + "', and should be '0.0.1'"));

  content_.properties["TRACEFOLD::VERSION"] = "0.0.1";
  plan["representatives"][1]["why"] = "because it did so then";
  const auto found = verify_with(plan.dump());
  EXPECT_THAT(list_violations(found), IsEmpty());
  EXPECT_TRUE(found.was_made_again);
  EXPECT_EQ(found.other_version, "0.0.1");

  ++content_.events.at(0).back().time;
  EXPECT_THAT(list_violations(verify_with(plan.dump())), HasSubstr("location 0 (rank 0): event "));
}

TEST_F(PlanFields, OfAPlanThatIsWrittenInAnotherWayAreRefused) {
  reduce_it({});
  auto plan = Json::parse(plan_);
  plan["tracefold_plan"] = 7;
  EXPECT_THAT(list_violations(verify_with(plan.dump())), HasSubstr("version 7"));
}

}  // namespace tracefold::plan_fields_test
