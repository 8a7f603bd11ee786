#include "base/zstd_frame.hpp"

#include "base/error.hpp"

#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <utility>

namespace tracefold {

namespace {

struct FreeFrameContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

template <class Context>
Context* demand_context(const std::unique_ptr<Context, FreeFrameContext>& context) {
  if (!context)
    throw std::bad_alloc();
  return context.get();
}

using ParameterValues = std::span<const std::pair<ZSTD_cParameter, int>>;

// In noise, what repeats by chance takes more than its bytes would. A table of 2^8 places finds few
// of these, and still the long ones that mean something. It is fast, too.
constexpr std::pair<ZSTD_cParameter, int> of_differences[] = {
    {ZSTD_c_compressionLevel, 1}, {ZSTD_c_minMatch, 7}, {ZSTD_c_hashLog, 8}};
constexpr std::pair<ZSTD_cParameter, int> of_text[] = {{ZSTD_c_compressionLevel, 9}};
// Pieces of some dozen bytes are looked for from each eighth byte on.
constexpr std::pair<ZSTD_cParameter, int> of_sections[] = {{ZSTD_c_compressionLevel, 3},
                                                           {ZSTD_c_windowLog, 25},
                                                           {ZSTD_c_enableLongDistanceMatching, 1},
                                                           {ZSTD_c_ldmMinMatch, 32},
                                                           {ZSTD_c_ldmHashRateLog, 3}};

// The table of where these pieces were has room for one in eight bytes, and takes 32 MiB at most.
// It is cleared for each frame: a large one would take longer than packing a few bytes.
int choose_section_table(std::size_t bytes) {
  return std::clamp(static_cast<int>(std::bit_width(bytes / 8)), 8, 22);
}

ParameterValues list_parameters(FrameContent content) {
  switch (content) {
    case FrameContent::text: return of_text;
    case FrameContent::differences: return of_differences;
    case FrameContent::sections: return of_sections;
  }
  return of_text;
}

void set_parameters(ZSTD_CCtx* context, FrameContent content, std::size_t bytes) {
  ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  for (const auto& [parameter, value] : list_parameters(content))
    ZSTD_CCtx_setParameter(context, parameter, value);
  if (content == FrameContent::sections)
    ZSTD_CCtx_setParameter(context, ZSTD_c_ldmHashLog, choose_section_table(bytes));
}

[[noreturn]] void refuse_frame() {
  throw Error(ErrorKind::input, "packed bytes are damaged");
}

std::string pack_by(ZSTD_CCtx* context, std::string_view bytes, FrameContent content) {
  set_parameters(context, content, bytes.size());
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  const auto size =
      ZSTD_compress2(context, packed.data(), packed.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size))
    throw std::bad_alloc();  // there is room enough, and nothing else goes wrong
  packed.resize(size);
  return packed;
}

using PackingContext = std::unique_ptr<ZSTD_CCtx, FreeFrameContext>;

}  // namespace

std::string pack_frame(std::string_view bytes, FrameContent content) {
  if (content == FrameContent::sections)
    return pack_by(demand_context(PackingContext(ZSTD_createCCtx())), bytes, content);

  thread_local const PackingContext kept(ZSTD_createCCtx());
  return pack_by(demand_context(kept), bytes, content);
}

std::uint64_t read_frame_size(std::string_view frame) {
  const auto size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR)
    refuse_frame();
  return size;
}

std::string unpack_frame(std::string_view frame, std::uint64_t size) {
  if (read_frame_size(frame) != size ||
      ZSTD_findFrameCompressedSize(frame.data(), frame.size()) != frame.size())
    refuse_frame();

  thread_local const std::unique_ptr<ZSTD_DCtx, FreeFrameContext> kept(ZSTD_createDCtx());
  std::string bytes(static_cast<std::size_t>(size), '\0');
  const auto unpacked = ZSTD_decompressDCtx(demand_context(kept), bytes.data(), bytes.size(),
                                            frame.data(), frame.size());
  if (ZSTD_isError(unpacked) || unpacked != size)
    refuse_frame();
  return bytes;
}

}  // namespace tracefold
