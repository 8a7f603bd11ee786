#include "emitters/viewers/chrome_trace.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace tracefold {

namespace {

using Out = std::back_insert_iterator<std::string>;

// What every event of a thread has: `"pid":1,"tid":2`. Numbers begin at 1, since viewers take
// process 0 for the idle one.
std::string name_thread(std::size_t process, std::size_t thread) {
  return fmt::format(R"("pid":{},"tid":{})", process + 1, thread + 1);
}

// `"ts":12.345`
void put_time(std::string& out, std::uint64_t time) {
  const auto rest = time % 1000;
  if (rest == 0)
    fmt::format_to(Out(out), R"("ts":{})", time / 1000);
  else
    fmt::format_to(Out(out), R"("ts":{}.{:03})", time / 1000, rest);
}

std::vector<std::string> quote_all(const auto& things, auto&& get_text) {
  std::vector<std::string> quoted;
  quoted.reserve(things.size());
  for (const auto& thing : things)
    quoted.push_back(quote_json(get_text(thing)));

  return quoted;
}

// Counters of one process and one name would be one: those of several threads get names of their
// own.
std::vector<std::string> name_counters(const View& view) {
  std::vector<std::size_t> threads(view.processes.size());
  for (const auto& thread : view.threads)
    ++threads[thread.process];

  std::vector<std::string> names;
  for (const auto& counter : view.counters) {
    const auto& thread = view.threads[counter.thread];
    const auto whose = threads[thread.process] > 1
                           ? fmt::format(", {} (tid {})", thread.name, counter.thread + 1)
                           : "";
    names.push_back(quote_json(counter.name + whose));
  }

  return names;
}

// The texts of a view as they stand in the file, with their quotation marks.
struct QuotedView {
  explicit QuotedView(const View& of)
      : view(of),
        functions(quote_all(of.functions, [](const auto& f) { return f.name; })),
        categories(quote_all(of.functions, [](const auto& f) { return f.category; })),
        processes(quote_all(of.processes, [](const auto& p) { return p.name; })),
        communicators(quote_all(of.communicators, [](const auto& c) { return c; })),
        counters(name_counters(of)),
        units(quote_all(of.counters,
                        [](const auto& c) { return c.unit.empty() ? "value" : c.unit; })) {}

  const View& view;
  std::vector<std::string> functions, categories, processes, communicators, counters, units;
};

class ChromePart : public ViewPart {
 public:
  ChromePart(const QuotedView& quoted, std::size_t thread)
      : quoted_(quoted),
        thread_(thread),
        where_{name_thread(quoted.view.threads[thread].process, thread)} {}

  void enter(std::uint64_t time, std::size_t function, std::size_t lane) override {
    while (lane >= where_.size())
      add_lane();
    begin('B', time, lane);
    put(R"(,"name":{},"cat":{}}})", quoted_.functions[function], quoted_.categories[function]);
  }

  void leave(std::uint64_t time, std::size_t function, std::size_t lane) override {
    begin('E', time, lane);
    put(R"(,"name":{}}})", quoted_.functions[function]);
  }

  void message(std::uint64_t time, const ViewMessage& message) override {
    begin('i', time);
    put(R"(,"s":"t","name":"{}","cat":"message","args":{{)", message.receives ? "receive" : "send");
    put_name(R"("partner":{},)", message.partner, quoted_.processes);
    put_name(R"("communicator":{},)", message.communicator, quoted_.communicators);
    put(R"("bytes":{},"tag":{}}}}})", message.bytes, message.tag);
    if (message.link == 0)
      return;

    begin(message.receives ? 'f' : 's', time);
    put(R"(,"id":{},"name":"message","cat":"message"{}}})", message.link,
        message.receives ? R"(,"bp":"e")" : "");
  }

  void collective(std::uint64_t time, const ViewCollective& collective) override {
    begin('i', time);
    put(R"(,"s":"t","name":"{}","cat":"collective","args":{{)", collective.operation);
    put_name(R"("communicator":{},)", collective.communicator, quoted_.communicators);
    put_name(R"("root":{},)", collective.root, quoted_.processes);
    put(R"("bytes sent":{},"bytes received":{}}}}})", collective.bytes_sent,
        collective.bytes_received);
  }

  void count(std::uint64_t time, std::size_t counter, const ViewValue& value) override {
    begin('C', time);
    put(R"(,"name":{},"args":{{{}:)", quoted_.counters[counter], quoted_.units[counter]);
    std::visit([&](auto number) { put("{}}}}}", number); }, value);
  }

