#include "filters/groups/explain_groups.hpp"

#include "base/sort_and_unite.hpp"
#include "base/text.hpp"
#include "filters/groups/comparison.hpp"
#include "filters/groups/signature_features.hpp"
#include "lattice/distinguish.hpp"
#include "model/plan.hpp"
#include "otf2/otf2_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

constexpr unsigned caller_bits = 32;

// Attributes come in this order, and inside of each kind as `order` says.
enum class ReasonTier : std::uint8_t {
  signature,
  own_function,    // the program's own function is called
  library_by_own,  // a library's function is called by one of the program
  library,
  made_up,  // by the measurement
  process   // what a process is rather than what it does
};

// What processes may have or lack.
struct ReasonAttribute {
  ReasonTier tier = ReasonTier::signature;
  std::uint64_t order = 0;  // the lowest first, before names
  std::string has, lacks, object;
  bool may_be_lacked = true;
  std::string caller = {}, callee = {};  // whole names, of calls

  auto sort_key() const { return std::tie(tier, order, object, caller, callee, has); }
};

bool is_own_function(const Function& function) {
  return function.paradigm == otf2_value::paradigm_unknown ||
         function.paradigm == otf2_value::paradigm_user ||
         function.paradigm == otf2_value::paradigm_compiler;
}

// Ticks in each function, of all processes, as far as the plan tells them.
std::vector<std::uint64_t> add_up_times(const Plan& plan) {
  std::vector<std::uint64_t> times(plan.functions.size());
  for (const auto& process : plan.processes) {
    const auto& functions = plan.intents[process.intent].functions;
    for (std::size_t f = 0; f < std::min(functions.size(), process.exclusive.size()); ++f)
      times[functions[f]] += process.exclusive[f] * process.weight;
  }
  return times;
}

// The calls that are compared, as attributes.
class CallAttributes {
 public:
  CallAttributes(const Plan& plan, const ComparedProcesses& compared)
      : plan_(plan), by_functions_(plan.comparison.by == CompareBy::functions) {
    for (const auto& set : compared.sets)
      calls_.insert(calls_.end(), set.attributes.begin(), set.attributes.end());
    sort_and_unite(calls_);
    for (const auto call : calls_)
      ++callers_[find_callee(call)];
    times_ = add_up_times(plan);
  }

  const lattice::Set& list() const { return calls_; }

  ReasonAttribute describe(lattice::Element call) const {
    const auto& callee = plan_.functions[find_callee(call)];
    const auto caller_index = static_cast<FunctionIndex>(call >> caller_bits);
    const auto* caller =
        by_functions_ || caller_index == virtual_root ? nullptr : &plan_.functions[caller_index];

    ReasonAttribute out;
    const bool is_own = is_own_function(callee);
    out.tier = callee.is_artificial()               ? ReasonTier::made_up
               : is_own                             ? ReasonTier::own_function
               : caller && is_own_function(*caller) ? ReasonTier::library_by_own
                                                    : ReasonTier::library;
    out.order = ~times_[find_callee(call)];
    out.has = "calls";
    out.lacks = "lacks";
    out.callee = callee.shown_name();
    out.object = make_printable(out.callee);
    if (caller) {
      out.caller = caller->shown_name();
      if (!is_own || callers_.at(find_callee(call)) > 1)
        out.object = make_printable(out.caller) + " → " + out.object;
    } else if (!by_functions_ && callers_.at(find_callee(call)) > 1) {
      out.object += ", at the root of the call tree";
    }
    return out;
  }

 private:
  static FunctionIndex find_callee(lattice::Element call) {
    return static_cast<FunctionIndex>(call & 0xffffffff);
  }

  const Plan& plan_;
  bool by_functions_;
  lattice::Set calls_;
  std::unordered_map<FunctionIndex, std::size_t> callers_;  // of each callee
  std::vector<std::uint64_t> times_;                        // by function
};

const char* name_location_type(std::uint64_t type) {
  switch (type) {
    case otf2_value::location_type_cpu: return "a thread of a processor";
    case otf2_value::location_type_accelerator: return "an accelerator stream";
    case otf2_value::location_type_metric: return "a location of metrics";
    default: return "a location of no known type";
  }
}

