// The strings of an archive being written: each text once, numbered in order of addition. One
// thread.
#pragma once

#include "otf2/definition.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

class StringTable {
 public:
  // Returns the id of the text.
  std::uint64_t add(const std::string& text) {
    const auto [at, is_new] = ids_.try_emplace(text, texts_.size());
    if (is_new)
      texts_.push_back(text);

    return at->second;
  }

  const std::string& text(std::uint64_t id) const { return texts_[id]; }

  // Ordered by id.
  void append_definitions(std::vector<Definition>& definitions) const {
    for (std::size_t id = 0; id < texts_.size(); ++id) {
      Definition string;
      string.kind = DefinitionKind::String;
      string.fields[0] = id;
      string.text = texts_[id];
      definitions.push_back(std::move(string));
    }
  }

 private:
  std::unordered_map<std::string, std::uint64_t> ids_;
  std::vector<std::string> texts_;
};

}  // namespace tracefold
