#include "base/error.hpp"
#include "base/json_text.hpp"
#include "base/ranges.hpp"
#include "base/sort_and_unite.hpp"
#include "base/whole_number.hpp"
#include "model/messages/messages.hpp"
#include "model/messages/sequence_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace tracefold {

using Json = nlohmann::ordered_json;

namespace {

// Ranks in the order of a communicator, as first and last of each run that counts up by one.
Json runs_to_json(const std::vector<std::uint32_t>& ranks) {
  Json runs = Json::array();
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t run = 1;
    while (i + run < ranks.size() && ranks[i + run] == ranks[i] + run)
      ++run;
    runs.push_back(ranks[i]);
    runs.push_back(ranks[i + run - 1]);
    i += run;
  }
  return runs;
}

// Locations by rank: as ranges where they ascend, as they mostly do.
Json locations_to_json(const std::vector<std::uint64_t>& locations) {
  if (std::adjacent_find(locations.begin(), locations.end(), std::greater_equal()) ==
      locations.end())
    return to_ranges(locations);

  Json list = Json::array();
  for (auto location : locations)
    list.push_back(std::to_string(location));
  return list;
}

// Nodes whose names count up by one, with as many ranks each that follow on each other: one
// entry, so that a large machine takes no more room than a small one.
struct NodeRun {
  std::string prefix;
  std::uint64_t number = 0;  // behind the prefix of the first name
  std::size_t width = 0;     // digits at least
  std::uint64_t nodes = 1;
  std::uint32_t rank = 0;  // the first
  std::uint64_t each = 0;  // ranks of a node

  std::string write_name(std::uint64_t node) const {
    return fmt::format("{}{:0{}}", prefix, number + node, width);
  }
};

std::optional<NodeRun> begin_run(const Node& node) {
  constexpr std::size_t most_digits = 9;
  auto digits = node.name.size();
  while (digits > 0 && node.name[digits - 1] >= '0' && node.name[digits - 1] <= '9')
    --digits;
  const auto width = node.name.size() - digits;
  if (width == 0 || width > most_digits || node.ranks.empty() ||
      node.ranks.back() - node.ranks.front() + 1 != node.ranks.size())
    return std::nullopt;

  const auto number = std::stoull(node.name.substr(digits));
  const bool is_padded = node.name[digits] == '0' && width > 1;
  return NodeRun{node.name.substr(0, digits), number,           is_padded ? width : 1, 1,
                 node.ranks.front(),          node.ranks.size()};
}

bool follows(const NodeRun& run, const Node& node) {
  return node.name == run.write_name(run.nodes) && node.ranks.size() == run.each &&
         node.ranks.front() == run.rank + run.nodes * run.each &&
         node.ranks.back() - node.ranks.front() + 1 == run.each;
}

Json nodes_to_json(const std::vector<Node>& nodes) {
  Json list = Json::array();
  for (std::size_t i = 0; i < nodes.size();) {
    auto run = begin_run(nodes[i]);
    while (run && i + run->nodes < nodes.size() && follows(*run, nodes[i + run->nodes]))
      ++run->nodes;
    if (run && run->nodes > 2) {
      list.push_back({{"prefix", run->prefix},
                      {"run", {run->number, run->width, run->nodes, run->rank, run->each}}});
      i += run->nodes;
    } else {
      list.push_back(
          {{"name", nodes[i].name}, {"ranks", rank_list_text(make_rank_list(nodes[i].ranks))}});
      ++i;
    }
  }
  return list;
}

Json communicator_to_json(const Communicator& communicator) {
  Json out{{"id", std::to_string(communicator.id)}};
  if (!communicator.name.empty())
    out["name"] = communicator.name;
  if (communicator.is_self) {
    out["self"] = true;
    return out;
  }

  // Where ranks ascend, a list of them is shorter than runs.
  const auto put = [&](const char* name, const std::vector<std::uint32_t>& ranks) {
    if (std::adjacent_find(ranks.begin(), ranks.end(), std::greater_equal<>()) == ranks.end()) {
      out[name] = rank_list_text(make_rank_list(ranks));
    } else {
      out[name] = runs_to_json(ranks);
    }
  };
  put("ranks", communicator.ranks);
  if (!communicator.remote.empty())
    put("remote", communicator.remote);
  return out;
}

