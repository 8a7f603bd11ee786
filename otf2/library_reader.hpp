// Reads events with libotf2, where our decoder cannot read the files or the user asks for it.
#pragma once

#include "otf2/archive.hpp"
#include "otf2/event_receiver.hpp"

#include <otf2/otf2.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace tracefold {

namespace detail {

struct ReaderCloser {
  void operator()(OTF2_Reader* r) const { OTF2_Reader_Close(r); }
};
using ReaderHandle = std::unique_ptr<OTF2_Reader, ReaderCloser>;

// Also silences libotf2's messages. Throws Error(input).
ReaderHandle open_reader(const std::filesystem::path& anchor);

}  // namespace detail

// One thread. The time that libotf2 takes for each location grows with the number of locations of
// its reader. So each batch of locations has its own reader.
class LibraryReader {
 public:
  LibraryReader(const Archive& archive, std::span<const std::uint64_t> batch);

  // Reads all events of a location of the batch, and sets `records` to their number. False where
  // the file is damaged or ends early. Throws Error(input) where it cannot be opened or the local
  // definitions are damaged, and what the receiver throws.
  bool read(std::uint64_t location, EventReceiver& receiver, std::uint64_t& records);

 private:
  OTF2_EvtReader* open(std::uint64_t location);

  const Archive& archive_;
  detail::ReaderHandle reader_;
};

}  // namespace tracefold
