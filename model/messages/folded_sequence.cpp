#include "model/messages/folded_sequence.hpp"

#include "base/error.hpp"
#include "base/sort_and_unite.hpp"

namespace tracefold {

namespace {

constexpr std::uint64_t most_symbols = std::uint64_t{1} << 62;

std::uint64_t check_body(std::span<const SequenceNode> nodes, std::size_t depth) {
  if (depth > deepest_loops)
    throw Error(ErrorKind::input, "loops of a sequence nest too deep");

  std::uint64_t symbols = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::uint64_t here = 1;
    if (nodes[i].is_loop()) {
      const auto [symbol, body, count] = nodes[i];
      if (body >= nodes.size() - i) {
        throw Error(ErrorKind::input, "a loop of a sequence reaches beyond what it stands in");
      }
      if (count < 2)
        throw Error(ErrorKind::input, "a loop of a sequence does not repeat");

      here = check_body(nodes.subspan(i + 1, body), depth + 1);
      if (count > most_symbols / here) {
        throw Error(ErrorKind::input, "a sequence has too many symbols");
      }
      here *= count;
      i += body;
    }
    symbols += here;
    if (symbols > most_symbols)
      throw Error(ErrorKind::input, "a sequence has too many symbols");
  }
  return symbols;
}

}  // namespace

void check_sequence(std::span<const SequenceNode> nodes) {
  check_body(nodes, 0);
}

std::uint64_t count_symbols(std::span<const SequenceNode> nodes) {
  std::uint64_t symbols = 0;
  visit_symbols(nodes, [&](std::uint32_t, std::uint64_t times) { symbols += times; });
  return symbols;
}

std::vector<std::uint32_t> list_symbols(std::span<const SequenceNode> nodes) {
  std::vector<std::uint32_t> symbols;
  for (const auto& node : nodes)
    if (!node.is_loop())
      symbols.push_back(node.symbol);

  sort_and_unite(symbols);
  return symbols;
}

}  // namespace tracefold
