// Arithmetic modulo the prime 2^61 - 1, for hashes that add up: of sequences, and of tables.
//
// Numbers are below the prime. A sum of values, each multiplied by a spread number of its place,
// tells two tables apart but for one in 2^61. Source: Karp and Rabin 1987.
#pragma once

#include <cstdint>

namespace tracefold::prime_field {

constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;

constexpr std::uint64_t add(std::uint64_t a, std::uint64_t b) {
  const auto sum = a + b;
  return sum >= prime ? sum - prime : sum;
}

__extension__ using Product = unsigned __int128;

constexpr std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<Product>(a) * b;
  return add(static_cast<std::uint64_t>(product) & prime,
             static_cast<std::uint64_t>(product >> 61));
}

// Any number modulo the prime, such as a sum of products.
constexpr std::uint64_t reduce(Product number) {
  const auto sum = (static_cast<std::uint64_t>(number) & prime) +
                   (static_cast<std::uint64_t>(number >> 61) & prime) +
                   static_cast<std::uint64_t>(number >> 122);
  return add(sum & prime, sum >> 61);
}

// A number that looks like a random one, and is never 0.
constexpr std::uint64_t spread(std::uint64_t number) {
  number = (number ^ number >> 31) * 0x9e3779b97f4a7c15u;
  number = (number ^ number >> 29) * 0xbf58476d1ce4e5b9u;
  return (number ^ number >> 32) % (prime - 1) + 1;
}

}  // namespace tracefold::prime_field
