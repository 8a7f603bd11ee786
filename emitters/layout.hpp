// How text for people is laid out: how wide it may be, and whether it may be bold and coloured.
//
// That is told once, before anything is shown. Where it is not, text is as wide as what it holds,
// and has no styles.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tracefold {

// Lines of a page that is for no terminal.
inline constexpr std::size_t page_columns = 80;

struct TextLayout {
  std::size_t columns = 0;  // 0: any number
  bool is_wide = true;      // then: names are whole, and lists complete
  bool has_styles = false;  // escapes for a terminal
  // How to see what there is no room for, in words for people: an option of the program.
  std::string remedy = {};
  bool groups_digits = true;  // "1 234 567"; else a program may read the numbers
};

void set_text_layout(const TextLayout& layout);
const TextLayout& text_layout();

// Another layout for as long as it lives.
class TextLayoutScope {
 public:
  explicit TextLayoutScope(const TextLayout& layout) : before_(text_layout()) {
    set_text_layout(layout);
  }
  ~TextLayoutScope() { set_text_layout(before_); }
  TextLayoutScope(const TextLayoutScope&) = delete;
  TextLayoutScope& operator=(const TextLayoutScope&) = delete;

 private:
  TextLayout before_;
};

// Whether there is room for all that there is to show.
bool shows_all();

// How long names of functions are, where they do not depend on a table's width.
enum class NameLength { shortened, whole };
// Whole where lines may be of any width, and that was asked for.
NameLength choose_name_length();

enum class TextStyle { heading, good, fair, poor };
// Characters that are seen of a text that may have such escapes.
std::size_t measure_shown(std::string_view text);
// The text with the escapes of its style, where there are styles.
std::string apply_style(const std::string& text, TextStyle style);

// "no room for: X (REMEDY)", a line.
std::string describe_no_room(const std::string& what);
// "and 3 loops more (REMEDY)", a line.
std::string describe_more(std::size_t count, const std::string& what);

// Lines that are too wide go on in further ones, which are indented. They are broken at spaces;
// words stay whole, and so do numbers with their units: "25 %", "1 234 567", "7.7 MiB".
std::string wrap_lines(const std::string& text);

}  // namespace tracefold