// What a process is, where it says nothing by its calls.
std::vector<ReasonAttribute> describe_process(const Plan& plan, const ComparedSet& set) {
  const auto& intent = plan.intents[plan.processes[set.members.front()].intent].set;
  std::vector<ReasonAttribute> out;
  out.push_back({ReasonTier::process, 1, "is", "is", name_location_type(intent.type), false});
  if (set.attributes.empty())
    out.push_back({ReasonTier::process, 0, "makes", "makes",
                   intent.pairs.empty() ? "no calls" : "only calls that are ignored", false});
  if (intent.pairs.empty())
    for (const auto& metric : intent.metrics)
      out.push_back({ReasonTier::process, 2, "records", "does not record", make_printable(metric)});
  return out;
}

// Rows of attributes, each once, and what the attributes are.
class ReasonRows {
 public:
  std::uint32_t add(ReasonAttribute attribute) {
    const auto key = std::tuple(attribute.tier, attribute.has, attribute.object, attribute.caller,
                                attribute.callee);
    const auto next = static_cast<std::uint32_t>(attributes_.size());
    const auto [at, is_new] = known_.try_emplace(key, next);
    if (is_new)
      attributes_.push_back(std::move(attribute));
    return at->second;
  }

  void add_row(std::size_t group, std::vector<std::uint32_t> row) {
    sort_and_unite(row);
    rows_.insert({group, std::move(row)});
  }

  // Numbers attributes in their order of preference.
  lattice::GroupedSets number(std::size_t groups) {
    std::vector<std::uint32_t> order(attributes_.size()), place(attributes_.size());
    for (std::uint32_t a = 0; a < order.size(); ++a)
      order[a] = a;
    std::sort(order.begin(), order.end(), [&](auto a, auto b) {
      return attributes_[a].sort_key() < attributes_[b].sort_key();
    });
    std::vector<ReasonAttribute> sorted;
    for (std::uint32_t k = 0; k < order.size(); ++k) {
      place[order[k]] = k;
      sorted.push_back(std::move(attributes_[order[k]]));
    }
    attributes_ = std::move(sorted);

    lattice::GroupedSets grouped;
    grouped.groups.resize(groups);
    for (const auto& attribute : attributes_)
      grouped.may_lack.push_back(attribute.may_be_lacked);
    for (const auto& [group, row] : rows_) {
      auto& set = grouped.sets.emplace_back();
      for (const auto a : row)
        set.push_back(place[a]);
      std::sort(set.begin(), set.end());
      grouped.groups[group].push_back(grouped.sets.size() - 1);
    }
    return grouped;
  }

  const ReasonAttribute& get(std::uint32_t attribute) const { return attributes_[attribute]; }

 private:
  std::vector<ReasonAttribute> attributes_;
  std::map<std::tuple<ReasonTier, std::string, std::string, std::string, std::string>,
           std::uint32_t>
      known_;
  std::set<std::pair<std::size_t, std::vector<std::uint32_t>>> rows_;  // by group
};

ReasonPart make_part(const ReasonAttribute& attribute, bool is_lacking) {
  return {is_lacking ? attribute.lacks : attribute.has, attribute.object, is_lacking,
          attribute.caller, attribute.callee};
}

std::vector<ReasonPart> make_parts(const ReasonRows& rows,
                                   const std::vector<lattice::Literal>& literals) {
  std::vector<ReasonPart> parts;
  for (const auto& [attribute, is_lacking] : literals) {
    auto part = make_part(rows.get(attribute), is_lacking);
    // A call may be an operation as well.
    const bool is_known = std::any_of(parts.begin(), parts.end(), [&](const auto& one) {
      return one.verb == part.verb && one.object == part.object;
    });
    if (!is_known)
      parts.push_back(std::move(part));
  }
  return parts;
}

// Where calls do, it says little that processes are of some type.
std::vector<lattice::Literal> leave_out_kinds(const ReasonRows& rows,
                                              std::vector<lattice::Literal> literals) {
  const auto is_kind = [&](const lattice::Literal& literal) {
    return rows.get(literal.attribute).tier == ReasonTier::process;
  };
  if (!std::all_of(literals.begin(), literals.end(), is_kind))
    std::erase_if(literals, is_kind);
  return literals;
}

// What some of the sets have, and others have not; calls only.
std::vector<ReasonPart> list_varying(const ReasonRows& rows, const lattice::GroupedSets& grouped,
                                     std::size_t group) {
  const auto& own = grouped.groups[group];
  std::map<std::uint32_t, std::size_t> having;
  for (const auto s : own)
    for (const auto a : grouped.sets[s])
      ++having[a];
  std::vector<ReasonPart> varying;
  for (const auto& [a, sets] : having)
    if (sets < own.size() && !rows.get(a).callee.empty())
      varying.push_back(make_part(rows.get(a), false));
  return varying;
}

