#include "model/messages/sequence_text.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <charconv>
#include <iterator>
#include <span>
#include <vector>

namespace tracefold {

namespace {

// How many nodes from `at` on are symbols that count up by one.
std::size_t count_run(std::span<const SequenceNode> nodes, std::size_t at) {
  std::size_t run = 1;
  while (at + run < nodes.size() && !nodes[at + run].is_loop() &&
         nodes[at + run].symbol == nodes[at].symbol + run)
    ++run;
  return run;
}

void put_nodes(std::span<const SequenceNode> nodes, std::string& out) {
  auto end = std::back_inserter(out);
  for (std::size_t i = 0; i < nodes.size();) {
    if (i > 0)
      out += ' ';
    const auto& node = nodes[i];

    if (node.is_loop()) {
      fmt::format_to(end, "{}(", node.count);
      put_nodes(nodes.subspan(i + 1, node.body), out);
      out += ')';
      i += 1 + node.body;
      continue;
    }

    const auto run = count_run(nodes, i);
    if (run > 2)
      fmt::format_to(end, "{}-{}", node.symbol, node.symbol + run - 1);
    else
      fmt::format_to(end, "{}", node.symbol);
    i += run > 2 ? run : 1;
  }
}

class Parser {
 public:
  Parser(std::string_view text, std::uint32_t limit, std::size_t most_nodes)
      : left_(text), limit_(limit), most_nodes_(most_nodes) {}

  FoldedSequence parse() {
    std::vector<std::size_t> open;  // nodes of the loops around
    while (!left_.empty()) {
      if (left_.front() == ')') {
        if (open.empty())
          refuse();
        auto& loop = nodes_[open.back()];
        loop.body = static_cast<std::uint32_t>(nodes_.size() - open.back() - 1);
        if (loop.body == 0)
          refuse();
        open.pop_back();
        left_.remove_prefix(1);
      } else if (left_.front() == ' ') {
        left_.remove_prefix(1);
      } else {
        const auto number = take_number();
        if (take('(')) {
          open.push_back(nodes_.size());
          if (open.size() > deepest_loops)
            refuse();
          add({0, 0, number});
        } else {
          add_run(number, take('-') ? take_number() : number);
        }
      }
    }
    if (!open.empty())
      refuse();
    check_sequence(nodes_);
    return std::move(nodes_);
  }

 private:
  [[noreturn]] static void refuse() {
    throw Error(ErrorKind::input, "a sequence of operations is not written as one");
  }

  bool take(char c) {
    if (!left_.starts_with(c))
      return false;
    left_.remove_prefix(1);
    return true;
  }

  std::uint64_t take_number() {
    std::uint64_t number = 0;
    const auto [end, code] = std::from_chars(left_.data(), left_.data() + left_.size(), number);
    if (code != std::errc{})
      refuse();
    left_.remove_prefix(static_cast<std::size_t>(end - left_.data()));
    return number;
  }

  void add(SequenceNode node) {
    if (nodes_.size() == most_nodes_)
      refuse();
    nodes_.push_back(node);
  }

  void add_run(std::uint64_t first, std::uint64_t last) {
    if (last >= limit_ || first > last) {
      throw Error(ErrorKind::input, fmt::format("a sequence names operation {} of {}",
                                                std::max(first, last), limit_));
    }
    for (auto symbol = first; symbol <= last; ++symbol) {
      add({static_cast<std::uint32_t>(symbol), 0, 1});
    }
  }

  std::string_view left_;
  std::uint32_t limit_;
  std::size_t most_nodes_;
  FoldedSequence nodes_;
};

}  // namespace

std::string sequence_text(const FoldedSequence& sequence) {
  std::string out;
  put_nodes(sequence, out);
  return out;
}

FoldedSequence parse_sequence(std::string_view text, std::uint32_t limit, std::size_t most_nodes) {
  return Parser(text, limit, most_nodes).parse();
}

}  // namespace tracefold
