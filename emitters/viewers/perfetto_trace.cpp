#include "emitters/viewers/perfetto_trace.hpp"

#include "base/text.hpp"

#include <fmt/format.h>
#include <protozero/pbf_writer.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace tracefold {

namespace {

using Message = protozero::pbf_writer;

// Numbers of fields, as Perfetto's definitions have them.
namespace field {
namespace trace {
constexpr protozero::pbf_tag_type packet = 1;
}
namespace packet {
constexpr protozero::pbf_tag_type timestamp = 8, sequence = 10, track_event = 11,
                                  interned_data = 12, sequence_flags = 13, defaults = 59,
                                  track_descriptor = 60, is_first = 87, attributes = 126;
}
namespace defaults {
constexpr protozero::pbf_tag_type track_event = 11;
}
namespace track {
constexpr protozero::pbf_tag_type uuid = 1, name = 2, parent = 5, counter = 8, child_order = 11,
                                  rank = 12, description = 14, merge = 15;
}
namespace counter {
constexpr protozero::pbf_tag_type unit_name = 6;
}
namespace event {
constexpr protozero::pbf_tag_type category = 3, annotation = 4, type = 9, name = 10, track = 11,
                                  category_text = 22, name_text = 23, whole_value = 30,
                                  real_value = 44, flow = 47;
}
namespace annotation {
constexpr protozero::pbf_tag_type name = 1, natural = 3, text = 6, name_text = 10,
                                  interned_text = 17;
}
namespace interned {
constexpr protozero::pbf_tag_type categories = 1, names = 2, annotation_names = 3, texts = 29;
constexpr protozero::pbf_tag_type id = 1, text = 2;
}  // namespace interned
namespace attributes {
constexpr protozero::pbf_tag_type attribute = 1, key = 1, text = 3;
}
}  // namespace field

constexpr std::uint32_t state_cleared = 1, needs_state = 2;  // sequence flags
constexpr std::int32_t explicit_order = 3, never_merge = 2;

enum class EventType : std::int32_t { begin = 1, end = 2, instant = 3, counter = 4 };

// Names of arguments, whose interned numbers are their places here, from 1 on.
enum class Argument : std::uint64_t { partner = 1, communicator, bytes, tag, root, sent, received };
constexpr std::array<const char*, 7> argument_names{
    "partner", "communicator", "bytes", "tag", "root", "bytes sent", "bytes received"};

// Writes one message inside of another.
template <class Fill>
void put(Message& outer, protozero::pbf_tag_type tag, Fill&& fill) {
  Message inner(outer, tag);
  fill(inner);
}

// Which track everything has.
class Tracks {
 public:
  static constexpr std::uint64_t root = 1, markers = 2;

  explicit Tracks(const View& view) : view_(view), threads_of_(view.processes.size()) {
    for (const auto& thread : view.threads)
      ++threads_of_[thread.process];
    find_common_nodes();
  }

  bool has_track(std::size_t node) const { return !is_common_[node]; }
  bool is_alone(std::size_t process) const { return threads_of_[process] == 1; }

  std::uint64_t of_node(std::size_t node) const { return first + node; }
  std::uint64_t of_process(std::size_t process) const {
    return first + view_.nodes.size() + process;
  }
  std::uint64_t of_thread(std::size_t thread) const {
    return first + view_.nodes.size() + view_.processes.size() + thread;
  }
  std::uint64_t of_counter(std::size_t counter) const {
    return first + view_.nodes.size() + view_.processes.size() + view_.threads.size() + counter;
  }

  // From lane 1 on.
  std::uint64_t of_lane(std::size_t thread, std::size_t lane) const {
    return of_counter(view_.counters.size()) + (lane - 1) * view_.threads.size() + thread;
  }

  std::uint64_t find_parent(std::optional<std::size_t> node) const {
    return node && has_track(*node) ? of_node(*node) : root;
  }

 private:
  static constexpr std::uint64_t first = 3;

