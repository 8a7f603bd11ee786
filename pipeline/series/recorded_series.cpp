#include "pipeline/series/recorded_series.hpp"

#include "model/profile/metric_columns.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/series/value_table.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t most_guessed_paths = 2 * PathSeries::most_paths;

std::vector<std::size_t> number_columns(std::size_t columns) {
  std::vector<std::size_t> all(columns);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

// By column of `from` the one of `to`; none where it is not there.
std::vector<std::optional<std::size_t>> match_columns(const MetricColumns& from,
                                                      const MetricColumns& to) {
  std::vector<std::optional<std::size_t>> places;
  for (std::size_t c = 0; c < from.size(); ++c)
    if (c < from.measured.size())
      places.push_back(to.find(from.measured[c]));
    else
      places.push_back(to.measured.size() + (c - from.measured.size()));
  return places;
}

// So many rows, each with the columns that have a place; rows that are missing are 0.
ValueTable unpack(const PackedRows& packed, std::size_t rows, std::size_t width,
                  const std::vector<std::optional<std::size_t>>& places) {
  ValueTable table(rows, width);
  for (std::size_t c = 0; c < places.size(); ++c)
    if (places[c] && packed.has(c)) {
      const auto column = packed.read(c);
      for (std::size_t k = 0; k < column.size(); ++k)
        table.at(k, *places[c]) = column[k];
    }
  return table;
}

// A row for each of these paths.
CallPathProfile make_profile(const ValueTable& table, const std::vector<PathIndex>& paths) {
  CallPathProfile out;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    out.rows.push_back({paths[k]});
    const auto row = table.row(k);
    for (std::size_t c = 0; c < row.size(); ++c)
      if (row[c] != 0)
        out.values.push_back({static_cast<std::uint32_t>(c), row[c]});
    out.ends.push_back(static_cast<std::uint32_t>(out.values.size()));
  }

  return out;
}

PackedRows pack_rows(const SeriesSums& sums, const std::vector<PathIndex>& paths) {
  PackedRows rows;
  for (auto path : paths)
    rows.add(sums.row(path));
  rows.finish();
  return rows;
}

// The sums of a later profile over the same tree.
PackedRows pack_rows(SeriesSums sums, std::span<const CallPath> tree,
                     const std::vector<PathIndex>& paths) {
  sums.set_tree(tree);
  sums.list_paths();
  return pack_rows(sums, paths);
}

}  // namespace

SeriesRule::SeriesRule(std::vector<IterationCounts> loops) : loops_(std::move(loops)) {
  for (const auto& loop : loops_) {
    firsts_.push_back(iterations_.size());
    iterations_.insert(iterations_.end(), loop.begin(), loop.end());
  }
}

std::optional<std::size_t> SeriesRule::find(const IterationCounts& loop) const {
  const auto at = std::find(loops_.begin(), loops_.end(), loop);
  return at == loops_.end() ? std::nullopt
                            : std::optional(static_cast<std::size_t>(at - loops_.begin()));
}

std::size_t SeriesRule::find_loop(std::size_t iteration) const {
  const auto behind = std::upper_bound(firsts_.begin(), firsts_.end(), iteration);
  return static_cast<std::size_t>(behind - firsts_.begin()) - 1;
}

struct RecordedSeries::Recorded {
  std::shared_ptr<const SeriesRule> rule;
  std::vector<CallPath> tree;
  std::vector<PathIndex> paths;  // of the tree: those that the process has, behind path 0
  // By these paths.
  PackedRows values, beyond_mpi;  // no rows: nothing
  std::vector<PackedRows> loops;  // of the rule: the first ones
  PackedRows iterations;
  std::vector<std::optional<Interval>> spans;  // by loop of the rule
  std::vector<PathSeries::OfPath> series;
  std::vector<char> are_within_mpi;  // by loop of the rule
  DeferredWaits waits;
  std::size_t beyond_part = 0;  // in the places of waits
  Interval mpi;
  std::uint64_t first_time = 0, last_time = 0;
  PartnerAmounts partners;
  CallTimes times;

  std::size_t bytes() const;
};

std::size_t RecordedSeries::Recorded::bytes() const {
  constexpr std::size_t of_partner = 64;
  auto sum = sizeof(*this) + tree.capacity() * sizeof(tree[0]) +
             paths.capacity() * sizeof(paths[0]) + values.bytes() + beyond_mpi.bytes() +
             iterations.bytes() + waits.bytes() + times.bytes() +
             of_partner * (partners.sent.size() + partners.waited.size());
  for (const auto& rows : loops)
    sum += sizeof(rows) + rows.bytes();
  for (const auto& of_path : series)
    for (const auto& rows : of_path.loops)
      sum += sizeof(rows) + rows.bytes();
  return sum;
}

