#include "pipeline/correlation/batch_runner.hpp"

#include "base/for_each_index.hpp"

#include <algorithm>
#include <atomic>
#include <memory>

namespace tracefold {

namespace {

using correlation::batch_views;
using correlation::Correlator;
using correlation::Spectra;
using correlation::SurrogateKind;
using correlation::SurrogateMaxima;
using Columns = std::span<const ViewColumn* const>;

// What a thread works with that keeps spectra.
struct Worker {
  Correlator::Room room;
  Spectra spectra;
  std::vector<double> values;
};

std::size_t count_batches(std::size_t views) {
  return (views + batch_views - 1) / batch_views;
}

Columns take_batch(Columns columns, std::size_t batch) {
  const auto first = batch * batch_views;
  return columns.subspan(first, std::min(batch_views, columns.size() - first));
}

// Surrogates are held against the views in groups of at most so many, and at least so many.
constexpr std::size_t most_queries = batch_views;
constexpr std::size_t least_queries = 4;

}  // namespace

std::uint64_t count_least_bytes(std::uint64_t grid_points, std::uint64_t points,
                                bool uses_surrogates) {
  constexpr std::uint64_t row = batch_views * sizeof(float);
  constexpr std::uint64_t tables = 32;  // of the correlator and its transforms, for each point
  const auto rooms = points * (row + tables) + grid_points * (3 * row + tables);
  const auto spectra = points * row;
  const auto queries = points * least_queries * sizeof(correlation::Complex);
  return rooms + spectra + (uses_surrogates ? queries + grid_points * (row + tables) : 0);
}

BatchRunner::BatchRunner(const Correlator& correlator, std::uint64_t memory)
    : correlator_(correlator), memory_(memory) {}

void BatchRunner::fill(Columns columns, std::vector<double>& values) const {
  values.assign(correlator_.grid_points() * batch_views, 0.0);
  for (std::size_t view = 0; view < columns.size(); ++view)
    for (const auto& cell : *columns[view])
      values[cell.place * batch_views + view] = cell.value;
}

void BatchRunner::run(std::size_t tasks, std::uint64_t bytes,
                      const std::function<std::function<void(std::size_t)>()>& make_worker) const {
  const auto fit =
      std::clamp<std::uint64_t>(memory_ / std::max<std::uint64_t>(bytes, 1), 1, count_threads());
  const auto workers = std::min<std::size_t>(static_cast<std::size_t>(fit), tasks);

  std::atomic<std::size_t> next = 0;
  for_each_index(workers, [&](std::size_t) {
    const auto work = make_worker();
    for (auto task = next++; task < tasks; task = next++)
      work(task);
  });
}

BatchRunner::Query BatchRunner::make_query(const ViewColumn& column) const {
  const ViewColumn* columns[] = {&column};
  std::vector<double> values;
  fill(columns, values);

  auto room = correlator_.make_room();
  auto spectra = correlator_.make_spectra();
  correlator_.transform(values.data(), spectra, room);

  Query query{correlator_.make_query(spectra, 0), {}};
  for (std::size_t p = 0; p < correlator_.grid_points(); ++p)
    query.values.push_back(values[p * batch_views]);
  return query;
}

std::uint64_t BatchRunner::query_bytes() const {
  return correlator_.query_bytes() + correlator_.grid_points() * sizeof(double);
}

std::uint64_t BatchRunner::count_bytes_of_a_view() const {
  return correlator_.grid_points() * view_cell_bytes + strength_bytes();
}

std::uint64_t BatchRunner::strength_bytes() const {
  return (correlator_.points() / 2 + 1) * sizeof(float);
}

std::vector<ViewMatch> BatchRunner::correlate(const Query& query, Columns columns,
                                              const correlation::ShiftMask& mask) const {
  std::vector<ViewMatch> out(columns.size());
  const auto bytes = correlator_.room_bytes() + correlator_.grid_points() * batch_views * 8;

  run(count_batches(columns.size()), bytes, [&] {
    auto room = std::make_shared<Correlator::Room>(correlator_.make_room());
    auto values = std::make_shared<std::vector<double>>();

    return [&, room, values](std::size_t batch) {
      const auto mine = take_batch(columns, batch);
      fill(mine, *values);
      const auto matches = correlator_.correlate(query.frequencies, values->data(), *room, mask);
      const auto plain =
          correlation::correlate_plainly(correlator_.grid(), query.values.data(), values->data());
      for (std::size_t view = 0; view < mine.size(); ++view)
        out[batch * batch_views + view] = {matches[view], plain[view]};
    };
  });

  return out;
}

std::vector<std::vector<float>> BatchRunner::find_strengths(Columns columns) const {
  std::vector<std::vector<float>> out(columns.size());
  const auto bytes = correlator_.room_bytes() + correlator_.spectra_bytes() +
                     correlator_.grid_points() * batch_views * 8;

  run(count_batches(columns.size()), bytes, [&] {
    auto mine =
        std::make_shared<Worker>(Worker{correlator_.make_room(), correlator_.make_spectra(), {}});

    return [&, mine](std::size_t batch) {
      const auto here = take_batch(columns, batch);
      fill(here, mine->values);
      correlator_.transform(mine->values.data(), mine->spectra, mine->room);
      for (std::size_t view = 0; view < here.size(); ++view)
        out[batch * batch_views + view] = correlator_.find_strengths(mine->spectra, view);
    };
  });

  return out;
}

SurrogateMaxima BatchRunner::find_surrogate_maxima(const Query& query, Columns columns,
                                                   std::size_t surrogates,
                                                   const correlation::ShiftMask& mask) const {
  std::vector<double> queried(correlator_.grid_points() * batch_views, 0.0);
  for (std::size_t p = 0; p < query.values.size(); ++p)
    queried[p * batch_views] = query.values[p];
  const correlation::Surrogates source(correlator_, queried.data(), 0);
  queried = {};

  const auto bytes = correlator_.room_bytes() + correlator_.spectra_bytes() +
                     correlator_.grid_points() * batch_views * sizeof(double) + source.room_bytes();
  auto group = most_queries;
  while (group > least_queries && bytes + group * correlator_.query_bytes() > memory_)
    group /= 2;

  // A task takes a group of surrogates of a kind, and holds them against all views.
  const auto of_a_kind = (surrogates + group - 1) / group;
  std::vector<SurrogateMaxima> found(2 * of_a_kind, SurrogateMaxima(surrogates));

  run(found.size(), bytes + group * correlator_.query_bytes(), [&] {
    auto mine =
        std::make_shared<Worker>(Worker{correlator_.make_room(), correlator_.make_spectra(), {}});

    return [&, mine](std::size_t task) {
      const auto kind = task < of_a_kind ? SurrogateKind::phases : SurrogateKind::order;
      const auto first = task % of_a_kind * group;
      const auto count = std::min(group, surrogates - first);

      // They are made 32 at a time.
      mine->values.resize(correlator_.grid_points() * batch_views);
      source.make(kind, first / batch_views * batch_views, mine->values.data());
      correlator_.transform(mine->values.data(), mine->spectra, mine->room);
      std::vector<correlation::Query> queries;
      for (std::size_t i = 0; i < count; ++i)
        queries.push_back(correlator_.make_query(mine->spectra, first % batch_views + i));

      auto& maxima = kind == SurrogateKind::phases ? found[task].phases : found[task].order;
      for (std::size_t batch = 0; batch < count_batches(columns.size()); ++batch) {
        fill(take_batch(columns, batch), mine->values);
        correlator_.transform(mine->values.data(), mine->spectra, mine->room);

        // Lanes without a view hold zeros, and correlate with nothing.
        for (std::size_t i = 0; i < count; ++i) {
          const auto largest =
              correlator_.find_largest(queries[i], mine->spectra, mine->room, mask);
          maxima[first + i] =
              std::max(maxima[first + i], *std::max_element(largest.begin(), largest.end()));
        }
      }
    };
  });

  SurrogateMaxima all(surrogates);
  for (const auto& maxima : found)
    all.raise(maxima);
  return all;
}

}  // namespace tracefold
