// What is written is read, and a copy that folds nothing loses nothing.
#include "base/error.hpp"
#include "model/plan.hpp"
#include "otf2/event_reader.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/rewrite/rewrite_pass.hpp"
#include "pipeline/verify/rule_words.hpp"
#include "tests/pipeline/verify/rules/check_rules.hpp"
#include "tests/support/event_collector.hpp"
#include "tests/support/every_record.hpp"

#include <otf2/otf2.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

namespace tracefold::copy_test {

using ::testing::ElementsAre;
using testing::read_events;
using testing::TestFolder;

std::string describe(const Definitions& definitions, Ref kind, std::uint64_t id);

// Fields and list with what they refer to instead of ids.
template <class Record>
std::string describe_record(const Definitions& definitions, std::span<const Field> shape,
                            std::string_view name, Record record) {
  std::vector<std::string> named;
  for_each_ref(shape, record.fields, record.list, [&](Ref kind, std::uint64_t& id) {
    named.push_back(describe(definitions, kind, id));
    id = 0;
  });

  std::ostringstream out;
  out << name << '(';
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i].role != FieldRole::list && shape[i].role != FieldRole::ref_list &&
        shape[i].role != FieldRole::type_list && shape[i].role != FieldRole::typed_list)
      out << record.fields[i] << ' ';

  for (auto v : record.list)
    out << '+' << v << ' ';
  for (const auto& n : named)
    out << '{' << n << '}';

  out << ')';

  return out.str();
}

std::optional<Ref> find_member_kind(const Definition& group) {
  switch (group.fields[2]) {
    case otf2_value::group_locations:
    case otf2_value::group_comm_locations: return Ref::location;
    case otf2_value::group_regions: return Ref::region;
    case otf2_value::group_metric: return Ref::metric;
    default: return std::nullopt;
  }
}

std::string describe(const Definitions& definitions, Definition d) {
  std::string more;
  const auto shape = get_row(d.kind).shape();
  if (shape[0].role == FieldRole::self)
    d.fields[0] = 0;

  if (auto kind = find_member_kind(d); d.kind == DefinitionKind::Group && kind) {
    for (auto& member : d.list) {
      more += '{' + describe(definitions, *kind, member) + '}';
      member = 0;
    }
  }

  if (d.kind == DefinitionKind::CartCoordinate)
    more += std::to_string(d.fields[1]);

  if (d.kind == DefinitionKind::MetricInstance) {
    constexpr std::array kinds{Ref::location, Ref::location_group, Ref::system_tree_node,
                               Ref::group};
    more = describe(definitions, kinds.at(d.fields[3]), d.fields[4]);
    d.fields[4] = 0;
  }

  return describe_record(definitions, shape, get_row(d.kind).name, d) + more;
}

std::string describe(const Definitions& definitions, Ref kind, std::uint64_t id) {
  if (id == undefined_id(kind) || (kind == Ref::paradigm && id == OTF2_PARADIGM_UNKNOWN))
    return "-";
  if (kind == Ref::string)
    return definitions.find(kind, id) ? '"' + definitions.text(id) + '"' : "dangling string";

  const auto* found = definitions.find(kind, id);
  if (!found)
    return "dangling id of kind " + std::to_string(static_cast<int>(kind));

  return describe(definitions, *found);
}

std::string describe(const Definitions& definitions, const Event& event) {
  auto text =
      std::to_string(event.time) + ' ' +
      describe_record(definitions, get_row(event.kind).shape(), get_row(event.kind).name, event);
  for (const auto& a : event.attributes) {
    const auto kind = ref_from_type(a.type);
    text += " [" + describe(definitions, Ref::attribute, a.id) + ' ' + std::to_string(a.type) +
            ' ' + (kind ? describe(definitions, *kind, a.value) : std::to_string(a.value)) + ']';
  }

  return text;
}

bool is_of_tracefold(const Definitions& definitions, const Definition& d) {
  if (d.kind != DefinitionKind::LocationProperty && d.kind != DefinitionKind::Group)
    return false;
  return definitions.text(d.fields[1]).starts_with("tracefold");
}

// By kind, what all definitions say, in any order. Strings count where they are used.
std::map<std::string_view, std::multiset<std::string>> described(const Definitions& definitions) {
  std::map<std::string_view, std::multiset<std::string>> found;
  for (const auto& d : definitions.all())
    if (d.kind != DefinitionKind::String && !is_of_tracefold(definitions, d))
      found[get_row(d.kind).name].insert(describe(definitions, d));
  return found;
}

