#include "cli/output_name.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/session.hpp"
#include "emitters/viewers/chrome_trace.hpp"
#include "emitters/viewers/perfetto_trace.hpp"
#include "model/trace_name.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

namespace tracefold::cli {

namespace {

constexpr std::string_view packed_ending = ".gz";

// Endings that no folder's name has, and that looks_like_format() does not tell.
constexpr std::array long_endings = std::to_array<std::string_view>(
    {".graphml", ".parquet", ".sqlite", ".sqlite3", ".perfetto", ".perfetto-trace", ".pftrace",
     ".pftrac", ".protobuf", ".ndjson", ".ftrace", ".systrace", ".7z", ".h5"});

// Short words that names of folders end in.
constexpr std::array folder_words = std::to_array<std::string_view>(
    {".old", ".new", ".bak", ".orig", ".tmp", ".out", ".dir", ".run", ".test", ".small", ".full"});

// What follows the last dot of a name, in small letters: two to five letters and digits that begin
// with a letter are an ending, as of "s.tzst". A single letter, with or without a number, is not,
// as of "lu.W" and "run.v2", nor is what ends in a number of several digits, as "lu.np64".
bool looks_like_format(std::string_view ending) {
  constexpr std::size_t longest = 5;
  if (std::find(long_endings.begin(), long_endings.end(), ending) != long_endings.end())
    return true;
  if (std::find(folder_words.begin(), folder_words.end(), ending) != folder_words.end())
    return false;

  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto word = ending.substr(std::min<std::size_t>(1, ending.size()));
  const auto digits = static_cast<std::size_t>(
      std::find_if_not(word.rbegin(), word.rend(), is_digit) - word.rbegin());
  return word.size() >= 2 && word.size() <= longest && is_letter(word.front()) &&
         word.size() - digits > 1 && digits < 2 &&
         std::all_of(word.begin(), word.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

std::string_view find_ending(std::string_view name) {
  const auto file = name.substr(name.rfind('/') + 1);
  const auto dot = file.rfind('.');
  return dot == file.npos || dot == 0 ? std::string_view() : file.substr(dot);
}

struct KnownFormat {
  std::string_view ending;
  MakeViewWriter make_writer;
  double size, packed_size;  // as measured on real traces, rounded up
};

const std::array known_formats{KnownFormat{".json", make_chrome_trace, 7.5, 0.6},
                               KnownFormat{".pftrace", make_perfetto_trace, 1.7, 0.4}};

struct TarFormat {
  std::string_view ending;
  TarPacking packing;
};

constexpr std::array tar_formats{TarFormat{".tar", TarPacking::none},
                                 TarFormat{".tar.gz", TarPacking::gzip},
                                 TarFormat{".tar.zst", TarPacking::zstd}};

// By the end of the name; null where it is no tar.
const TarFormat* find_tar_format(const std::string& output) {
  const auto name = to_lower(output);
  const auto found =
      std::find_if(tar_formats.begin(), tar_formats.end(),
                   [&](const TarFormat& format) { return name.ends_with(format.ending); });
  return found == tar_formats.end() ? nullptr : &*found;
}

// "tar.br" of "small.tar.br"; empty where it is no name of a packed tar.
std::string_view find_packed_tar(std::string_view name) {
  const auto file = name.substr(name.rfind('/') + 1);
  const auto tar = file.rfind(".tar.");
  return tar == file.npos ? std::string_view() : file.substr(tar);
}

// Throws where it is no name for a folder. `otherwise` says what else there is.
void check_name(const std::string& output, const std::string& otherwise) {
  const auto name = to_lower(output);
  const auto tar = find_packed_tar(name);
  const auto ending = tar.empty() ? find_ending(name) : tar;
  std::error_code unknown;
  if ((tar.empty() && !looks_like_format(ending)) || std::filesystem::is_directory(output, unknown))
    return;

  throw Error(ErrorKind::usage,
              fmt::format("-o {}: {} is no format that is written here", output, ending))
      .hint(fmt::format("name a folder, or {}/ for one of that name, or a file that ends in {}{}",
                        output, tar_endings, otherwise));
}

}  // namespace

std::optional<TarOutput> find_tar_output(const std::string& output) {
  if (output == "-")
    return TarOutput{TarPacking::none, STDOUT_FILENO};

  const auto* format = find_tar_format(output);
  return format ? std::optional(TarOutput{format->packing, std::nullopt}) : std::nullopt;
}

std::string name_without_tar(const std::string& output) {
  const auto* format = find_tar_format(output);
  const auto name = output.substr(0, output.size() - (format ? format->ending.size() : 0));
  return name.ends_with('/') ? std::string() : name;
}

std::optional<ViewFormat> find_view_format(const std::string& output) {
  const auto name = to_lower(output);
  const auto ending = find_ending(name);
  const bool is_packed = ending == packed_ending;
  const auto inner =
      is_packed ? find_ending(std::string_view(name).substr(0, name.size() - packed_ending.size()))
                : ending;
  for (const auto& format : known_formats)
    if (format.ending == inner)
      return ViewFormat{format.make_writer, is_packed,
                        is_packed ? format.packed_size : format.size};

  check_name(output, std::string(", or in ") + view_endings);
  return std::nullopt;
}

void check_folder_name(const std::string& output) {
  check_name(output, "");
}

std::vector<std::string> name_outputs(const std::vector<std::string>& traces,
                                      const std::string& folder) {
  std::map<std::string, std::string> trace_by_name;
  std::vector<std::string> outputs;
  for (const auto& trace : traces) {
    const auto name = name_after_folder(trace);
    if (name.empty())
      throw Error(ErrorKind::usage, "its folder has no name that its output could have")
          .in(trace)
          .hint("reduce it by itself");
    if (const auto [known, is_new] = trace_by_name.emplace(name, trace); !is_new)
      throw Error(ErrorKind::usage,
                  fmt::format("{} and {} would both be reduced to {}", known->second, trace,
                              (std::filesystem::path(folder) / name).string()))
          .hint("reduce one of them by itself");
    outputs.push_back((std::filesystem::path(folder) / name).string());
  }
  return outputs;
}

void check_stream(const std::optional<TarOutput>& tar, bool prints_summary) {
  if (!tar || !tar->stream)
    return;
  if (prints_summary)
    throw Error(ErrorKind::usage, "-o - writes the trace to stdout, and --format a summary")
        .hint("give one of them");
  if (stdout_is_terminal())
    throw Error(ErrorKind::usage, "-o -: a trace is not written to a terminal")
        .hint("as in 'tracefold reduce app/traces.otf2 -o - | tar x -C small'");
}

}  // namespace tracefold::cli
