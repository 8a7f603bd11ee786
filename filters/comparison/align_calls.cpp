#include "filters/comparison/align_calls.hpp"

#include "filters/comparison/align_sequences.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tracefold {

namespace {

RunFunctions list_called_functions(const AlignedSide& side) {
  RunFunctions out{&side.functions, std::vector<bool>(side.functions.size())};
  for (const auto& call : side.tree.calls)
    out.is_called[call.function] = true;
  return out;
}

// A call in both processes, whose calls are to be aligned.
struct AlignedPair {
  std::uint32_t a = not_a_call, b = not_a_call;  // not_a_call: the outermost calls are looked at
  std::size_t on_loop_path = 0;                  // calls of the loop's path down to this one, or 0
  bool is_on_path = true;
  std::optional<std::size_t> iteration;
};

class CallAligner {
 public:
  CallAligner(const AlignedSide& a, const AlignedSide& b, CallPartners* partners)
      : sides_{&a, &b},
        partners_(partners),
        names_(match_functions({list_called_functions(a), list_called_functions(b)})) {
    has_loop_ = has_same_loop();
    if (partners_) {
      partners_->a.resize(a.tree.calls.size());
      partners_->b.resize(b.tree.calls.size());
    }
  }

  CallAlignment align() {
    out_.calls_a = sides_[0]->tree.all_calls;
    out_.calls_b = sides_[1]->tree.all_calls;
    for (const auto* side : sides_) {
      if (const auto depth = side->tree.least_depth)
        out_.least_depth = std::min(out_.least_depth.value_or(*depth), *depth);
      out_.has_end = out_.has_end && side->tree.has_end;
    }
    if (has_loop_) {
      out_.iterations_a = sides_[0]->tree.loop->iterations.size();
      out_.iterations_b = sides_[1]->tree.loop->iterations.size();
    }

    std::vector<AlignedPair> left{AlignedPair{}};
    while (!left.empty()) {
      const auto pair = left.back();
      left.pop_back();
      align_level(pair, left);
    }
    std::sort(out_.costly.begin(), out_.costly.end(), is_costlier);
    return std::move(out_);
  }

 private:
  using Calls = std::vector<std::uint32_t>;

  const CallNode& get(std::size_t r, std::uint32_t call) const {
    return sides_[r]->tree.calls[call];
  }
  ClassIndex find_class(std::size_t r, std::uint32_t call) const {
    return names_.class_of[r][get(r, call).function];
  }
  double to_time(std::size_t r, std::uint64_t ticks) const {
    return static_cast<double>(ticks) * sides_[r]->seconds_per_tick;
  }
  // Deeper calls than the other tree has count for those around them.
  bool is_looked_at(const CallNode& call) const {
    return !out_.least_depth || call.depth < *out_.least_depth;
  }

  bool has_same_loop() const {
    const auto& a = sides_[0]->tree.loop;
    const auto& b = sides_[1]->tree.loop;
    if (!a || !b || a->path.size() != b->path.size())
      return false;
    const auto is_same = [&](FunctionIndex x, FunctionIndex y) {
      return x < sides_[0]->functions.size() && y < sides_[1]->functions.size() &&
             names_.class_of[0][x] != no_class && names_.class_of[0][x] == names_.class_of[1][y];
    };
    return is_same(a->function, b->function) &&
           std::equal(a->path.begin(), a->path.end(), b->path.begin(), is_same);
  }

  // The calls that a call makes itself.
  Calls list_calls(std::size_t r, std::uint32_t of) const {
    const auto& calls = sides_[r]->tree.calls;
    Calls out;
    const auto end = of == not_a_call ? static_cast<std::uint32_t>(calls.size()) : calls[of].end;
    for (auto k = of == not_a_call ? 0 : of + 1; k < end; k = calls[k].end)
      if (is_looked_at(calls[k]))
        out.push_back(k);
    return out;
  }

  void align_level(const AlignedPair& pair, std::vector<AlignedPair>& left) {
    const auto a = list_calls(0, pair.a), b = list_calls(1, pair.b);
    const bool is_loop_level =
        has_loop_ && pair.is_on_path && pair.on_loop_path == sides_[0]->tree.loop->path.size();
    if (!is_loop_level) {
      align_calls_of(a, b, pair, pair.iteration, left);
      return;
    }

    const auto of_a = split(0, a), of_b = split(1, b);
    const auto iterations = std::max(of_a.size(), of_b.size()) - 2;
    const auto take = [](const std::vector<Calls>& parts, std::size_t part) {
      return part + 1 < parts.size() ? parts[part] : Calls();
    };
    align_calls_of(of_a.front(), of_b.front(), pair, std::nullopt, left);
    for (std::size_t k = 0; k < iterations; ++k)
      align_calls_of(take(of_a, k + 1), take(of_b, k + 1), pair, k, left);
    align_calls_of(of_a.back(), of_b.back(), pair, std::nullopt, left);
  }

  // What is before the loop, in each of its iterations, and behind it.
  std::vector<Calls> split(std::size_t r, const Calls& calls) const {
    const auto& iterations = sides_[r]->tree.loop->iterations;
    std::vector<Calls> parts(iterations.size() + 2);
    for (auto call : calls) {
      const auto begin = get(r, call).begin;
      if (begin >= iterations.back().end) {
        parts.back().push_back(call);
        continue;
      }
      const auto after = std::upper_bound(
          iterations.begin(), iterations.end(), begin,
          [](std::uint64_t time, const Interval& iteration) { return time < iteration.begin; });
      parts[static_cast<std::size_t>(after - iterations.begin())].push_back(call);
    }
    return parts;
  }

