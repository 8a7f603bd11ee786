// Fuzzing of tracefold.profiles: a file is read or refused as bad input, and what is read of it
// comes back from a file that is written of it.
//
// Input that does not begin as such a file is made one, with right sizes and checksums, so that
// documents, indices and blocks are reached: its parts, which lines of "--" separate, are the
// document, the begin of the index, and what the frames of blocks hold.
#include "base/error.hpp"
#include "base/varints.hpp"
#include "base/zstd_frame.hpp"
#include "model/program/profiles_file.hpp"
#include "model/program/profiles_writer.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>

namespace {

using namespace tracefold;

constexpr std::uint64_t most_numbers = 1 << 16;
constexpr std::string_view separator = "\n--\n";

void demand(bool holds) {
  if (!holds)
    std::abort();
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (auto end = text.find(separator); end != std::string_view::npos; end = text.find(separator)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + separator.size());
  }
  parts.push_back(text);
  return parts;
}

std::string make_file(std::string_view text) {
  const auto parts = split(text);
  const auto document = parts.front();
  std::string index(parts.size() > 1 ? parts[1] : "");
  std::string file(profiles_first_line);
  for (std::size_t k = 2; k < parts.size(); ++k) {
    const auto block = pack_frame(parts[k], FrameContent::differences);
    put_varint(index, block.size());
    file += block;
  }

  const auto packed_document = pack_frame(document, FrameContent::text);
  const auto packed_index = pack_frame(index, FrameContent::text);
  const std::size_t footer[] = {file.size(), packed_document.size(), document.size(),
                                packed_index.size(), index.size()};
  file += packed_document;
  file += packed_index;
  for (const auto number : footer)
    for (unsigned k = 0; k < 8; ++k)
      file += static_cast<char>(number >> (8 * k) & 0xff);
  return file + "profiles";
}

bool is_small(const ProfilesTable& table) {
  return table.columns == 0 || table.rows <= most_numbers / table.columns;
}

void write_and_read(const ProfilesTable& table, const std::vector<std::uint64_t>& values) {
  std::vector<std::uint32_t> groups;
  for (std::uint32_t row = 0; row < std::min<std::uint64_t>(table.rows, most_numbers); ++row)
    groups.push_back(row % 3);
  ProfilesWriter writer(groups);
  writer.add(table, [&](std::size_t row, std::span<std::uint64_t> out) {
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(row * out.size()), out.size(),
                out.begin());
  });
  const ProfilesFile file(*writer.finish({}));
  demand(file.tables().front() == table);
  demand(file.read(table) == values);
}

void read_table(const ProfilesFile& file, const ProfilesTable& table) {
  demand(file.find(table.name) == &table);
  if (!is_small(table)) {
    const auto rows = std::min(table.rows, most_numbers / table.columns);
    file.read_rows(table, static_cast<std::size_t>(table.rows - rows),
                   static_cast<std::size_t>(rows));
    return;
  }
  const auto values = file.read(table);
  demand(values.size() == table.rows * table.columns);
  if (table.rows > 0) {
    const auto last = file.read_rows(table, static_cast<std::size_t>(table.rows - 1), 1);
    demand(std::equal(last.begin(), last.end(),
                      values.end() - static_cast<std::ptrdiff_t>(table.columns)));
  }
  write_and_read(table, values);
}

void allow_refusal(const auto& stage) {
  try {
    stage();
  } catch (const Error& problem) {
    demand(problem.kind() == ErrorKind::input);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  allow_refusal([&] {
    const ProfilesFile file(text.starts_with("tracefold") ? std::string(text) : make_file(text));
    for (const auto& table : file.tables())
      allow_refusal([&] { read_table(file, table); });
  });
  return 0;
}