ReasonRows make_rows(const Plan& plan, const ComparedProcesses& compared,
                     const SignatureFeatures& signature) {
  ReasonRows rows;
  const CallAttributes calls(plan, compared);
  std::unordered_map<lattice::Element, std::uint32_t> number_of;
  for (const auto call : calls.list())
    number_of[call] = rows.add(calls.describe(call));
  std::vector<std::uint32_t> number_of_feature;
  for (std::size_t f = 0; f < signature.features.size(); ++f) {
    const auto& feature = signature.features[f];
    number_of_feature.push_back(
        rows.add({ReasonTier::signature, f, feature.has, feature.lacks, feature.object,
                  feature.may_be_lacked, feature.caller, feature.callee}));
  }

  std::vector<std::vector<std::uint32_t>> of_sets;
  for (const auto& set : compared.sets) {
    auto& row = of_sets.emplace_back();
    for (const auto call : set.attributes)
      row.push_back(number_of.at(call));
    for (auto& attribute : describe_process(plan, set))
      row.push_back(rows.add(std::move(attribute)));
  }

  // Most members of a group are alike, and need to be looked at once only.
  for (std::size_t g = 0; g < plan.groups->size(); ++g) {
    std::set<std::pair<std::size_t, const std::vector<std::uint32_t>*>> seen;
    for (const auto member : (*plan.groups)[g].members) {
      const auto features = signature.of_process.find(member);
      const auto* own = features == signature.of_process.end() ? nullptr : &features->second;
      if (!own && !seen.insert({compared.set_of[member], nullptr}).second)
        continue;
      auto row = of_sets[compared.set_of[member]];
      if (own)
        for (const auto f : *own)
          row.push_back(number_of_feature[f]);
      rows.add_row(g, std::move(row));
    }
  }

  return rows;
}

// The average of the group's ranks; none where they have no messages.
std::optional<double> find_size(const Group& group, const SignatureFeatures& signature) {
  double sum = 0;
  std::size_t ranks = 0;
  for (const auto member : group.members)
    if (const auto at = signature.bytes_per_message.find(member);
        at != signature.bytes_per_message.end()) {
      sum += at->second;
      ++ranks;
    }
  return ranks == 0 ? std::nullopt : std::optional(sum / static_cast<double>(ranks));
}

std::string show_size(double bytes) {
  return format_bytes(static_cast<std::uint64_t>(bytes + 0.5));
}

// What is left to tell clusters apart: near sizes, or an order.
std::string find_distinguishing_operations(const Plan& plan, std::size_t group,
                                           const GroupReason& reason,
                                           const SignatureFeatures& signature) {
  const auto& groups = *plan.groups;
  if (!groups[group].clusters)
    return {};
  const auto own = find_size(groups[group], signature);
  for (const auto other : reason.alike)
    if (const auto size = find_size(groups[other], signature);
        own && size && show_size(*own) != show_size(*size))
      return fmt::format("messages of {} on average, not {}", show_size(*own), show_size(*size));
  return plan.comparison.signature.keep_order ? "the order of operations" : "partners";
}

}  // namespace

std::vector<GroupReason> explain_groups(const Plan& plan, const Communication* communication) {
  const auto compared = compare_processes(plan, plan.comparison);
  SignatureFeatures signature;
  if (communication && plan.comparison.by == CompareBy::signature) {
    std::set<std::string> ignored;
    for (const auto function : plan.ignored)
      ignored.insert(plan.functions[function].name);
    signature = list_signature_features(*communication, plan.comparison.signature, ignored);
  }

  auto rows = make_rows(plan, compared, signature);
  const auto grouped = rows.number(plan.groups->size());
  const auto found = lattice::distinguish(grouped);

  std::vector<GroupReason> reasons;
  for (std::size_t g = 0; g < found.size(); ++g) {
    auto& reason = reasons.emplace_back();
    reason.fewest = make_parts(rows, found[g].fewest);
    reason.is_proven = found[g].is_proven;
    reason.alone = make_parts(rows, leave_out_kinds(rows, found[g].alone));
    reason.others = make_parts(rows, found[g].others);
    reason.alike = found[g].alike;
    if (!reason.alike.empty())
      reason.apart_by = find_distinguishing_operations(plan, g, reason, signature);
    const auto& group = (*plan.groups)[g];
    if (!group.merged.empty()) {
      reason.kinds = group.merged.size();
      reason.varying = list_varying(rows, grouped, g);
    }
  }

  return reasons;
}

