#include "pipeline/expand/call_template.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "pipeline/events/call_path_cursor.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/iterations/collapse.hpp"
#include "pipeline/iterations/collapsed_iteration.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace tracefold {

namespace {

constexpr std::uint64_t make_key(std::uint32_t caller, std::uint32_t name) {
  return std::uint64_t{caller} << 32 | name;
}

// Takes the calls of a location, balanced.
class StepCollector {
 public:
  struct Item {
    std::uint64_t time;
    std::uint64_t region;
    FunctionIndex function;
    std::uint32_t depth;  // calls around this one
    bool is_enter;
  };

  explicit StepCollector(std::size_t most) : most_(most) {}

  void enter(const CallBegin& call, std::span<const Attribute>) {
    add({call.time, call.region, call.function, static_cast<std::uint32_t>(open_.size()), true});
    open_.push_back(items_.size() - 1);
  }
  void leave(const CallEnd& call, std::span<const Attribute>) {
    const auto entered = items_[open_.back()];
    open_.pop_back();
    add({call.time, entered.region, entered.function, static_cast<std::uint32_t>(open_.size()),
         false});
  }
  void other(Event&) {}
  void unknown(std::uint64_t) {}

  const std::vector<Item>& items() const { return items_; }

 private:
  void add(const Item& item) {
    if (items_.size() == most_)
      throw Error(ErrorKind::input, "its calls need more memory than there is")
          .hint("raise `memory`");
    items_.push_back(item);
  }

  std::size_t most_;
  std::vector<Item> items_;
  std::vector<std::size_t> open_;
};

using Item = StepCollector::Item;

// Where the iteration is that a stand-in names.
std::optional<Interval> find_iteration(std::string_view stand_in, const ProcessLoops* loops) {
  const auto found = find_collapsed_iteration(stand_in);
  if (!loops || !found || found->loop >= loops->loops.size())
    return std::nullopt;

  const auto& iterations = loops->loops[found->loop].iterations;
  if (found->iteration >= iterations.size())
    return std::nullopt;
  return iterations[found->iteration];
}

struct ItemRange {
  std::size_t first = 0, last = 0;
};

// Puts kept iterations where their stand-ins are.
class Unfolding {
 public:
  Unfolding(const std::vector<Item>& items, const FunctionTable& functions,
            const ProcessLoops* loops, std::size_t most)
      : items_(items), functions_(functions), loops_(loops), most_(most) {}

  std::vector<Item> unfold() {
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const bool is_whole_collapsed = is_collapsed_item(items_[i]) && items_[i].is_enter &&
                                      i + 1 < items_.size() && !items_[i + 1].is_enter;
      const auto range =
          is_whole_collapsed ? find_kept(items_[i], find_name(items_[i])) : std::nullopt;
      if (!range) {
        left_folded_ += is_collapsed_item(items_[i]) && items_[i].is_enter;
        add(items_[i]);
        continue;
      }

      put(*range, items_[i].time, items_[i + 1].time);
      ++i;  // its Leave
    }
    return std::move(out_);
  }

  std::uint64_t left_folded() const { return left_folded_; }

 private:
  const std::string& find_name(const Item& item) const {
    return functions_.functions()[item.function].name;
  }
  bool is_collapsed_item(const Item& item) const { return is_collapsed_iteration(find_name(item)); }

  // The whole calls in the depth of a stand-in that the kept iteration has.
  std::optional<ItemRange> find_kept(const Item& stand_in, const std::string& name) {
    const auto known = known_.find(name);
    if (known != known_.end())
      return known->second;

    std::optional<ItemRange> found;
    if (const auto interval = find_iteration(name, loops_))
      found = find_calls(*interval, stand_in.depth);
    known_.emplace(name, found);
    return found;
  }

  std::optional<ItemRange> find_calls(const Interval& interval, std::uint32_t depth) const {
    auto at = static_cast<std::size_t>(
        std::lower_bound(items_.begin(), items_.end(), interval.begin,
                         [](const Item& item, std::uint64_t time) { return item.time < time; }) -
        items_.begin());
    const auto begins_call = [&](const Item& item) { return item.is_enter && item.depth == depth; };
    while (at < items_.size() && !begins_call(items_[at]) && items_[at].time <= interval.end)
      ++at;
    if (at == items_.size() || !begins_call(items_[at]))
      return std::nullopt;

    ItemRange range{at, at};
    for (; at < items_.size() && items_[at].depth >= depth; ++at) {
      if (is_collapsed_item(items_[at]) ||
          (begins_call(items_[at]) && items_[at].time >= interval.end))
        break;
      if (!items_[at].is_enter && items_[at].depth == depth)
        range.last = at + 1;
    }
    if (range.last <= range.first)
      return std::nullopt;
    return range;
  }

