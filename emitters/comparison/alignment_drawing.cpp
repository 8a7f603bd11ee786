#include "emitters/comparison/alignment_drawing.hpp"

#include "base/text.hpp"
#include "emitters/axis.hpp"
#include "emitters/comparison/alignment_formats.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace tracefold {

namespace {

class AlignmentDrawing {
 public:
  AlignmentDrawing(const CallAlignment& alignment, const AlignmentPicture& picture)
      : alignment_(alignment), picture_(picture) {
    const auto measure = [&](std::size_t r) {
      return depth_height * static_cast<double>(picture.rows[r].kinds.size());
    };
    lanes_[0].box = {left, 64, time_width, measure(0)};
    lanes_[1] = {{left, lanes_[0].box.bottom() + link_height, time_width, measure(1)}, true};
  }

  std::string draw() {
    std::string body = draw_text(20, 28, "start", write_title(), svg_style::title_text);
    body += draw_text(left, lanes_[0].box.y - 8, "start",
                      describe("A", alignment_.process_a, alignment_.calls_a, alignment_.time_a),
                      svg_style::heading_text);
    body += draw_links();
    body += draw_costly();
    for (std::size_t r = 0; r < 2; ++r)
      body += draw_lane(r);
    y_ = lanes_[1].box.bottom() + line_height;
    body += draw_text(left, y_, "start",
                      describe("B", alignment_.process_b, alignment_.calls_b, alignment_.time_b),
                      svg_style::heading_text);
    body += draw_axis();
    body += draw_legend();
    body += list_costly();
    return begin_svg(width, static_cast<int>(y_ + line_height)) + body + std::string(end_svg());
  }

 private:
  static constexpr int width = 1000;
  static constexpr double left = 60, time_width = picture_columns, depth_height = 15,
                          link_height = 90, line_height = 18, square = 11, letter_width = 6.4;
  static constexpr std::size_t longest_title = 96, longest_title_path = 45, longest_path = 100,
                               longest_name = 30, least_letters = 8;
  static constexpr Colour same_colour{218, 218, 218};

  // Where a process is: A's outermost calls are above, and B's below, so that the innermost calls
  // of both are beside the lines between them.
  struct Lane {
    Box box;
    bool is_upwards = false;

    double find_y(std::size_t depth) const {
      const auto down = static_cast<double>(depth) * depth_height;
      return is_upwards ? box.bottom() - down - depth_height : box.y + down;
    }
  };

  static Colour choose_colour(DrawnKind kind, bool is_b) {
    switch (kind) {
      case DrawnKind::none: break;
      case DrawnKind::same: return same_colour;
      case DrawnKind::longer: return okabe_ito::reddish_purple;
      case DrawnKind::changed: return okabe_ito::orange;
      case DrawnKind::alone: return is_b ? okabe_ito::blue : okabe_ito::vermillion;
    }
    return {255, 255, 255};
  }

  static Colour choose_colour(CallChange change) {
    switch (change) {
      case CallChange::same: return okabe_ito::reddish_purple;
      case CallChange::changed: return okabe_ito::orange;
      case CallChange::inserted: return okabe_ito::blue;
      case CallChange::deleted: break;
    }
    return okabe_ito::vermillion;
  }

  static std::string fill_with(const Colour& colour, const char* more = "") {
    return fmt::format(" fill=\"{}\"{}", write_colour(colour), more);
  }

  static std::string describe(const char* letter, const std::string& process, std::uint64_t calls,
                              double time) {
    return fmt::format("{}: {}, {} calls, {}", letter, make_printable(process), show_count(calls),
                       format_seconds(time));
  }

  // Without the times where it is long: the list has them.
  std::string write_title() const {
    const auto whole = write_headline(alignment_, longest_title_path);
    return shorten(whole.substr(0, whole.size() > longest_title ? whole.rfind(": ") : whole.npos),
                   longest_title);
  }

  double find_x(double seconds) const {
    return picture_.length > 0 ? left + time_width * seconds / picture_.length : left;
  }

