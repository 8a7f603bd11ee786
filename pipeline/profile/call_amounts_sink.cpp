#include "pipeline/profile/call_amounts_sink.hpp"

namespace tracefold {

MetricColumns CallAmountsSink::columns() {
  auto columns = CallPathSink::columns();
  for (auto metric : amounts)
    columns.measured.push_back(metric);
  return columns;
}

CallAmountsSink::CallAmountsSink(const Definitions& definitions) : definitions_(definitions) {
  const auto set = [&](Metric metric, Metric as) {
    for (std::size_t k = 0; k < amounts.size(); ++k)
      if (amounts[k] == as)
        place_[static_cast<std::size_t>(metric)] = static_cast<std::uint8_t>(k + 1);
  };
  for (auto metric : amounts)
    set(metric, metric);
  set(Metric::send_synchronizations, Metric::sends);
  set(Metric::receive_synchronizations, Metric::receives);
}

void CallAmountsSink::add(const Event& event) {
  const auto path = calls_.path();
  if (path == 0)
    return;

  measure_record(event, definitions_, location_, [&](Metric metric, std::uint64_t amount) {
    const auto place = place_[static_cast<std::size_t>(metric)];
    if (place == 0)
      return;
    if (path >= amounts_.size())
      amounts_.resize(calls_.paths().size());
    amounts_[path][place - 1] += amount;
  });
}

LocationPaths CallAmountsSink::take() {
  auto calls = calls_.take();
  LocationPaths out{std::move(calls.paths), {}};
  out.values.reserve(width * out.paths.size());
  for (std::size_t k = 0; k < out.paths.size(); ++k) {
    const auto first = calls.values.begin() + static_cast<std::ptrdiff_t>(2 * k);
    out.values.insert(out.values.end(), first, first + 2);
    const auto path = out.paths[k];
    const auto amount = path < amounts_.size() ? std::exchange(amounts_[path], {}) : Amounts{};
    out.values.insert(out.values.end(), amount.begin(), amount.end());
  }

  return out;
}

}  // namespace tracefold