void put_number(std::uint64_t number, std::string& out) {
  const fmt::format_int digits(number);
  (out += ',').append(digits.data(), digits.size());
}

// A window, file and the like: its kind, then what is kept of it, and of a group its ranks.
Json definition_to_json(const RecordDefinition& one) {
  const auto& [definition, texts] = one;
  Json row{get_row(definition.kind).name};
  const auto fields = list_kept_fields(definition.kind);
  auto text = texts.begin();
  for (std::size_t f = 0; f < fields.size(); ++f)
    if (is_text(fields[f]))
      row.push_back(*text++);
    else
      row.push_back(definition.fields[f]);

  if (definition.kind == DefinitionKind::Group)
    row.push_back(runs_to_json({definition.list.begin(), definition.list.end()}));
  return row;
}

// Operations of one kind and thread that follow on each other are one row: the kind, the thread,
// then for each its path and columns. A '+' behind the kind: done in the same call as something
// before.
Json operations_to_json(const std::vector<ClusterOperation>& operations) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < operations.size();) {
    const auto kind = operations[i].kind;
    const auto thread = operations[i].thread;
    const auto parameters = list_parameters(kind).size();
    const bool is_in_same_call = operations[i].is_in_same_call;
    auto row = fmt::format("[\"{}{}\",{}", get_row(kind).name, is_in_same_call ? "+" : "", thread);

    for (; i < operations.size() && operations[i].kind == kind && operations[i].thread == thread &&
           operations[i].is_in_same_call == is_in_same_call;
         ++i) {
      put_number(operations[i].path, row);
      for (std::size_t p = 0; p < parameters; ++p)
        put_number(operations[i].columns[p], row);
    }
    rows.push_back(make_written_list(row += ']'));
  }
  return rows;
}

// Each as a string. Adds the lists of ranks that tables share.
Json columns_to_json(const ColumnList& columns, RankLists& shared, ColumnPacker* packer) {
  std::string text;
  for (std::size_t k = 0; k < columns.size(); ++k)
    ((text += k == 0 ? "[\"" : ",\"") += column_text(columns[k], shared, packer)) += '"';
  return columns.empty() ? Json::array() : make_written_list(text += ']');
}

Json ticks_to_json(const std::vector<std::uint64_t>& ticks) {
  return make_written_list(fmt::format("[{}]", fmt::join(ticks, ",")));
}

Json cluster_to_json(const MainCluster& cluster) {
  Json gaps = Json::object();
  for (const auto& gap : cluster.gaps)
    gaps[std::to_string(gap.path)] = ticks_to_json(gap.ticks);
  return {{"ranks", rank_list_text(make_rank_list(cluster.ranks))},
          {"sequence", sequence_text(cluster.sequence)},
          {"gaps", gaps}};
}

[[noreturn]] void refuse_messages(const std::string& why) {
  throw Error(ErrorKind::input, "the messages of the plan are wrong: " + why);
}

bool is_number(const std::string& text, std::size_t most_digits) {
  return !text.empty() && text.size() <= most_digits &&
         text.find_first_not_of("0123456789") == std::string::npos;
}

// Reads a section, and keeps what is read within bounds.
class Reader {
 public:
  Reader(const Json& in, const MessageLimits& limits, const PackedSections* packed)
      : in_(in), limits_(limits), packed_(packed) {}

