#include "pipeline/facts/series_sink.hpp"
#include "filters/iterations/iteration_features.hpp"
#include "model/plan.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <variant>

namespace tracefold::series_sink_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using enum EventKind;

// Regions by letter: MPI's, OpenMP's and a file's are upper case, the program's lower case.
const std::map<char, std::string> library{
    {'S', "MPI_Send"},    {'R', "MPI_Recv"}, {'W', "MPI_Waitall"},        {'C', "MPI_Allreduce"},
    {'B', "MPI_Barrier"}, {'P', "MPI_Put"},  {'F', "MPI_File_write_all"}, {'O', "!$omp barrier"}};
constexpr std::uint64_t world = 0, between = 1, window = 0, handle = 0, counters = 0,
                        node_counters = 1;
constexpr std::uint64_t process_0 = 0, process_1 = 1, process_2 = 2, worker_0 = 10;

class Definer {
 public:
  void add(DefinitionKind kind, std::vector<std::uint64_t> fields,
           std::vector<std::uint64_t> list = {}, const std::string& text = {}) {
    Definition d;
    d.kind = kind;
    std::copy(fields.begin(), fields.end(), d.fields.begin());
    d.list = std::move(list);
    d.text = text;
    definitions_.add(std::move(d));
  }
  void region(char letter) {
    const auto id = static_cast<std::uint64_t>(letter);
    const auto mpi = library.find(letter);
    add(DefinitionKind::String, {id}, {},
        mpi == library.end() ? std::string(1, letter) : mpi->second);
    const bool openmp = letter == 'O';
    add(DefinitionKind::Region, {id, id, id, id, openmp ? otf2_value::region_role_barrier : 1u,
                                 openmp ? otf2_value::paradigm_openmp : otf2_value::paradigm_user});
  }
  Definitions take() {
    definitions_.finish();
    return std::move(definitions_);
  }

 private:
  Definitions definitions_;
};

// Three processes, one of them with a worker thread.
Definitions made_definitions() {
  using enum DefinitionKind;
  using namespace otf2_value;
  Definer define;
  for (char c = 'a'; c <= 'z'; ++c)
    define.region(c);
  for (const auto& [letter, name] : library)
    define.region(letter);
  for (std::uint64_t process : {process_0, process_1, process_2}) {
    define.add(LocationGroup, {process, 'm', location_group_process, 0, 0});
    define.add(Location, {process, 'm', location_type_cpu, 0, process});
  }

  define.add(Location, {worker_0, 'w', location_type_cpu, 0, process_0});
  define.add(Group, {0, 'm', group_comm_locations, paradigm_mpi, 0, 3},
             {process_0, process_1, process_2});
  define.add(Group, {1, 'w', group_comm_group, paradigm_mpi, 0, 3}, {0, 1, 2});
  define.add(Group, {2, 'l', group_comm_group, paradigm_mpi, 0, 2}, {0, 1});
  define.add(Group, {3, 'r', group_comm_group, paradigm_mpi, 0, 1}, {2});
  define.add(Comm, {world, 'w', 1, undefined_id(Ref::comm), 0});
  define.add(InterComm, {between, 'b', 2, 3, world, 0});
  define.add(RmaWin, {window, 'w', world, 0});
  define.add(IoHandle, {handle, 'h', 0, 0, 0, world, 0});
  define.add(String, {1000}, {}, "cycles");
  define.add(String, {1001}, {}, "milliseconds");
  define.add(String, {1002}, {}, "allocated");
  define.add(MetricMember, {0, 1000, 1000, 0, metric_accumulated, type_uint64, 0, 0, 1000});
  define.add(MetricMember, {1, 1001, 1001, 0, metric_accumulated, type_double, 0, 0, 1000});
  define.add(MetricMember, {2, 1002, 1002, 0, metric_relative, type_int64, 0, 0, 1000});
  define.add(MetricMember, {3, 1000, 1000, 0, 1, type_uint64, 0, 0, 1000});  // absolute
  define.add(MetricClass, {counters, 4, 0, 0, 0}, {0, 1, 2, 3});
  define.add(MetricInstance, {node_counters, counters, worker_0, 0, 0});

  return define.take();
}