namespace {

using CallName = std::pair<std::string, std::string>;  // caller, callee; whole names

template <class Visit>
void visit_calls(std::vector<GroupReason>& reasons, Visit visit) {
  for (std::size_t g = 0; g < reasons.size(); ++g)
    for (auto* parts :
         {&reasons[g].fewest, &reasons[g].alone, &reasons[g].others, &reasons[g].varying})
      for (auto& part : *parts)
        if (!part.callee.empty())
          visit(g, part);
}

constexpr std::uint32_t no_call = 0xffffffff;

// For each call path the number of the call that it ends with, where that is asked for and the path
// leads through no other such call; else no_call.
std::vector<std::uint32_t> find_outermost(const Plan& plan, const CallPathProfiles& calls,
                                          const std::map<CallName, std::uint32_t>& asked,
                                          bool by_functions) {
  std::vector<std::uint32_t> numbers, outermost;
  std::map<std::pair<FunctionIndex, FunctionIndex>, std::uint32_t> known;
  for (PathIndex p = 0; p < calls.paths.size(); ++p) {
    const auto& path = calls.paths[p];
    const auto caller =
        by_functions || path.caller == no_path ? virtual_root : calls.paths[path.caller].function;
    const auto [at, is_new] = known.try_emplace({caller, path.function}, no_call);
    if (is_new) {
      const auto found =
          asked.find({caller == virtual_root ? "" : plan.functions[caller].shown_name(),
                      plan.functions[path.function].shown_name()});
      if (found != asked.end())
        at->second = found->second;
    }
    numbers.push_back(at->second);

    auto above = path.caller;
    while (above != no_path && numbers[above] != at->second)
      above = calls.paths[above].caller;
    outermost.push_back(above == no_path ? at->second : no_call);
  }
  return outermost;
}

// Ticks that processes spend in calls, and altogether; of those that make the calls.
struct CallTime {
  double in_call = 0, all = 0;

  CallTime& operator+=(const CallTime& other) {
    in_call += other.in_call;
    all += other.all;
    return *this;
  }
};

}  // namespace

void add_shares(std::vector<GroupReason>& reasons, const Plan& plan,
                const CallPathProfiles& calls) {
  const auto time = calls.columns.find(Metric::execution_time);
  if (!time)
    return;
  std::map<CallName, std::uint32_t> asked;
  visit_calls(reasons, [&](std::size_t, const ReasonPart& part) {
    asked.try_emplace({part.caller, part.callee}, static_cast<std::uint32_t>(asked.size()));
  });
  const auto outermost =
      find_outermost(plan, calls, asked, plan.comparison.by == CompareBy::functions);

  std::vector<std::unordered_map<std::uint32_t, CallTime>> of_group(reasons.size());
  std::vector<CallTime> of_all(asked.size());
  for (std::size_t g = 0; g < reasons.size(); ++g)
    for (const auto member : (*plan.groups)[g].members) {
      if (member >= calls.processes.size())
        continue;
      const auto weight = static_cast<double>(plan.processes[member].weight);
      const auto sums = sum_with_callees(calls, member, *time);
      const auto& shape = calls.shape(member);
      double all = 0;
      std::map<std::uint32_t, double> own;
      for (std::size_t k = 0; k < sums.size(); ++k) {
        if (shape.callers[k] == no_path)
          all += static_cast<double>(sums[k]);
        if (const auto call = outermost[shape.paths[k]]; call != no_call)
          own[call] += static_cast<double>(sums[k]);
      }
      for (const auto& [call, ticks] : own) {
        const CallTime one{weight * ticks, weight * all};
        of_group[g][call] += one;
        of_all[call] += one;
      }
    }

  visit_calls(reasons, [&](std::size_t g, ReasonPart& part) {
    const auto call = asked.at({part.caller, part.callee});
    const auto& sum = part.is_lacking ? of_all[call] : of_group[g][call];
    if (sum.all > 0)
      part.share = sum.in_call / sum.all;
  });
}

}  // namespace tracefold
