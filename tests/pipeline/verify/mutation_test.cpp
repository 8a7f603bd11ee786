// Every field of every record and definition of a reduced trace is made wrong, one at a time, and
// `verify` has to see each of them. So have the rules of rewriting (rules/check_rules.hpp), but for
// those in `unseen_by_rules`: they know neither the plan nor how traces are written.
#include "base/for_each_index.hpp"
#include "filters/groups/group.hpp"
#include "filters/groups/select.hpp"
#include "filters/iterations/align_loops.hpp"
#include "model/iterations/fold_options.hpp"
#include "model/plan.hpp"
#include "otf2/archive_writer.hpp"
#include "otf2/event_writer.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/iterations/fold_pass.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/rewrite/rewrite_pass.hpp"
#include "pipeline/verify/rule_words.hpp"
#include "tests/pipeline/verify/rules/check_rules.hpp"
#include "tests/support/archive_content.hpp"
#include "tests/support/every_record.hpp"
#include "tests/support/group_and_name.hpp"
#include "tests/support/repeated_records.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <map>
#include <set>

namespace tracefold::mutation_test {

using testing::TraceContent;

// The rules of the structure for which verify reads the plan.
constexpr std::array of_the_plan{rule_words::plan_file, rule_words::profiles_file,
                                 rule_words::locations};

// One wrong thing: what it is, in the words "KIND FIELD", and how it is done.
struct Mutation {
  std::string name;
  std::optional<std::uint64_t> location;  // whose events it changes; none: what else there is
  std::function<void(TraceContent&)> apply;
};

// Another id of the kind than this one, which is defined where there are two.
std::uint64_t choose_other_id(const TraceContent& content, Ref kind, std::uint64_t id) {
  for (const auto& d : content.definitions) {
    const auto& first = get_row(d.kind).fields[0];
    if (first.role == FieldRole::self && first.target == kind && d.id() != id)
      return d.id();
  }

  return id == undefined_id(kind) ? 0 : undefined_id(kind);
}

// Calls add(words, change) for each way to make a field of a record wrong; change(content, record)
// does it.
template <class Record, class Add>
void for_each_wrong_field(std::span<const Field> shape, const Record& record, Add&& add) {
  std::size_t length = 0, at = 0;

  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto& field = shape[i];
    const std::string name(field.name);
    const auto change_field = [i](std::uint64_t value) {
      return [i, value](const TraceContent&, Record& r) { r.fields[i] = value; };
    };
    const auto change_entry = [](std::size_t place, std::uint64_t value) {
      return [place, value](const TraceContent&, Record& r) { r.list[place] = value; };
    };

    switch (field.role) {
      case FieldRole::self: add(name, change_field(record.fields[i] + 4000)); break;
      case FieldRole::ref:
        add(name, [i, kind = field.target](const TraceContent& content, Record& r) {
          r.fields[i] = choose_other_id(content, kind, r.fields[i]);
        });
        break;
      case FieldRole::request:
      case FieldRole::match: add(name, change_field(record.fields[i] + 1000)); break;
      case FieldRole::type: add(name, change_field(record.fields[i] == 4 ? 8 : 4)); break;
      case FieldRole::count: length = record.fields[i]; break;
      case FieldRole::list:
      case FieldRole::ref_list:
      case FieldRole::typed_list:
        if (length > 0)
          add(name, change_entry(at, record.list[at] ^ 1));
        at += length;
        break;
      case FieldRole::type_list:
        if (length > 0)
          add(name, change_entry(at, record.list[at] == 4 ? 8 : 4));
        at += length;
        break;
      case FieldRole::text: break;  // of strings alone
      default: add(name, change_field(record.fields[i] ^ 1));
    }
  }
}

class Mutations {
 public:
  explicit Mutations(const TraceContent& content) : content_(content) {
    for (const auto& [location, events] : content.events)
      for (std::size_t k = 0; k < events.size(); ++k)
        add_event(location, k, events);
    for (std::size_t k = 0; k < content.definitions.size(); ++k)
      add_definition(k, content.definitions[k]);
    add_markers(content);
    add_anchor(content);
  }