  std::string draw_lane(std::size_t r) const {
    const auto& row = picture_.rows[r];
    const auto& lane = lanes_[r];
    if (row.kinds.empty())
      return {};

    // In its size, so that viewers have nothing to smooth.
    const auto height = static_cast<std::size_t>(lane.box.height);
    IndexedImage image{picture_columns, height, {}, {}};
    for (std::size_t kind = 0; kind < drawn_kinds; ++kind)
      image.palette.push_back(choose_colour(static_cast<DrawnKind>(kind), r == 1));
    for (std::size_t y = 0; y < height; ++y) {
      const auto row_at = y / static_cast<std::size_t>(depth_height);
      for (auto kind : row.kinds[lane.is_upwards ? row.kinds.size() - 1 - row_at : row_at])
        image.pixels.push_back(static_cast<std::uint8_t>(kind));
    }
    auto out = draw_image(lane.box, image);

    std::string edges, names;
    for (const auto& call : row.calls) {
      const auto x = find_x(call.span.begin), y = lane.find_y(call.depth);
      const auto room = find_x(call.span.end) - x;
      edges += move_to(x, y) + "v" + write_length(depth_height) + "h" + write_length(room) + "v-" +
               write_length(depth_height) + "z";
      const auto letters = static_cast<std::size_t>(std::max(0.0, (room - 6) / letter_width));
      const auto name = make_printable(call.name);
      if (letters < std::min(name.size(), least_letters))
        continue;
      const auto middle = static_cast<std::size_t>(x + room / 2 - left);
      const auto kind = row.kinds[call.depth][std::min(middle, picture_columns - 1)];
      const bool is_light =
          kind == DrawnKind::none || kind == DrawnKind::same || kind == DrawnKind::changed;
      names += draw_text(x + 4, y + depth_height - 4, "start", shorten_name(name, letters),
                         is_light ? " font-size=\"11\"" : " font-size=\"11\" fill=\"white\"");
    }
    return out + draw_path(edges, " fill=\"none\" stroke=\"white\" stroke-width=\"0.7\"") + names;
  }

  double top() const { return lanes_[0].box.bottom(); }
  double bottom() const { return lanes_[1].box.y; }

  std::string draw_links() const {
    std::string path;
    for (const auto& link : picture_.links)
      path += move_to(find_x(link.a), top()) + "L" + write_length(find_x(link.b)) + " " +
              write_length(bottom());
    return draw_path(path, " fill=\"none\" stroke=\"#bbbbbb\" stroke-width=\"0.8\"");
  }

  // Both ends of a call at a height, in which it can be seen.
  std::pair<double, double> find_ends(const AlignmentPicture::Span& span) const {
    constexpr double least = 2;
    const auto begin = find_x(span.begin);
    return {begin, std::max(find_x(span.end), begin + least)};
  }

  std::string draw_costly() const {
    std::string out, numbers;
    constexpr double steps = 5;  // heights of numbers, so that they are beside each other
    for (std::size_t k = picture_.costly.size(); k-- > 0;) {
      const auto& [a, b] = picture_.costly[k];
      const auto middle =
          top() + link_height * (0.5 + std::fmod(static_cast<double>(k), steps)) / steps;
      const auto colour = choose_colour(alignment_.costly[k].change);
      std::string path;
      double x = 0;
      if (a && b) {
        const auto [begin_a, end_a] = find_ends(*a);
        const auto [begin_b, end_b] = find_ends(*b);
        path = move_to(begin_a, top()) + "H" + write_length(end_a) + "L" + write_length(end_b) +
               " " + write_length(bottom()) + "H" + write_length(begin_b) + "z";
        const auto down = (middle - top()) / link_height;
        x = (begin_a + end_a) / 2 * (1 - down) + (begin_b + end_b) / 2 * down;
      } else {
        const auto [begin, end] = find_ends(a ? *a : *b);
        x = (begin + end) / 2;
        path = move_to(begin, a ? top() : bottom()) + "H" + write_length(end) + "L" +
               write_length(x) + " " + write_length(middle) + "z";
      }
      out += draw_path(path, fill_with(colour, " fill-opacity=\"0.3\""));
      numbers += draw_number(x, middle, k);
    }
    return out + numbers;
  }

  std::string draw_number(double x, double y, std::size_t k) const {
    return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"8\"{}/>\n", write_length(x),
                       write_length(y), fill_with(choose_colour(alignment_.costly[k].change))) +
           draw_text(x, y + 4, "middle", std::to_string(k + 1),
                     " font-size=\"10\" font-weight=\"bold\" fill=\"white\"");
  }