RecordedSeries::RecordedSeries(const Archive& archive, const FunctionTable& functions,
                               SeriesGuess guess, std::uint64_t memory)
    : definitions_(archive.definitions()),
      columns_(definitions_, functions, choose_metric_columns(definitions_).list_waits(),
               find_cut_metrics(archive.facts())),
      path_columns_(list_time_columns(columns_.columns())),
      guess_(std::move(guess)),
      recorded_(guess_.rules.size()),
      memory_(memory) {}

RecordedSeries::~RecordedSeries() = default;

RecordedSeries::Reading::Reading(const RecordedSeries& all, std::size_t process,
                                 std::uint64_t location)
    : rule_(all.guess_.rules[process]),
      columns_(all.columns_.columns().size()),
      sink_(all.columns_, all.definitions_, location, rule_->iterations(), nullptr,
            [this](std::size_t iteration, const CallPathProfile& profile) {
              add(iteration, profile);
            }),
      sums_(number_columns(columns_)),
      loop_sums_(std::min(rule_->loops().size(), most_loops_by_path), sums_),
      spans_(rule_->loops().size()),
      path_series_(all.guess_.path_functions, all.path_columns_, most_guessed_paths) {
  sink_.keep_times();
}

void RecordedSeries::Reading::add(std::size_t iteration, const CallPathProfile& profile) {
  sums_.add(profile);
  const auto loop = rule_->find_loop(iteration);
  extend(spans_[loop], sink_.span());
  if (loop < loop_sums_.size()) {
    loop_sums_[loop].add(profile);
    path_series_.add(loop, iteration - rule_->first(loop), profile, sink_.paths());
  }

  totals_.assign(columns_, 0);
  for (const auto& [column, value] : profile.values) {
    totals_[column] += value;
    fits_64_bits_ &= totals_[column] >= value;
  }
  iterations_.add(totals_);
}

std::unique_ptr<RecordedSeries::Reading> RecordedSeries::begin(std::size_t process,
                                                               std::uint64_t location) const {
  if (!guess_.rules[process] || taken_ >= memory_)
    return nullptr;
  return std::make_unique<Reading>(*this, process, location);
}

std::unique_ptr<RecordedSeries::Recorded> RecordedSeries::pack(Reading& reading,
                                                               const LocationRead& read) {
  auto& sink = reading.sink_;
  auto out = std::make_unique<Recorded>();
  out->rule = reading.rule_;
  reading.sums_.set_tree(sink.paths());
  out->tree = reading.sums_.tree();
  out->paths = reading.sums_.list_paths();
  out->paths.insert(out->paths.begin(), PathIndex{0});
  out->values = pack_rows(reading.sums_, out->paths);
  if (const auto beyond = sink.beyond_mpi(); !beyond.rows.empty()) {
    SeriesSums sums(number_columns(reading.columns_));
    sums.add(beyond);
    out->beyond_mpi = pack_rows(std::move(sums), out->tree, out->paths);
  }
  for (auto& sums : reading.loop_sums_)
    out->loops.push_back(pack_rows(std::move(sums), out->tree, out->paths));
  std::vector<std::size_t> lengths;
  for (const auto& loop : out->rule->loops()) {
    const auto first = out->rule->first(lengths.size());
    out->are_within_mpi.push_back(sink.are_within_mpi(first, loop.size()));
    lengths.push_back(loop.size());
  }
  out->spans = std::move(reading.spans_);
  out->series = reading.path_series_.finish(lengths);
  out->iterations = std::move(reading.iterations_);
  out->iterations.finish();

  out->waits = std::move(sink.waits());
  out->waits.finish();
  out->beyond_part = sink.beyond_part();
  out->mpi = {sink.mpi_begin().value_or(read.first_time), sink.mpi_end().value_or(read.last_time)};
  out->first_time = read.first_time;
  out->last_time = read.last_time;
  out->partners = sink.partners();
  out->times = sink.take_times().value_or(CallTimes());

  return out;
}

void RecordedSeries::end(std::size_t process, Reading& reading, const LocationRead& read) {
  auto& sink = reading.sink_;
  sink.finish();
  reading.sums_.add(sink.outside());
  const bool is_odd = !read.whole || sink.folded() > 0 || sink.not_finite() > 0 ||
                      !sink.waits().is_regular() || !reading.fits_64_bits_;
  if (is_odd)
    return;

  auto recorded = pack(reading, read);
  if ((taken_ += recorded->bytes()) <= memory_)
    recorded_[process] = std::move(recorded);
}