// The location of a name.
std::uint64_t location_named(const Definitions& definitions, const std::string& name) {
  for (auto id : definitions.locations())
    if (definitions.text(definitions.find(Ref::location, id)->fields[1]) == name)
      return id;
  ADD_FAILURE() << "no location " << name;
  return 0;
}

std::size_t index_of(const Plan& plan, std::uint64_t id) {
  for (std::size_t i = 0; i < plan.processes.size(); ++i)
    if (plan.processes[i].id == id)
      return i;
  ADD_FAILURE() << "no process " << id;
  return 0;
}

class Copy : public ::testing::Test {
 protected:
  Copy() {
    std::filesystem::create_directory(folder_.path() / "in");
    testing::write_archive(content_, folder_.path() / "in");
    original_.emplace((folder_.path() / "in/traces.otf2").string(), diagnostics_);
    plan_ = make_plan(*original_, {});
    add_profiles(plan_, *original_, {}, diagnostics_);
  }
  void rewrite_all(const RewriteOptions& options = {}) {
    summary_ = rewrite(*original_, plan_, folder_.path() / "out", options, {}, diagnostics_);
    copy_.emplace((folder_.path() / "out/traces.otf2").string(), diagnostics_);
  }
  // Half of the locations, each standing for its double in the other process.
  void fold_second_process() {
    std::uint32_t group = 0;
    plan_.representatives.emplace();
    plan_.groups.emplace();
    for (auto [kept, left_out] : {std::pair{testing::master_0, testing::master_1},
                                  {testing::thread_0, testing::thread_1},
                                  {testing::metric_0, testing::metric_1},
                                  {testing::stream_0, testing::stream_1}}) {
      const auto a = index_of(plan_, kept), b = index_of(plan_, left_out);
      const std::vector<std::size_t> members{std::min(a, b), std::max(a, b)};
      std::set<std::uint32_t> intents{plan_.processes[a].intent, plan_.processes[b].intent};
      plan_.groups->push_back({members, {intents.begin(), intents.end()}, {}});
      plan_.representatives->push_back({group++, a, members, "by hand"});
    }
  }
  std::uint64_t original_events() const {
    std::uint64_t n = 0;
    for (const auto& [id, list] : content_.events)
      n += list.size();
    return n;
  }

  TestFolder folder_;
  testing::TraceContent content_ = testing::every_record();
  Diagnostics diagnostics_;
  std::optional<Archive> original_, copy_;
  Plan plan_;
  RewriteSummary summary_;
};

using ReadBack = Copy;

TEST_F(ReadBack, GivesTheEventsThatWereWritten) {
  for (const auto& [location, written] : content_.events) {
    const auto read = read_events(*original_, location);
    ASSERT_EQ(read.size(), written.size()) << "location " << location;
    for (std::size_t i = 0; i < read.size(); ++i) {
      const auto name = get_row(written[i].kind).name;
      EXPECT_EQ(read[i].kind, written[i].kind) << name;
      EXPECT_EQ(read[i].time, written[i].time) << name;
      for (std::size_t k = 0; k < get_row(written[i].kind).size; ++k)
        EXPECT_EQ(read[i].fields[k], written[i].fields[k]) << name << ' ' << k;
      EXPECT_EQ(read[i].list, written[i].list) << name;
      EXPECT_EQ(read[i].attributes, written[i].attributes) << name;
    }
  }
}

TEST_F(ReadBack, GivesTheDefinitionsThatWereWritten) {
  const auto& read = original_->definitions().all();
  ASSERT_EQ(read.size(), content_.definitions.size());
  for (std::size_t i = 0; i < read.size(); ++i)
    EXPECT_EQ(read[i], content_.definitions[i])
        << get_row(read[i].kind).name << ' ' << read[i].id();
}

TEST_F(ReadBack, GivesMarkersAndProperties) {
  const auto& facts = original_->facts();
  EXPECT_EQ(facts.machine, "cluster");
  EXPECT_EQ(facts.creator, "every_record");
  EXPECT_EQ(facts.description, "one record of each kind");
  EXPECT_EQ(facts.properties.at("EXAMPLE::COLOUR"), "blue");
  ASSERT_EQ(facts.marker_kinds.size(), 2u);
  EXPECT_EQ(facts.marker_kinds[0].category, "late sender");
  ASSERT_EQ(facts.markers.size(), 4u);
  EXPECT_EQ(facts.markers[0].text, "slow kernel");
  EXPECT_EQ(facts.markers[0].time, 2100u);
  EXPECT_EQ(facts.markers[0].scope_id, testing::stream_0);
}

