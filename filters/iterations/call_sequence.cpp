#include "filters/iterations/call_sequence.hpp"

#include "filters/iterations/loop_markers.hpp"
#include "filters/iterations/repeated_calls.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

using Neighbours = std::pair<std::uint32_t, std::uint32_t>;
using Symbols = std::vector<std::uint32_t>;

constexpr std::size_t fewest_of_an_alternative = 2;
constexpr std::size_t fewest_of_a_loop = 4;
constexpr double fixed = 0.75;  // share of the usual next symbol in a fixed order

// By symbol the first one of those that always have the same neighbours as it.
Symbols find_same_place(const Symbols& sequence, std::size_t symbols) {
  struct Place {
    Neighbours neighbours{any_symbol, any_symbol};
    std::size_t times = 0;
    bool same = true;
  };

  std::vector<Place> places(symbols);

  for (std::size_t k = 0; k < sequence.size(); ++k) {
    const Neighbours now{k ? sequence[k - 1] : any_symbol,
                         k + 1 < sequence.size() ? sequence[k + 1] : any_symbol};
    auto& place = places[sequence[k]];
    if (place.times++ == 0)
      place.neighbours = now;
    place.same &= place.neighbours == now && now.first != any_symbol && now.second != any_symbol;
  }

  std::map<Neighbours, std::uint32_t> first;
  Symbols out(symbols);
  for (std::uint32_t s = 0; s < symbols; ++s) {
    const bool again = places[s].same && places[s].times >= fewest_of_an_alternative;
    out[s] = again ? first.try_emplace(places[s].neighbours, s).first->second : s;
  }

  return out;
}

// By symbol whether the next symbol in the same place is mostly the same one: then these are
// the steps of a program, with barriers between them, or the body of an inner loop, and not
// alternatives.
std::vector<bool> find_fixed_order(const Symbols& sequence, const Symbols& place) {
  struct Next {
    std::size_t all = 0, most = 0;
  };
  struct Follower {
    std::uint32_t symbol = any_symbol;
    std::size_t* times = nullptr;  // how often it has followed
  };
  Symbols last(place.size(), any_symbol);  // by place
  std::vector<Next> next(place.size());
  std::unordered_map<std::uint64_t, std::size_t> times;
  std::vector<Follower> recent(place.size());  // by symbol: the one that followed last

  for (auto s : sequence) {
    auto& before = last[place[s]];
    if (before != any_symbol) {
      auto& follower = recent[before];
      if (follower.symbol != s)
        follower = {s, &times[std::uint64_t{before} << 32 | s]};

      auto& of = next[before];
      ++of.all;
      of.most = std::max(of.most, ++*follower.times);
    }

    before = s;
  }

  std::vector<bool> out;
  out.reserve(next.size());
  for (const auto& of : next)
    out.push_back(static_cast<double>(of.most) >= fixed * static_cast<double>(of.all));

  return out;
}

// By symbol whether all of its calls are before those of all others in its place, or behind them,
// again and again: then another loop makes them.
std::vector<bool> find_runs_at_ends(const Symbols& sequence, const Symbols& place) {
  struct Run {
    std::uint32_t symbol = any_symbol;
    std::size_t times = 0;
  };
  std::vector<Run> first(place.size()), last(place.size());           // by place
  std::vector<std::size_t> in_place(place.size()), of(place.size());  // calls: by place, by symbol
  for (auto s : sequence) {
    ++of[s];
    auto& run = last[place[s]];
    run = {s, run.symbol == s ? run.times + 1 : 1};
    if (run.times == ++in_place[place[s]])
      first[place[s]] = run;
  }

  std::vector<bool> out(place.size());
  for (const auto* runs : {&first, &last})
    for (const auto& run : *runs)
      if (run.times >= fewest_of_a_loop && run.times == of[run.symbol])
        out[run.symbol] = true;

  return out;
}

// The first of its place for each symbol, without those that another loop calls.
Symbols leave_out(const std::vector<bool>& of_another_loop, const Symbols& place) {
  Symbols first(place.size(), any_symbol), out(place.size());
  for (std::uint32_t s = 0; s < place.size(); ++s) {
    auto& stays = first[place[s]];
    if (!of_another_loop[s] && stays == any_symbol)
      stays = s;
    out[s] = of_another_loop[s] ? s : stays;
  }

  return out;
}