  const std::vector<Mutation>& all() const { return all_; }

 private:
  // A second mutation with the same name is left out.
  void add(std::string name, std::optional<std::uint64_t> location,
           std::function<void(TraceContent&)> apply) {
    if (names_.insert(name).second)
      all_.push_back({std::move(name), location, std::move(apply)});
  }

  void add_event(std::uint64_t location, std::size_t k, const std::vector<Event>& events) {
    const auto& event = events[k];
    const std::string kind(get_row(event.kind).name);
    const auto add_change = [&](const std::string& words, auto change) {
      add(kind + " " + words, location, [location, k, change](TraceContent& content) {
        change(content, content.events[location][k]);
      });
    };

    for_each_wrong_field(get_row(event.kind).shape(), event, add_change);
    add_change("time", [](const TraceContent&, Event& e) { ++e.time; });
    add(kind + " missing", location, [location, k](TraceContent& content) {
      auto& list = content.events[location];
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(k));
    });
    add(kind + " twice", location, [location, k](TraceContent& content) {
      auto& list = content.events[location];
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(k), Event(list[k]));
    });

    if (k + 1 < events.size() && events[k + 1].kind != event.kind)
      add(kind + " moved behind the next", location, [location, k](TraceContent& content) {
        auto& list = content.events[location];
        std::swap(list[k], list[k + 1]);
        std::swap(list[k].time, list[k + 1].time);
      });

    if (!event.attributes.empty())
      add_change("attributes", [](const TraceContent&, Event& e) { e.attributes.clear(); });
    for (std::size_t a = 0; a < event.attributes.size(); ++a) {
      const auto of = "attribute of type " + std::to_string(event.attributes[a].type);
      const auto add_one = [&](const std::string& words, auto change) {
        add(of + " " + words, location, [location, k, a, change](TraceContent& content) {
          change(content, content.events[location][k].attributes[a]);
        });
      };

      add_one("id", [](const TraceContent& content, Attribute& one) {
        one.id = choose_other_id(content, Ref::attribute, one.id);
      });
      add_one("type",
              [](const TraceContent&, Attribute& one) { one.type = one.type == 4 ? 8 : 4; });
      add_one("value", [](const TraceContent& content, Attribute& one) {
        const auto named = ref_from_type(one.type);
        one.value = named ? choose_other_id(content, *named, one.value) : one.value ^ 1;
      });
      add_one("missing", [k, location, a](TraceContent& content, const Attribute&) {
        auto& list = content.events[location][k].attributes;
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(a));
      });
    }
  }

  void add_definition(std::size_t k, const Definition& definition) {
    auto kind = std::string(get_row(definition.kind).name);
    if (definition.kind == DefinitionKind::SystemTreeNode)
      kind += " of class " +
              find_text(get_field<"className", DefinitionKind::SystemTreeNode>(definition));
    if (definition.kind == DefinitionKind::SystemTreeNodeProperty ||
        definition.kind == DefinitionKind::LocationGroupProperty)
      kind += " " + find_text(definition.fields[1]);
    if (definition.kind == DefinitionKind::Group)
      kind +=
          " of type " + std::to_string(get_field<"groupType", DefinitionKind::Group>(definition));
    const auto add_change = [&](const std::string& words, auto change) {
      add(kind + " " + words, std::nullopt,
          [k, change](TraceContent& content) { change(content, content.definitions[k]); });
    };

    for_each_wrong_field(get_row(definition.kind).shape(), definition, add_change);
    if (definition.kind == DefinitionKind::String)
      add_change("text", [](const TraceContent&, Definition& d) { d.text += "x"; });
    add(kind + " missing", std::nullopt, [k](TraceContent& content) {
      content.definitions.erase(content.definitions.begin() + static_cast<std::ptrdiff_t>(k));
    });
  }

  std::string find_text(std::uint64_t string) const {
    for (const auto& d : content_.definitions)
      if (d.kind == DefinitionKind::String && d.id() == string)
        return d.text;
    return "";
  }

  void add_markers(const TraceContent& content) {
    const auto add_kind = [&](const char* words, auto change) {
      add(std::string("kind of markers ") + words, std::nullopt,
          [change](TraceContent& c) { change(c.marker_kinds.at(0)); });
    };
    if (!content.marker_kinds.empty()) {
      add_kind("group", [](MarkerKind& m) { m.group += "x"; });
      add_kind("category", [](MarkerKind& m) { m.category += "x"; });
      add_kind("severity", [](MarkerKind& m) { m.severity ^= 1; });
    }

    for (std::size_t k = 0; k < content.markers.size(); ++k) {
      const auto add_marker = [&](const char* words, auto change) {
        add("marker of scope " + std::to_string(content.markers[k].scope) + " " + words,
            std::nullopt, [k, change](TraceContent& c) { change(c.markers[k]); });
      };
      add_marker("time", [](Marker& m) { ++m.time; });
      add_marker("duration", [](Marker& m) { ++m.duration; });
      add_marker("scope", [](Marker& m) { m.scope = m.scope == 0 ? 1 : 0; });
      add_marker("scope_id", [](Marker& m) { m.scope_id ^= 1; });
      add_marker("text", [](Marker& m) { m.text += "x"; });
      add("marker missing", std::nullopt, [](TraceContent& c) { c.markers.pop_back(); });
    }
  }

  void add_anchor(const TraceContent& content) {
    add("anchor machine", std::nullopt, [](TraceContent& c) { c.machine += "x"; });
    add("anchor creator", std::nullopt, [](TraceContent& c) { c.creator += "x"; });
    add("anchor description", std::nullopt, [](TraceContent& c) { c.description += "x"; });
    add("anchor identifier", std::nullopt, [](TraceContent& c) { *c.trace_id ^= 1; });
    add("anchor property more", std::nullopt,
        [](TraceContent& c) { c.properties["EXAMPLE::MORE"] = "x"; });
    for (const auto& property : content.properties) {
      const auto name = property.first;
      add("anchor property " + name, std::nullopt,
          [name](TraceContent& c) { c.properties[name] += "x"; });
      add("anchor property missing " + name, std::nullopt,
          [name](TraceContent& c) { c.properties.erase(name); });
    }
  }

  const TraceContent& content_;
  std::vector<Mutation> all_;
  std::set<std::string> names_;
};