TEST_F(Copy, KeepsEveryEventOfEveryKind) {
  rewrite_all();
  EXPECT_EQ(summary_.locations, 8u);
  EXPECT_EQ(summary_.events, original_events());
  for (std::size_t k = 0; k < event_kinds; ++k)
    EXPECT_EQ(summary_.cut[k], 0u) << event_table[k].name;
  for (const auto& [location, written] : content_.events) {
    const auto name = original_->definitions().text(
        original_->definitions().find(Ref::location, location)->fields[1]);
    const auto copied = read_events(*copy_, location_named(copy_->definitions(), name));
    ASSERT_EQ(copied.size(), written.size()) << name;
    for (std::size_t i = 0; i < copied.size(); ++i)
      EXPECT_EQ(describe(copy_->definitions(), copied[i]),
                describe(original_->definitions(), written[i]))
          << name << " event " << i;
  }
}

TEST_F(Copy, KeepsEveryDefinitionOfEveryKind) {
  rewrite_all();
  const auto before = described(original_->definitions()), after = described(copy_->definitions());
  for (const auto& row : definition_table) {
    if (row.name == "String")
      continue;
    ASSERT_TRUE(before.contains(row.name)) << row.name;
    EXPECT_TRUE(after.contains(row.name)) << row.name;
    if (after.contains(row.name)) {
      EXPECT_EQ(after.at(row.name), before.at(row.name)) << row.name;
    }
  }
  EXPECT_EQ(copy_->definitions().duplicates(), 0u);
}

TEST_F(Copy, GivesDenseIdsThatOnlyReferBack) {
  rewrite_all();
  std::array<std::uint64_t, ref_kinds> next{};
  std::array<std::set<std::uint64_t>, ref_kinds> seen;
  for (const auto& d : copy_->definitions().all()) {
    const auto shape = get_row(d.kind).shape();
    auto c = d;
    for_each_ref(shape, c.fields, c.list, [&](Ref kind, std::uint64_t id) {
      if (id != undefined_id(kind) && (d.kind != DefinitionKind::Attribute)) {
        EXPECT_TRUE(seen[static_cast<std::size_t>(kind)].contains(id) || kind == Ref::paradigm)
            << get_row(d.kind).name << ' ' << d.id() << " refers ahead";
      }
    });
    if (shape[0].role != FieldRole::self)
      continue;
    const auto kind = static_cast<std::size_t>(shape[0].target);
    seen[kind].insert(d.id());
    if (shape[0].target == Ref::paradigm)
      continue;
    EXPECT_EQ(d.id(), next[kind]++) << get_row(d.kind).name;
  }
}

TEST_F(Copy, KeepsMarkersAndProperties) {
  rewrite_all();
  const auto& facts = copy_->facts();
  EXPECT_EQ(facts.machine, "cluster");
  EXPECT_EQ(facts.properties.at("EXAMPLE::COLOUR"), "blue");
  EXPECT_EQ(facts.properties.at("OTF2::MPI_COMMUNICATION_COMPLETE"), "true");
  EXPECT_TRUE(facts.properties.contains("TRACEFOLD::VERSION"));
  ASSERT_EQ(facts.marker_kinds.size(), 2u);
  ASSERT_EQ(facts.markers.size(), 4u);
  EXPECT_EQ(facts.markers[0].scope_id, location_named(copy_->definitions(), "stream 0"));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(facts.markers[i].text, content_.markers[i].text);
    EXPECT_EQ(facts.markers[i].time, content_.markers[i].time);
    EXPECT_EQ(facts.markers[i].duration, content_.markers[i].duration);
  }
}

TEST_F(Copy, KeepsLocationIdsWhereAsked) {
  RewriteOptions options;
  options.keep_ids = true;
  rewrite_all(options);
  EXPECT_EQ(copy_->definitions().locations(), original_->definitions().locations());
  EXPECT_EQ(read_events(*copy_, testing::stream_0).size(),
            content_.events.at(testing::stream_0).size());
}

