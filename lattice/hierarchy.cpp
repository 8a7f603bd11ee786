#include "lattice/hierarchy.hpp"

#include <numeric>

namespace tracefold::lattice {

std::vector<std::size_t> order_from_top(const BitRows& extents) {
  std::vector<std::size_t> sizes, order(extents.size());
  for (std::size_t i = 0; i < extents.size(); ++i)
    sizes.push_back(count_bits(extents.row(i)));

  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) {
    if (sizes[a] != sizes[b])
      return sizes[a] > sizes[b];
    const auto [ours, theirs] = std::ranges::mismatch(extents.row(a), extents.row(b));
    if (ours == extents.row(a).end())
      return false;

    return (*ours >> std::countr_zero(*ours ^ *theirs) & 1) != 0;
  });

  return order;
}

void add_covers(Hierarchy& hierarchy, const BitRows& up) {
  std::vector<Word> left(words_for(up.width()));
  for (std::size_t x = 0; x < up.size(); ++x) {
    std::ranges::copy(up.row(x), left.begin());
    clear_bit(left, x);

    // What is nearest in number has nothing of the rest below it.
    for (std::size_t w = x / word_bits + 1; w-- > 0;)
      while (left[w] != 0) {
        const std::size_t y = w * word_bits + static_cast<std::size_t>(std::bit_width(left[w])) - 1;
        add_edge(x, y, hierarchy);
        subtract(std::span(left).first(w + 1), up.row(y).first(w + 1));
      }
  }
}

}  // namespace tracefold::lattice