// A reduced trace, made wrong again and again.
class MutationTest : public ::testing::Test {
 protected:
  // Keeps all processes, or one of each type; with `clusters` iterations of the marked loop.
  void reduce(const TraceContent& content, bool some, std::optional<std::size_t> clusters) {
    write_archive(content, app_.path());
    original_.emplace((app_.path() / "traces.otf2").string(), ignored_);
    auto plan = make_plan(*original_, {});
    add_profiles(plan, *original_, {}, ignored_);
    testing::group_and_name(plan, *original_, some ? 0 : 1);
    if (some)
      select(plan, {});
    if (clusters)
      fold(plan, *clusters);

    rewrite(*original_, plan, small(), options_, {}, ignored_);
    const Archive reduced(anchor(), ignored_);
    content_ = testing::read_content(reduced);
    chunk_ = reduced.event_chunk();
  }

  void fold(Plan& plan, std::size_t clusters) {
    FoldOptions options;
    options.asked.region = testing::repeated_region;
    options.max_clusters = clusters;
    const auto loops = find_loops_pass({*original_, plan, {}, ignored_},
                                       list_folding_candidates(plan), options.asked);
    fold_iterations(*original_, plan, loops, options, {}, ignored_);
  }

  RewriteOptions options_;

  std::filesystem::path small() const { return app_.path() / "small"; }
  std::string anchor() const { return (small() / "traces.otf2").string(); }

