// The calls of a kept process with its collapsed iterations unfolded again: each has the calls of
// the kept iteration that stands for it, stretched to the time that it took itself. The processes
// that the kept one stands for follow these calls.
//
// Immutable once made; any thread may ask. Memory: 16 bytes for each Enter and Leave, 32 for each
// call of MPI, and 8 for each call path.
//
// Source: signatures 4 (what a representative tells of the processes of its cluster).
#pragma once

#include "model/iterations/loops.hpp"
#include "model/messages/messages.hpp"
#include "model/profile/call_path_profile.hpp"
#include "otf2/event_reader.hpp"
#include "pipeline/events/function_table.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tracefold {

// Finds call paths of messages by the names of functions. The messages must stay.
class NamedPaths {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  NamedPaths(const Messages& messages, const FunctionTable& functions);

  // The path of a function that is called in `caller`; none where messages do not have it.
  std::uint32_t find(std::uint32_t caller, FunctionIndex function) const;
  // Whether some rank has operations there; and whether messages or collectives are among them.
  bool has_operations(std::uint32_t path) const { return has_operations_[path]; }
  bool has_messages(std::uint32_t path) const { return has_messages_[path]; }
  std::size_t size() const { return has_operations_.size(); }

 private:
  std::vector<std::uint32_t> names_;  // by function
  std::unordered_map<std::uint64_t, std::uint32_t> paths_;
  std::vector<bool> has_operations_, has_messages_;  // by path
};

struct TemplateStep {
  std::uint64_t time = 0;    // ticks
  std::uint32_t region = 0;  // its id in the reduced trace
  bool is_enter = false;
};

// How many of the requests that are open a call completes.
enum class Completes : std::uint8_t { none, one, all };

// What a template call is: a call, or what lies before, between and behind the template calls
// inside of a call. Functions whose own messages are known without the calls of MPI that sent them
// are there in such parts.
enum class CallPart : std::uint8_t { whole, first, middle, last, only };

struct TemplateCall {
  std::uint32_t enter = 0, leave = 0;     // the steps that it lies between
  std::uint32_t path = NamedPaths::none;  // in messages
  std::uint32_t mpi_path = 0;             // of a call of MPI: its place in `mpi_paths`
  bool is_mpi = false;                    // called from outside MPI
  Completes completes = Completes::none;
  CallPart part = CallPart::whole;
  std::uint64_t own = 0;  // ticks of a part in which no call inside of it is open
};

// What the calls of MPI in one path have in common.
struct TemplatePath {
  std::uint64_t gap = 0;                       // ticks outside MPI before them
  std::uint64_t calls = 0;                     // of MPI, called from outside
  std::uint64_t shortest = ~std::uint64_t{0};  // ticks of such a call
};

// A call path that ends in a call of MPI from outside, and all calls of it.
struct MpiPath {
  PathIndex path = no_path;  // in CallTemplate::tree
  std::uint64_t ticks = 0, calls = 0;
};

struct CallTemplate {
  std::vector<TemplateStep> steps;
  std::vector<TemplateCall> calls;  // of MPI, and others in whose path operations are; by `enter`
  bool has_waits = false;           // calls of MPI that complete requests, besides MPI_Finalize
  std::vector<TemplatePath> paths;  // by path of messages
  std::vector<CallPath> tree{1};    // all call paths; the first one stands for the virtual root
  std::vector<MpiPath> mpi_paths;   // ascending by first call
  std::uint64_t left_folded = 0;    // iterations of which nothing tells where their stand-in is

  std::uint64_t first_time() const { return steps.empty() ? 0 : steps.front().time; }
  std::uint64_t last_time() const { return steps.empty() ? 0 : steps.back().time; }
};

// Reads the calls of a location. `loops` are those of its process in the plan, or null. Throws
// Error(input), also where they become more than `most_steps`.
CallTemplate read_template(EventReader& reader, std::uint64_t location,
                           const FunctionTable& functions, const NamedPaths& paths,
                           const ProcessLoops* loops, std::size_t most_steps);

}  // namespace tracefold
