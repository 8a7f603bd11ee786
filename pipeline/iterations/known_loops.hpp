// The loops of processes, some of which make the same calls as another one: they have its loops, at
// the same calls, without intervals of their own.
//
// Refers to its arguments, which must outlive it. Immutable, thread-safe.
#pragma once

#include "model/iterations/loops.hpp"

#include <cstddef>
#include <map>
#include <vector>

namespace tracefold {

class KnownLoops {
 public:
  // By process of the plan: its own loops.
  KnownLoops(const std::vector<ProcessLoops>& own) : own_(own) {}
  // `same` has, by process, the one whose calls it makes.
  KnownLoops(const std::vector<ProcessLoops>& own, const std::map<std::size_t, std::size_t>& same)
      : own_(own), same_(&same) {}

  std::size_t size() const { return own_.size(); }
  bool are_own(std::size_t process) const { return find_source(process) == process; }
  // The process whose loops these are.
  std::size_t find_source(std::size_t process) const {
    if (!same_)
      return process;
    const auto at = same_->find(process);
    return at == same_->end() ? process : at->second;
  }
  const ProcessLoops& operator[](std::size_t process) const { return own_[find_source(process)]; }

 private:
  const std::vector<ProcessLoops>& own_;
  const std::map<std::size_t, std::size_t>* same_ = nullptr;
};

}  // namespace tracefold