Loop loop(LoopSource source, char function, std::vector<Interval> iterations) {
  Loop out;
  out.source = source;
  out.path.assign(source == LoopSource::sequence ? 1 : 0, static_cast<FunctionIndex>('m' - 'a'));
  out.function = function >= 'a' ? static_cast<FunctionIndex>(function - 'a') : 0;
  out.iterations = std::move(iterations);

  return out;
}

ProcessLoops found(char function, std::vector<Interval> iterations) {
  return {{loop(LoopSource::sequence, function, std::move(iterations))}, 0, 0, std::nullopt};
}
ProcessLoops marked(char function, std::vector<Interval> iterations) {
  return {{loop(LoopSource::marked, function, std::move(iterations))}, 0, 0, std::nullopt};
}
ProcessLoops taken(std::vector<Interval> iterations) {
  return {{loop(LoopSource::sequence, 'a', std::move(iterations))}, 0, 0, 0};
}

// Hands everything to both, and holds it to be handed to others.
struct BothSinks {
  using Recorded = std::variant<CallBegin, CallEnd, Event, std::uint64_t, SkippedTime>;

  SeriesSink& profiles;
  TotalsSink& totals;
  std::vector<Recorded> events = {};

  void enter(const CallBegin& call, std::span<const Attribute> attributes) {
    profiles.enter(call, attributes);
    totals.enter(call, attributes);
    events.emplace_back(call);
  }
  void leave(const CallEnd& call, std::span<const Attribute> attributes) {
    profiles.leave(call, attributes);
    totals.leave(call, attributes);
    events.emplace_back(call);
  }
  void other(const Event& event) {
    profiles.other(event);
    totals.other(event);
    events.emplace_back(event);
  }
  void unknown(std::uint64_t time) {
    profiles.unknown(time);
    totals.unknown(time);
    events.emplace_back(time);
  }
  void skip_time(const SkippedTime& time) {
    profiles.skip_time(time);
    totals.skip_time(time);
    events.emplace_back(time);
  }

  template <class Sink>
  void replay(Sink& sink) const {
    for (const auto& event : events)
      std::visit(
          [&](const auto& one) {
            using One = std::decay_t<decltype(one)>;
            if constexpr (std::is_same_v<One, CallBegin>)
              sink.enter(one, {});
            else if constexpr (std::is_same_v<One, CallEnd>)
              sink.leave(one, {});
            else if constexpr (std::is_same_v<One, Event>)
              sink.other(one);
            else if constexpr (std::is_same_v<One, SkippedTime>)
              skip_time_of(sink, one);
            else
              sink.unknown(one);
          },
          event);
  }
};

std::vector<Wide> list(const WideSums& sums) {
  std::vector<Wide> values;
  for (std::size_t k = 0; k < sums.size(); ++k)
    values.push_back(sums[k]);
  return values;
}

// Feeds one location by words: a letter enters a function, "." leaves the innermost, "-" lets 10
// ticks pass and "'" one; "<a>" leaves a. Records are added between words.
class Feed {
 public:
  Feed(const Definitions& definitions, const ProcessLoops& loops,
       std::uint64_t location = process_0)
      : definitions_(definitions),
        location_(location),
        functions_(definitions, {}),
        form_(definitions, functions_),
        loops_(loops),
        sink_(form_, definitions, location, loops_, nullptr,
              [this](std::size_t i, const CallPathProfile& p) { add(i, p); }),
        totals_(form_, definitions, location, loops_, nullptr,
                [this](std::size_t i, const WideSums& sums) {
                  EXPECT_EQ(i, totals_of_iterations_.size()) << "in order, each once";
                  totals_of_iterations_.push_back(list(sums));
                }),
        both_{sink_, totals_},
        events_(functions_, both_) {}