  // The names of the mutations that verify accepts, and of those that the rules accept.
  struct Unseen {
    std::set<std::string> by_verify, by_rules;
  };
  Unseen find_unseen() {
    Unseen unseen;
    const Mutations mutations(content_);
    for (const auto& mutation : mutations.all()) {
      auto wrong = content_;
      mutation.apply(wrong);
      write(wrong, mutation.location);
      const auto seen = look();
      if (!seen.by_rules)
        unseen.by_rules.insert(mutation.name);
      if (!seen.by_verify)
        unseen.by_verify.insert(mutation.name);
      if (mutation.location)
        write(content_, mutation.location);
    }

    write(content_, std::nullopt);
    EXPECT_FALSE(look().by_rules || look().by_verify) << "what is right is refused";

    return unseen;
  }

  // Leaves out all records of these kinds, on all sides, as if they had been cut.
  void leave_out(const std::set<EventKind>& kinds) {
    auto wrong = content_;
    std::map<EventKind, std::uint64_t> left_out;
    for (auto& [location, events] : wrong.events)
      std::erase_if(events, [&](const Event& e) {
        left_out[e.kind] += kinds.contains(e.kind);
        return kinds.contains(e.kind);
      });

    for (auto& d : wrong.definitions)
      if (d.kind == DefinitionKind::Location)
        get_field<"numberOfEvents", DefinitionKind::Location>(d) = wrong.events[d.id()].size();

    for (const auto kind : kinds) {
      EXPECT_GT(left_out[kind], 0) << get_row(kind).name;
      std::string name(get_row(kind).name);
      std::transform(name.begin(), name.end(), name.begin(),
                     [](unsigned char c) { return std::toupper(c); });
      auto& stated = wrong.properties["TRACEFOLD::CUT::" + name];
      stated = std::to_string((stated.empty() ? 0 : std::stoull(stated)) + left_out[kind]);
    }

    write(wrong, std::nullopt);
  }

 private:
  // The events of one location, or everything.
  void write(const TraceContent& content, std::optional<std::uint64_t> location) {
    if (!location) {
      std::filesystem::remove_all(small() / "traces");
      write_archive(content, small(), chunk_);
      return;
    }

    std::filesystem::remove(small() / "traces" / (std::to_string(*location) + ".evt"));
    EventWriter writer(small() / "traces", *location, chunk_);
    for (const auto& e : content.events.at(*location)) {
      if (e.kind == EventKind::Enter)
        writer.enter(e.time, e.region(), e.attributes);
      else if (e.kind == EventKind::Leave)
        writer.leave(e.time, e.region(), e.attributes);
      else
        writer.write(e);
    }
    writer.close();
  }

 protected:
  struct Seen {
    bool by_verify = false, by_rules = false;
  };
  // What verify tells of the structure is not checked by the rules again. But they know no plan.
  Seen look() {
    Seen seen;
    try {
      Diagnostics warnings;
      const Archive reduced(anchor(), warnings);
      for (const auto& rule : verify(reduced, *original_, {}, warnings).rules) {
        const bool is_wrong = !rule.violations.empty();
        seen.by_verify |= is_wrong;
        seen.by_rules |= is_wrong && std::ranges::count(rule_words::structure, rule.rule) > 0 &&
                         std::ranges::count(of_the_plan, rule.rule) == 0;
      }
      seen.by_rules = seen.by_rules || !list_broken_rules(reduced, *original_).empty();
    } catch (const Error& problem) {
      EXPECT_EQ(problem.kind(), ErrorKind::input) << problem.what();
      seen = {true, true};
    }

    return seen;
  }

 private:
  // Archives are small, and threads would only wait for each other.
  const ThreadLimit one_thread_{1};
  testing::TestFolder app_;
  Diagnostics ignored_;
  std::optional<Archive> original_;
  TraceContent content_;
  std::uint64_t chunk_ = 0;
};