  void align_calls_of(const Calls& a, const Calls& b, const AlignedPair& around,
                      std::optional<std::size_t> iteration, std::vector<AlignedPair>& left) {
    if (a.empty() && b.empty())
      return;
    std::array<std::vector<std::uint32_t>, 2> classes;
    for (auto call : a)
      classes[0].push_back(find_class(0, call));
    for (auto call : b)
      classes[1].push_back(find_class(1, call));
    const auto found = align_sequences(classes[0], classes[1]);
    out_.cut_sequences += found.is_cut;

    std::size_t i = 0, k = 0;
    for (const auto& [x, y] : found.common) {
      add_gap(a, i, x, b, k, y, iteration);
      add_pair(a[x], b[y], around, iteration, left);
      i = x + 1;
      k = y + 1;
    }
    add_gap(a, i, a.size(), b, k, b.size(), iteration);
  }

  std::uint64_t find_own_ticks(std::size_t r, std::uint32_t call) const {
    const auto& node = get(r, call);
    auto own = node.inclusive;
    for (auto callee : list_calls(r, call))
      own -= std::min(own, get(r, callee).inclusive);
    return own;
  }

  void add_pair(std::uint32_t a, std::uint32_t b, const AlignedPair& around,
                std::optional<std::size_t> iteration, std::vector<AlignedPair>& left) {
    AlignedPair pair{a, b, around.on_loop_path, false, iteration};
    if (has_loop_ && around.is_on_path) {
      const auto& path = sides_[0]->tree.loop->path;
      pair.is_on_path =
          around.on_loop_path < path.size() && path[around.on_loop_path] == get(0, a).function;
      pair.on_loop_path += pair.is_on_path;
    }
    if (around.a == not_a_call) {
      out_.time_a += to_time(0, get(0, a).inclusive);
      out_.time_b += to_time(1, get(1, b).inclusive);
    }
    tell(CallChange::same, a, b, to_time(0, find_own_ticks(0, a)), to_time(1, find_own_ticks(1, b)),
         iteration, out_.same);
    left.push_back(pair);
  }

  // Calls between two that both processes have: one for one, they are changed.
  void add_gap(const Calls& a, std::size_t i, std::size_t end_a, const Calls& b, std::size_t k,
               std::size_t end_b, std::optional<std::size_t> iteration) {
    const auto take = [&](std::size_t r, std::uint32_t call) {
      const auto& node = get(r, call);
      const auto time = to_time(r, node.inclusive);
      if (node.caller == not_a_call)
        (r == 0 ? out_.time_a : out_.time_b) += time;
      return time;
    };
    for (; i < end_a && k < end_b; ++i, ++k)
      tell(CallChange::changed, a[i], b[k], take(0, a[i]), take(1, b[k]), iteration, out_.changed);
    for (; i < end_a; ++i)
      tell(CallChange::deleted, a[i], not_a_call, take(0, a[i]), 0, iteration, out_.deleted);
    for (; k < end_b; ++k)
      tell(CallChange::inserted, not_a_call, b[k], 0, take(1, b[k]), iteration, out_.inserted);
  }

  static bool is_costlier(const AlignedCall& x, const AlignedCall& y) {
    return x.cost() != y.cost() ? x.cost() > y.cost() : x.number < y.number;
  }

  void tell(CallChange change, std::uint32_t a, std::uint32_t b, double time_a, double time_b,
            std::optional<std::size_t> iteration, ChangedCalls& sum) {
    if (partners_ && a != not_a_call)
      partners_->a[a] = {change, b, time_a, time_b};
    if (partners_ && b != not_a_call)
      partners_->b[b] = {change, a, time_b, time_a};
    ++sum.calls;
    sum.a += time_a;
    sum.b += time_b;
    const auto r = a == not_a_call ? 1u : 0u;
    AlignedCall one{change, {}, {}, iteration, r == 0 ? a : b, time_a, time_b};
    const bool has_room = out_.costly.size() < most_costly_calls;
    if (one.cost() <= 0 || (!has_room && !is_costlier(one, out_.costly.back())))
      return;

    one.path = name_path(r, r == 0 ? a : b);
    if (change == CallChange::changed)
      one.function_in_b = sides_[1]->functions[get(1, b).function].name;
    if (!has_room)
      out_.costly.pop_back();
    out_.costly.insert(std::upper_bound(out_.costly.begin(), out_.costly.end(), one, is_costlier),
                       one);
  }

  std::string name_path(std::size_t r, std::uint32_t call) const {
    std::string path;
    for (auto k = call; k != not_a_call; k = get(r, k).caller)
      path = sides_[r]->functions[get(r, k).function].name + (path.empty() ? "" : " > ") + path;
    return path;
  }

  std::array<const AlignedSide*, 2> sides_;
  CallPartners* partners_;
  FunctionClasses names_;
  bool has_loop_ = false;
  CallAlignment out_;
};

}  // namespace

CallAlignment align_calls(const AlignedSide& a, const AlignedSide& b, CallPartners* partners) {
  return CallAligner(a, b, partners).align();
}

}  // namespace tracefold