  Feed& operator()(const std::string& words) {
    for (std::size_t k = 0; k < words.size(); ++k) {
      const auto c = words[k];
      if (c == '-')
        time_ += 10;
      else if (c == '\'')
        ++time_;
      else if (c == '.')
        events_.leave(time_, static_cast<std::uint64_t>(open_.back()), {}), open_.pop_back();
      else if (c == '<')
        events_.leave(time_, static_cast<std::uint64_t>(words[++k]), {}), open_.pop_back(), ++k;
      else
        events_.enter(time_, static_cast<std::uint64_t>(c), {}), open_ += c;
    }

    return *this;
  }
  Feed& operator()(EventKind kind, std::vector<std::uint64_t> fields = {},
                   std::vector<std::uint64_t> list = {}) {
    Event event;
    event.kind = kind;
    event.time = time_;
    std::copy(fields.begin(), fields.end(), event.fields.begin());
    event.list = std::move(list);
    events_.other(event);

    return *this;
  }
  // By iteration, and last what is outside: rows as "path: value metric, ...". The other sink has
  // to tell the sums of that, and so has the one that counts calls in place of times.
  std::vector<std::string> profiles() {
    events_.finish();
    sink_.finish();
    totals_.finish();
    auto out = iterations_;
    const auto outside = sink_.outside();
    out.push_back(text(outside));

    sums_.push_back(CondensedForm(form_.columns()).column_sums(outside));
    totals_of_iterations_.push_back(list(totals_.outside()));
    EXPECT_TRUE(sums_ == totals_of_iterations_);
    EXPECT_EQ(totals_.not_finite(), sink_.not_finite());
    if (can_be_counted(loops_))
      expect_counted_totals();

    return out;
  }
  // The profile of the only iteration.
  std::string profile() {
    const auto all = profiles();
    return all.size() == 2 && all[1].empty() ? all[0] : "not one iteration";
  }
  std::uint64_t not_finite() const { return sink_.not_finite(); }

 private:
  void expect_counted_totals() const {
    CountIterations counting(loops_);
    both_.replay(counting);
    const auto counts = std::move(counting).take();
    if (counts.empty())
      return;  // an iteration without a call

    std::vector<std::vector<Wide>> totals;
    CountedTotalsSink counted(form_, definitions_, location_, counts, nullptr,
                              [&](std::size_t i, const WideSums& sums) {
                                EXPECT_EQ(i, totals.size()) << "in order, each once";
                                totals.push_back(list(sums));
                              });
    both_.replay(counted);
    counted.finish();
    totals.push_back(list(counted.outside()));
    EXPECT_TRUE(totals == totals_of_iterations_);
  }
  void add(std::size_t iteration, const CallPathProfile& profile) {
    EXPECT_EQ(iteration, iterations_.size()) << "in order, each once";
    iterations_.push_back(text(profile));
    sums_.push_back(CondensedForm(form_.columns()).column_sums(profile));
  }
  std::string text(const CallPathProfile& profile) const {
    const auto& columns = form_.columns();
    std::string out;

    for (std::size_t r = 0; r < profile.rows.size(); ++r) {
      const auto& row = profile.rows[r];
      std::string path;
      for (auto p = static_cast<PathIndex>(row.path); p != 0; p = sink_.paths()[p].caller)
        path.insert(
            0, functions_.functions()[sink_.paths()[p].function].name.substr(library_length(p)));

      const char* kinds[] = {"", " com", " mpi"};
      out +=
          (r ? "; " : "") + path + (form_.sampled() ? kinds[static_cast<int>(row.kind)] : "") + ":";
      std::vector<std::uint64_t> values(columns.size());
      for (const auto& [column, value] : profile.row(r))
        values[column] = value;

      for (auto part : form_.execution_parts())
        values[form_.column(Metric::execution_time)] -=
            values[part];  // execution time is told without its parts

      for (std::size_t c = 0; c < columns.size(); ++c)
        if (const auto value = values[c])
          out +=
              " " + std::to_string(value) + " " +
              (c < columns.measured.size() ? std::string(get_entry(columns.measured[c]).name)
                                           : columns.counters[c - columns.measured.size()].name) +
              ",";

      if (out.back() == ',')
        out.pop_back();
    }

    return out;
  }
  std::size_t library_length(PathIndex path) const {
    return functions_.functions()[sink_.paths()[path].function].name.starts_with("MPI_") ? 4 : 0;
  }

  const Definitions& definitions_;
  std::uint64_t location_;
  FunctionTable functions_;
  ProfileColumns form_;
  ProcessLoops loops_;
  std::vector<std::string> iterations_;
  SeriesSink sink_;
  TotalsSink totals_;
  std::vector<std::vector<Wide>> sums_, totals_of_iterations_;  // by iteration and column
  BothSinks both_;
  CleanEvents<BothSinks> events_;
  std::uint64_t time_ = 100;
  std::string open_;
};

class SeriesSinkTest : public ::testing::Test {
 protected:
  // A location with one iteration in the function i: from 100 to where the words end.
  Feed one(std::uint64_t location = process_0) {
    return {definitions_, marked('i', {{100, 1'000'000}}), location};
  }

