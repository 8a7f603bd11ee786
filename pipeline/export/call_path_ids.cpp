#include "pipeline/export/call_path_ids.hpp"

#include "base/error.hpp"

#include <string_view>

namespace tracefold {

namespace {

constexpr std::uint64_t id_bits = ~std::uint64_t{0} >> 1;

// The finalizer of splitmix64, in which each bit depends on all bits.
constexpr std::uint64_t mix_bits(std::uint64_t bits) {
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
  return bits ^ bits >> 31;
}

// FNV-1a, with a byte behind the text that no text has.
std::uint64_t hash_text(std::uint64_t hash, std::string_view text) {
  constexpr std::uint64_t prime = 0x100000001b3u;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * prime;
  return (hash ^ 0xff) * prime;
}

}  // namespace

CallPathIds::CallPathIds(const std::vector<Function>& functions) {
  for (const auto& function : functions) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const std::string_view text :
         {std::string_view(function.name), std::string_view(function.canonical),
          std::string_view(function.file)})
      hash = hash_text(hash, text);
    hashes_.push_back(mix_bits(hash ^ mix_bits(function.line)));
  }
}

std::uint64_t CallPathIds::extend(std::uint64_t caller, FunctionIndex function) const {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15u;
  const auto id = mix_bits((caller + odd) * odd ^ hashes_[function]) & id_bits;
  return id == root ? 1 : id;
}

void CallPathIds::extend(std::span<const CallPath> paths, std::vector<std::uint64_t>& known) const {
  if (known.empty())
    known.push_back(root);
  for (auto p = known.size(); p < paths.size(); ++p)
    known.push_back(
        extend(known[paths[p].caller == no_path ? 0 : paths[p].caller], paths[p].function));
}

void KnownCallPaths::add(std::uint64_t id, const Path& path) {
  const auto [at, is_new] = paths_.emplace(id, path);
  if (!is_new && at->second != path)
    throw Error(ErrorKind::input, "two of its call paths have one id")
        .hint("leave out functions, so that there are fewer call paths");
}

void KnownCallPaths::add(std::span<const CallPath> paths, const std::vector<std::uint64_t>& ids,
                         const std::vector<std::string>& functions) {
  for (std::size_t p = 1; p < paths.size(); ++p) {
    const auto caller = paths[p].caller == no_path ? 0 : paths[p].caller;
    add(ids[p], {ids[caller], functions[paths[p].function]});
  }
}

}  // namespace tracefold
