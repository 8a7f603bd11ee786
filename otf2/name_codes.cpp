#include "otf2/name_codes.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "otf2/mpi_functions.hpp"
#include "otf2/otf2_values.hpp"
#include "otf2/program_paradigms.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

using Json = nlohmann::ordered_json;

// Names are compared by hand: std::regex takes stack for each character, and a file may have names
// of any length.

// Takes the first of these words that the text begins with off it; false where there is none.
bool skip_word(std::string_view& text, std::initializer_list<std::string_view> words) {
  for (const auto word : words)
    if (text.starts_with(word)) {
      text.remove_prefix(word.size());
      return true;
    }
  return false;
}

// What tools write in place of a source file of an interface's functions, and call paradigms.
bool is_library(std::string_view name) {
  static const std::set<std::string_view> libraries{
      "MPI",    "OMP",    "OpenMP", "OPENMP", "PTHREAD", "CUDA",    "CUDRV", "CUDART",
      "OpenCL", "OPENCL", "HIP",    "SHMEM",  "OpenACC", "OPENACC", "IO"};
  return libraries.contains(name);
}

bool is_word(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// Tools record Fortran's calls of mpi_send as MPI_Send as well, so that mpi_exchange is a function
// of the program.
bool begins_as_interface(std::string_view name) {
  return is_word(name) && skip_word(name, {"MPI_", "PMPI_", "omp_", "pthread_", "acc_", "shmem_"});
}

bool begins_as_accelerator(std::string_view name) {
  return is_word(name) && skip_word(name, {"cuda", "cu", "hip", "nccl", "cl"}) && !name.empty() &&
         name.front() >= 'A' && name.front() <= 'Z';
}

// "!$omp for" and "!$omp implicit_task", but not "!$omp critical mylock".
bool is_openmp_construct(std::string_view name) {
  static const std::set<std::string_view> words{
      "alloc",        "associate",  "atomic",    "barrier",   "begin",        "cancel",
      "cancellation", "create",     "critical",  "data",      "disassociate", "distribute",
      "do",           "end",        "enter",     "exit",      "flush",        "for",
      "from",         "idle",       "implicit",  "initial",   "loop",         "masked",
      "master",       "offloading", "ordered",   "overhead",  "parallel",     "point",
      "reduction",    "sblock",     "scan",      "scope",     "section",      "sections",
      "simd",         "single",     "submit",    "target",    "task",         "taskgroup",
      "taskloop",     "taskwait",   "taskyield", "teams",     "to",           "transfer",
      "untied",       "update",     "wait",      "workshare", "yield"};
  if (!skip_word(name, {"!$omp "}))
    return false;
  while (!name.empty()) {
    const auto end = std::min(name.find_first_of(" _"), name.size());
    if (!words.contains(name.substr(0, end)))
      return false;
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return true;
}

// "MPI_COMM_WORLD", and "MPI_COMM_3", as a tool calls communicators that nobody has named.
bool is_mpi_object(std::string_view name) {
  if (!skip_word(name, {"MPI_COMM_"}))
    return false;
  return name == "WORLD" || name == "SELF" || name == "PARENT" || name == "NULL" ||
         name.find_first_not_of("0123456789") == std::string_view::npos;
}

// "MPI Rank 3", "Master thread", "OMP thread 2", "CPU thread 0:1" and the like.
bool is_place(std::string_view name) {
  const auto small = to_lower(name);
  std::string_view rest = small;
  skip_word(rest, {"mpi ", "omp ", "openmp ", "cpu ", "master ", "main "});
  if (!skip_word(rest, {"rank", "process", "thread", "task"}))
    return false;

  skip_word(rest, {" "});
  skip_word(rest, {"#"});
  return rest.find_first_not_of(":0123456789") == std::string_view::npos;
}

// What stands before the file in "!$omp parallel @solver.c:88" and "acc_wait@solver.c:88".
std::string_view cut_construct_file(std::string_view name) {
  auto words = name.substr(0, name.find('@'));
  if (words.ends_with(' '))
    words.remove_suffix(1);
  return words;
}

// The file in "!$omp parallel @solver.c:88" or "acc_wait@solver.c:88"; "" where there is none.
std::string_view find_construct_file(std::string_view name) {
  const auto at = name.find('@');
  if (at == std::string_view::npos)
    return {};

  const auto file = name.substr(at + 1);
  const auto colon = file.rfind(':');
  const bool has_line = colon != std::string_view::npos && colon + 1 < file.size() &&
                        file.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
  return has_line ? file.substr(0, colon) : file;
}

// Names that tell nothing about a program, wherever they stand.
bool is_public(std::string_view name) {
  return name.empty() || name.starts_with("tracefold::") || is_library(name) || is_place(name) ||
         is_mpi_object(name) || is_mpi_function(name);
}

constexpr std::uint64_t role_unknown = 0;

// A region of an interface, as its paradigm says, has its functions' names: those that begin as
// they do, since kernels of the program are such regions as well. EZTrace gives MPI's functions the
// paradigm of the program; is_public() knows these.
bool is_name_of_interface(const Definitions& definitions, const Definition& region,
                          std::string_view name) {
  using namespace otf2_value;
  using K = DefinitionKind;
  const auto words = cut_construct_file(name);
  if (is_openmp_construct(words))
    return true;

  const auto paradigm = get_field<"paradigm", K::Region>(region);
  if (paradigm == paradigm_unknown) {
    const auto& file = definitions.text(get_field<"sourceFile", K::Region>(region));
    return (file.empty() || is_library(file)) && begins_as_interface(words);
  }
  if (is_paradigm_of_program(paradigm))
    return false;
  const auto role = get_field<"regionRole", K::Region>(region);
  const bool may_be_kernel = role == role_unknown || role == region_role_function;
  return begins_as_interface(words) || (begins_as_accelerator(words) && !may_be_kernel);
}

std::set<std::string> find_names_of_interfaces(const Definitions& definitions) {
  using K = DefinitionKind;
  std::set<std::string> names;
  for (const auto& definition : definitions.all()) {
    if (definition.kind != K::Region)
      continue;
    for (const auto string : {get_field<"name", K::Region>(definition),
                              get_field<"canonicalName", K::Region>(definition),
                              get_field<"description", K::Region>(definition)}) {
      const auto& name = definitions.text(string);
      if (is_name_of_interface(definitions, definition, name))
        names.insert(name);
    }
  }
  return names;
}

// Words for the kind of a system tree node, which are names of nodes, too.
bool is_tree_word(std::string_view name) {
  static const std::set<std::string, std::less<>> words{
      "machine", "cluster", "rack",        "blade",       "cage",   "chassis",
      "node",    "socket",  "numa",        "core",        "cpu",    "gpu",
      "host",    "pu",      "cuda device", "rocm device", "groups", "switch"};
  return words.contains(to_lower(std::string(name)));
}

// Programming interfaces, as tools write their names, besides those of is_library(): "POSIX I/O",
// "Qt threads".
bool is_paradigm_word(std::string_view name) {
  static const std::set<std::string_view> words{
      "ace",       "adios",   "adios2",  "compiler", "gaspi",    "hardware", "hdf5",
      "hmpp",      "hpx",     "iso c",   "isoc",     "kokkos",   "mpi",      "mtapi",
      "netcdf",    "none",    "ompss",   "ompt",     "openmp",   "openacc",  "opencl",
      "openshmem", "pnetcdf", "posix",   "pthread",  "pthreads", "qt",       "sampling",
      "sionlib",   "tbb",     "unknown", "upc",      "user",     "windows"};
  const auto small = to_lower(std::string(name));
  std::string_view word = small;
  for (const std::string_view kind : {" i/o", "-io", " threads"})
    if (word.ends_with(kind))
      word.remove_suffix(kind.size());
  return words.contains(word) || word == "measurement system";
}

bool is_unit_word(std::string_view word) {
  static const std::set<std::string_view> words{
      "count", "counts", "event", "events",  "cycle",   "cycles",  "instructions", "operations",
      "ops",   "calls",  "pages", "packets", "percent", "celsius", "degc",         "sec",
      "usec",  "msec",   "nsec",  "seconds", "second",  "rpm",     "flop",         "ticks"};
  static const std::set<std::string_view> with_prefix{
      "",  "b", "byte", "bytes", "bit",   "bits", "j",     "w",      "hz",   "v",
      "a", "s", "c",    "k",     "joule", "watt", "flops", "joules", "watts"};
  if (words.contains(word) || with_prefix.contains(word))
    return true;
  skip_word(word, {"ki", "mi", "gi", "ti", "n", "u", "m", "k", "g", "t", "p"});
  return with_prefix.contains(word);
}

// "MiB/s" and "10^-6 J": words for units, numbers and signs.
bool is_unit(std::string_view name) {
  const auto small = to_lower(std::string(name));
  std::string_view rest = small;
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  while (!rest.empty()) {
    const auto end = static_cast<std::size_t>(
        std::find_if_not(rest.begin(), rest.end(), is_letter) - rest.begin());
    if (!is_unit_word(rest.substr(0, end)))
      return false;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return true;
}

// What a definition says about the names that it refers to: the field of each, its kind, and which
// names of it tell nothing about a program.
struct NamedField {
  std::size_t field;
  const char* kind;
  bool (*stays)(std::string_view) = nullptr;  // null: see is_public()
};

std::vector<NamedField> list_named_fields(DefinitionKind kind) {
  using K = DefinitionKind;
  switch (kind) {
    case K::Region:
      return {{field_place<"name", K::Region>(), "f"},
              {field_place<"canonicalName", K::Region>(), "f"},
              {field_place<"description", K::Region>(), "name"},
              {field_place<"sourceFile", K::Region>(), "file"}};
    case K::Callsite: return {{field_place<"sourceFile", K::Callsite>(), "file"}};
    case K::SourceCodeLocation: return {{field_place<"file", K::SourceCodeLocation>(), "file"}};
    case K::IoRegularFile: return {{field_place<"name", K::IoRegularFile>(), "file"}};
    case K::IoDirectory: return {{field_place<"name", K::IoDirectory>(), "file"}};
    case K::IoHandle: return {{field_place<"name", K::IoHandle>(), "file"}};
    case K::SystemTreeNode:
      return {{field_place<"name", K::SystemTreeNode>(), "host"},
              {field_place<"className", K::SystemTreeNode>(), "name", is_tree_word}};
    case K::MetricMember:
      return {{field_place<"name", K::MetricMember>(), "counter"},
              {field_place<"description", K::MetricMember>(), "name"},
              {field_place<"unit", K::MetricMember>(), "name", is_unit}};
    case K::Paradigm: return {{field_place<"name", K::Paradigm>(), "name", is_paradigm_word}};
    case K::IoParadigm:
      return {{field_place<"identification", K::IoParadigm>(), "name", is_paradigm_word},
              {field_place<"name", K::IoParadigm>(), "name", is_paradigm_word}};
    default: return {};
  }
}

// By string, the kind of what it names; "" of what stays.
std::map<std::uint64_t, std::string> find_kinds(const Definitions& definitions) {
  std::map<std::uint64_t, std::string> kinds;
  std::set<std::uint64_t> staying;
  for (const auto& definition : definitions.all())
    for (const auto& [field, kind, stays] : list_named_fields(definition.kind)) {
      const auto string = definition.fields[field];
      if (stays && stays(definitions.text(string)))
        staying.insert(string);
      else
        kinds.try_emplace(string, kind);
    }
  for (auto string : staying)
    kinds.try_emplace(string, "");  // where it names something as well, that counts
  return kinds;
}

// Bytes that are no text would not survive as JSON.
bool is_text(const std::string& name) {
  for (std::size_t at = 0; at < name.size();) {
    const auto character = read_character(name, at);
    if (!character)
      return false;
    at += character->bytes;
  }
  return true;
}

Json name_to_json(const std::string& name) {
  if (is_text(name))
    return name;
  std::string hex;
  for (const char byte : name)
    hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return {{"hex", hex}};
}

std::string name_from_json(const Json& json) {
  if (json.is_string())
    return json.get<std::string>();
  const auto hex = json.at("hex").get<std::string>();
  std::string name;
  for (std::size_t at = 0; at + 2 <= hex.size(); at += 2) {
    unsigned byte = 0;
    std::from_chars(hex.data() + at, hex.data() + at + 2, byte, 16);
    name += static_cast<char>(byte);
  }
  return name;
}

}  // namespace

NameCodes::NameCodes(std::string_view json) {
  const auto refuse = [](const std::string& why) {
    return Error(ErrorKind::input, "is no table of names: " + why);
  };
  try {
    const auto table = Json::parse(json);
    if (table.at("tracefold_names") != 1)
      throw refuse("it has another version");
    for (const auto& [code, name] : table.at("names").items()) {
      const auto digits = code.find_first_of("0123456789");
      std::uint64_t number = 0;
      if (digits != std::string::npos)
        std::from_chars(code.data() + digits, code.data() + code.size(), number);
      const auto kind = code.substr(0, digits);
      if (digits == std::string::npos || code != kind + std::to_string(number))
        throw refuse(fmt::format("'{}' is no code", code));
      auto& last = last_[kind];
      last = std::max(last, number);
      if (!codes_.try_emplace(name_from_json(name), code).second)
        throw refuse(fmt::format("'{}' has the name of another one", code));
    }
  } catch (const Json::exception& problem) {
    throw refuse(problem.what());
  }
}

std::string NameCodes::to_json() const {
  std::map<std::pair<std::string, std::uint64_t>, std::pair<std::string, std::string>> in_order;
  for (const auto& [name, code] : codes_) {
    const auto digits = code.find_first_of("0123456789");
    std::uint64_t number = 0;
    std::from_chars(code.data() + digits, code.data() + code.size(), number);
    in_order[{code.substr(0, digits), number}] = {code, name};
  }
  Json names = Json::object();
  for (const auto& [place, one] : in_order)
    names[one.first] = name_to_json(one.second);
  return Json{{"tracefold_names", 1}, {"names", std::move(names)}}.dump(1) + "\n";
}

const std::string& NameCodes::find_code(const std::string& kind, const std::string& name) {
  const auto at = codes_.find(name);
  if (at != codes_.end())
    return at->second;
  return codes_.emplace(name, kind + std::to_string(++last_[kind])).first->second;
}

std::string NameCodes::replace(const std::string& kind, const std::string& name) {
  if (is_public(name) || (kind == "host" && is_tree_word(name)))
    return name;
  if (!of_interfaces_.contains(name))
    return find_code(kind, name);

  const auto file = find_construct_file(name);
  if (is_public(file))
    return name;
  const auto begin = static_cast<std::size_t>(file.data() - name.data());
  return std::string(name).replace(begin, file.size(), find_code("file", std::string(file)));
}

void NameCodes::apply(ArchiveFacts& facts) {
  of_interfaces_ = find_names_of_interfaces(facts.definitions);
  const auto kinds = find_kinds(facts.definitions);
  facts.definitions.replace_texts([&](std::uint64_t string, const std::string& text) {
    const auto at = kinds.find(string);
    if (at != kinds.end() && at->second.empty())
      return text;
    return replace(at == kinds.end() ? "name" : at->second, text);
  });
  for (auto& kind : facts.marker_kinds) {
    kind.group = replace("name", kind.group);
    kind.category = replace("name", kind.category);
  }
  for (auto& marker : facts.markers)
    marker.text = replace("name", marker.text);
  std::map<std::string, std::string> properties;
  for (const auto& [name, value] : facts.properties) {
    const bool stays = name.starts_with("OTF2::") || name.starts_with("TRACEFOLD::");
    // OTF2 takes no name without a namespace, and makes all letters large.
    properties.emplace(stays ? name : "NAME::" + to_upper(find_code("P", name)),
                       stays ? value : replace("name", value));
  }
  facts.properties = std::move(properties);
  facts.machine = replace("host", facts.machine);
  facts.description = replace("name", facts.description);
}

std::optional<std::string> find_other_code(const Definitions& coded, const Definitions& others) {
  std::set<std::string_view> known;
  for (const auto& definition : others.all())
    if (definition.kind == DefinitionKind::String)
      known.insert(definition.text);

  const auto kinds = find_kinds(coded);
  for (const auto& definition : coded.all()) {
    if (definition.kind != DefinitionKind::String)
      continue;
    const auto at = kinds.find(definition.id());
    const std::string kind = at == kinds.end() ? "name" : at->second;
    const auto& text = definition.text;
    const bool is_code = !kind.empty() && text.size() > kind.size() && text.starts_with(kind) &&
                         text.find_first_not_of("0123456789", kind.size()) == std::string::npos;
    if (is_code && !known.contains(text))
      return text;
  }
  return std::nullopt;
}

}  // namespace tracefold