  Definitions definitions_ = made_definitions();
};

TEST_F(SeriesSinkTest, GivesTimeBetweenCallsOfALoopToTheCallAround) {
  // s from 120 to 150, 155 to 165, and 175 to 185.
  Feed feed(definitions_, found('s', {{120, 155}, {155, 175}, {175, 185}}));
  feed("m--s-t-.-.'''''")("s-.-")("s-.--.");
  EXPECT_THAT(feed.profiles(),
              ElementsAre("m: 5 execution time; ms: 20 execution time, 1 visits; mst: 10 execution "
                          "time, 1 visits",                                         //
                          "m: 10 execution time; ms: 10 execution time, 1 visits",  //
                          "m:; ms: 10 execution time, 1 visits",                    //
                          "m: 40 execution time, 1 visits"))
      << "the row of the call around is there even without time, so that call trees are equal";
}

TEST_F(SeriesSinkTest, BeginsIterationsWithWhateverCallGoesFirst) {
  // Result by c, but b goes first, and calls c of its own.
  ProcessLoops loops{
      {loop(LoopSource::call_path, 'c', {{110, 160}, {160, 210}})}, 0, 0, std::nullopt};
  loops.loops[0].path = {static_cast<FunctionIndex>('m' - 'a')};
  Feed feed(definitions_, loops);
  feed("m-bc-.-.-c--.bc-.-.-c--..");
  EXPECT_THAT(feed.profiles(),
              ElementsAre("m: 10 execution time; mb: 10 execution time, 1 visits; mbc: 10 "
                          "execution time, 1 visits; mc: 20 execution time, 1 visits",
                          "m: 10 execution time; mb: 10 execution time, 1 visits; mbc: 10 "
                          "execution time, 1 visits; mc: 20 execution time, 1 visits",
                          "m: 10 execution time, 1 visits"));
}

TEST_F(SeriesSinkTest, TakesAMarkedCallForTheWholeIteration) {
  Feed feed(definitions_, marked('i', {{110, 130}, {140, 150}}));
  feed("m-i-a-..-i-.-.");
  EXPECT_THAT(feed.profiles(),
              ElementsAre("mi: 10 execution time, 1 visits; mia: 10 execution time, 1 visits",
                          "mi: 10 execution time, 1 visits", "m: 30 execution time, 1 visits"));
}

TEST_F(SeriesSinkTest, ListsPathsInOneOrderInWhateverTheyAreVisited) {
  Feed feed(definitions_, marked('i', {{100, 120}, {120, 140}, {140, 160}, {160, 180}}));
  feed("ia-.b-..ib-.a-..ib-.a-..ia-.b-..");
  const auto each = "i: 1 visits; ia: 10 execution time, 1 visits; ib: 10 execution time, 1 visits";
  EXPECT_THAT(feed.profiles(), ElementsAre(each, each, each, each, ""));
}

TEST_F(SeriesSinkTest, KeepsLoopsInTurnApart) {
  ProcessLoops two{{loop(LoopSource::call_path, 'a', {{100, 110}, {110, 120}}),
                    loop(LoopSource::call_path, 'b', {{130, 140}, {140, 150}})},
                   0,
                   0,
                   std::nullopt};

  Feed feed(definitions_, two);
  feed("a-.a-.c-.b-.b-.");
  EXPECT_THAT(feed.profiles(),
              ElementsAre("a: 10 execution time, 1 visits", "a: 10 execution time, 1 visits",
                          "b: 10 execution time, 1 visits", "b: 10 execution time, 1 visits",
                          "c: 10 execution time, 1 visits"));
}

TEST_F(SeriesSinkTest, KeepsRecursionAsItIs) {
  EXPECT_EQ(one()("i-f-f-.-.f-..").profile(),
            "i: 10 execution time, 1 visits; if: 30 execution time, 2 visits; iff: 10 execution "
            "time, 1 visits");
}

TEST_F(SeriesSinkTest, SurvivesCallsThatOverlap) {
  EXPECT_EQ(one()("ia-b-<a>-<b>-.").profile(),
            "i: 10 execution time, 1 visits; ia: 20 execution time, 1 visits; iab: 10 execution "
            "time, 1 visits");
}