  // The nodes from the top down that have all others and all processes.
  void find_common_nodes() {
    is_common_.assign(view_.nodes.size(), false);
    std::vector<std::size_t> children(view_.nodes.size());
    std::size_t tops = 0;
    for (const auto& node : view_.nodes)
      ++(node.parent ? children[*node.parent] : tops);
    std::vector<bool> has_processes(view_.nodes.size());
    for (const auto& process : view_.processes) {
      if (!process.node)
        return;
      has_processes[*process.node] = true;
    }

    if (tops != 1)
      return;
    for (std::size_t n = 0; n < view_.nodes.size(); ++n) {
      const auto& parent = view_.nodes[n].parent;
      const bool is_only =
          !parent || (is_common_[*parent] && children[*parent] == 1 && !has_processes[*parent]);
      is_common_[n] = is_only;
    }
  }

  const View& view_;
  std::vector<std::size_t> threads_of_;  // by process
  std::vector<bool> is_common_;          // by node
};

// The numbers of sequences of packets: one for what all of the trace has, then one for each thread.
constexpr std::uint32_t main_sequence = 1;
constexpr std::uint32_t number_sequence(std::size_t thread) {
  return static_cast<std::uint32_t>(thread + 2);
}

// What a sequence has interned of one kind: each thing gets a number from 1 on when it is first
// met.
class Interned {
 public:
  struct InternedId {
    std::uint64_t id = 0;
    bool is_new = false;
  };

  InternedId find(std::size_t place) {
    if (place >= ids_.size())
      ids_.resize(place + 1);
    const bool is_new = ids_[place] == 0;
    if (is_new)
      ids_[place] = ++next_;

    return {ids_[place], is_new};
  }

 private:
  std::vector<std::uint64_t> ids_;
  std::uint64_t next_ = 0;
};

// The categories of all events, and which of them each function has.
struct Categories {
  explicit Categories(const View& view) : names{"message", "collective"} {
    for (const auto& function : view.functions) {
      const auto at = std::find(names.begin(), names.end(), function.category);
      of_function.push_back(static_cast<std::size_t>(at - names.begin()));
      if (at == names.end())
        names.push_back(function.category);
    }
  }

  static constexpr std::size_t message = 0, collective = 1;
  std::vector<std::string> names;
  std::vector<std::size_t> of_function;
};

// What all parts share.
struct PerfettoView {
  explicit PerfettoView(const View& of) : view(of), tracks(of), categories(of) {}

  const View& view;
  Tracks tracks;
  Categories categories;
};

struct TrackText {
  std::string name, description;
};

template <class Fill>
void put_track(Message& file, std::uint64_t uuid, std::optional<std::uint64_t> parent,
               std::size_t rank, const TrackText& text, Fill&& fill) {
  put(file, field::trace::packet, [&](Message& packet) {
    packet.add_uint32(field::packet::sequence, main_sequence);
    put(packet, field::packet::track_descriptor, [&](Message& track) {
      track.add_uint64(field::track::uuid, uuid);
      track.add_string(field::track::name, make_utf8(text.name));
      if (parent)
        track.add_uint64(field::track::parent, *parent);
      fill(track);
      track.add_enum(field::track::child_order, explicit_order);
      track.add_int32(field::track::rank, static_cast<std::int32_t>(rank));
      if (!text.description.empty())
        track.add_string(field::track::description, make_utf8(text.description));
      track.add_enum(field::track::merge, never_merge);
    });
  });
}

class PerfettoPart : public ViewPart {
 public:
  PerfettoPart(const PerfettoView& shared, std::size_t thread)
      : view_(shared.view),
        tracks_(shared.tracks),
        categories_(shared.categories),
        thread_(thread),
        sequence_(number_sequence(thread)) {
    Message file(bytes_);
    put(file, field::trace::packet, [&](Message& packet) {
      packet.add_uint32(field::packet::sequence, sequence_);
      packet.add_uint32(field::packet::sequence_flags, state_cleared);
      packet.add_bool(field::packet::is_first, true);
      put(packet, field::packet::defaults, [&](Message& defaults) {
        put(defaults, field::defaults::track_event, [&](Message& event) {
          event.add_uint64(field::event::track, tracks_.of_thread(thread));
        });
      });
      put(packet, field::packet::interned_data, [&](Message& interned) {
        for (std::size_t a = 0; a < argument_names.size(); ++a)
          intern(interned, field::interned::annotation_names, a + 1, argument_names[a]);
      });
    });
  }