// What the rules cannot know without the plan.
const std::set<std::string> unseen_by_rules{
    "SystemTreeNode of class merged name",  // what sets merged processes apart
    "anchor property TRACEFOLD::LOOP::1",   // but for its numbers of iterations
    "anchor property TRACEFOLD::PLAN_SHA256",
    "anchor property TRACEFOLD::VERSION",
    "anchor property missing TRACEFOLD::COMPARED_BY",  // where nothing is folded
    "anchor property missing TRACEFOLD::WHOLE",
    "marker of scope 0 duration",  // of iterations, as long as they follow each other
    "marker of scope 0 time",
};

TEST_F(MutationTest, IsSeenWhereAllProcessesStay) {
  reduce(testing::every_record(), false, std::nullopt);
  const auto unseen = find_unseen();
  EXPECT_THAT(unseen.by_verify, ::testing::IsEmpty());
  EXPECT_THAT(unseen.by_rules, ::testing::IsSubsetOf(unseen_by_rules));
}

TEST_F(MutationTest, IsSeenWhereProcessesAndIterationsAreFolded) {
  reduce(testing::repeat_every_record(), true, 1);
  const auto unseen = find_unseen();
  EXPECT_THAT(unseen.by_verify, ::testing::IsEmpty());
  EXPECT_THAT(unseen.by_rules, ::testing::IsSubsetOf(unseen_by_rules));
}

TEST_F(MutationTest, IsSeenWhereTheSystemTreeShowsGroups) {
  options_.tree = TreeChoice::groups;
  reduce(testing::every_record(), true, std::nullopt);
  const auto unseen = find_unseen();
  EXPECT_THAT(unseen.by_verify, ::testing::IsEmpty());
  EXPECT_THAT(unseen.by_rules, ::testing::IsSubsetOf(unseen_by_rules));
}

// Operations that are gone on all sides are missed outside of collapsed iterations, also where the
// counts of what was cut were made to fit.
TEST_F(MutationTest, IsSeenWhereWholeOperationsAreGoneAndCounted) {
  using enum EventKind;

  reduce(testing::repeat_every_record(), false, 1);
  for (const auto& kinds : std::vector<std::set<EventKind>>{
           {MpiSend, MpiRecv},
           {MpiSend, MpiRecv, MpiIsend, MpiIsendComplete, MpiIrecvRequest, MpiIrecv,
            MpiRequestTest},
           {MpiRequestTest},
           {MpiCollectiveBegin, MpiCollectiveEnd},
           {NonBlockingCollectiveRequest, NonBlockingCollectiveComplete},
           {RmaCollectiveBegin, RmaCollectiveEnd},
           {RmaPut, RmaGet, RmaAtomic, RmaOpCompleteBlocking, RmaOpCompleteNonBlocking,
            RmaOpCompleteRemote, RmaOpTest},
           {RmaOpTest},
           {RmaAcquireLock, RmaReleaseLock},
           {RmaRequestLock, RmaTryLock, RmaSync},
           {OmpTaskCreate, OmpTaskSwitch, OmpTaskComplete},
           {OmpFork, OmpJoin},
           {OmpAcquireLock, OmpReleaseLock},
           {ThreadFork, ThreadJoin},
           {ThreadTeamBegin, ThreadTeamEnd},
           {ThreadTaskCreate, ThreadTaskSwitch, ThreadTaskComplete},
           {ThreadAcquireLock, ThreadReleaseLock},
           {IoOperationBegin, IoOperationTest, IoOperationIssued, IoOperationComplete,
            IoOperationCancelled},
           {IoOperationTest},
           {IoOperationIssued},
           {IoAcquireLock, IoReleaseLock}}) {
    leave_out(kinds);
    const auto seen = look();
    EXPECT_TRUE(seen.by_rules) << get_row(*kinds.begin()).name;
    EXPECT_TRUE(seen.by_verify) << get_row(*kinds.begin()).name;
  }
}

}  // namespace tracefold::mutation_test