TEST_F(SeriesSinkTest, PartsTimeByWhatFunctionsAre) {
  EXPECT_EQ(one()("iS-.R-.B--.C---.P-.F-.O-..").profile(),
            "i: 1 visits; iSend: 10 MPI point-to-point time, 1 visits; iRecv: 10 MPI "
            "point-to-point time, 1 visits; "
            "iBarrier: 20 MPI collective synchronization time, 1 visits; iAllreduce: 30 MPI "
            "collective time, 1 visits; "
            "iPut: 10 MPI one-sided time, 1 visits; iFile_write_all: 10 MPI collective file time, "
            "1 visits; i!$omp barrier: 10 OpenMP thread synchronization time, 1 visits");
}

TEST_F(SeriesSinkTest, CountsMessagesWhereTheyAreSentAndReceived) {
  auto feed = one();
  feed("iS")(MpiIsend, {1, world, 7, 100, 1})(MpiSend, {1, world, 7, 50})(MpiSend,
                                                                          {1, world, 7, 0})(".");
  feed("R")(MpiIrecvRequest, {2})(MpiIrecvRequest, {3})(MpiIrecvRequest, {4})(
      MpiRecv, {1, world, 7, 8})(".");
  feed("W")(MpiIrecv, {2, world, 7, 0, 3})(MpiIsendComplete, {1})(MpiIrecv, {1, world, 7, 32, 2})(
      MpiRequestCancelled, {4})("..");
  EXPECT_EQ(feed.profile(),
            "i: 1 visits; iSend: 1 visits, 1 send synchronizations, 2 sends, 150 bytes sent; "
            "iRecv: 1 visits, 1 receives, 8 bytes received; "
            "iWaitall: 1 visits, 1 receive synchronizations, 1 receives, 32 bytes received");
}

TEST_F(SeriesSinkTest, TellsSourcesAndDestinationsOfCollectives) {
  constexpr std::uint64_t barrier = 0, bcast = 1, allreduce = 11, reduce = 12, create = 17,
                          none = otf2_value::root_none;
  const auto of = [&](std::uint64_t operation, std::uint64_t comm, std::uint64_t root,
                      std::uint64_t sent, std::uint64_t received, std::uint64_t location) {
    const auto text =
        one(location)("iC")(MpiCollectiveEnd, {operation, comm, root, sent, received})("..")
            .profile();
    const std::string before = "i: 1 visits; iAllreduce: 1 visits, ";
    return text.starts_with(before) ? text.substr(before.size()) : text;
  };
  EXPECT_EQ(of(barrier, world, none, 0, 0, process_0), "1 collective synchronizations");
  EXPECT_EQ(of(allreduce, world, none, 0, 0, process_0), "1 collective synchronizations")
      << "of nothing";
  EXPECT_EQ(of(allreduce, world, none, 8, 16, process_0),
            "1 collectives, 1 collectives as source, 1 collectives as destination, 8 collective "
            "bytes outgoing, 16 collective bytes incoming");
  EXPECT_EQ(of(bcast, world, 1, 16, 8, process_1),
            "1 collectives, 1 collectives as source, 16 collective bytes outgoing, 8 collective "
            "bytes incoming");
  EXPECT_EQ(of(bcast, world, 1, 0, 8, process_0),
            "1 collectives, 1 collectives as destination, 8 collective bytes incoming");
  EXPECT_EQ(of(reduce, world, 0, 4, 12, worker_0),
            "1 collectives, 1 collectives as destination, 4 collective bytes outgoing, 12 "
            "collective bytes incoming")
      << "a thread of the root";
  EXPECT_EQ(of(reduce, world, 1, 4, 0, process_0),
            "1 collectives, 1 collectives as source, 4 collective bytes outgoing");
  EXPECT_EQ(of(bcast, between, otf2_value::root_self, 4, 0, process_2),
            "1 collectives, 1 collectives as source, 4 collective bytes outgoing");
  EXPECT_EQ(of(bcast, between, 0, 0, 4, process_0),
            "1 collectives, 1 collectives as destination, 4 collective bytes incoming")
      << "the root is in the other group";
  EXPECT_EQ(of(bcast, world, 77, 0, 4, process_0),
            "1 collectives, 1 collectives as destination, 4 collective bytes incoming")
      << "an unknown root, by bytes";
  EXPECT_EQ(of(create, world, none, 4, 0, process_0),
            "1 collectives, 1 collectives as source, 4 collective bytes outgoing")
      << "by bytes";
}

