// Traces that come as a tar: files, or what a pipe brings. They are unpacked into a hidden folder
// in the folder for temporary files ($TMPDIR), which is gone with the archive that is made of it,
// or with the next trace that is unpacked there where the program was killed.
//
// Nobody trusts a tar (base/tar_reader.hpp): of its members only those are unpacked that are named
// as files of a trace, at its top or in one folder of it, and one anchor has to be among them.
#pragma once

#include "base/error.hpp"
#include "otf2/archive.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tracefold {

// What Archive::source() says of a trace that came through a pipe.
inline constexpr const char* piped_source = "-";

// What one trace may take unpacked, in bytes. Unasked it is 16 GiB, or half of the free space where
// that is less. Not while traces are unpacked.
void bound_unpacking(std::uint64_t most_bytes);

// By the name, or by how the file begins; what is packed by gzip, zstd, xz or bzip2 is known by its
// name only.
bool is_packed_trace(const std::string& file, std::string_view begin);

// The trace in such a file. Throws Error(input, output or interrupted); nothing is left then.
std::shared_ptr<const Archive> open_packed_trace(const std::string& file, Diagnostics& diagnostics);
// The same of an open file or pipe, behind the bytes that were read of it already; errors call it
// by this name.
std::shared_ptr<const Archive> open_piped_trace(int handle, std::string begin,
                                                const std::string& name, Diagnostics& diagnostics);

// Puts the name of the tar in place of the folder that it was unpacked into. Thread-safe.
std::string name_unpacked(std::string message);

}  // namespace tracefold