  void enter(std::uint64_t time, std::size_t function, std::size_t lane) override {
    while (lane > lanes_)
      add_lane();
    begin(EventType::begin);
    choose_lane(lane);
    name_event(function, view_.functions[function].name, categories_.of_function[function]);
    end(time);
  }

  void leave(std::uint64_t time, std::size_t, std::size_t lane) override {
    begin(EventType::end);
    choose_lane(lane);
    end(time);
  }

  void message(std::uint64_t time, const ViewMessage& message) override {
    begin(EventType::instant);
    name_event(view_.functions.size() + message.receives, message.receives ? "receive" : "send",
               Categories::message);
    add_process(Argument::partner, message.partner);
    add_communicator(message.communicator);
    add_number(Argument::bytes, message.bytes);
    add_number(Argument::tag, message.tag);
    if (message.link != 0)
      Message(event_).add_fixed64(field::event::flow, message.link);
    end(time);
  }

  void collective(std::uint64_t time, const ViewCollective& collective) override {
    begin(EventType::instant);
    name_event(find_operation(collective.operation), collective.operation, Categories::collective);
    add_communicator(collective.communicator);
    add_process(Argument::root, collective.root);
    add_number(Argument::sent, collective.bytes_sent);
    add_number(Argument::received, collective.bytes_received);
    end(time);
  }

  void count(std::uint64_t time, std::size_t counter, const ViewValue& value) override {
    begin(EventType::counter);
    Message(event_).add_uint64(field::event::track, tracks_.of_counter(counter));
    add_value(value);
    end(time);
  }

 private:
  static void intern(Message& interned, protozero::pbf_tag_type kind, std::uint64_t id,
                     std::string_view text) {
    put(interned, kind, [&](Message& entry) {
      entry.add_uint64(field::interned::id, id);
      entry.add_string(field::interned::text, make_utf8(text));
    });
  }
  // The number of what has `place` among things of its kind; its first use says what it is.
  std::uint64_t find(Interned& known, std::size_t place, protozero::pbf_tag_type kind,
                     std::string_view text) {
    const auto found = known.find(place);
    if (found.is_new) {
      Message interned(interned_);
      intern(interned, kind, found.id, text);
    }

    return found.id;
  }

  // A track below that of the thread.
  void add_lane() {
    ++lanes_;
    Message file(bytes_);
    put_track(file, tracks_.of_lane(thread_, lanes_), tracks_.of_thread(thread_), lanes_,
              {fmt::format("{} ({})", view_.threads[thread_].name, lanes_ + 1), ""},
              [](Message&) {});
  }
  void choose_lane(std::size_t lane) {
    if (lane > 0)
      Message(event_).add_uint64(field::event::track, tracks_.of_lane(thread_, lane));
  }

  // Behind the names of functions and of both ends of messages.
  std::size_t find_operation(std::string_view operation) {
    const auto at = std::find(operations_.begin(), operations_.end(), operation);
    const auto place = static_cast<std::size_t>(at - operations_.begin());
    if (at == operations_.end())
      operations_.emplace_back(operation);

    return view_.functions.size() + 2 + place;
  }

  void begin(EventType type) {
    event_.clear();
    interned_.clear();
    Message(event_).add_enum(field::event::type, static_cast<std::int32_t>(type));
  }
  void end(std::uint64_t time) {
    Message file(bytes_);
    put(file, field::trace::packet, [&](Message& packet) {
      packet.add_uint64(field::packet::timestamp, time);
      packet.add_uint32(field::packet::sequence, sequence_);
      packet.add_uint32(field::packet::sequence_flags, needs_state);
      if (!interned_.empty())
        packet.add_message(field::packet::interned_data, interned_);
      packet.add_message(field::packet::track_event, event_);
    });
  }