TEST_F(SeriesSinkTest, CountsOneSidedOperations) {
  auto feed = one();
  feed("iP")(RmaPut, {window, 1, 64, 1})(RmaGet, {window, 1, 32, 2})(
      RmaAtomic, {window, 1, 5, 8, 4, 3})(RmaAtomic, {window, 1, 0, 2, 0, 4})(RmaOpTest,
                                                                              {window, 1});
  feed(RmaRequestLock, {window, 1, 0, 0})(RmaAcquireLock, {window, 1, 0, 0})(
      RmaReleaseLock, {window, 1, 0})(RmaGroupSync, {1, window, 0});
  feed(RmaCollectiveEnd, {0, 1, window, otf2_value::root_none, 0, 0})(
      RmaCollectiveEnd, {1, 1, window, 0, 9, 3})("..");
  EXPECT_EQ(feed.profile(),
            "i: 1 visits; iPut: 1 visits, 3 one-sided synchronizations, 1 collectives, 1 "
            "collectives as source, 3 puts, 2 gets, "
            "9 collective bytes outgoing, 3 collective bytes incoming, 74 one-sided bytes sent, 36 "
            "one-sided bytes received");
}

TEST_F(SeriesSinkTest, AddsUpMoreThan64BitsOverCallPaths) {
  constexpr auto huge = ~std::uint64_t{0};
  auto feed = one();
  feed("ia-")(RmaPut, {window, 1, huge, 1})(".b-")(RmaPut, {window, 1, huge, 1})("..");
  EXPECT_EQ(feed.profile(),
            "i: 1 visits; ia: 10 execution time, 1 visits, 1 puts, 18446744073709551615 one-sided "
            "bytes sent; ib: 10 execution time, 1 visits, 1 puts, 18446744073709551615 one-sided "
            "bytes sent");
}

TEST_F(SeriesSinkTest, CountsFileOperationsWhereTheyBegin) {
  constexpr std::uint64_t read = 0, write = 1, flush = 2, collective = 2, non_blocking = 1;
  auto feed = one();
  feed("iF")(IoOperationBegin, {handle, read, 0, 10, 1})(IoOperationComplete, {handle, 10, 1})(
      IoOperationBegin, {handle, write, non_blocking, 10, 2});
  feed(IoOperationBegin, {handle, write, collective, 10, 3})(
      IoOperationBegin, {handle, read, collective | non_blocking, 10, 4})(
      IoOperationBegin, {handle, flush, 0, 0, 5})("..");
  EXPECT_EQ(feed.profile(),
            "i: 1 visits; iFile_write_all: 1 visits, 1 individual file reads, 1 individual file "
            "writes, 1 collective file reads, 1 collective file writes");
}

// Values of cycles, milliseconds, allocated, and of an absolute one.
std::vector<std::uint64_t> values(std::uint64_t cycles, double milliseconds, std::int64_t allocated,
                                  bool integers = false) {
  using namespace otf2_value;
  return {type_uint64,
          integers ? type_int64 : type_double,
          type_int64,
          type_uint64,
          cycles,
          integers ? static_cast<std::uint64_t>(milliseconds)
                   : std::bit_cast<std::uint64_t>(milliseconds),
          static_cast<std::uint64_t>(allocated),
          5};
}

TEST_F(SeriesSinkTest, CountsWhatMetricsGrowByForTheCallThatWasOpen) {
  auto feed = one();
  feed(Metric, {counters, 4}, values(1000, 1.4, 0))("i-")(
      Metric, {counters, 4}, values(1007, 3.6, 30))("a-")(Metric, {counters, 4},
                                                          values(1010, 3.6, 2))(".");
  feed(Metric, {counters, 4}, values(1010, 3.6, -5))(".");
  EXPECT_THAT(
      feed.profiles(),
      ElementsAre("i: 10 execution time, 1 visits, 7 cycles, 2200 milliseconds, 30 allocated; ia: "
                  "10 execution time, 1 visits, 3 cycles, 2 allocated",
                  ""));
}

TEST_F(SeriesSinkTest, CountsNeitherTimeNorCountersWhileRecordingIsOff) {
  auto feed = one();
  feed(Metric, {counters, 4}, values(1000, 0, 0))("i-")(MeasurementOnOff, {2})("--");
  feed(MeasurementOnOff, {1})("-")(Metric, {counters, 4}, values(1070, 0, 0))("-");
  feed(Metric, {counters, 4}, values(1075, 0, 0))(".");
  EXPECT_THAT(feed.profiles(), ElementsAre("i: 30 execution time, 1 visits, 5 cycles", ""));
}

