#include "base/read_file.hpp"

#include "base/error.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace tracefold {

std::optional<std::string> read_file(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored))
    return std::nullopt;

  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::string content;
  std::array<char, 1 << 16> block;
  while (in.read(block.data(), block.size()) || in.gcount() != 0)
    content.append(block.data(), static_cast<std::size_t>(in.gcount()));

  if (!in.is_open() || in.bad())
    throw Error(ErrorKind::input, std::string("cannot be read: ") + std::strerror(errno))
        .in(file.string());

  return content;
}

std::string read_file_begin(const std::filesystem::path& file, std::size_t most) {
  std::ifstream in(file, std::ios::binary);
  std::string begin(most, '\0');
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(in.gcount()));
  return begin;
}

}  // namespace tracefold
