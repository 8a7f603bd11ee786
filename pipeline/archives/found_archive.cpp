#include "pipeline/archives/found_archive.hpp"

#include "base/text.hpp"

#include <unordered_set>

namespace tracefold {

using K = DefinitionKind;

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The digits from here on, without zeros before them.
std::string take_number(const std::string& text, std::size_t& at) {
  while (at < text.size() && text[at] == '0')
    ++at;
  const auto begin = at;
  while (at < text.size() && is_digit(text[at]))
    ++at;
  return text.substr(begin, at - begin);
}

}  // namespace

bool is_named_before(const std::string& a, const std::string& b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const auto of_a = take_number(a, i), of_b = take_number(b, j);
      if (of_a.size() != of_b.size())
        return of_a.size() < of_b.size();
      if (of_a != of_b)
        return of_a < of_b;
    } else if (a[i] != b[j]) {
      return a[i] < b[j];
    } else {
      ++i;
      ++j;
    }
  }
  return i == a.size() && j == b.size() ? a < b : i == a.size();
}

std::string find_host(const Definitions& definitions) {
  constexpr std::uint64_t shared_memory = 1;  // OTF2_SystemTreeDomain
  std::unordered_set<std::uint64_t> machines;
  const Definition* process = nullptr;
  for (const auto& d : definitions.all()) {
    if (d.kind == K::SystemTreeNodeDomain &&
        get_field<"systemTreeDomain", K::SystemTreeNodeDomain>(d) == shared_memory)
      machines.insert(d.id());
    if (d.kind == K::LocationGroup && !process)
      process = &d;
  }
  if (!process)
    return {};

  std::string path;
  auto id = get_field<"systemTreeParent", K::LocationGroup>(*process);
  while (const auto* node = definitions.find(Ref::system_tree_node, id)) {
    const auto& name = definitions.text(get_field<"name", K::SystemTreeNode>(*node));
    const auto kind = to_lower(definitions.text(get_field<"className", K::SystemTreeNode>(*node)));
    if (machines.contains(id) || kind == "node" || kind == "host")
      return name;
    path = name + "/" + path;
    id = get_field<"parent", K::SystemTreeNode>(*node);
  }
  return path;
}

}  // namespace tracefold
