// Arithmetic modulo the prime 2^61 - 1, for hashes of sequences and tables that can be added.
//
// All numbers are below the prime. Such a hash is the sum of all values, each multiplied by
// spread() of its place; two different tables have the same one with a chance of 2^-61. Source:
// Karp and Rabin 1987.
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

// Any number, such as a sum of products, modulo the prime.
constexpr std::uint64_t reduce(Product number) {
  const auto sum = (static_cast<std::uint64_t>(number) & prime) +
                   (static_cast<std::uint64_t>(number >> 61) & prime) +
                   static_cast<std::uint64_t>(number >> 122);
  return add(sum & prime, sum >> 61);
}

// Scrambles the bits of a number. Never 0.
constexpr std::uint64_t spread(std::uint64_t number) {
  number = (number ^ number >> 31) * 0x9e3779b97f4a7c15u;
  number = (number ^ number >> 29) * 0xbf58476d1ce4e5b9u;
  return (number ^ number >> 32) % (prime - 1) + 1;
}

}  // namespace tracefold::prime_field