TEST_F(Copy, OfACopyIsTheSame) {
  rewrite_all();
  Plan plan = make_plan(*copy_, {});
  add_profiles(plan, *copy_, {}, diagnostics_);
  rewrite(*copy_, plan, folder_.path() / "again", {}, {}, diagnostics_);
  const Archive again((folder_.path() / "again/traces.otf2").string(), diagnostics_);
  EXPECT_EQ(described(again.definitions()), described(copy_->definitions()));
  const auto but_strings = [](const Definitions& definitions) {
    return std::count_if(definitions.all().begin(), definitions.all().end(),
                         [](const auto& d) { return d.kind != DefinitionKind::String; });
  };
  EXPECT_EQ(but_strings(again.definitions()), but_strings(copy_->definitions()));
  for (auto id : copy_->definitions().locations()) {
    const auto before = read_events(*copy_, id), after = read_events(again, id);
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_EQ(describe(again.definitions(), after[i]), describe(copy_->definitions(), before[i]));
  }
}

TEST_F(Copy, RefusesAnOutputThatExists) {
  std::filesystem::create_directory(folder_.path() / "out");
  std::ofstream(folder_.path() / "out/file") << "mine";
  EXPECT_THROW(rewrite_all(), Error);
}

using Folded = Copy;

TEST_F(Folded, KeepsTheRepresentativesAndSaysWhatTheyStandFor) {
  fold_second_process();
  rewrite_all();
  const auto& definitions = copy_->definitions();
  EXPECT_EQ(summary_.locations, 4u);
  std::vector<std::string> names;
  for (auto id : definitions.locations())
    names.push_back(definitions.text(definitions.find(Ref::location, id)->fields[1]));
  EXPECT_THAT(names, ElementsAre("2× master 0", "2× thread 0", "2× metrics 0", "2× stream 0"));
  std::map<std::uint64_t, std::map<std::string, Definition>> said;
  for (const auto& d : definitions.all())
    if (d.kind == DefinitionKind::LocationProperty)
      said[d.fields[0]].emplace(definitions.text(d.fields[1]), d);
  EXPECT_EQ(said.at(0).at("tracefold::source").fields[3], testing::master_0);
  EXPECT_EQ(said.at(0).at("tracefold::count").fields[3], 2u);
  EXPECT_EQ(definitions.text(said.at(0).at("tracefold::members").fields[3]), "10,20");
  EXPECT_TRUE(said.at(0).contains("bound to"));
}

TEST_F(Folded, LeavesNoIdDangling) {
  fold_second_process();
  rewrite_all();
  const auto& definitions = copy_->definitions();
  for (auto d : definitions.all()) {
    const auto what = describe(definitions, d);
    EXPECT_EQ(what.find("dangling"), std::string::npos) << what;
    for_each_ref(get_row(d.kind).shape(), d.fields, d.list, [&](Ref kind, std::uint64_t id) {
      EXPECT_TRUE(id == undefined_id(kind) || definitions.find(kind, id) ||
                  (kind == Ref::paradigm && id == OTF2_PARADIGM_UNKNOWN))
          << what;
    });
  }
  for (auto location : definitions.locations())
    for (auto e : read_events(*copy_, location)) {
      const auto what = describe(definitions, e);
      for_each_ref(get_row(e.kind).shape(), e.fields, e.list, [&](Ref kind, std::uint64_t id) {
        EXPECT_TRUE(definitions.find(kind, id)) << what;
      });
      for (const auto& a : e.attributes) {
        EXPECT_TRUE(definitions.find(Ref::attribute, a.id)) << what;
        if (auto kind = ref_from_type(a.type)) {
          EXPECT_TRUE(definitions.find(*kind, a.value)) << what;
        }
      }
    }
  for (const auto& m : copy_->facts().markers) {
    if (m.scope == 1) {
      EXPECT_TRUE(definitions.find(Ref::location, m.scope_id));
    }
  }
}

TEST_F(Folded, EndsEveryRequestThatBegins) {
  fold_second_process();
  rewrite_all();
  for (auto location : copy_->definitions().locations()) {
    std::set<std::uint64_t> open;
    std::map<std::uint64_t, std::set<std::uint64_t>> one_sided;
    for (const auto& e : read_events(*copy_, location)) {
      using enum EventKind;
      const auto& f = e.fields;
      const auto begins = [&](std::uint64_t id) {
        EXPECT_TRUE(open.insert(id).second) << "request " << id << " begins twice";
      };
      const auto ends = [&](std::uint64_t id) {
        EXPECT_EQ(open.erase(id), 1u) << "request " << id << " ends and never began";
      };
      switch (e.kind) {
        case MpiIsend: begins(f[4]); break;
        case MpiIrecvRequest:
        case NonBlockingCollectiveRequest: begins(f[0]); break;
        case MpiIsendComplete:
        case MpiRequestCancelled: ends(f[0]); break;
        case MpiIrecv: ends(f[4]); break;
        case NonBlockingCollectiveComplete: ends(f[5]); break;
        case MpiRequestTest: EXPECT_TRUE(open.contains(f[0])); break;
        case RmaPut:
        case RmaGet: one_sided[f[0]].insert(f[3]); break;
        case RmaAtomic: one_sided[f[0]].insert(f[5]); break;
        case RmaOpTest:
        case RmaOpCompleteBlocking:
        case RmaOpCompleteNonBlocking:
        case RmaOpCompleteRemote:
          EXPECT_TRUE(one_sided[f[0]].contains(f[1])) << get_row(e.kind).name;
          break;
        default: break;
      }
    }
    EXPECT_TRUE(open.empty()) << "location " << location;
  }
}

