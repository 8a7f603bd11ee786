#include "filters/comparison/align_sequences.hpp"

#include <algorithm>
#include <cstddef>

namespace tracefold {

namespace {

using CommonPlaces = std::vector<std::pair<std::size_t, std::size_t>>;
using Numbers = std::span<const std::uint32_t>;

constexpr std::size_t greedy_window = 400;

// Goes on from these places to the ends, each time to the nearest equal elements.
void align_greedily(Numbers a, Numbers b, std::size_t i, std::size_t k, CommonPlaces& common) {
  while (i < a.size() && k < b.size()) {
    bool is_found = false;
    for (std::size_t away = 0; away < greedy_window && !is_found; ++away)
      for (std::size_t skipped = 0; skipped <= away && !is_found; ++skipped) {
        const auto x = i + skipped, y = k + (away - skipped);
        if (x < a.size() && y < b.size() && a[x] == b[y]) {
          common.emplace_back(x, y);
          i = x + 1;
          k = y + 1;
          is_found = true;
        }
      }
    if (!is_found) {
      i += greedy_window;
      k += greedy_window;
    }
  }
}

// For each number of differences, how far in the first sequence each diagonal reaches.
class EditGraph {
 public:
  EditGraph(Numbers a, Numbers b) : a_(a), b_(b) {}

  // False where there are more differences than may be.
  bool reach_ends() {
    const auto most = std::min(most_sequence_differences, a_.size() + b_.size());
    for (std::size_t d = 0; d <= most; ++d) {
      auto& far = reached_.emplace_back(2 * d + 1);
      for (std::size_t place = 0; place <= 2 * d; place += 2) {
        const auto diagonal = static_cast<std::ptrdiff_t>(place) - static_cast<std::ptrdiff_t>(d);
        auto x = d == 0 ? std::ptrdiff_t{0} : find_begin(d, diagonal);
        while (is_inside(x, x - diagonal) && a_[at(x)] == b_[at(x - diagonal)])
          ++x;
        far[place] = x;
        if (x >= size(a_) && x - diagonal >= size(b_)) {
          end_ = diagonal;
          return true;
        }
      }
    }
    return false;
  }

  // The common elements on the way to the end, or where that was not reached, to the point with
  // most of both sequences behind it, which is returned.
  std::pair<std::size_t, std::size_t> trace_back(bool reaches_ends, CommonPlaces& common) const {
    auto diagonal = reaches_ends ? end_ : find_farthest();
    auto d = reached_.size() - 1;
    auto x = get(d, diagonal);
    const std::pair end{at(std::min(x, size(a_))), at(std::min(x - diagonal, size(b_)))};
    for (;; --d) {
      const auto begin = d == 0 ? std::ptrdiff_t{0} : find_begin(d, diagonal);
      for (; x > begin; --x)
        common.emplace_back(at(x - 1), at(x - 1 - diagonal));
      if (d == 0)
        break;
      diagonal = takes_from_above(d, diagonal) ? diagonal + 1 : diagonal - 1;
      x = get(d - 1, diagonal);
    }
    std::reverse(common.begin(), common.end());
    return end;
  }

 private:
  static std::ptrdiff_t size(Numbers numbers) {
    return static_cast<std::ptrdiff_t>(numbers.size());
  }
  static std::size_t at(std::ptrdiff_t place) { return static_cast<std::size_t>(place); }

  bool is_inside(std::ptrdiff_t x, std::ptrdiff_t y) const {
    return x >= 0 && y >= 0 && x < size(a_) && y < size(b_);
  }
  std::ptrdiff_t get(std::size_t d, std::ptrdiff_t diagonal) const {
    return reached_[d][at(diagonal + static_cast<std::ptrdiff_t>(d))];
  }
  // Whether the last difference before a diagonal is an element of the second sequence.
  bool takes_from_above(std::size_t d, std::ptrdiff_t diagonal) const {
    const auto edge = static_cast<std::ptrdiff_t>(d);
    return diagonal == -edge ||
           (diagonal != edge && get(d - 1, diagonal - 1) < get(d - 1, diagonal + 1));
  }
  std::ptrdiff_t find_begin(std::size_t d, std::ptrdiff_t diagonal) const {
    return takes_from_above(d, diagonal) ? get(d - 1, diagonal + 1) : get(d - 1, diagonal - 1) + 1;
  }
  std::ptrdiff_t find_farthest() const {
    const auto d = static_cast<std::ptrdiff_t>(reached_.size()) - 1;
    auto best = -d;
    std::ptrdiff_t most = -1;
    for (auto diagonal = -d; diagonal <= d; diagonal += 2) {
      const auto x = get(at(d), diagonal), y = x - diagonal;
      if (x > size(a_) || y > size(b_) || y < 0)
        continue;
      if (x + y > most) {
        most = x + y;
        best = diagonal;
      }
    }
    return best;
  }

  Numbers a_, b_;
  std::vector<std::vector<std::ptrdiff_t>> reached_;  // by differences and diagonal
  std::ptrdiff_t end_ = 0;
};

}  // namespace

SequenceAlignment align_sequences(Numbers a, Numbers b) {
  // What is common at both ends is no work.
  std::size_t first = 0;
  while (first < a.size() && first < b.size() && a[first] == b[first])
    ++first;
  std::size_t last = 0;
  while (last < a.size() - first && last < b.size() - first &&
         a[a.size() - 1 - last] == b[b.size() - 1 - last])
    ++last;

  SequenceAlignment out;
  for (std::size_t k = 0; k < first; ++k)
    out.common.emplace_back(k, k);

  const auto inner_a = a.subspan(first, a.size() - first - last);
  const auto inner_b = b.subspan(first, b.size() - first - last);
  if (!inner_a.empty() && !inner_b.empty()) {
    EditGraph graph(inner_a, inner_b);
    CommonPlaces common;
    out.is_cut = !graph.reach_ends();
    const auto [i, k] = graph.trace_back(!out.is_cut, common);
    if (out.is_cut)
      align_greedily(inner_a, inner_b, i, k, common);
    for (const auto& [x, y] : common)
      out.common.emplace_back(first + x, first + y);
  }

  for (std::size_t k = last; k > 0; --k)
    out.common.emplace_back(a.size() - k, b.size() - k);
  return out;
}

}  // namespace tracefold