// The values of a process in the columns of a pass, to which times of waiting are added.
class RecordedSeries::Unpacker {
 public:
  // `loops` are numbers of loops of the rule. All must stay.
  Unpacker(const RecordedSeries& all, const Recorded& recorded,
           const std::vector<std::size_t>& loops, const ProfileColumns& columns)
      : all_(all),
        recorded_(recorded),
        loops_(loops),
        columns_(columns),
        width_(columns.columns().size()),
        places_(match_columns(all.columns_.columns(), columns.columns())),
        series_columns_(list_time_columns(columns.columns())),
        values_(unpack_paths(recorded.values)),
        beyond_mpi_(unpack_paths(recorded.beyond_mpi)),
        has_beyond_mpi_(recorded.beyond_mpi.size() > 0),
        iterations_(
            unpack(recorded.iterations, recorded.rule->iterations().size(), width_, places_)),
        partners_(recorded.partners) {
    for (const auto& rows : recorded.loops)
      loop_values_.push_back(unpack_paths(rows));
  }

  // False where not all series of call paths of these functions were recorded.
  bool unpack_series(const std::vector<bool>& functions);
  void add_wait(const WaitPlace& at, const WaitingTime& waited);
  // None where a time of waiting belongs into a series that was not recorded.
  std::optional<RecordedProcess> take() const;

 private:
  ValueTable unpack_paths(const PackedRows& rows) const {
    return unpack(rows, recorded_.paths.size(), width_, places_);
  }
  bool is_in_loop(PathIndex path) const;
  // By column of the series that are recorded, its place in those of the pass.
  std::vector<std::optional<std::size_t>> match_series_columns() const;

  const RecordedSeries& all_;
  const Recorded& recorded_;
  const std::vector<std::size_t>& loops_;
  const ProfileColumns& columns_;
  std::size_t width_;
  std::vector<std::optional<std::size_t>> places_;  // by recorded column, that of the pass
  std::vector<std::size_t> series_columns_;         // of the pass
  ValueTable values_, beyond_mpi_;
  bool has_beyond_mpi_;
  ValueTable iterations_;
  PartnerAmounts partners_;
  std::vector<ValueTable> loop_values_;  // of the first loops of the rule
  std::vector<PathIndex> series_paths_;  // that have series where they are called in a loop
  std::map<std::pair<PathIndex, std::size_t>, ValueTable> series_;  // by path and loop of the rule
  bool is_known_ = true;
};

std::vector<std::optional<std::size_t>> RecordedSeries::Unpacker::match_series_columns() const {
  const auto begin = series_columns_.begin(), end = series_columns_.end();
  std::vector<std::optional<std::size_t>> out;
  for (auto column : all_.path_columns_) {
    const auto at = std::find(begin, end, places_[column]);
    out.push_back(at == end ? std::nullopt : std::optional(static_cast<std::size_t>(at - begin)));
  }

  return out;
}

bool RecordedSeries::Unpacker::is_in_loop(PathIndex path) const {
  const auto& paths = recorded_.paths;
  const auto at = std::lower_bound(paths.begin(), paths.end(), path);
  if (at == paths.end() || *at != path)
    return false;

  const auto row = static_cast<std::size_t>(at - paths.begin());
  return std::any_of(loop_values_.begin(), loop_values_.end(), [&](const ValueTable& of_loop) {
    const auto values = of_loop.row(row);
    return std::any_of(values.begin(), values.end(), [](auto value) { return value != 0; });
  });
}

bool RecordedSeries::Unpacker::unpack_series(const std::vector<bool>& functions) {
  if (loops_.empty())
    return true;

  std::size_t guessed = 0;
  for (PathIndex path = 1; path < recorded_.tree.size(); ++path) {
    const auto function = recorded_.tree[path].function;
    const bool is_guessed = all_.guess_.path_functions[function];
    if ((!is_guessed && !functions[function]) || !is_in_loop(path))
      continue;
    if (!is_guessed)
      return false;
    ++guessed;
    if (functions[function])
      series_paths_.push_back(path);
  }
  // Where there are more, those have series that come first, which is not recorded.
  if (guessed > most_guessed_paths || series_paths_.size() > PathSeries::most_paths)
    return false;

  const auto places = match_series_columns();
  const auto width = series_columns_.size();
  for (const auto& [path, loops] : recorded_.series)
    if (std::binary_search(series_paths_.begin(), series_paths_.end(), path))
      for (std::size_t l = 0; l < loops.size(); ++l)
        if (loops[l].size() > 0)
          series_.emplace(std::pair(path, l), unpack(loops[l], loops[l].size(), width, places));
  return true;
}