  Messages read() {
    out_.size = read_whole<std::uint32_t>(in_.at("size"));
    if (out_.size > limits_.ranks)
      refuse_messages(fmt::format("{} ranks are too many", out_.size));
    out_.complete = in_.at("complete");
    read_endpoints(in_.at("endpoints"));
    if (in_.contains("threads"))
      read_threads(find_list("threads"));
    for (const auto& one : find_list("nodes"))
      read_nodes(one);
    check_nodes();
    for (const auto& one : find_list("communicators"))
      read_communicator(one);
    if (in_.contains("definitions"))
      for (const auto& one : find_list("definitions"))
        read_definition(one);
    out_.names = in_.at("names").get<std::vector<std::string>>();
    read_paths(in_.at("paths"));

    RankLists lists;
    for (const auto& one : find_list("lists")) {
      lists.push_back(list_ranks(parse_rank_list(one.get_ref<const std::string&>()), out_.size));
      count_listed(lists.back().size());
    }
    const auto* values = find_section("values");
    ColumnUnpacker unpacker(values ? std::string_view(*values) : std::string_view());
    read_each("columns", [&](const Json& one) {
      const auto column =
          parse_column(one.get_ref<const std::string&>(), out_.size, lists, &unpacker);
      count_listed(column.table.size());
      out_.columns.push_back(column);
    });
    if (!unpacker.is_empty())
      refuse_messages("there are packed columns that nothing names");
    read_each("operations", [&](const Json& one) { read_operations(one); });
    read_each("clusters", [&](const Json& one) { read_cluster(one); });
    check_threads();
    return std::move(out_);
  }

 private:
  static const Json& check_list(const Json& list, const char* name) {
    if (!list.is_array())
      refuse_messages(fmt::format("its {} are no list", name));
    return list;
  }
  const Json& find_list(const char* name) const { return check_list(in_.at(name), name); }

  const std::string* find_section(const char* name) const {
    const auto at = packed_ ? packed_->find(name) : PackedSections::const_iterator();
    return packed_ && at != packed_->end() ? &at->second : nullptr;
  }

  // Each entry of a list that may be packed.
  template <class Read>
  void read_each(const char* name, Read read) const {
    const auto* section = find_section(name);
    const auto unpacked = section ? Json::parse(*section) : Json();
    for (const auto& one : check_list(section ? unpacked : in_.at(name), name))
      read(one);
  }

  void count_listed(std::size_t ranks) {
    listed_ += ranks;
    if (listed_ > limits_.listed_ranks)
      refuse_messages("its lists name too many ranks");
  }

