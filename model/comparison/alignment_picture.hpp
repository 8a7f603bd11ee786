// The calls of two aligned processes over time, as much of them as a drawing shows. Plain data.
//
// Times are seconds from the first call of each process on, so that both begin together.
//
// Source: structural VIII.D.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

// How a call is beside the other process.
enum class DrawnKind : std::uint8_t {
  none,     // no call
  same,     // in both
  longer,   // in both, and takes longer here
  changed,  // another function is called there
  alone     // in this process alone
};
inline constexpr std::size_t drawn_kinds = 5;

inline constexpr std::size_t picture_columns = 900;
inline constexpr std::size_t most_picture_depths = 10;  // deeper calls are not shown

struct AlignmentPicture {
  struct Span {
    double begin = 0, end = 0;

    double length() const { return end - begin; }
  };
  struct Call {
    Span span;
    std::size_t depth = 0;
    std::string name;
  };
  struct Row {
    // By depth and column: what takes most of that time.
    std::vector<std::vector<DrawnKind>> kinds;
    std::vector<Call> calls;    // those of several columns
    bool lacks_deeper = false;  // whether there are deeper calls
  };
  struct Link {
    double a = 0, b = 0;  // where a call that is in both begins
  };
  struct Costly {
    std::optional<Span> a, b;
  };

  double length = 0;  // of the longer process
  std::array<Row, 2> rows;
  std::vector<Link> links;     // a few of them, ascending
  std::vector<Costly> costly;  // by place in CallAlignment::costly
};

}  // namespace tracefold