void RecordedSeries::Unpacker::add_wait(const WaitPlace& at, const WaitingTime& waited) {
  const std::size_t column = columns_.column(waited.metric);
  const auto& paths = recorded_.paths;
  const auto row = static_cast<std::size_t>(std::lower_bound(paths.begin(), paths.end(), at.path) -
                                            paths.begin());
  values_.at(row, column) += waited.ticks;
  partners_.keep(waited, at.path);
  if (at.iteration == IterationCursor::outside) {
    if (at.part == recorded_.beyond_part) {
      beyond_mpi_.at(row, column) += waited.ticks;
      has_beyond_mpi_ = true;
    }
    return;
  }

  iterations_.at(at.iteration, column) += waited.ticks;
  const auto loop = recorded_.rule->find_loop(at.iteration);
  if (loop >= loop_values_.size())
    return;
  loop_values_[loop].at(row, column) += waited.ticks;
  if (!std::binary_search(series_paths_.begin(), series_paths_.end(), at.path))
    return;
  const auto series = series_.find({at.path, loop});
  if (series == series_.end()) {
    is_known_ = false;
    return;
  }
  const auto place =
      std::find(series_columns_.begin(), series_columns_.end(), column) - series_columns_.begin();
  series->second.at(at.iteration - recorded_.rule->first(loop), static_cast<std::size_t>(place)) +=
      waited.ticks;
}

std::optional<RecordedProcess> RecordedSeries::Unpacker::take() const {
  if (!is_known_)
    return std::nullopt;

  RecordedProcess out;
  out.paths = recorded_.tree;
  out.all = make_profile(values_, recorded_.paths);
  if (has_beyond_mpi_)
    out.beyond_mpi = make_profile(beyond_mpi_, recorded_.paths);
  for (auto loop : loops_) {
    const auto first = recorded_.rule->first(loop);
    const auto begin = iterations_.values.begin() + static_cast<std::ptrdiff_t>(first * width_);
    const auto length = recorded_.rule->loops()[loop].size() * width_;
    out.iterations.insert(out.iterations.end(), begin, begin + static_cast<std::ptrdiff_t>(length));
    out.spans.push_back(recorded_.spans[loop]);
    if (out.loops.size() < most_loops_by_path)
      out.loops.push_back(make_profile(loop_values_[loop], recorded_.paths));
  }

  for (auto path : series_paths_) {
    PathSeries::OfPath of_path{path, std::vector<PackedRows>(out.loops.size())};
    bool is_called = false;
    for (std::size_t l = 0; l < out.loops.size(); ++l)
      if (const auto series = series_.find({path, loops_[l]}); series != series_.end()) {
        for (std::size_t i = 0; i < recorded_.rule->loops()[loops_[l]].size(); ++i)
          of_path.loops[l].add(series->second.row(i));
        of_path.loops[l].finish();
        is_called = true;
      }
    if (is_called)
      out.series.push_back(std::move(of_path));
  }

  out.mpi = recorded_.mpi;
  out.first_time = recorded_.first_time;
  out.last_time = recorded_.last_time;
  out.partners = partners_;

  return out;
}

std::optional<std::vector<std::size_t>> RecordedSeries::find_loops(
    const Recorded& recorded, std::span<const IterationCounts> loops) {
  std::vector<std::size_t> found;
  auto is_outside = std::vector<bool>(recorded.rule->loops().size(), true);
  for (const auto& loop : loops) {
    const auto number = recorded.rule->find(loop);
    const bool is_by_path = found.size() < most_loops_by_path;
    if (!number || (is_by_path && *number >= recorded.loops.size()))
      return std::nullopt;
    found.push_back(*number);
    is_outside[*number] = false;
  }
  for (std::size_t l = 0; l < is_outside.size(); ++l)
    if (is_outside[l] && !recorded.are_within_mpi[l])
      return std::nullopt;

  return found;
}

std::optional<RecordedProcess> RecordedSeries::take(std::size_t process, std::uint64_t location,
                                                    std::span<const IterationCounts> loops,
                                                    const std::vector<bool>& path_functions,
                                                    const ProfileColumns& columns,
                                                    const WaitMatcher* waits) {
  const auto recorded = std::exchange(recorded_[process], nullptr);
  const auto found = recorded ? find_loops(*recorded, loops) : std::nullopt;
  if (!found)
    return std::nullopt;

  Unpacker unpacker(*this, *recorded, *found, columns);
  if (!unpacker.unpack_series(path_functions))
    return std::nullopt;
  const bool is_regular =
      !waits || recorded->waits.replay(*waits, location, columns, recorded->tree,
                                       [&](const WaitPlace& at, const WaitingTime& waited) {
                                         unpacker.add_wait(at, waited);
                                       });
  auto out = is_regular ? unpacker.take() : std::nullopt;
  if (out)
    out->times = recorded->times;
  return out;
}

}  // namespace tracefold
