// The name of this host, for locks and for names of files.
#pragma once

#include <unistd.h>

#include <array>
#include <string>

namespace tracefold {

// Empty where it is not known. Thread-safe.
inline std::string read_host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0)
    return "";
  return name.data();
}

// The same as a part of a file's name: without slashes.
inline std::string read_host_name_for_files() {
  auto name = read_host_name();
  for (auto& c : name)
    if (c == '/')
      c = '_';
  return name;
}

}  // namespace tracefold