  std::string draw_axis() {
    const auto line = y_ + 10;
    std::string out =
        draw_path(move_to(left, line) + "h" + write_length(time_width), svg_style::line);
    constexpr std::size_t most_ticks = 8;
    for (auto tick : choose_ticks(0, picture_.length, most_ticks).values) {
      out += draw_path(move_to(find_x(tick), line) + "v" + write_length(svg_style::tick_length),
                       svg_style::line);
      out += draw_text(find_x(tick), line + 17, "middle", format_seconds(tick));
    }
    y_ = line + 17;
    return out;
  }

  std::string draw_legend() {
    std::string out;
    y_ += 12;
    const auto add = [&](const Colour& colour, const std::string& text) {
      y_ += line_height;
      out += draw_rectangle({left, y_ - square + 1, square, square}, fill_with(colour)) +
             draw_text(left + 20, y_, "start", text);
    };
    const auto count = [](std::uint64_t calls) {
      return fmt::format("{} call{}", show_count(calls), calls == 1 ? "" : "s");
    };
    const auto tell = [&](const ChangedCalls& calls) {
      return fmt::format("{}, {} in A and {} in B", count(calls.calls), format_seconds(calls.a),
                         format_seconds(calls.b));
    };
    add(same_colour, "in both: " + tell(alignment_.same) + " without what they call");
    if (has(DrawnKind::longer))
      add(okabe_ito::reddish_purple, "in both, and takes longer here, by half at least");
    if (alignment_.changed.calls > 0)
      add(okabe_ito::orange, "another function at the same place: " + tell(alignment_.changed));
    if (alignment_.deleted.calls > 0)
      add(okabe_ito::vermillion, fmt::format("in A alone: {}, {}", count(alignment_.deleted.calls),
                                             format_seconds(alignment_.deleted.a)));
    if (alignment_.inserted.calls > 0)
      add(okabe_ito::blue, fmt::format("in B alone: {}, {}", count(alignment_.inserted.calls),
                                       format_seconds(alignment_.inserted.b)));
    auto words = describe_limits(alignment_);
    if (picture_.rows[0].lacks_deeper || picture_.rows[1].lacks_deeper)
      words += fmt::format("calls inside of {} others are not drawn\n", most_picture_depths);
    std::istringstream limits(words);
    for (std::string line; std::getline(limits, line);) {
      y_ += line_height;
      out += draw_text(left + 20, y_, "start", line, svg_style::grey_text);
    }
    return out;
  }

  bool has(DrawnKind kind) const {
    return std::any_of(picture_.rows.begin(), picture_.rows.end(), [&](const auto& row) {
      return std::any_of(row.kinds.begin(), row.kinds.end(), [&](const auto& columns) {
        return std::find(columns.begin(), columns.end(), kind) != columns.end();
      });
    });
  }

  std::string list_costly() {
    std::string out;
    y_ += 10;
    for (std::size_t k = 0; k < picture_.costly.size(); ++k) {
      const auto& call = alignment_.costly[k];
      y_ += line_height;
      out += draw_number(left + 6, y_ - 4, k);
      out += draw_text(left + 90, y_, "end",
                       (call.b > call.a ? "+" : "-") + format_seconds(call.cost()));
      const bool is_changed = !call.function_in_b.empty();
      auto text =
          shorten_name(make_printable(call.path), longest_path - (is_changed ? longest_name : 0));
      if (is_changed)
        text += " (B: " + shorten_name(make_printable(call.function_in_b), longest_name) + ")";
      if (call.iteration)
        text += fmt::format(", iteration {}", *call.iteration);
      out += draw_text(left + 102, y_, "start", text);
    }
    return out;
  }

  const CallAlignment& alignment_;
  const AlignmentPicture& picture_;
  std::array<Lane, 2> lanes_;
  double y_ = 0;  // of the last line that is drawn
};

}  // namespace

std::string to_svg(const CallAlignment& alignment, const AlignmentPicture& picture) {
  return AlignmentDrawing(alignment, picture).draw();
}

}  // namespace tracefold
