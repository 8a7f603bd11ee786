#include "pipeline/facts/file_operations.hpp"

#include "otf2/otf2_values.hpp"

#include <algorithm>

namespace tracefold {

namespace {

using D = DefinitionKind;
using E = EventKind;

constexpr std::uint64_t flag_non_blocking = 1;              // OTF2_IO_OPERATION_FLAG_NON_BLOCKING
constexpr std::uint64_t unknown_bytes = ~std::uint64_t{0};  // OTF2_UNDEFINED_UINT64

}  // namespace

const std::string& name_file(const Definitions& definitions, const FileId& file) {
  static const std::string none;
  const auto* defined = definitions.find(file.is_handle ? Ref::io_handle : Ref::io_file, file.id);
  if (!defined)
    return none;
  return definitions.text(file.is_handle
                              ? get_field<"name", D::IoHandle>(*defined)
                              : get_field<"name", D::IoRegularFile, D::IoDirectory>(*defined));
}

void FileRecorder::add(const Event& event, const Definitions& definitions) {
  if (event.kind == E::IoOperationBegin) {
    begin(event, definitions);
    return;
  }
  const auto handle = get_field<"handle", E::IoOperationComplete, E::IoOperationCancelled>(event);
  const bool is_complete = event.kind == E::IoOperationComplete;
  const auto id = is_complete ? get_field<"matchingId", E::IoOperationComplete>(event)
                              : get_field<"matchingId", E::IoOperationCancelled>(event);
  const auto found = std::find_if(open_.begin(), open_.end(), [&](const Open& open) {
    return open.handle == handle && open.matching_id == id;
  });
  if (found == open_.end())
    return;
  if (is_complete)
    end(*found, event.time, get_field<"bytesResult", E::IoOperationComplete>(event));
  open_.erase(found);
}

void FileRecorder::begin(const Event& event, const Definitions& definitions) {
  Open open;
  open.handle = get_field<"handle", E::IoOperationBegin>(event);
  open.matching_id = get_field<"matchingId", E::IoOperationBegin>(event);
  open.mode = get_field<"mode", E::IoOperationBegin>(event);
  open.request = get_field<"bytesRequest", E::IoOperationBegin>(event);
  open.begin = event.time;
  open.is_blocking = !(get_field<"operationFlags", E::IoOperationBegin>(event) & flag_non_blocking);
  std::erase_if(open_, [&](const Open& lost) {
    return lost.is_blocking && open.is_blocking && lost.handle == open.handle;
  });
  open.file = {true, open.handle};
  if (const auto* handle = definitions.find(Ref::io_handle, open.handle)) {
    const auto file = get_field<"file", D::IoHandle>(*handle);
    open.paradigm = get_field<"ioParadigm", D::IoHandle>(*handle);
    if (file != undefined_id(Ref::io_file))
      open.file = {false, file};
  }
  open.is_part = std::any_of(open_.begin(), open_.end(), [&](const Open& outer) {
    return outer.file == open.file && outer.paradigm != open.paradigm;
  });
  open_.push_back(open);
}

void FileRecorder::end(const Open& open, std::uint64_t time, std::uint64_t bytes) {
  if (open.is_part)
    return;
  auto& file = files_[open.file];
  const bool reads = open.mode == otf2_value::io_read, writes = open.mode == otf2_value::io_write;
  auto& amounts = reads ? file.read : writes ? file.written : file.other;
  ++amounts.operations;
  amounts.ticks += time - std::min(time, open.begin);
  if (bytes == unknown_bytes)
    bytes = open.request;
  if (!reads && !writes)
    return;
  if (bytes == unknown_bytes)
    ++amounts.unknown;
  else
    amounts.bytes += bytes;
}

}  // namespace tracefold
