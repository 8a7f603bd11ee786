#include "base/tree_team.hpp"

#include "base/error.hpp"

#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

namespace tracefold {

namespace {

// One text of a list that is sent as one message: its size in 8 bytes, and its bytes. Lists of
// neighbours are put together by appending the one to the other.
std::string frame(const std::string& bytes) {
  const std::uint64_t size = bytes.size();
  std::string framed(sizeof size, '\0');
  std::memcpy(framed.data(), &size, sizeof size);
  return framed + bytes;
}

std::vector<std::string> unframe(std::string_view framed) {
  std::vector<std::string> list;
  while (!framed.empty()) {
    std::uint64_t size = 0;
    if (framed.size() < sizeof size)
      detail::throw_damaged_values();
    std::memcpy(&size, framed.data(), sizeof size);
    framed.remove_prefix(sizeof size);
    if (framed.size() < size)
      detail::throw_damaged_values();
    list.emplace_back(framed.substr(0, size));
    framed.remove_prefix(size);
  }

  return list;
}

}  // namespace

// A member whose number is a multiple of 2 * step holds what the `step` members from it on have
// given, and gets what the `step` ones behind those have given.
std::string TreeTeam::reduce_along_tree(std::string bytes, const Merge& merge) {
  for (std::size_t step = 1; step < size(); step *= 2) {
    if (rank() % (2 * step) != 0) {
      send(rank() - step, std::move(bytes));
      return {};
    }
    if (rank() + step < size())
      bytes = merge(std::move(bytes), receive(rank() + step));
  }

  return bytes;
}

std::string TreeTeam::broadcast_along_tree(std::string bytes) {
  std::size_t step = 1;  // a member gets it from the one whose number lacks its lowest bit
  while (step < size() && rank() % (2 * step) == 0)
    step *= 2;
  if (rank() != 0)
    bytes = receive(rank() - step);
  for (step /= 2; step > 0; step /= 2)
    if (rank() + step < size())
      send(rank() + step, bytes);

  return bytes;
}

std::string TreeTeam::broadcast(std::string bytes) {
  begin_call();
  return broadcast_along_tree(std::move(bytes));
}

std::vector<std::string> TreeTeam::gather(std::string bytes) {
  begin_call();
  const auto all = reduce_along_tree(
      frame(bytes),
      [](std::string lower, const std::string& higher) { return std::move(lower) + higher; });
  return unframe(all);
}

std::string TreeTeam::reduce(std::string bytes, const Merge& merge) {
  begin_call();
  return reduce_along_tree(std::move(bytes), merge);
}

std::vector<std::string> TreeTeam::exchange(std::vector<std::string> bytes) {
  begin_call();
  std::vector<std::string> received(size());
  received[rank()] = std::move(bytes.at(rank()));
  for (std::size_t distance = 1; distance < size(); ++distance) {
    const auto to = (rank() + distance) % size();
    const auto from = (rank() + size() - distance) % size();
    received[from] = send_and_receive(to, std::move(bytes.at(to)), from);
  }

  return received;
}

void TreeTeam::barrier() {
  begin_call();
  reduce_along_tree({}, [](const std::string&, const std::string&) { return std::string(); });
  broadcast_along_tree({});
}

}  // namespace tracefold