TEST_F(SeriesSinkTest, CountsInfiniteValuesAndWhatIsNoNumberAsNotRecorded) {
  const auto infinite = std::numeric_limits<double>::infinity();
  const auto no_number = std::numeric_limits<double>::quiet_NaN();
  auto feed = one();
  feed("i")(Metric, {counters, 4}, values(50, no_number, 0))(
      Metric, {counters, 4}, values(51, 7, 0))(Metric, {counters, 4}, values(52, infinite, 0))(
      Metric, {counters, 4}, values(53, 10, 0))(".");
  EXPECT_EQ(feed.profile(), "i: 1 visits, 3 cycles, 3000 milliseconds");
  EXPECT_EQ(feed.not_finite(), 2u);
}

TEST_F(SeriesSinkTest, CountsNothingWhereAMetricBeginsAnewButGoesOnWhereItIsFull) {
  auto feed = one();
  feed("i")(Metric, {counters, 4}, values(50, 9, 0))(Metric, {counters, 4}, values(20, 4, 0))(
      Metric, {counters, 4}, values(~std::uint64_t{0}, 5, 0));
  feed(Metric, {counters, 4}, values(6, -1e300, 0))(Metric, {node_counters, 4}, values(70, 0, 0))(
      Metric, {7, 1}, values(1, 1, 1))(".");
  EXPECT_EQ(feed.profile(), "i: 1 visits, " + std::to_string(~std::uint64_t{0} - 20 + 7) +
                                " cycles, 1000 milliseconds")
      << "of each class or instance by itself";
}

TEST_F(SeriesSinkTest, AddsUpWhatMetricsGrowByWhereThatIsLittleOrTheirValuesAreLarge) {
  auto feed = one();
  feed("i")(Metric, {counters, 4}, values(0, 0.0004, 0))(
      Metric, {counters, 4}, values(0, 0.0008, 0))(Metric, {counters, 4}, values(0, 0.0012, 0));
  feed(Metric, {counters, 4}, values(0, 0.0016, 0))(".");
  EXPECT_EQ(feed.profile(), "i: 1 visits, 2 milliseconds");

  auto large = one();
  large("i")(Metric, {counters, 4}, values(0, 1e17, 0))(Metric, {counters, 4},
                                                        values(0, 1e17 + 32, 0))(".");
  EXPECT_EQ(large.profile(), "i: 1 visits, 32000 milliseconds");

  // As many operations as a process makes in an hour.
  auto many = one();
  many("i")(Metric, {counters, 4}, values(0, 0, 0))(Metric, {counters, 4}, values(0, 5e15, 0))(
      Metric, {counters, 4}, values(0, 9e15, 0))(".");
  EXPECT_EQ(many.profile(), "i: 1 visits, 9000000000000000000 milliseconds");
}

TEST_F(SeriesSinkTest, CountsNothingBetweenValuesOfTwoTypes) {
  auto feed = one();
  feed("i")(Metric, {counters, 4}, values(0, 5, 0))(Metric, {counters, 4}, values(0, 9, 0, true))(
      Metric, {counters, 4}, values(0, 11, 0, true))(".");
  EXPECT_EQ(feed.profile(), "i: 1 visits, 2000 milliseconds");
}

TEST_F(SeriesSinkTest, ShowsWhatIsRecordedWhileNothingIsOpen) {
  Feed feed(definitions_, taken({{100, 200}, {200, 300}}), worker_0);
  feed("'")(MpiSend, {1, world, 0, 5})("------------")(MpiSend, {1, world, 0, 6});
  EXPECT_THAT(feed.profiles(),
              ElementsAre(": 1 sends, 5 bytes sent", ": 1 sends, 6 bytes sent", ""));
}

TEST_F(SeriesSinkTest, GivesWorkersEmptyProfilesWhereTheyDoNothing) {
  // Calls at 130-150, 210-220, 260-330 and 410-420: the third belongs to where it is entered.
  Feed feed(definitions_, taken({{120, 200}, {200, 250}, {250, 300}, {300, 350}, {350, 400}}),
            worker_0);
  feed("---w--.------w-.----w-------.--------w-.");
  EXPECT_THAT(
      feed.profiles(),
      ElementsAre("w: 20 execution time, 1 visits", "w: 10 execution time, 1 visits",
                  "w: 70 execution time, 1 visits", "", "", "w: 10 execution time, 1 visits"));
}

