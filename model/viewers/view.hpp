// What a file for viewers shows besides the events of its threads, in any format: processes and
// threads with their names, functions, counters, markers, and what was folded. Plain data.
//
// Parts refer to each other by index. Times are in nanoseconds since the trace began. Texts come
// from the trace and may have any bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

// A node of the system tree, such as a machine; its parent precedes it in the list.
struct ViewNode {
  std::string name;
  std::optional<std::size_t> parent;
};

// A location group.
struct ViewProcess {
  std::string name;
  std::optional<std::size_t> node;
};

// A location.
struct ViewThread {
  std::string name;
  std::size_t process = 0;
  std::string facts;  // what it stands for, in words; empty where nothing was folded
};

struct ViewFunction {
  std::string name;
  std::string category;  // the paradigm, such as "MPI"
};

// One member of a metric, as one thread records it.
struct ViewCounter {
  std::string name;
  std::string unit;  // empty: none is recorded
  std::string description;
  std::size_t thread = 0;
};

struct ViewMarker {
  std::uint64_t time = 0, duration = 0;
  std::string name;  // name of its kind
  std::string text;
  // The thread or process that it is about, or the name of something else; none and empty for the
  // whole trace.
  std::optional<std::size_t> thread, process;
  std::string about;
};

struct View {
  std::string title;  // in a few words
  std::vector<ViewNode> nodes;
  std::vector<ViewProcess> processes;
  std::vector<ViewThread> threads;
  std::vector<ViewFunction> functions;
  std::vector<std::string> communicators;
  std::vector<ViewCounter> counters;
  std::vector<ViewMarker> markers;  // by time
  // Names and values of what the trace is and what was folded or left out.
  std::vector<std::pair<std::string, std::string>> properties;
};

}  // namespace tracefold
