// Records of one location whose calls are told by calling contexts. Regions are functions of their
// names, and contexts call paths such as "main > work"; both are defined when they are first used.
#pragma once

#include "pipeline/events/context_calls.hpp"
#include "tests/support/trace_builder.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace tracefold::testing {

class ContextRecordsTest : public ::testing::Test {
 protected:
  std::uint64_t region(const std::string& name) {
    const auto [at, is_new] = regions_.try_emplace(name, regions_.size());
    if (is_new)
      trace_.add_region(at->second, name);
    return at->second;
  }
  std::uint64_t context(const std::string& path) {
    if (const auto known = contexts_.find(path); known != contexts_.end())
      return known->second;

    const auto cut = path.rfind(" > ");
    const auto caller = cut == path.npos ? TraceBuilder::none : context(path.substr(0, cut));
    const auto function = region(cut == path.npos ? path : path.substr(cut + 3));
    const auto id = contexts_.size();
    trace_.define(DefinitionKind::CallingContext, {id, function, TraceBuilder::none, caller});
    return contexts_[path] = id;
  }

  void sample(std::uint64_t time, const std::string& path, std::uint64_t distance) {
    add(EventKind::CallingContextSample, time, {context(path), distance, 0});
  }
  void enter(std::uint64_t time, const std::string& path, std::uint64_t distance) {
    add(EventKind::CallingContextEnter, time, {context(path), distance});
  }
  void leave(std::uint64_t time, const std::string& path) {
    add(EventKind::CallingContextLeave, time, {context(path)});
  }
  void call(EventKind kind, std::uint64_t time, const std::string& name) {
    add(kind, time, {region(name)});
  }
  void add(EventKind kind, std::uint64_t time, std::initializer_list<std::uint64_t> fields) {
    events_.push_back(make_event(kind, time, fields));
  }

  // Hands all records to the sink.
  template <class Sink>
  CallOddities play(const FunctionTable& functions, Sink& sink) const {
    ContextCalls<Sink> calls(functions, sink);
    for (auto event : events_) {
      if (event.kind == EventKind::Enter)
        calls.enter(event.time, event.region(), {});
      else if (event.kind == EventKind::Leave)
        calls.leave(event.time, event.region(), {});
      else
        calls.other(event);
    }

    calls.finish();
    return calls.oddities();
  }

  TraceBuilder trace_;
  std::map<std::string, std::uint64_t> regions_, contexts_;  // ids
  std::vector<Event> events_;
};

}  // namespace tracefold::testing
