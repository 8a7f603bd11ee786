#pragma once

#include <algorithm>
#include <vector>

namespace tracefold {

// Sorts a list and removes repetitions.
template <class Element>
void sort_and_unite(std::vector<Element>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace tracefold