 private:
  void begin(char phase, std::uint64_t time, std::size_t lane = 0) {
    put(",\n{{\"ph\":\"{}\",{},", phase, where_[lane]);
    put_time(bytes_, time);
  }
  // A thread of its own, right behind the one that it is a lane of.
  void add_lane() {
    const auto& threads = quoted_.view.threads;
    const auto lane = where_.size();
    where_.push_back(name_thread(threads[thread_].process, thread_ + lane * threads.size()));
    const auto name = fmt::format("{} ({})", threads[thread_].name, lane + 1);
    put(",\n"
        R"({{"ph":"M","name":"thread_name",{},"args":{{"name":{}}}}})",
        where_[lane], quote_json(name));
    put(",\n"
        R"({{"ph":"M","name":"thread_sort_index",{},"args":{{"sort_index":{}}}}})",
        where_[lane], thread_);
  }
  template <class... Values>
  void put(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(Out(bytes_), format, std::forward<Values>(values)...);
  }
  void put_name(fmt::format_string<const std::string&> format, std::optional<std::size_t> place,
                const std::vector<std::string>& names) {
    if (place)
      put(format, names[*place]);
  }

  const QuotedView& quoted_;
  std::size_t thread_;
  std::vector<std::string> where_;  // by lane
};

class ChromeTrace : public ViewWriter {
 public:
  explicit ChromeTrace(const View& view) : view_(view), quoted_(view) {}

  std::string begin() const override;
  std::unique_ptr<ViewPart> open(std::size_t thread) const override {
    return std::make_unique<ChromePart>(quoted_, thread);
  }
  std::string end() const override;

 private:
  std::string describe(std::size_t process) const;
  void put_marker(std::string& out, const ViewMarker& marker) const;

  const View& view_;
  QuotedView quoted_;
};

// Where the process ran, where not all did so at one place, and what it stands for.
std::string ChromeTrace::describe(std::size_t process) const {
  std::string words;
  const auto& node = view_.processes[process].node;
  const auto is_elsewhere = [&](const auto& other) { return other.node != node; };
  if (node && std::any_of(view_.processes.begin(), view_.processes.end(), is_elsewhere))
    words = view_.nodes[*node].name;

  std::vector<std::string> facts;
  for (const auto& thread : view_.threads)
    if (thread.process == process && !thread.facts.empty() &&
        std::find(facts.begin(), facts.end(), thread.facts) == facts.end())
      facts.push_back(thread.facts);
  if (facts.size() == 1)
    words += (words.empty() ? "" : "; ") + facts[0];

  return words;
}

std::string ChromeTrace::begin() const {
  std::string out = R"({"displayTimeUnit":"ns","traceEvents":[)";
  const char* separator = "\n";
  const auto put = [&](const char* name, const std::string& whose, const std::string& arguments) {
    fmt::format_to(Out(out), R"({}{{"ph":"M","name":"{}",{},"args":{{{}}}}})", separator, name,
                   whose, arguments);
    separator = ",\n";
  };

  for (std::size_t p = 0; p < view_.processes.size(); ++p) {
    const auto whose = fmt::format(R"("pid":{})", p + 1);
    put("process_name", whose, R"("name":)" + quoted_.processes[p]);
    put("process_sort_index", whose, fmt::format(R"("sort_index":{})", p));
    if (const auto words = describe(p); !words.empty())
      put("process_labels", whose, R"("labels":)" + quote_json(words));
  }
  for (std::size_t t = 0; t < view_.threads.size(); ++t) {
    const auto& thread = view_.threads[t];
    const auto whose = name_thread(thread.process, t);
    const auto facts =
        thread.facts.empty() ? "" : fmt::format(R"(,"facts":{})", quote_json(thread.facts));
    put("thread_name", whose, fmt::format(R"("name":{}{})", quote_json(thread.name), facts));
    put("thread_sort_index", whose, fmt::format(R"("sort_index":{})", t));
  }

  return out;
}

void ChromeTrace::put_marker(std::string& out, const ViewMarker& marker) const {
  const auto process =
      marker.thread ? view_.threads[*marker.thread].process : marker.process.value_or(0);
  const auto& name = marker.text.empty() ? marker.name : marker.text;
  out += R"({"ph":"i",)";
  put_time(out, marker.time);
  fmt::format_to(Out(out), R"(,"s":"{}","pid":{},"tid":{},"name":{},"cat":{},"args":{{)",
                 marker.thread    ? 't'
                 : marker.process ? 'p'
                                  : 'g',
                 process + 1, marker.thread.value_or(0) + 1, quote_json(name),
                 quote_json(marker.name));
  if (!marker.about.empty())
    fmt::format_to(Out(out), R"("about":{},)", quote_json(marker.about));
  fmt::format_to(Out(out), R"("duration in ns":{}}}}})", marker.duration);
}

std::string ChromeTrace::end() const {
  std::string out;
  const char* separator = view_.processes.empty() && view_.threads.empty() ? "\n" : ",\n";
  for (const auto& marker : view_.markers) {
    out += separator;
    put_marker(out, marker);
    separator = ",\n";
  }

  out += "\n],\"otherData\":{";
  separator = "\n";
  for (const auto& [name, value] : view_.properties) {
    fmt::format_to(Out(out), "{}{}:{}", separator, quote_json(name), quote_json(value));
    separator = ",\n";
  }

  return out + "\n}}\n";
}

}  // namespace

std::unique_ptr<ViewWriter> make_chrome_trace(const View& view) {
  return std::make_unique<ChromeTrace>(view);
}

}  // namespace tracefold