  void read_nodes(const Json& in) {
    if (!in.contains("run")) {
      out_.nodes.push_back({in.at("name"), read_ranks(in.at("ranks"))});
      return;
    }

    const auto numbers = read_all_whole<std::uint32_t>(in["run"]);
    constexpr std::uint32_t most_width = 9;
    if (numbers.size() != 5 || numbers[1] > most_width || numbers[4] == 0 ||
        numbers[3] + std::uint64_t{numbers[2]} * numbers[4] > out_.size)
      refuse_messages("a run of nodes does not fit the ranks");

    const NodeRun run{in.at("prefix"), numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
    auto rank = run.rank;
    for (std::uint64_t node = 0; node < run.nodes; ++node) {
      Node one{run.write_name(node), {}};
      while (one.ranks.size() < run.each)
        one.ranks.push_back(rank++);
      count_listed(one.ranks.size());
      out_.nodes.push_back(std::move(one));
    }
  }

  void check_nodes() {
    std::vector<bool> has_node(out_.size);
    for (const auto& node : out_.nodes)
      for (auto rank : node.ranks) {
        if (has_node[rank])
          refuse_messages(fmt::format("rank {} is on two nodes", rank));
        has_node[rank] = true;
      }
  }

  std::vector<std::uint64_t> read_locations(const Json& in) {
    if (in.is_string())
      return parse_ranges(in.get_ref<const std::string&>(), out_.size);

    std::vector<std::uint64_t> locations;
    for (const auto& one : in) {
      const auto location = parse_ranges(one.get_ref<const std::string&>(), 1);
      if (location.size() != 1)
        refuse_messages("an end point is no location");
      locations.push_back(location[0]);
    }
    return locations;
  }

  void read_threads(const Json& in) {
    if (in.size() > most_threads)
      refuse_messages(fmt::format("{} threads of a rank are too many", in.size()));

    for (const auto& one : in) {
      ThreadLocations thread{read_ranks(one.at("ranks")), read_locations(one.at("locations"))};
      const auto& ranks = thread.ranks;
      if (ranks.empty() || ranks.size() != thread.locations.size())
        refuse_messages(fmt::format("a thread of {} ranks is at {} locations", ranks.size(),
                                    thread.locations.size()));
      if (std::adjacent_find(ranks.begin(), ranks.end(), std::greater_equal()) != ranks.end())
        refuse_messages("the ranks of a thread are not in ascending order");
      if (!out_.threads.empty() &&
          !std::includes(out_.threads.back().ranks.begin(), out_.threads.back().ranks.end(),
                         ranks.begin(), ranks.end()))
        refuse_messages("a rank has a thread without the one before");
      out_.threads.push_back(std::move(thread));
    }

    std::vector<std::uint64_t> all;
    for (const auto& thread : out_.threads)
      all.insert(all.end(), thread.locations.begin(), thread.locations.end());
    std::sort(all.begin(), all.end());
    if (std::adjacent_find(all.begin(), all.end()) != all.end())
      refuse_messages("a location is two threads");
  }

  // Where the threads of a rank are told, they all are.
  void check_threads() const {
    if (out_.threads.empty())
      return;

    std::vector<std::size_t> told(out_.size);  // threads, by rank
    for (const auto& thread : out_.threads)
      for (auto rank : thread.ranks)
        ++told[rank];
    for (const auto& cluster : out_.clusters) {
      const std::size_t last = find_last_thread(out_, cluster);
      for (auto rank : cluster.ranks)
        if (told[rank] > 0 && told[rank] <= last)
          refuse_messages(fmt::format("thread {} of rank {} is at no location", last, rank));
    }
  }

  void read_endpoints(const Json& in) {
    out_.endpoints = read_locations(in);
    if (!out_.endpoints.empty() && out_.endpoints.size() != out_.size)
      refuse_messages(
          fmt::format("it has {} end points for {} ranks", out_.endpoints.size(), out_.size));
  }

  std::vector<std::uint32_t> read_ranks(const Json& in) {
    std::vector<std::uint32_t> ranks;
    if (in.is_string()) {
      ranks = list_ranks(parse_rank_list(in.get_ref<const std::string&>()), out_.size);
      count_listed(ranks.size());
      return ranks;
    }

    const auto runs = read_all_whole<std::uint32_t>(in);
    if (runs.size() % 2)
      refuse_messages("a communicator has half a run of ranks");
    for (std::size_t k = 0; k < runs.size(); k += 2) {
      if (runs[k] > runs[k + 1] || runs[k + 1] >= out_.size)
        refuse_messages(fmt::format("a communicator has ranks {} to {} of {}", runs[k], runs[k + 1],
                                    out_.size));
      count_listed(runs[k + 1] - runs[k] + 1);
      for (auto rank = runs[k]; rank <= runs[k + 1]; ++rank)
        ranks.push_back(rank);
    }
    return ranks;
  }

  void read_communicator(const Json& in) {
    Communicator communicator;
    const auto& id = in.at("id").get_ref<const std::string&>();
    if (!is_number(id, 10))
      refuse_messages(fmt::format("'{}' is no id of a communicator", id.substr(0, 20)));
    communicator.id = std::stoull(id);
    communicator.is_self = in.value("self", false);
    communicator.name = in.value("name", std::string());
    if (!communicator.is_self)
      communicator.ranks = read_ranks(in.at("ranks"));
    if (in.contains("remote"))
      communicator.remote = read_ranks(in["remote"]);

    if (!out_.communicators.empty() && out_.communicators.back().id >= communicator.id)
      refuse_messages("its communicators are not in ascending order");
    out_.communicators.push_back(std::move(communicator));
  }

  void read_definition(const Json& in) {
    const auto& name = in.at(0).get_ref<const std::string&>();
    const auto at = std::find_if(record_definition_kinds.begin(), record_definition_kinds.end(),
                                 [&](auto kind) { return get_row(kind).name == name; });
    if (at == record_definition_kinds.end())
      refuse_messages(fmt::format("'{}' is no kind of definition that it has", name.substr(0, 40)));

    RecordDefinition one;
    auto& definition = one.definition;
    definition.kind = *at;
    const auto fields = list_kept_fields(*at);
    const bool has_ranks = *at == DefinitionKind::Group;
    if (in.size() != 1 + fields.size() + has_ranks)
      refuse_messages("a definition has other fields than its kind");
    for (std::size_t f = 0; f < fields.size(); ++f)
      if (is_text(fields[f]))
        one.texts.push_back(in[1 + f].get<std::string>());
      else
        definition.fields[f] = read_field(in[1 + f], fields[f]);
    if (has_ranks)
      for (auto rank : read_ranks(in.back()))
        definition.list.push_back(rank);
    if (definition.list.size() > out_.size)
      refuse_messages("a group has more ranks than there are");

    const auto place = std::pair(at - record_definition_kinds.begin(), definition.id());
    if (place <= last_definition_)
      refuse_messages("its definitions are not in ascending order");
    last_definition_ = place;
    if (*at != DefinitionKind::IoPreCreatedHandleState &&
        !defined_.emplace(fields[0].target, definition.id()).second)
      refuse_messages(fmt::format("{} {} is defined twice", name, definition.id()));
    out_.definitions.push_back(std::move(one));
  }

  static std::uint64_t read_field(const Json& in, const Field& field) {
    const auto value = read_whole<std::uint32_t>(in);
    constexpr std::uint32_t most_of_byte = 0xff;
    if (value > most_of_byte && is_byte(field))
      refuse_messages(fmt::format("{} is too much for a field '{}'", value, field.name));
    return value;
  }

  // Paradigms, and enumerations of OTF2; all else that is kept has four bytes.
  static bool is_byte(const Field& field) {
    if (field.role != FieldRole::value)
      return field.target == Ref::paradigm || field.target == Ref::io_paradigm;
    return field.name == "groupType" || field.name == "mode" || field.name == "ioParadigmClass";
  }

  void read_paths(const Json& in) {
    const auto numbers = read_all_whole<std::uint32_t>(in);
    if (numbers.size() % 2)
      refuse_messages("half a call path");

    out_.paths.push_back({});  // the virtual root
    for (std::size_t k = 0; k < numbers.size(); k += 2) {
      if (numbers[k] >= out_.paths.size())
        refuse_messages("a call path stands before its caller");
      if (numbers[k + 1] >= out_.names.size())
        refuse_messages("a call path has a name that is not there");
      out_.paths.push_back({numbers[k], numbers[k + 1]});
    }
  }

  void read_operations(const Json& in) {
    std::string_view name = in.at(0).get_ref<const std::string&>();
    ClusterOperation operation;
    operation.is_in_same_call = name.ends_with('+');
    if (operation.is_in_same_call)
      name.remove_suffix(1);
    const auto row = std::find_if(event_table.begin(), event_table.end(),
                                  [&](const auto& r) { return r.name == name; });
    operation.kind = static_cast<EventKind>(row - event_table.begin());
    const auto parameters =
        row == event_table.end() ? std::span<const Parameter>() : list_parameters(operation.kind);
    if (parameters.empty())
      refuse_messages(fmt::format("'{}' is no kind of operation", name.substr(0, 40)));
    operation.thread = read_whole<std::uint8_t>(in.at(1));
    if (in.size() == 2 || (in.size() - 2) % (1 + parameters.size()) != 0)
      refuse_messages("an operation has other columns than its kind");

    for (std::size_t at = 2; at < in.size();) {
      operation.path = read_whole<std::uint32_t>(in.at(at++));
      if (operation.path >= out_.paths.size())
        refuse_messages("an operation has no call path");
      for (std::size_t p = 0; p < parameters.size(); ++p) {
        operation.columns[p] = read_whole<std::uint32_t>(in.at(at++));
        if (operation.columns[p] >= out_.columns.size())
          refuse_messages("a column is not there");
      }
      out_.operations.push_back(operation);
    }
  }

  void read_cluster(const Json& in) {
    MainCluster cluster;
    cluster.ranks = read_ranks(in.at("ranks"));
    if (cluster.ranks.empty())
      refuse_messages("a cluster has no ranks");
    for (auto rank : cluster.ranks) {
      if (clustered_.size() <= rank)
        clustered_.resize(rank + 1);
      if (clustered_[rank])
        refuse_messages(fmt::format("rank {} is in two clusters", rank));
      clustered_[rank] = true;
    }

    cluster.sequence =
        parse_sequence(in.at("sequence").get_ref<const std::string&>(),
                       static_cast<std::uint32_t>(out_.operations.size()), limits_.sequence_nodes);
    check_values(cluster);
    for (const auto& [path, ticks] : in.at("gaps").items())
      read_gap(path, ticks, cluster);
    out_.clusters.push_back(std::move(cluster));
  }

  void read_gap(const std::string& path, const Json& ticks, MainCluster& cluster) {
    if (!is_number(path, 9))
      refuse_messages("a gap belongs to no call path");
    ClusterGap gap{static_cast<std::uint32_t>(std::stoul(path)), read_all_whole(ticks)};
    if (gap.path >= out_.paths.size())
      refuse_messages("a gap belongs to no call path");
    if (gap.ticks.size() != cluster.ranks.size())
      refuse_messages("gaps do not fit the ranks");
    if (!cluster.gaps.empty() && cluster.gaps.back().path >= gap.path)
      refuse_messages("gaps are not in ascending order");
    cluster.gaps.push_back(std::move(gap));
  }

  // Every operation of the cluster has its values for every rank, and ends are ranks below P.
  void check_values(const MainCluster& cluster) {
    std::vector<std::pair<std::uint32_t, bool>> columns;  // and whether their values are ranks
    for (auto symbol : list_symbols(cluster.sequence)) {
      const auto& operation = out_.operations[symbol];
      const auto parameters = list_parameters(operation.kind);
      for (std::size_t p = 0; p < parameters.size(); ++p) {
        const auto parameter = parameters[p];
        columns.emplace_back(operation.columns[p],
                             parameter == Parameter::peer || parameter == Parameter::root);
      }
    }
    sort_and_unite(columns);

    for (auto [column, holds_ranks] : columns)
      for (auto rank : cluster.ranks) {
        const auto value = find_value(out_.columns[column], rank, out_.size);
        const bool is_special = value >= unknown_value && value <= group_root;
        if (holds_ranks && value >= out_.size && !is_special)
          refuse_messages(fmt::format("rank {} names rank {} of {}", rank, value, out_.size));
      }
  }

  const Json& in_;
  const MessageLimits& limits_;
  const PackedSections* packed_;  // null where all is in the plan
  Messages out_;
  std::vector<bool> clustered_;                                      // by rank
  std::uint64_t listed_ = 0;                                         // ranks, in all lists
  std::pair<std::ptrdiff_t, std::uint64_t> last_definition_{-1, 0};  // kind and id
  std::set<std::pair<Ref, std::uint64_t>> defined_;
};

}  // namespace