  // Times of the range are moved to those of the stand-in.
  void put(const ItemRange& range, std::uint64_t begin, std::uint64_t end) {
    const auto first = items_[range.first].time;
    const auto length = items_[range.last - 1].time - first;
    const auto scale =
        length == 0 ? 0.0 : static_cast<double>(end - begin) / static_cast<double>(length);
    for (auto i = range.first; i < range.last; ++i) {
      auto item = items_[i];
      const auto moved = scale * static_cast<double>(item.time - first);
      item.time = begin + std::min(static_cast<std::uint64_t>(moved), end - begin);
      add(item);
    }
  }

  void add(const Item& item) {
    if (out_.size() == most_)
      throw Error(ErrorKind::input, "its iterations, unfolded, need more memory than there is")
          .hint("raise `memory`");
    out_.push_back(item);
  }

  const std::vector<Item>& items_;
  const FunctionTable& functions_;
  const ProcessLoops* loops_;
  std::size_t most_;
  std::unordered_map<std::string, std::optional<ItemRange>> known_;  // by name of the stand-in
  std::vector<Item> out_;
  std::uint64_t left_folded_ = 0;
};

struct Completion {
  Completes completes = Completes::none;
  bool polls = false;
  bool ends_program = false;
};

// What a call of MPI completes, as its name says.
Completion find_completion(std::string_view function) {
  const auto name = to_lower(function);
  if (name.starts_with("mpi_waitall"))
    return {Completes::all};
  if (name.starts_with("mpi_finalize"))
    return {.completes = Completes::all, .ends_program = true};
  if (name.starts_with("mpi_wait"))
    return {Completes::one};
  if (name.starts_with("mpi_testall"))
    return {Completes::all, true};
  if (name.starts_with("mpi_test") && !name.starts_with("mpi_test_cancelled"))
    return {Completes::one, true};
  return {};
}

class CallFinder {
 public:
  CallFinder(const FunctionTable& functions, const NamedPaths& paths, CallTemplate& out)
      : functions_(functions), paths_(paths), out_(out) {
    for (const auto& function : functions.functions())
      completions_.push_back(function.paradigm == otf2_value::paradigm_mpi
                                 ? find_completion(function.name)
                                 : Completion{});
    out_.paths.resize(paths.size());
  }

  void find(const std::vector<Item>& items) {
    for (std::uint32_t i = 0; i < items.size(); ++i)
      if (items[i].is_enter)
        enter(items[i], i);
      else
        leave(items[i], i);
    out_.tree.assign(tree_.paths().begin(), tree_.paths().end());
  }

 private:
  static constexpr std::size_t no_call = ~std::size_t{0};
  struct Open {
    std::uint32_t path;
    std::size_t call;  // in out_.calls; of one in parts, the part that was begun last
    bool is_mpi;
    bool has_parts;
    bool is_in_part;
  };

  TemplateCall& add_call(std::uint32_t step, std::uint32_t path) {
    out_.calls.push_back({step, step, path});
    return out_.calls.back();
  }

  void enter(const Item& item, std::uint32_t step) {
    count_own(item);
    const auto caller = open_.empty() ? 0 : open_.back().path;
    const auto path =
        caller == NamedPaths::none ? NamedPaths::none : paths_.find(caller, item.function);
    const auto& function = functions_.functions()[item.function];
    const bool is_mpi = function.paradigm == otf2_value::paradigm_mpi && mpi_depth_ == 0;
    const bool may_have = path != NamedPaths::none && paths_.has_operations(path);
    const bool has_parts = may_have && !is_mpi && mpi_depth_ == 0 && paths_.has_messages(path);

    const auto place = tree_.enter(item.function);
    auto call = no_call;
    if (is_mpi || may_have) {
      end_part(step);
      call = out_.calls.size();
      auto& made = add_call(step, path);
      made.is_mpi = is_mpi;
      made.part = has_parts ? CallPart::only : CallPart::whole;
      if (is_mpi) {
        made.mpi_path = number_mpi_path(place);
        set_completion(made, completions_[item.function]);
      }
    }
    if (is_mpi && path != NamedPaths::none) {
      auto& known = out_.paths[path];
      known.gap += left_mpi_ ? item.time - outside_since_ : 0;
      ++known.calls;
    }
    open_.push_back({path, call, is_mpi, has_parts, has_parts});
    if (has_parts)
      in_parts_.push_back(open_.size() - 1);
    if (is_mpi)
      mpi_depth_ = open_.size();
    entered_.push_back(item.time);
  }

  std::uint32_t number_mpi_path(PathIndex path) {
    const auto next = static_cast<std::uint32_t>(out_.mpi_paths.size());
    const auto [at, is_new] = mpi_path_numbers_.try_emplace(path, next);
    if (is_new)
      out_.mpi_paths.push_back({path});
    return at->second;
  }