  void name_event(std::size_t place, std::string_view name, std::size_t category) {
    const auto category_id =
        find(used_categories_, category, field::interned::categories, categories_.names[category]);
    const auto name_id = find(used_names_, place, field::interned::names, name);
    Message event(event_);
    event.add_uint64(field::event::category, category_id);
    event.add_uint64(field::event::name, name_id);
  }
  void add_number(Argument name, std::uint64_t value) {
    Message event(event_);
    put(event, field::event::annotation, [&](Message& annotation) {
      annotation.add_uint64(field::annotation::name, static_cast<std::uint64_t>(name));
      annotation.add_uint64(field::annotation::natural, value);
    });
  }
  void add_text(Argument name, std::size_t place, const std::string& text) {
    const auto id = find(used_texts_, place, field::interned::texts, text);
    Message event(event_);
    put(event, field::event::annotation, [&](Message& annotation) {
      annotation.add_uint64(field::annotation::name, static_cast<std::uint64_t>(name));
      annotation.add_uint64(field::annotation::interned_text, id);
    });
  }
  void add_process(Argument name, std::optional<std::size_t> process) {
    if (process)
      add_text(name, *process, view_.processes[*process].name);
  }
  void add_communicator(std::optional<std::size_t> communicator) {
    if (communicator)
      add_text(Argument::communicator, view_.processes.size() + *communicator,
               view_.communicators[*communicator]);
  }
  void add_value(const ViewValue& value) {
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    Message event(event_);
    const auto* natural = std::get_if<std::uint64_t>(&value);
    if (const auto* whole = std::get_if<std::int64_t>(&value))
      event.add_int64(field::event::whole_value, *whole);
    else if (natural && *natural <= largest)
      event.add_int64(field::event::whole_value, static_cast<std::int64_t>(*natural));
    else
      event.add_double(field::event::real_value,
                       natural ? static_cast<double>(*natural) : std::get<double>(value));
  }

  const View& view_;
  const Tracks& tracks_;
  const Categories& categories_;
  std::size_t thread_;
  std::size_t lanes_ = 0;  // besides the thread itself
  std::uint32_t sequence_;
  Interned used_names_, used_categories_, used_texts_;
  std::vector<std::string> operations_;
  std::string event_, interned_;  // of the packet that is made
};

class PerfettoTrace : public ViewWriter {
 public:
  explicit PerfettoTrace(const View& view)
      : shared_(view), view_(shared_.view), tracks_(shared_.tracks) {}

  std::string begin() const override;
  std::unique_ptr<ViewPart> open(std::size_t thread) const override {
    return std::make_unique<PerfettoPart>(shared_, thread);
  }
  std::string end() const override;

 private:
  // The places of nodes, processes and threads in the order in which they are shown: that of their
  // first threads.
  struct Ranks {
    std::vector<std::size_t> nodes, processes;
  };
  Ranks find_ranks() const;
  std::string describe_trace() const;

