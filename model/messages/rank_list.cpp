#include "model/messages/rank_list.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace tracefold {

namespace {

constexpr std::size_t most_dimensions = 8;

// Ranks as single series. A pair whose second rank begins a denser series is not one.
RankList find_series(std::span<const std::uint32_t> ranks) {
  RankList series;
  for (std::size_t i = 0; i < ranks.size();) {
    RankBlock block{ranks[i], {}};
    std::size_t length = 1;

    if (i + 1 < ranks.size()) {
      const auto stride = ranks[i + 1] - ranks[i];
      length = 2;
      while (i + length < ranks.size() && ranks[i + length] - ranks[i + length - 1] == stride)
        ++length;

      const bool denser_follows =
          length == 2 && i + 2 < ranks.size() && ranks[i + 2] - ranks[i + 1] < stride;
      if (denser_follows)
        length = 1;
      else
        block.dimensions.push_back({static_cast<std::uint32_t>(length), stride});
    }

    series.push_back(std::move(block));
    i += length;
  }
  return series;
}

// Neighbours of one shape whose starts are a series become one block.
RankList join_blocks(const RankList& blocks) {
  RankList joined;
  for (std::size_t i = 0; i < blocks.size();) {
    const auto& first = blocks[i];
    std::uint32_t length = 1, stride = 0;

    while (i + length < blocks.size() && blocks[i + length].dimensions == first.dimensions) {
      const auto step = blocks[i + length].start - blocks[i + length - 1].start;
      if (length == 1)
        stride = step;
      if (step != stride)
        break;
      ++length;
    }

    auto block = first;
    const bool is_worth_it = length > 1 && !first.dimensions.empty();
    if (is_worth_it)
      block.dimensions.insert(block.dimensions.begin(), {length, stride});
    joined.push_back(std::move(block));
    i += is_worth_it ? length : 1;
  }
  return joined;
}

[[noreturn]] void refuse_rank_list(std::string_view text) {
  throw Error(ErrorKind::input, fmt::format("'{}' is no list of ranks", text))
      .hint("dimensions, start, and length and stride of each dimension, as in '1 0 4 1'");
}

std::vector<std::uint32_t> parse_block_numbers(std::string_view text) {
  std::vector<std::uint32_t> numbers;
  for (const auto* at = text.data(); at != text.data() + text.size();) {
    std::uint32_t number = 0;
    const auto* end = text.data() + text.size();
    const auto [after, code] = std::from_chars(at, end, number);
    if (code != std::errc{} || (after != end && *after != ' '))
      refuse_rank_list(text);

    numbers.push_back(number);
    at = after == end ? end : after + 1;
  }
  return numbers;
}

RankBlock parse_block(std::string_view text) {
  const auto numbers = parse_block_numbers(text);
  const auto dimensions = numbers.empty() ? 0 : numbers[0];
  if (dimensions > most_dimensions || numbers.size() != 2 + 2 * std::size_t{dimensions}) {
    refuse_rank_list(text);
  }

  RankBlock block{numbers[1], {}};
  for (std::size_t k = 2; k < numbers.size(); k += 2) {
    block.dimensions.push_back({numbers[k], numbers[k + 1]});
  }
  return block;
}

// Appends the ranks of a block, which must be below `limit`.
void append_ranks(const RankBlock& block, std::uint64_t limit, std::vector<std::uint32_t>& ranks) {
  const auto first = ranks.size();
  std::uint64_t last = block.start, count = 1;
  for (const auto& [length, stride] : block.dimensions) {
    if (length == 0)
      throw Error(ErrorKind::input, "a list of ranks has a dimension of length 0");
    last += (std::uint64_t{length} - 1) * stride;
    count = std::min(count, limit) * length;
    if (last >= limit || count > limit)
      break;
  }
  if (last >= limit || ranks.size() + count > limit) {
    throw Error(ErrorKind::input, fmt::format("a list of ranks names more than {} ranks", limit));
  }

  ranks.push_back(block.start);
  for (const auto& [length, stride] : block.dimensions) {
    std::vector<std::uint32_t> shifted;
    for (auto at = first; at < ranks.size(); ++at)
      for (std::uint32_t i = 0; i < length; ++i)
        shifted.push_back(ranks[at] + i * stride);
    ranks.resize(first);
    ranks.insert(ranks.end(), shifted.begin(), shifted.end());
  }
}

}  // namespace

RankList make_rank_list(std::span<const std::uint32_t> ranks) {
  auto list = find_series(ranks);
  for (std::size_t dimension = 1; dimension < most_dimensions; ++dimension) {
    auto joined = join_blocks(list);
    if (joined.size() == list.size())
      break;
    list = std::move(joined);
  }
  return list;
}

RankList make_rank_list(std::span<const std::uint64_t> locations,
                        std::span<const std::uint64_t> endpoints) {
  std::vector<std::uint32_t> ranks;
  for (std::uint32_t rank = 0; rank < endpoints.size(); ++rank)
    if (std::binary_search(locations.begin(), locations.end(), endpoints[rank]))
      ranks.push_back(rank);

  return make_rank_list(ranks);
}

std::vector<std::uint32_t> list_ranks(const RankList& list, std::uint64_t limit) {
  std::vector<std::uint32_t> ranks;
  for (const auto& block : list)
    append_ranks(block, limit, ranks);

  std::sort(ranks.begin(), ranks.end());
  if (std::adjacent_find(ranks.begin(), ranks.end()) != ranks.end()) {
    throw Error(ErrorKind::input, "a list of ranks names a rank twice");
  }
  return ranks;
}

std::string rank_list_text(const RankList& list) {
  std::string text;
  for (const auto& block : list) {
    if (!text.empty())
      text += ", ";
    text += fmt::format("{} {}", block.dimensions.size(), block.start);
    for (const auto& [length, stride] : block.dimensions) {
      text += fmt::format(" {} {}", length, stride);
    }
  }
  return text;
}

RankList parse_rank_list(std::string_view text) {
  RankList list;
  while (!text.empty()) {
    const auto comma = text.find(", ");
    list.push_back(parse_block(text.substr(0, comma)));
    if (comma == std::string_view::npos)
      break;
    text.remove_prefix(comma + 2);
    if (text.empty())
      refuse_rank_list(text);
  }
  return list;
}

}  // namespace tracefold
