#include "filters/comparison/picture_alignment.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tracefold {

namespace {

class AlignedTimeline {
 public:
  AlignedTimeline(const AlignedSide& side, const std::vector<PartnerCall>& partners)
      : side_(side), partners_(partners) {
    for (const auto& call : side.tree.calls)
      end_ = std::max(end_, get_span(call).end);
  }

  double end() const { return end_; }
  AlignmentPicture::Span get_span(const CallNode& call) const {
    const auto begin =
        static_cast<double>(call.begin - side_.tree.calls.front().begin) * side_.seconds_per_tick;
    return {begin, begin + static_cast<double>(call.inclusive) * side_.seconds_per_tick};
  }
  AlignmentPicture::Span get_span(std::uint32_t call) const {
    return get_span(side_.tree.calls[call]);
  }

  AlignmentPicture::Row draw(double length) const {
    AlignmentPicture::Row row;
    const auto& calls = side_.tree.calls;
    std::size_t depths = 0;
    for (const auto& call : calls)
      depths = std::max<std::size_t>(depths, call.depth + 1);
    row.lacks_deeper = depths > most_picture_depths;
    depths = std::min(depths, most_picture_depths);

    // By depth, column and kind: how much of the column it takes.
    using Shares = std::array<double, drawn_kinds>;
    std::vector<std::vector<Shares>> shares(depths, std::vector<Shares>(picture_columns));
    std::vector<DrawnKind> kinds(calls.size());
    for (std::size_t k = 0; k < calls.size(); ++k) {
      kinds[k] = find_kind(k, kinds, length);
      if (calls[k].depth >= depths)
        continue;
      const auto span = get_span(calls[k]);
      const auto begin = to_column(span.begin, length), end = to_column(span.end, length);
      for (auto c = static_cast<std::size_t>(begin);
           c < picture_columns && static_cast<double>(c) < end; ++c)
        shares[calls[k].depth][c][static_cast<std::size_t>(kinds[k])] +=
            std::min(end, static_cast<double>(c + 1)) - std::max(begin, static_cast<double>(c));
      if (end - begin >= least_columns)
        row.calls.push_back(
            {span, calls[k].depth, side_.functions[calls[k].function].shown_name()});
    }

    for (const auto& of_depth : shares) {
      auto& columns = row.kinds.emplace_back();
      for (auto of : of_depth) {
        double sum = 0;
        for (auto share : of)
          sum += share;
        of[0] = 1 - sum;
        columns.push_back(
            static_cast<DrawnKind>(std::max_element(of.begin(), of.end()) - of.begin()));
      }
    }
    return row;
  }

 private:
  static constexpr double least_longer = 1.5, least_share = 0.1, least_part = 0.001;
  static constexpr double least_columns = 3;  // of a call with a name

  static double to_column(double seconds, double length) {
    return seconds / length * static_cast<double>(picture_columns);
  }

  // What is called inside of a call that is alone, is so too.
  DrawnKind find_kind(std::size_t k, const std::vector<DrawnKind>& kinds, double length) const {
    const auto& partner = partners_[k];
    if (!partner.change) {
      const auto caller = side_.tree.calls[k].caller;
      return caller == not_a_call || kinds[caller] == DrawnKind::longer ? DrawnKind::same
                                                                        : kinds[caller];
    }
    switch (*partner.change) {
      case CallChange::changed: return DrawnKind::changed;
      case CallChange::inserted:
      case CallChange::deleted: return DrawnKind::alone;
      case CallChange::same: break;
    }
    const auto more = partner.own - partner.other_own;
    return partner.own > least_longer * partner.other_own && more > least_part * length &&
                   more > least_share * get_span(side_.tree.calls[k]).length()
               ? DrawnKind::longer
               : DrawnKind::same;
  }

  const AlignedSide& side_;
  const std::vector<PartnerCall>& partners_;
  double end_ = 0;
};

}  // namespace

AlignmentPicture picture_alignment(const AlignedSide& a, const AlignedSide& b,
                                   const CallAlignment& alignment, const CallPartners& partners) {
  const AlignedTimeline of_a(a, partners.a), of_b(b, partners.b);
  AlignmentPicture out;
  out.length = std::max(of_a.end(), of_b.end());
  if (out.length <= 0)
    return out;
  out.rows = {of_a.draw(out.length), of_b.draw(out.length)};

  constexpr double links_shown = 80;
  std::map<std::size_t, std::pair<std::uint64_t, AlignmentPicture::Link>> longest;
  for (std::size_t k = 0; k < partners.a.size(); ++k) {
    const auto& partner = partners.a[k];
    if (partner.change != CallChange::same)
      continue;
    const auto& call = a.tree.calls[k];
    const AlignmentPicture::Link link{of_a.get_span(call).begin, of_b.get_span(partner.call).begin};
    auto& best = longest[static_cast<std::size_t>(link.a / out.length * links_shown)];
    if (call.inclusive >= best.first)
      best = {call.inclusive, link};
  }
  for (const auto& [at, best] : longest)
    out.links.push_back(best.second);

  for (const auto& call : alignment.costly) {
    const auto k = static_cast<std::uint32_t>(call.number);
    auto& one = out.costly.emplace_back();
    if (call.change == CallChange::inserted) {
      one.b = of_b.get_span(k);
      continue;
    }
    one.a = of_a.get_span(k);
    if (call.change != CallChange::deleted)
      one.b = of_b.get_span(partners.a[k].call);
  }
  return out;
}

}  // namespace tracefold