TEST_F(Folded, CutsMessagesToProcessesThatAreLeftOut) {
  fold_second_process();
  rewrite_all();
  const auto cut = [&](EventKind kind) { return summary_.cut[static_cast<std::size_t>(kind)]; };
  EXPECT_EQ(cut(EventKind::MpiSend),
            2u);  // to the other process in the world, and over the intercommunicator
  EXPECT_EQ(cut(EventKind::MpiIrecvRequest),
            2u);  // from the other process, and the one that never receives
  EXPECT_EQ(cut(EventKind::MpiIrecv), 1u);
  EXPECT_EQ(cut(EventKind::MpiIsendComplete), 1u);
  EXPECT_EQ(cut(EventKind::MpiRequestTest), 2u);
  EXPECT_EQ(cut(EventKind::RmaPut), 1u);
  EXPECT_EQ(cut(EventKind::RmaOpCompleteRemote), 1u);
  EXPECT_EQ(cut(EventKind::MpiCollectiveEnd), 0u);
  EXPECT_EQ(copy_->facts().properties.at("OTF2::MPI_COMMUNICATION_COMPLETE"), "false");
  EXPECT_EQ(copy_->facts().properties.at("TRACEFOLD::CUT::MPISEND"), "2");
  const auto& definitions = copy_->definitions();
  for (const auto& e : read_events(*copy_, 0)) {
    if (e.kind == EventKind::MpiSend) {
      EXPECT_TRUE(definitions.partner(0, e.fields[1], e.fields[0])) << "no partner";
    }
    if (e.kind == EventKind::MpiCollectiveEnd && e.fields[0] == OTF2_COLLECTIVE_OP_BCAST) {
      EXPECT_EQ(e.fields[2], otf2_value::root_none);
    }
  }
  EXPECT_EQ(definitions.comm_locations().at(otf2_value::paradigm_mpi).list,
            std::vector<std::uint64_t>{0});
  EXPECT_THAT(definitions.comm_locations().at(OTF2_PARADIGM_OPENMP).list, ElementsAre(0, 1));
}

TEST_F(Folded, KeepsWhatVerifyAsks) {
  fold_second_process();
  rewrite_all();
  // The plan was not made by selecting, so that only the rest of it can be derived again.
  for (const auto& rule : verify(*copy_, *original_, {}, diagnostics_).rules)
    if (rule.rule != rule_words::plan_fields) {
      EXPECT_THAT(rule.violations, ElementsAre()) << rule.rule;
    }
  EXPECT_THAT(list_broken_rules(*copy_, *original_), ElementsAre());
}

TEST_F(Folded, LeavesNamesAloneWhereAsked) {
  fold_second_process();
  RewriteOptions options;
  options.plain_names = true;
  rewrite_all(options);
  location_named(copy_->definitions(), "master 0");
}

TEST_F(Folded, KeepsTheCreatorOfAStreamThatStays) {
  plan_.representatives.emplace();
  const auto a = index_of(plan_, testing::stream_1);
  plan_.representatives->push_back({0, a, {a}, "by hand"});
  rewrite_all();
  const auto& definitions = copy_->definitions();
  EXPECT_EQ(summary_.locations, 1u);
  const auto* stream = definitions.find(Ref::location, 0);
  ASSERT_TRUE(stream);
  const auto* gpu = definitions.find(Ref::location_group, stream->fields[4]);
  ASSERT_TRUE(gpu);
  const auto* creator = definitions.find(Ref::location_group, gpu->fields[4]);
  ASSERT_TRUE(creator);
  EXPECT_EQ(definitions.text(creator->fields[1]), "MPI Rank 1");
}

}  // namespace tracefold::copy_test