bool should_be_packed(const Messages& messages) {
  constexpr std::size_t most_in_plan = 1 << 14;
  auto size = messages.operations.size();
  for (std::size_t k = 0; k < messages.columns.size() && size <= most_in_plan; ++k)
    size += messages.columns[k].table.size();
  for (const auto& cluster : messages.clusters)
    size += cluster.sequence.size();
  return size > most_in_plan;
}

Json messages_to_json(const Messages& messages, PackedSections* packed) {
  Json communicators = Json::array(), paths = Json::array();
  for (const auto& one : messages.communicators)
    communicators.push_back(communicator_to_json(one));
  for (std::size_t k = 1; k < messages.paths.size(); ++k) {  // the first is the virtual root
    paths.push_back(messages.paths[k].caller);
    paths.push_back(messages.paths[k].name);
  }

  RankLists shared;
  ColumnPacker packer;
  auto columns = columns_to_json(messages.columns, shared, packed ? &packer : nullptr);
  Json lists = Json::array(), clusters = Json::array();
  for (const auto& ranks : shared)
    lists.push_back(rank_list_text(make_rank_list(ranks)));
  for (const auto& cluster : messages.clusters)
    clusters.push_back(cluster_to_json(cluster));

  Json out{{"size", messages.size},
           {"complete", messages.complete},
           {"endpoints", locations_to_json(messages.endpoints)},
           {"nodes", nodes_to_json(messages.nodes)},
           {"communicators", communicators}};
  for (const auto& [ranks, locations] : messages.threads)
    out["threads"].push_back({{"ranks", rank_list_text(make_rank_list(ranks))},
                              {"locations", locations_to_json(locations)}});
  for (const auto& one : messages.definitions)
    out["definitions"].push_back(definition_to_json(one));
  out["names"] = messages.names;
  out["paths"] = std::move(paths);
  out["lists"] = std::move(lists);
  const auto put = [&](const char* name, Json list) {
    if (packed)
      (*packed)[name] = write_json_text(list, JsonLines::one);
    else
      out[name] = std::move(list);
  };
  put("columns", std::move(columns));
  put("operations", operations_to_json(messages.operations));
  put("clusters", std::move(clusters));
  if (packed)
    (*packed)["values"] = packer.take();
  return out;
}