  // A test that is not followed by another one has found what it looked for; others have not.
  void set_completion(TemplateCall& call, const Completion& completion) {
    if (completion.polls && last_poll_ != no_call)
      out_.calls[last_poll_].completes = Completes::none;
    last_poll_ = completion.polls ? out_.calls.size() - 1 : no_call;
    call.completes = completion.completes;
    out_.has_waits |= completion.completes != Completes::none && !completion.ends_program;
  }

  void leave(const Item& item, std::uint32_t step) {
    count_own(item);
    const auto [path, call, is_mpi, has_parts, is_in_part] = open_.back();
    const auto entered = entered_.back();
    open_.pop_back();
    if (has_parts)
      in_parts_.pop_back();
    entered_.pop_back();

    tree_.leave();
    if (call != no_call)
      out_.calls[call].leave = step;
    if (!open_.empty() && open_.back().has_parts && !open_.back().is_in_part)
      begin_part(step);
    if (!is_mpi)
      return;
    auto& all = out_.mpi_paths[out_.calls[call].mpi_path];
    all.ticks += item.time - entered;
    ++all.calls;
    mpi_depth_ = 0;
    left_mpi_ = true;
    outside_since_ = item.time;
    if (path != NamedPaths::none)
      out_.paths[path].shortest = std::min(out_.paths[path].shortest, item.time - entered);
  }

  // Time goes on to this item.
  void count_own(const Item& item) {
    if (!open_.empty() && open_.back().has_parts)
      out_.calls[open_.back().call].own += item.time - counted_until_;
    counted_until_ = item.time;
  }

  // A template call begins inside of one that may be there in parts.
  void end_part(std::uint32_t step) {
    if (in_parts_.empty() || !open_[in_parts_.back()].is_in_part)
      return;
    auto& around = open_[in_parts_.back()];
    around.is_in_part = false;
    auto& ended = out_.calls[around.call];
    ended.leave = step;
    ended.part = ended.part == CallPart::only ? CallPart::first : CallPart::middle;
  }

  // It goes on when the calls inside of it have ended.
  void begin_part(std::uint32_t step) {
    auto& around = open_.back();
    around.is_in_part = true;
    around.call = out_.calls.size();
    add_call(step, around.path).part = CallPart::last;
  }

  const FunctionTable& functions_;
  const NamedPaths& paths_;
  CallTemplate& out_;
  CallPathCursor tree_;
  std::unordered_map<PathIndex, std::uint32_t> mpi_path_numbers_;
  std::vector<Completion> completions_;  // by function
  std::size_t last_poll_ = no_call;      // where the last call of MPI was a test
  std::vector<Open> open_;
  std::vector<std::size_t> in_parts_;  // places in open_ of those that have parts
  std::uint64_t counted_until_ = 0;
  std::vector<std::uint64_t> entered_;
  std::size_t mpi_depth_ = 0;
  bool left_mpi_ = false;
  std::uint64_t outside_since_ = 0;
};

}  // namespace

NamedPaths::NamedPaths(const Messages& messages, const FunctionTable& functions) {
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  for (std::uint32_t n = 0; n < messages.names.size(); ++n)
    numbers.try_emplace(messages.names[n], n);
  for (const auto& function : functions.functions()) {
    const auto at = numbers.find(function.name);
    names_.push_back(at == numbers.end() ? none : at->second);
  }

  for (std::uint32_t p = 1; p < messages.paths.size(); ++p) {
    const auto [caller, name] = messages.paths[p];
    paths_.try_emplace(make_key(caller, numbers.at(messages.names[name])), p);
  }

  has_operations_.resize(messages.paths.size());
  has_messages_.resize(messages.paths.size());
  for (const auto& operation : messages.operations) {
    has_operations_[operation.path] = true;
    if (list_record_parameters(operation.kind).empty())
      has_messages_[operation.path] = true;
  }
}

std::uint32_t NamedPaths::find(std::uint32_t caller, FunctionIndex function) const {
  const auto name = names_[function];
  if (name == none)
    return none;
  const auto at = paths_.find(make_key(caller, name));
  return at == paths_.end() ? none : at->second;
}

CallTemplate read_template(EventReader& reader, std::uint64_t location,
                           const FunctionTable& functions, const NamedPaths& paths,
                           const ProcessLoops* loops, std::size_t most_steps) {
  StepCollector collector(most_steps);
  read_calls(reader, location, functions, collector);
  Unfolding unfolding(collector.items(), functions, loops, most_steps);
  const auto items = unfolding.unfold();

  CallTemplate out;
  out.left_folded = unfolding.left_folded();
  out.steps.reserve(items.size());
  for (const auto& item : items)
    out.steps.push_back({item.time, static_cast<std::uint32_t>(item.region), item.is_enter});

  CallFinder(functions, paths, out).find(items);
  return out;
}

}  // namespace tracefold
