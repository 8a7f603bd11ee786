#include "pipeline/replay/fit_network.hpp"

#include "base/averages.hpp"
#include "base/for_each_index.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

namespace tracefold {

namespace {

// A number as if by chance, so that nothing depends on how kinds of messages follow each other
// (multiplicative hashing: Knuth, The Art of Computer Programming 3, 6.4).
constexpr std::uint64_t scatter(std::uint64_t number) {
  return number * 0x9E3779B97F4A7C15;
}

// Keeps so many of any number.
class SomeMessages {
 public:
  void add(const MessageTime& message) {
    const auto place = scatter(++count_);
    if (place > last_)
      return;
    kept_.emplace_back(place, message);
    if (kept_.size() > most) {
      last_ /= 2;
      std::erase_if(kept_, [&](const auto& one) { return one.first > last_; });
    }
  }
  const std::vector<std::pair<std::uint64_t, MessageTime>>& kept() const { return kept_; }

 private:
  static constexpr std::size_t most = 1024;

  std::vector<std::pair<std::uint64_t, MessageTime>> kept_;
  std::uint64_t count_ = 0, last_ = ~std::uint64_t{0};
};

SomeMessages list_messages(const TimedProcess& process) {
  std::vector<Interval> calls;  // that communicate
  for (auto reader = process.line.read(); reader.next();)
    if (reader.is_call())
      calls.push_back({reader.begin(), reader.end()});

  SomeMessages out;
  std::optional<std::uint64_t> call;
  std::uint64_t sent = 0, bytes = 0;
  const auto end_call = [&] {
    if (call && *call < calls.size() && sent > calls[*call].begin && sent <= calls[*call].end)
      out.add({bytes, calls[*call].end - sent});
  };
  process.dependencies.visit([&](const Dependency& one) {
    if (one.kind != Dependency::Kind::sent)
      return;
    if (call != one.call) {
      end_call();
      call = one.call;
      sent = 0;
    }
    if (one.time > sent) {
      sent = one.time;
      bytes = one.bytes;
    }
  });
  end_call();
  return out;
}

// Messages of about one size: a power of two.
struct OfSize {
  double bytes = 0;  // sum
  std::vector<double> ticks;
};

}  // namespace

std::optional<NetworkFit> fit_network(const std::vector<MessageTime>& messages) {
  constexpr std::size_t least = 20;
  if (messages.size() < least)
    return std::nullopt;
  const auto is_fitted = [](std::size_t message) { return scatter(message) >> 63 == 0; };
  std::map<std::size_t, OfSize> sizes;
  std::vector<double> all;
  for (std::size_t k = 0; k < messages.size(); ++k) {
    if (!is_fitted(k))
      continue;
    auto& of_size = sizes[std::bit_width(messages[k].bytes)];
    of_size.bytes += static_cast<double>(messages[k].bytes);
    of_size.ticks.push_back(static_cast<double>(messages[k].ticks));
    all.push_back(of_size.ticks.back());
  }

  // Least squares of relative errors, of the median of each size.
  double weights = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const auto& [width, of_size] : sizes) {
    const auto count = static_cast<double>(of_size.ticks.size());
    const auto bytes = of_size.bytes / count, ticks = find_lower_median(of_size.ticks);
    const auto weight = count / std::max(ticks * ticks, 1.0);
    weights += weight;
    x += weight * bytes;
    y += weight * ticks;
    xx += weight * bytes * bytes;
    xy += weight * bytes * ticks;
  }
  const auto spread = weights * xx - x * x;
  NetworkFit fit;
  fit.messages = messages.size();
  if (sizes.size() > 1 && spread > 0)
    fit.per_byte = std::max((weights * xy - x * y) / spread, 0.0);
  fit.latency =
      fit.per_byte > 0 ? std::max((y - fit.per_byte * x) / weights, 0.0) : find_lower_median(all);

  std::vector<double> errors;
  for (std::size_t k = 0; k < messages.size(); ++k) {
    if (is_fitted(k))
      continue;
    const auto ticks = static_cast<double>(messages[k].ticks);
    const auto told = fit.latency + fit.per_byte * static_cast<double>(messages[k].bytes);
    errors.push_back(std::abs(told - ticks) / std::max(ticks, 1.0));
  }
  fit.error = find_lower_median(errors);
  return fit;
}

std::optional<NetworkFit> fit_network(const std::vector<TimedProcess>& processes) {
  std::vector<SomeMessages> of_processes(processes.size());
  for_each_index(processes.size(),
                 [&](std::size_t p) { of_processes[p] = list_messages(processes[p]); });
  std::vector<MessageTime> all;
  for (const auto& of_process : of_processes)
    for (const auto& [place, message] : of_process.kept())
      all.push_back(message);
  return fit_network(all);
}

}  // namespace tracefold