std::uint64_t measure_messages(const Messages& messages) {
  constexpr std::uint64_t end_of_line = 1;
  return write_json_text(messages_to_json(messages), JsonLines::one).size() - end_of_line;
}

std::uint64_t measure_constant(std::uint64_t value) {
  constexpr std::size_t quotes_and_comma = 3;
  return fmt::format_int(value).size() + quotes_and_comma;
}

std::uint64_t measure_operation(const ClusterOperation& operation) {
  auto letters = fmt::format_int(operation.path).size() + 1;  // with a comma each
  for (std::size_t p = 0; p < list_parameters(operation.kind).size(); ++p)
    letters += fmt::format_int(operation.columns[p]).size() + 1;
  return letters;
}

bool is_storable(const Messages& messages, const MessageLimits& limits) {
  std::uint64_t listed = 0;
  for (const auto& node : messages.nodes)
    listed += node.ranks.size();
  for (const auto& thread : messages.threads)
    listed += thread.ranks.size();
  for (const auto& communicator : messages.communicators)
    listed += communicator.ranks.size() + communicator.remote.size();
  for (const auto& one : messages.definitions)
    listed += one.definition.list.size();
  // The lists of ranks that columns share are among those of their tables.
  for (std::size_t column = 0; column < messages.columns.size(); ++column)
    listed += 2 * messages.columns[column].table.size();
  bool fits = messages.size <= limits.ranks;
  for (const auto& cluster : messages.clusters) {
    listed += cluster.ranks.size();
    fits = fits && cluster.sequence.size() <= limits.sequence_nodes;
  }

  return fits && listed <= limits.listed_ranks;
}

Messages messages_from_json(const Json& in, const MessageLimits& limits,
                            const PackedSections* packed) {
  return Reader(in, limits, packed).read();
}

}  // namespace tracefold
