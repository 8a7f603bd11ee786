#include "filters/iterations/folding_errors.hpp"

#include <algorithm>

namespace tracefold {

ProcessFoldingErrors::ProcessFoldingErrors(const MetricColumns& columns,
                                           const std::vector<MeasuredChoice>& choices,
                                           IterationWindow window)
    : columns_(columns), form_(columns), window_(window) {
  for (const auto& choice : choices) {
    choices_.emplace_back(columns, choice);
    for (auto iteration : choice.kept->kept)
      kept_.try_emplace(iteration);
  }
}

std::vector<Wide> ProcessFoldingErrors::list_entries(const WideSums& values) const {
  std::vector<Wide> entries(form_.size());
  const auto sums =
      values.size() == 0 ? std::vector<Wide>(columns_.size()) : form_.column_sums(values);
  form_.condense<Wide>(sums, entries);
  return entries;
}

void ProcessFoldingErrors::first(std::size_t iteration, const CallPathProfile& profile) {
  for (auto& choice : choices_)
    choice.clusters.add(profile);
  if (const auto at = kept_.find(iteration); at != kept_.end())
    at->second = ProfileSums(profile);
  if (!window_.contains(iteration))
    return;

  const auto sums =
      profile.rows.empty() ? std::vector<Wide>(columns_.size()) : form_.column_sums(profile);
  const auto place = iteration - window_.first;
  originals_.resize((place + 1) * form_.size());
  form_.condense<Wide>(sums, std::span(originals_).subspan(place * form_.size(), form_.size()));
}

void ProcessFoldingErrors::turn() {
  for (auto& choice : choices_) {
    choice.cluster_of = choice.clusters.number_clusters();
    choice.profiles = choice.clusters.profiles();
    choice.of_kept.emplace_back(columns_, choice.clusters.largest());
    choice.of_clusters.emplace_back(columns_, choice.clusters.largest());
  }
}

void ProcessFoldingErrors::second(std::size_t iteration, const CallPathProfile& profile) {
  if (!window_.contains(iteration))
    return;
  for (auto& choice : choices_) {
    choice.of_clusters[0].add(profile, *choice.profiles[choice.cluster_of[iteration]]);
    choice.of_kept[0].add(profile, kept_.at(choice.kept->kept[choice.kept->kept_of[iteration]]));
  }
}

LoopFoldingErrors::LoopFoldingErrors(const MetricColumns& columns,
                                     const std::vector<MeasuredChoice>& choices,
                                     IterationWindow first) {
  const CondensedForm form(columns);
  for (const auto& choice : choices) {
    const auto iterations = choice.kept->kept_of.size();
    choices_.push_back({{IterationErrors(form, iterations, first), {}},
                        {IterationErrors(form, iterations, first), {}}});
  }
}

std::uint64_t LoopFoldingErrors::bytes_per_iteration(const MetricColumns& columns,
                                                     std::size_t choices) {
  return choices * 2 * IterationErrors::bytes_per_iteration(CondensedForm(columns));
}

void LoopFoldingErrors::begin(IterationWindow next) {
  for (auto& choice : choices_) {
    choice.kept.iterations.begin(next);
    choice.clusters.iterations.begin(next);
  }
}

void LoopFoldingErrors::Errors::add(const CallPathErrors& more) {
  if (paths)
    paths->add(more);
  else
    paths = more;
}

void LoopFoldingErrors::add(const ProcessFoldingErrors& process) {
  for (std::size_t c = 0; c < choices_.size(); ++c) {
    const auto& measured = process.choices_[c];
    auto& [kept, clusters] = choices_[c];
    kept.add(measured.of_kept[0]);
    clusters.add(measured.of_clusters[0]);
    std::vector<std::vector<Wide>> of_clusters, of_kept;
    for (const auto* profile : measured.profiles)
      of_clusters.push_back(process.list_entries(profile->values()));
    for (const auto iteration : measured.kept->kept)
      of_kept.push_back(process.list_entries(process.kept_.at(iteration).values()));

    const auto [first, most] = process.window_;

    for (auto i = first; i < measured.cluster_of.size() && i - first < most; ++i) {
      const auto original = process.original(i);
      kept.iterations.add(i, original, of_kept[measured.kept->kept_of[i]], 1);
      const auto cluster = measured.cluster_of[i];
      clusters.iterations.add(i, original, of_clusters[cluster],
                              measured.profiles[cluster]->iterations());
    }
  }
}

IterationFidelity LoopFoldingErrors::Errors::figures() const {
  IterationFidelity out;
  const auto summary = summarize_errors(iterations.figures());
  out.mean = summary.mean;
  out.maximum = summary.maximum;
  out.time_mean = summary.time_mean;
  out.time_maximum = summary.time_maximum;
  out.count_mean = summary.count_mean;
  out.count_maximum = summary.count_maximum;
  out.counts_exact = summary.counts_exact;
  if (!paths)
    return out;
  for (std::size_t k = 0; k < CallPathErrors::thresholds.size(); ++k) {
    out.times_above[k] = paths->times().share_above(k);
    out.counts_above[k] = paths->counts().share_above(k);
  }

  out.call_paths = paths->call_paths();
  out.phantoms = paths->phantoms();
  out.mpi_phantoms = paths->mpi_phantoms();

  return out;
}

std::vector<LoopFoldingErrors::Figures> LoopFoldingErrors::figures() const {
  std::vector<Figures> out;
  for (const auto& choice : choices_)
    out.push_back({choice.kept.figures(), choice.clusters.figures()});
  return out;
}

}  // namespace tracefold
