#include "library/tracefold.h"

#include "base/error.hpp"
#include "base/version.hpp"
#include "model/describe_group.hpp"
#include "pipeline/reduce/plan_session.hpp"
#include "pipeline/reduce/reduce.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

// One trace, and its groups once it has them.
class OpenTrace {
 public:
  explicit OpenTrace(const char* anchor) : archive_(open_trace(anchor, diagnostics_)) {}
  OpenTrace(const OpenTrace&) = delete;
  OpenTrace& operator=(const OpenTrace&) = delete;

  void group(double threshold) {
    if (!(threshold >= 0 && threshold <= 1))
      throw Error(ErrorKind::usage, "a threshold is from 0 to 1");

    groups_.reset();  // where the rest throws, there are none
    if (!session_)
      session_.emplace(archive_, context_);
    auto options = choose_grouping(threshold);
    session_->profile();
    session_->group(options);
    session_->select({}, HaloOptions{});

    groups_ = describe_groups(session_->plan());
    grouping_ = options;
  }

  void reduce(const char* folder) {
    ReduceOptions options;
    options.grouping = grouping_;
    options.output.folder = folder;
    tracefold::reduce(archive_, options, context_);
  }

  std::size_t count_groups() const { return find_groups().names.size(); }
  const std::vector<std::size_t>& find_members(std::size_t group) const {
    check_group(group);
    return (*session_->plan().groups)[group].members;
  }
  std::uint64_t find_id(std::size_t process) const {
    return session_->plan().processes[process].id;
  }
  const char* find_name(std::size_t group) const {
    check_group(group);
    return find_groups().names[group].c_str();
  }
  std::size_t find_group(std::uint64_t location) const {
    return find_groups().group_of[find_process(location)];
  }
  std::uint64_t find_representative(std::uint64_t location) const {
    return find_groups().shown_by[find_process(location)];
  }

 private:
  struct Groups {
    std::vector<std::string> names;       // by group
    std::vector<std::size_t> group_of;    // by process
    std::vector<std::uint64_t> shown_by;  // by process: a location
  };

  static GroupOptions choose_grouping(double threshold) {
    GroupOptions options;
    if (threshold < 1)
      options.threshold = threshold;
    return options;
  }

  static Groups describe_groups(const Plan& plan) {
    Groups out;
    out.group_of.assign(plan.processes.size(), 0);
    out.shown_by.assign(plan.processes.size(), 0);
    for (std::size_t g = 0; g < plan.groups->size(); ++g) {
      out.names.push_back(describe_group(plan, g));
      for (auto member : (*plan.groups)[g].members)
        out.group_of[member] = g;
    }
    for (const auto& representative : *plan.representatives)
      for (auto member : representative.members)
        out.shown_by[member] = plan.processes[representative.process].id;

    return out;
  }

  const Groups& find_groups() const {
    if (!groups_)
      throw Error(ErrorKind::usage, "the trace has no groups yet");
    return *groups_;
  }

  void check_group(std::size_t group) const {
    if (group >= count_groups())
      throw Error(ErrorKind::usage, "there is no group " + std::to_string(group));
  }

  std::size_t find_process(std::uint64_t location) const {
    find_groups();
    const auto& processes = session_->plan().processes;
    const auto at = std::lower_bound(processes.begin(), processes.end(), location,
                                     [](const Process& p, std::uint64_t id) { return p.id < id; });
    if (at == processes.end() || at->id != location)
      throw Error(ErrorKind::usage, "there is no process at location " + std::to_string(location));
    return static_cast<std::size_t>(at - processes.begin());
  }

  Diagnostics diagnostics_;
  const Context context_{diagnostics_};
  std::shared_ptr<const Archive> archive_;
  std::optional<PlanSession> session_;
  GroupOptions grouping_;
  std::optional<Groups> groups_;
};

namespace {

thread_local std::string last_error;

tracefold_status fail(tracefold_status status, const char* words) noexcept {
  try {
    last_error = words;
  } catch (...) {
    last_error.clear();  // no memory for it
  }
  return status;
}

tracefold_status to_status(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage: return TRACEFOLD_USAGE;
    case ErrorKind::input: return TRACEFOLD_INPUT;
    case ErrorKind::output: return TRACEFOLD_OUTPUT;
    case ErrorKind::no:
    case ErrorKind::interrupted: break;
  }
  return TRACEFOLD_INTERNAL;
}

// The status of a call, and the words for it where it throws.
template <class Call>
tracefold_status guard(const Call& call) noexcept {
  try {
    call();
    return TRACEFOLD_OK;
  } catch (const Error& problem) {
    return fail(to_status(problem.kind()), problem.what());
  } catch (const std::exception& problem) {
    return fail(TRACEFOLD_INTERNAL, problem.what());
  } catch (...) {
    return fail(TRACEFOLD_INTERNAL, "unknown error");
  }
}

void require(bool is_given) {
  if (!is_given)
    throw Error(ErrorKind::usage, "NULL is given");
}

}  // namespace
}  // namespace tracefold

struct tracefold_trace {
  tracefold::OpenTrace open;
};

using tracefold::guard;
using tracefold::require;

const char* tracefold_version() {
  return tracefold::version;
}

const char* tracefold_last_error() {
  return tracefold::last_error.c_str();
}

tracefold_status tracefold_open(const char* anchor, tracefold_trace** trace) {
  return guard([&] {
    require(trace);
    *trace = nullptr;
    require(anchor);
    *trace = new tracefold_trace{tracefold::OpenTrace(anchor)};
  });
}

void tracefold_close(tracefold_trace* trace) {
  delete trace;
}

tracefold_status tracefold_group(tracefold_trace* trace, double threshold) {
  return guard([&] {
    require(trace);
    trace->open.group(threshold);
  });
}

tracefold_status tracefold_count_groups(const tracefold_trace* trace, size_t* count) {
  return guard([&] {
    require(trace && count);
    *count = trace->open.count_groups();
  });
}

tracefold_status tracefold_count_members(const tracefold_trace* trace, size_t group,
                                         size_t* count) {
  return guard([&] {
    require(trace && count);
    *count = trace->open.find_members(group).size();
  });
}

tracefold_status tracefold_members(const tracefold_trace* trace, size_t group, uint64_t* locations,
                                   size_t most) {
  return guard([&] {
    require(trace && (locations || most == 0));
    const auto& members = trace->open.find_members(group);
    for (size_t k = 0; k < std::min(most, members.size()); ++k)
      locations[k] = trace->open.find_id(members[k]);
  });
}

tracefold_status tracefold_group_name(const tracefold_trace* trace, size_t group,
                                      const char** name) {
  return guard([&] {
    require(trace && name);
    *name = trace->open.find_name(group);
  });
}

tracefold_status tracefold_group_of(const tracefold_trace* trace, uint64_t location,
                                    size_t* group) {
  return guard([&] {
    require(trace && group);
    *group = trace->open.find_group(location);
  });
}

tracefold_status tracefold_representative_of(const tracefold_trace* trace, uint64_t location,
                                             uint64_t* representative) {
  return guard([&] {
    require(trace && representative);
    *representative = trace->open.find_representative(location);
  });
}

tracefold_status tracefold_reduce(tracefold_trace* trace, const char* folder) {
  return guard([&] {
    require(trace && folder);
    trace->open.reduce(folder);
  });
}