TEST_F(SeriesSinkTest, PartsACallThatIsOpenAroundTakenIterations) {
  // Open from 100 to 260, and a call in it from 160 to 180.
  Feed feed(definitions_, taken({{115, 150}, {150, 200}, {210, 230}, {230, 300}, {300, 310}}),
            worker_0);
  feed("p------a--.--------.----a.");
  EXPECT_THAT(feed.profiles(),
              ElementsAre("p: 35 execution time",                                         //
                          "p: 30 execution time; pa: 20 execution time, 1 visits",        //
                          "p: 20 execution time", "p: 30 execution time", "a: 1 visits",  //
                          "p: 25 execution time, 1 visits"));
}

TEST_F(SeriesSinkTest, GivesEmptyProfilesToALocationWithoutEvents) {
  EXPECT_THAT(Feed(definitions_, taken({{1, 2}, {2, 3}}), worker_0).profiles(),
              ElementsAre("", "", ""));
  EXPECT_THAT(Feed(definitions_, {}, process_0)("a-.").profiles(),
              ElementsAre("a: 10 execution time, 1 visits"))
      << "no loops";
}

TEST_F(SeriesSinkTest, TellsWhatLeadsToMpiInThisIteration) {
  Definer define;
  for (char c : {'a', 'b', 'i', 'S'})
    define.region(c);
  define.add(DefinitionKind::InterruptGenerator, {0});
  const auto sampled = define.take();
  ProcessLoops loops = marked('c', {{100, 110}, {110, 120}});
  loops.loops[0].function = 2;
  Feed feed(sampled, loops);
  feed("iaS-.b...")("ia-b...");
  EXPECT_THAT(feed.profiles(),
              ElementsAre("i com: 1 visits; ia com: 1 visits; iaSend mpi: 10 MPI point-to-point "
                          "time, 1 visits; iab: 1 visits",
                          "i: 1 visits; ia: 10 execution time, 1 visits; iab: 1 visits", ""));
}

// Between the records of a dropped call, no event comes.
TEST_F(SeriesSinkTest, GivesTimeWithoutEventsToTheOpenCall) {
  const FunctionTable functions(definitions_, {});
  const ProfileColumns form(definitions_, functions);
  const ProcessLoops loops;
  SeriesSink sink(form, definitions_, process_0, loops, nullptr,
                  [](std::size_t, const CallPathProfile&) {});
  const auto find = [&](char region) { return functions.find(region).function; };
  const FunctionIndex sampled[] = {find('b')};

  sink.enter({100, 'a', find('a'), virtual_root}, {});
  const auto path = sink.sample({1, find('a'), sampled});
  sink.spend_sampled(path, 130, 150);
  sink.leave({160, 'a', find('a'), 60, 40}, {});
  sink.finish();

  const auto outside = sink.outside();
  const auto time = form.column(Metric::execution_time);
  ASSERT_EQ(outside.rows.size(), 2u);
  EXPECT_EQ(outside.value(0, time), 40u);
  EXPECT_EQ(outside.value(1, time), 20u);
}

TEST_F(SeriesSinkTest, FoldsRecursionBeyondTheLimit) {
  const FunctionTable functions(definitions_, {});
  const ProfileColumns form(definitions_, functions);
  const auto loops = marked('i', {{100, 1'000'000'000}});
  std::size_t rows = 0;
  std::uint64_t visits = 0;
  SeriesSink sink(form, definitions_, process_0, loops, nullptr,
                  [&](std::size_t, const CallPathProfile& profile) {
                    rows = profile.rows.size();
                    for (std::size_t r = 0; r < rows; ++r)
                      visits += profile.value(r, form.column(Metric::visits));
                  });
  CleanEvents<SeriesSink> events(functions, sink);
  const std::uint64_t deep = CallPathCursor::most_paths + 100;
  events.enter(100, 'i', {});
  for (std::uint64_t k = 0; k < deep; ++k)
    events.enter(101 + k, 'a', {});
  events.finish();
  sink.finish();
  EXPECT_EQ(rows, CallPathCursor::most_paths);
  EXPECT_EQ(visits, deep + 1);
  EXPECT_EQ(sink.folded(), 101u);
}

}  // namespace tracefold::series_sink_test
