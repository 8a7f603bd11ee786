// The interface of formats for viewers: emitters/viewers/ has a class for each format, and
// pipeline/viewers/ feeds them with events.
//
// A file is the result of ViewWriter::begin(), the parts of all threads in their order, and the
// result of end(). Parts are independent, so each may be made by another thread.
#pragma once

#include "model/viewers/view.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace tracefold {

// One end of a message.
struct ViewMessage {
  bool receives = false;
  std::optional<std::size_t> partner;       // a process; none: not known
  std::optional<std::size_t> communicator;  // none: not defined
  std::uint64_t bytes = 0, tag = 0;
  std::uint64_t link =
      0;  // the same number at both ends, and nowhere else; 0: the other end is unknown
};

// What a process does in a collective operation.
struct ViewCollective {
  std::string_view operation;
  std::optional<std::size_t> communicator;
  std::optional<std::size_t> root;  // a process; none: no root, or not known
  std::uint64_t bytes_sent = 0, bytes_received = 0;
};

// Real numbers are finite.
using ViewValue = std::variant<std::int64_t, std::uint64_t, double>;

// Receives the events of one thread in the order of time, in nanoseconds. Calls are nested: each
// leave ends the innermost one in its lane. Only calls on accelerators, which may overlap, have
// other lanes than 0. Functions and counters are indexes into the view.
class ViewPart {
 public:
  virtual ~ViewPart() = default;

  virtual void enter(std::uint64_t time, std::size_t function, std::size_t lane) = 0;
  virtual void leave(std::uint64_t time, std::size_t function, std::size_t lane) = 0;
  virtual void message(std::uint64_t time, const ViewMessage& message) = 0;
  virtual void collective(std::uint64_t time, const ViewCollective& collective) = 0;
  virtual void count(std::uint64_t time, std::size_t counter, const ViewValue& value) = 0;

  // The bytes so far. The caller may write them to the file and clear them.
  std::string& bytes() { return bytes_; }

 protected:
  std::string bytes_;
};

class ViewWriter {
 public:
  virtual ~ViewWriter() = default;

  virtual std::string begin() const = 0;
  virtual std::unique_ptr<ViewPart> open(std::size_t thread) const = 0;
  virtual std::string end() const = 0;
};

// The view must outlive the writer.
using MakeViewWriter = std::function<std::unique_ptr<ViewWriter>(const View&)>;

// A format, and whether it is packed.
struct ViewFormat {
  MakeViewWriter make_writer;
  bool is_packed = false;    // by gzip
  double relative_size = 1;  // roughly, in bytes for each byte of an OTF2 archive
};

}  // namespace tracefold
