#include "pipeline/profile/call_script.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tracefold {

CallScripter::CallScripter(const ProfileColumns& columns, const Definitions& definitions,
                           std::uint64_t location, const IterationCounts& iterations,
                           std::uint64_t most_bytes)
    : columns_(columns),
      definitions_(definitions),
      location_(location),
      most_bytes_(most_bytes),
      iterations_(iterations),
      messages_(definitions, location, 0, 0),
      matcher_(definitions, 0),
      collectives_(matcher_, location),
      numbers_(columns.time_metrics(), &messages_, &collectives_),
      hashes_(definitions, location, numbers_) {
  script_.iterations = iterations;
  script_.slots.push_back(Metric::none);
}

void CallScripter::give_up() {
  is_whole_ = false;
  script_ = {};
  waits_ = {};
  distinct_.clear();
}

// Whether a call is open that an iteration made.
bool CallScripter::is_deep() const {
  return iterations_.in_loop() && iterations_.open_calls() > iterations_.base();
}

std::uint8_t CallScripter::find_slot(Metric metric) {
  static_assert(measured_metric_count < std::numeric_limits<std::uint8_t>::max());
  auto& slots = script_.slots;
  const auto at = std::find(slots.begin(), slots.end(), metric);
  const auto slot = static_cast<std::uint8_t>(at - slots.begin());
  if (at == slots.end())
    slots.push_back(metric);
  return slot;
}

// Where the time since the event before goes: as BasicSeriesSink has it.
void CallScripter::step() {
  const bool is_inside =
      is_deep() ? iteration_ != CountedIterations::outside : iterations_.is_open();
  script_.steps.push_back(
      is_inside && functions_.path() != 0
          ? find_slot(columns_.time_metric(OpenFunctions::find_function(functions_.path())))
          : CallScript::no_slot);

  constexpr std::size_t checked_together = 4096;
  if (script_.steps.size() % checked_together == 0 &&
      script_.bytes() + waits_.bytes() > most_bytes_)
    give_up();
}

void CallScripter::enter(const CallBegin& call, std::span<const Attribute> attributes) {
  if (!is_whole_)
    return;
  hashes_.enter(call, attributes);
  step();
  change_to(iterations_.enter(call));
  has_left_by_time_ = false;
  functions_.enter(call.function);
  if (iteration_ != CountedIterations::outside)
    add_amount(Metric::visits, 1);
}

void CallScripter::leave(const CallEnd& call, std::span<const Attribute> attributes) {
  if (!is_whole_)
    return;
  hashes_.leave(call, attributes);
  step();
  const auto depth = functions_.open_calls();
  change_to(iterations_.leave(call));
  has_left_by_time_ = false;
  WaitScript::Call ended;
  ended.end = script_.steps.size() - 1;
  if (iteration_ != CountedIterations::outside)
    ended.iteration = static_cast<std::uint32_t>(iteration_);
  ended.time_metric = columns_.time_metric(call.function);
  ended.sends_wait = columns_.may_wait_for_receiver(call.function);
  waits_.end(depth, ended);
  functions_.leave();
}

void CallScripter::change_to(std::size_t iteration) {
  iteration_ = iteration;
  if (iteration != CountedIterations::outside)
    end_iterations_before(iteration);
}

void CallScripter::other(const Event& event) {
  if (!is_whole_)
    return;

  const bool is_between = iterations_.in_loop() && iterations_.open_calls() == iterations_.base();
  unknown(event.time);
  if (!RecordHashSink::is_needed(event.kind))
    return;
  if (functions_.open_calls() == 0 || is_between || has_left_by_time_)
    give_up();
  else
    add_record(event, hashes_.add(event));
}

void CallScripter::unknown(std::uint64_t time) {
  if (!is_whole_ || is_deep())
    return;
  const bool was_in_loop = iterations_.in_loop();
  change_to(iterations_.other(time));
  has_left_by_time_ |= was_in_loop && !iterations_.in_loop();
}

void CallScripter::add_record(const Event& event, const WaitSink::Numbers& numbers) {
  const auto depth = functions_.open_calls();
  waits_.add(event, numbers.message, depth);
  if (const auto part = find_collective_part(event))
    waits_.take_part(numbers.operation, may_wait_for_others(definitions_, location_, *part), depth);
  if (iteration_ != CountedIterations::outside && event.kind != EventKind::Metric)
    measure_record(event, definitions_, location_,
                   [&](Metric metric, std::uint64_t amount) { add_amount(metric, amount); });
}

void CallScripter::add_amount(Metric metric, std::uint64_t amount) {
  auto& sum = amounts_[static_cast<std::size_t>(metric)];
  sum += amount;
  if (sum < amount)
    give_up();
}

void CallScripter::end_iterations_before(std::size_t iteration) {
  if (making_ >= iteration)
    return;

  for (; making_ < iteration; ++making_) {
    CallScript::Amounts amounts;
    for (std::size_t m = 0; m < amounts_.size(); ++m)
      if (const auto amount = std::exchange(amounts_[m], 0))
        amounts.push_back({static_cast<Metric>(m), amount});

    const auto next = static_cast<std::uint32_t>(script_.distinct_amounts.size());
    const auto [at, is_new] = distinct_.try_emplace(amounts, next);
    if (is_new)
      script_.distinct_amounts.push_back(std::move(amounts));
    script_.amounts.push_back(at->second);
  }
  script_.marks.push_back({script_.steps.size() - 1, static_cast<std::uint32_t>(iteration)});
}

std::optional<CallScript> CallScripter::take() {
  if (is_whole_)
    end_iterations_before(iterations_.iterations());
  script_.hashes = hashes_.hashes();
  if (!is_whole_ || !script_.hashes.records || !messages_.take().are_in_order() ||
      script_.bytes() + waits_.bytes() > most_bytes_)
    return std::nullopt;

  script_.waits = std::move(waits_).take();
  script_.steps.shrink_to_fit();
  script_.marks.shrink_to_fit();
  return std::move(script_);
}

}  // namespace tracefold