  PerfettoView shared_;
  const View& view_;
  const Tracks& tracks_;
};

PerfettoTrace::Ranks PerfettoTrace::find_ranks() const {
  const auto last = view_.threads.size();
  Ranks ranks{std::vector(view_.nodes.size(), last), std::vector(view_.processes.size(), last)};
  for (auto t = last; t-- > 0;)
    ranks.processes[view_.threads[t].process] = t;
  for (std::size_t p = 0; p < view_.processes.size(); ++p)
    for (auto node = view_.processes[p].node; node; node = view_.nodes[*node].parent)
      ranks.nodes[*node] = std::min(ranks.nodes[*node], ranks.processes[p]);

  return ranks;
}

std::string PerfettoTrace::describe_trace() const {
  std::string text;
  for (const auto& [name, value] : view_.properties)
    text += name + ": " + value + "\n";

  return text;
}

std::string PerfettoTrace::begin() const {
  std::string out;
  Message file(out);
  const auto ranks = find_ranks();
  const auto nothing = [](Message&) {};

  // Rank 0 is for the markers.
  put_track(file, Tracks::root, {}, 0, {view_.title, describe_trace()}, nothing);
  if (std::any_of(view_.markers.begin(), view_.markers.end(),
                  [](const auto& marker) { return !marker.thread; }))
    put_track(file, Tracks::markers, Tracks::root, 0, {"markers", ""}, nothing);
  for (std::size_t n = 0; n < view_.nodes.size(); ++n)
    if (tracks_.has_track(n) && ranks.nodes[n] < view_.threads.size())
      put_track(file, tracks_.of_node(n), tracks_.find_parent(view_.nodes[n].parent),
                ranks.nodes[n] + 1, {view_.nodes[n].name, ""}, nothing);

  for (std::size_t p = 0; p < view_.processes.size(); ++p)
    if (!tracks_.is_alone(p))
      put_track(file, tracks_.of_process(p), tracks_.find_parent(view_.processes[p].node),
                ranks.processes[p] + 1, {view_.processes[p].name, ""}, nothing);

  for (std::size_t t = 0; t < view_.threads.size(); ++t) {
    const auto& [name, p, facts] = view_.threads[t];
    const auto& process = view_.processes[p];
    const bool is_alone = tracks_.is_alone(p);
    const auto words = is_alone && !process.name.empty()
                           ? TrackText{process.name, name + (facts.empty() ? "" : ": " + facts)}
                           : TrackText{name, facts};
    put_track(file, tracks_.of_thread(t),
              is_alone ? tracks_.find_parent(process.node) : tracks_.of_process(p), t + 1, words,
              nothing);
  }

  for (std::size_t c = 0; c < view_.counters.size(); ++c) {
    const auto& counter = view_.counters[c];
    // Without a unit it is empty, and has to be there all the same: so it is no message that is
    // left out where nothing was put into it.
    std::string descriptor;
    if (!counter.unit.empty())
      Message(descriptor).add_string(field::counter::unit_name, make_utf8(counter.unit));
    put_track(file, tracks_.of_counter(c), tracks_.of_thread(counter.thread), c,
              {counter.name, counter.description},
              [&](Message& track) { track.add_message(field::track::counter, descriptor); });
  }

  return out;
}

// An instant event that names itself, since there are few of them.
void put_marker(Message& file, std::uint64_t track, const ViewMarker& marker) {
  const auto put_argument = [](Message& event, const char* name, auto&& fill_value) {
    put(event, field::event::annotation, [&](Message& annotation) {
      annotation.add_string(field::annotation::name_text, name);
      fill_value(annotation);
    });
  };

  put(file, field::trace::packet, [&](Message& packet) {
    packet.add_uint64(field::packet::timestamp, marker.time);
    packet.add_uint32(field::packet::sequence, main_sequence);
    put(packet, field::packet::track_event, [&](Message& event) {
      event.add_enum(field::event::type, static_cast<std::int32_t>(EventType::instant));
      event.add_uint64(field::event::track, track);
      event.add_string(field::event::category_text, make_utf8(marker.name));
      event.add_string(field::event::name_text,
                       make_utf8(marker.text.empty() ? marker.name : marker.text));
      put_argument(event, "duration in ns", [&](Message& annotation) {
        annotation.add_uint64(field::annotation::natural, marker.duration);
      });
      if (!marker.about.empty())
        put_argument(event, "about", [&](Message& annotation) {
          annotation.add_string(field::annotation::text, make_utf8(marker.about));
        });
    });
  });
}

std::string PerfettoTrace::end() const {
  std::string out;
  Message file(out);
  for (const auto& marker : view_.markers)
    put_marker(file, marker.thread ? tracks_.of_thread(*marker.thread) : Tracks::markers, marker);

  put(file, field::trace::packet, [&](Message& packet) {
    packet.add_uint32(field::packet::sequence, main_sequence);
    put(packet, field::packet::attributes, [&](Message& attributes) {
      for (const auto& property : view_.properties)
        put(attributes, field::attributes::attribute, [&](Message& attribute) {
          attribute.add_string(field::attributes::key, make_utf8(property.first));
          attribute.add_string(field::attributes::text, make_utf8(property.second));
        });
    });
  });

  return out;
}

}  // namespace

std::unique_ptr<ViewWriter> make_perfetto_trace(const View& view) {
  return std::make_unique<PerfettoTrace>(view);
}

}  // namespace tracefold
