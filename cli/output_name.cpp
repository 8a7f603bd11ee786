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
#include <utility>

namespace tracefold::cli {

namespace {

constexpr std::string_view packed_ending = ".gz";

// Endings of names that are no folders'.
constexpr std::array file_endings = std::to_array<std::string_view>(
    {".tar",           ".tgz", ".gz",    ".zst",     ".xz",      ".bz2",
     ".lz4",           ".zip", ".7z",    ".otf",     ".otf2",    ".json",
     ".jsonl",         ".csv", ".tsv",   ".svg",     ".png",     ".pdf",
     ".html",          ".xml", ".dot",   ".graphml", ".txt",     ".log",
     ".yaml",          ".pb",  ".proto", ".prv",     ".ctf",     ".trace",
     ".pftrace",       ".h5",  ".cubex", ".slog2",   ".parquet", ".sqlite",
     ".perfetto-trace"});

std::string_view find_ending(std::string_view name) {
  const auto file = name.substr(name.rfind('/') + 1);
  const auto dot = file.rfind('.');
  return dot == file.npos ? std::string_view() : file.substr(dot);
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

// Throws where it is no name for a folder. `otherwise` says what else there is.
void check_name(const std::string& output, const std::string& otherwise) {
  const auto name = to_lower(output);
  const auto ending = find_ending(name);
  if (std::find(file_endings.begin(), file_endings.end(), ending) != file_endings.end())
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