// By symbol the first one of its alternatives.
Symbols find_alternatives(const Symbols& sequence, std::size_t symbols) {
  auto first = find_same_place(sequence, symbols);
  first = leave_out(find_runs_at_ends(sequence, first), first);
  const auto fixed_order = find_fixed_order(sequence, first);
  std::vector<std::size_t> members(symbols), free(symbols);
  for (std::uint32_t s = 0; s < symbols; ++s) {
    ++members[first[s]];
    free[first[s]] += !fixed_order[s];
  }

  for (std::uint32_t s = 0; s < symbols; ++s)
    if (2 * free[first[s]] <= members[first[s]])
      first[s] = s;

  return first;
}

}  // namespace

CallSequence::CallSequence(std::span<const Call> all, CallKey key) : calls(all) {
  const auto make_key = [key](const Call& call) {
    return std::uint64_t{call.function} << 32 | (key == CallKey::function ? 0 : call.partner);
  };
  std::vector<std::uint64_t> keys;
  keys.reserve(all.size());
  for (const auto& call : all)
    keys.push_back(make_key(call));

  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  functions.reserve(keys.size());
  for (auto known : keys)
    functions.push_back(static_cast<FunctionIndex>(known >> 32));

  symbol.reserve(all.size());
  for (const auto& call : all)
    symbol.push_back(static_cast<std::uint32_t>(
        std::lower_bound(keys.begin(), keys.end(), make_key(call)) - keys.begin()));

  if (key == CallKey::place)
    number_places();
  measure_work();

  const auto stands_for = find_alternatives(symbol, functions.size());
  alternatives.assign(functions.size(), false);
  for (std::uint32_t s = 0; s < functions.size(); ++s)
    if (stands_for[s] != s)
      alternatives[stands_for[s]] = true;

  for (auto& s : symbol)
    s = stands_for[s];

  number_pairs();
}

void CallSequence::number_places() {
  const auto repeated = find_repeated_calls(calls, symbol);
  if (repeated.times < fewest_iterations)
    return;

  first_place = static_cast<std::uint32_t>(functions.size());
  functions.resize(first_place + repeated.length);
  for (std::size_t k = 0; k < symbol.size(); ++k)
    if (repeated.place[k] != no_place) {
      symbol[k] = first_place + repeated.place[k];
      functions[symbol[k]] = calls[k].function;
    }
}

void CallSequence::number_pairs() {
  struct Pair {
    std::uint32_t symbol = any_symbol, number = 0;
  };
  std::vector<Pair> last(functions.size());  // by symbol: with which one it was followed last
  std::unordered_map<std::uint64_t, std::uint32_t> known;

  pair.assign(symbol.size(), 0);
  for (std::size_t k = 1; k < symbol.size(); ++k) {
    auto& recent = last[symbol[k - 1]];
    if (recent.symbol != symbol[k]) {
      const auto next = static_cast<std::uint32_t>(known.size() + 1);
      const auto key = std::uint64_t{symbol[k - 1]} << 32 | symbol[k];
      recent = {symbol[k], known.try_emplace(key, next).first->second};
    }
    pair[k] = recent.number;
  }

  pairs += known.size();
}

void CallSequence::measure_work() {
  std::vector<std::size_t> times(functions.size());
  once.assign(functions.size(), false);
  for (auto s : symbol)
    ++times[s];

  if (!calls.empty())
    ticks = static_cast<double>(calls.back().end - calls.front().begin);
  for (std::size_t k = 0; k < calls.size(); ++k) {
    subcalls += calls[k].calls;
    if (times[symbol[k]] > 1 || calls[k].calls > 1)
      continue;
    once[symbol[k]] = true;
    ticks -= static_cast<double>(calls[k].end - calls[k].begin);
  }

  ticks = std::max(ticks, 1.0);
  subcalls = std::max(subcalls, 1.0);

  work.reserve(calls.size());
  for (std::size_t k = 0; k < calls.size(); ++k) {
    const auto& call = calls[k];
    const auto time = once[symbol[k]] ? 0 : static_cast<double>(call.end - call.begin) / ticks;
    work.push_back((time + call.calls / subcalls) / 2);
  }
}

}  // namespace tracefold
