#include "pipeline/export/table_schema.hpp"

#include <fmt/format.h>

#include <utility>

namespace tracefold {

namespace {

using parquet::Column;
using parquet::Encoding;
using parquet::Type;

struct DescribedColumn {
  Column column;
  std::string meaning;

  // Rows may have no value.
  DescribedColumn optional() && {
    column.is_optional = true;
    return std::move(*this);
  }
};

// An id, or another number that many rows share.
DescribedColumn id(std::string name, std::string meaning) {
  return {{std::move(name), Type::uint64, Encoding::dictionary}, std::move(meaning)};
}
DescribedColumn small(std::string name, std::string meaning) {
  return {{std::move(name), Type::int32, Encoding::dictionary}, std::move(meaning)};
}
DescribedColumn count(std::string name, std::string meaning) {
  return {{std::move(name), Type::uint64, Encoding::plain}, std::move(meaning)};
}
DescribedColumn words(std::string name, std::string meaning) {
  return {{std::move(name), Type::text, Encoding::dictionary}, std::move(meaning)};
}
DescribedColumn number(std::string name, std::string meaning) {
  return {{std::move(name), Type::float64, Encoding::plain}, std::move(meaning)};
}
// A time by which rows ascend, as a rule, and any other time.
DescribedColumn ascending(std::string name, std::string meaning) {
  return {{std::move(name), Type::int64, Encoding::differences}, std::move(meaning)};
}
DescribedColumn time(std::string name, std::string meaning) {
  return {{std::move(name), Type::int64, Encoding::plain}, std::move(meaning)};
}

DescribedColumn process() {
  return id("process", "id of the location");
}
DescribedColumn rank() {
  return id("rank", "MPI rank of the process").optional();
}

TableSchema make(std::string name, std::string meaning, std::vector<DescribedColumn> columns,
                 std::vector<std::size_t> sorted_by = {}) {
  TableSchema schema{std::move(name), std::move(meaning), {}, {}, std::move(sorted_by)};
  for (auto& column : columns) {
    schema.columns.push_back(std::move(column.column));
    schema.meanings.push_back(std::move(column.meaning));
  }
  return schema;
}

TableSchema make_schema(ExportTable table) {
  using enum ExportTable;
  switch (table) {
    case calls:
      return make(
          "calls", "A call of a function. Of an accelerator: a kernel or copy.",
          {process(), rank(), small("thread", "index among the locations of its process"),
           small("depth", "number of calls around it"), words("function", "`functions.function`"),
           id("call_path", "`call_paths.call_path`"), ascending("end_ns", "when it ends"),
           time("duration_ns", "from its begin to its end"),
           time("exclusive_ns",
                "the same without the calls in it, and without time that is not recorded")},
          {0, 6});
    case messages:
      return make(
          "messages", "A message between two processes, in the order of sends.",
          {id("sender", "id of the location that sends it"),
           id("receiver", "id of the location that stands for the rank that gets it").optional(),
           id("tag", "its tag"), id("communicator", "id of the communicator"),
           id("bytes", "its length"),
           time("send_begin_ns", "begin of the call that sends it").optional(),
           time("send_end_ns", "when it is sent, as recorded").optional(),
           time("receive_begin_ns", "begin of the call in which it is received, as in a wait")
               .optional(),
           time("receive_end_ns", "when it is received, as recorded").optional(),
           time("late_sender_ns",
                "how much of that call is before the send begins; 0: it does not wait")
               .optional()},
          {0});
    case collectives:
      return make(
          "collectives", "The part of a process in a collective operation.",
          {process(), rank(), words("operation", "kind of operation, as in `Allreduce`"),
           words("kind", "`blocking`, or `nonblocking`, of which the completion is a row"),
           id("communicator", "id of the communicator"),
           count("instance",
                 "which operation of this operation and kind on the communicator, from 0: the same "
                 "on all members"),
           id("root", "id of the location of the root").optional(),
           id("bytes_sent", "by this process"), id("bytes_received", "by this process"),
           ascending("end_ns", "when it ends"),
           time("duration_ns", "since it begins, as recorded")},
          {0, 9});
    case metrics:
      return make("metrics", "A value of a recorded metric.",
                  {process(), words("metric", "name of the member of the metric"),
                   words("unit", "its unit"), ascending("time_ns", "when it is recorded"),
                   number("value", "as a double"),
                   time("integer",
                        "exactly, where it is a whole number; unsigned ones from 2^63 on "
                        "are less than 0")
                       .optional()},
                  {0, 3});
    case io:
      return make("io", "An operation on a file.",
                  {process(), words("operation", "as in `read`, `write`, `open`, `close`, `seek`"),
                   words("file", "its name, or that of the handle").optional(),
                   id("handle", "id of the I/O handle").optional(),
                   id("bytes_requested", "as asked for").optional(),
                   id("bytes", "as read or written").optional(),
                   count("offset", "where a seek arrives").optional(),
                   ascending("end_ns", "when it ends"), time("duration_ns", "since it begins")},
                  {0, 7});
    case rma:
      return make("rma", "A one-sided operation.",
                  {process(), words("operation", "as in `put`, `get`, `lock`"),
                   id("window", "id of the window"),
                   id("target", "id of the location of the other process").optional(),
                   id("bytes_sent", "to the target").optional(),
                   id("bytes_received", "from the target").optional(),
                   ascending("end_ns", "when it completes"), time("duration_ns", "since it begins"),
                   small("is_complete",
                         "0: its completion is not recorded, and it lasts to the last record of "
                         "its process")},
                  {0, 6});
    case markers:
      return make("markers", "A remark on a time, by a tool or a person.",
                  {ascending("time_ns", "its begin"), time("duration_ns", "how long that is"),
                   words("group", "group of its kind"), words("category", "category of its kind"),
                   words("severity", "`none`, `low`, `medium` or `high`"),
                   words("scope",
                         "what it is about: `global`, `location`, `location group`, `system tree "
                         "node`, `group` or `communicator`"),
                   id("scope_id", "id of that").optional(), words("text", "the remark")},
                  {0});
    case processes:
      return make(
          "processes", "A location: a thread of a rank, or a stream of an accelerator.",
          {process(), rank(), small("thread", "index among the locations of its process"),
           words("name", "its name"),
           words("type", "`cpu thread`, `accelerator stream` or `metric`"),
           id("location_group", "id of its location group"),
           words("location_group_name", "the name of that"),
           words("node", "the lowest node of the machine above it").optional(),
           id("shown_by", "`process` of the row that shows it; itself in an original").optional(),
           count("events",
                 "number of its records, as the trace states; null: it has none "
                 "here, as another row shows it")
               .optional()},
          {0});
    case locations_of_nodes:
      return make("locations_of_nodes", "A process below a node of the system tree.",
                  {id("node", "id of the node"), small("level", "0: a root"),
                   words("class", "as in `machine` or `node`"), words("name", "its name"),
                   id("parent", "id of the node above it").optional(), process()},
                  {0, 5});
    case groups:
      return make(
          "groups", "A process in a group of processes that do the same work.",
          {small("group", "number of the group"), words("name", "of the group"), process(), rank()},
          {0, 2});
    case functions:
      return make(
          "functions", "A function, by name and source line.",
          {words("function", "its name; distinct"), words("name", "as recorded"),
           words("canonical", "its other name, as a mangled one"), words("file", "its source file"),
           id("line", "where it begins there"), words("paradigm", "as in `MPI`"),
           words("role", "as in `function` or `barrier`")});
    case call_paths:
      return make("call_paths", "A call path: a function, and the path of its caller.",
                  {count("call_path",
                         "a hash of the functions on it: the same in all traces of a "
                         "program"),
                   id("caller", "the path of the caller").optional(),
                   small("depth", "number of callers"), words("function", "`functions.function`"),
                   words("path", "all functions on it, from the outermost on")});
    case profile:
      return make("profile", "What a process did in a call path.",
                  {process(), rank(), id("call_path", "`call_paths.call_path`"),
                   words("function", "`functions.function`"), count("visits", "number of calls"),
                   time("inclusive_ns", "time in it"), time("exclusive_ns", "without callees"),
                   time("late_sender_ns", "of these, waiting for messages").optional(),
                   time("late_receiver_ns", "waiting for receives").optional(),
                   time("wait_at_barrier_ns", "waiting for others in barriers").optional(),
                   time("wait_at_nxn_ns", "waiting for others in all-to-all operations").optional(),
                   time("late_broadcast_ns", "waiting for roots").optional(),
                   time("early_reduce_ns", "roots waiting for others").optional(),
                   time("wait_at_fence_ns", "waiting for others in MPI_Win_fence").optional()},
                  {0});
    case iterations:
      return make("iterations", "A metric of a process in an iteration of a loop.",
                  {process(), rank(), small("loop", "number of the loop, from 1"),
                   id("iteration", "from 0; the first one, where several share a row"),
                   words("metric", "its name"), words("unit", "its unit; times are in ns"),
                   number("value", "without what is in no iteration")});
    case matrix:
      return make("matrix", "What a rank sends to another one.",
                  {id("sender", "MPI rank"), id("receiver", "MPI rank").optional(),
                   count("messages", "how many"), count("bytes", "their lengths"),
                   time("late_sender_ns", "how long the receiver waits for them").optional(),
                   time("late_receiver_ns", "how long the sender waits, as they are received late")
                       .optional()},
                  {0, 1});
    case facts:
      return make("facts", "A fact on the whole trace, and on its clock.",
                  {words("name", "of the fact"), words("value", "what it is")});
  }
  return {};
}

std::string_view name_type(Type type) {
  switch (type) {
    case Type::int32: return "INT32";
    case Type::int64: return "INT64";
    case Type::uint64: return "UINT64";
    case Type::float64: return "DOUBLE";
    case Type::text: return "STRING";
  }
  return "";
}

}  // namespace

const TableSchema& get_schema(ExportTable table) {
  static const auto all = [] {
    std::vector<TableSchema> schemas;
    for (std::size_t k = 0; k < number_of_tables; ++k)
      schemas.push_back(make_schema(static_cast<ExportTable>(k)));
    return schemas;
  }();
  return all[static_cast<std::size_t>(table)];
}

std::string describe_tables() {
  std::string out;
  for (std::size_t k = 0; k < number_of_tables; ++k) {
    const auto& schema = get_schema(static_cast<ExportTable>(k));
    out += fmt::format("{}### {}\n\n{}\n\n| column | type | meaning |\n| --- | --- | --- |\n",
                       k == 0 ? "" : "\n", schema.name, schema.meaning);
    for (std::size_t c = 0; c < schema.columns.size(); ++c)
      out += fmt::format("| `{}` | {}{} | {} |\n", schema.columns[c].name,
                         name_type(schema.columns[c].type),
                         schema.columns[c].is_optional ? ", may be null" : "", schema.meanings[c]);
  }
  return out;
}

}  // namespace tracefold
