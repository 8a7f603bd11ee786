#include "filters/iterations/errors/folding_errors.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

ProcessFoldingErrors::ProcessFoldingErrors(const MetricColumns& columns,
                                           const std::vector<MeasuredChoice>& choices,
                                           IterationWindow window)
    : columns_(columns), form_(columns), largest_(columns.size()), window_(window) {
  for (const auto& choice : choices) {
    iterations_ = choice.kept->kept_of.size();
    choices_.push_back(choice.kept);
    auto& own = own_.emplace_back();
    if (choice.own_clusters)
      own.emplace(columns, *choice.own_clusters);
    for (auto iteration : choice.kept->kept)
      kept_.try_emplace(iteration);
  }
}

std::vector<Wide> ProcessFoldingErrors::condense(const ProfileSums& profile) const {
  std::vector<Wide> metrics(form_.size());
  form_.condense(form_.column_sums(profile), metrics);
  return metrics;
}

void ProcessFoldingErrors::first(std::size_t iteration, const CallPathProfile& profile) {
  for (auto& own : own_)
    if (own)
      own->clusters.add(profile);
  for (const auto& [column, value] : profile.values)
    largest_[column] = std::max(largest_[column], value);
  if (const auto at = kept_.find(iteration); at != kept_.end())
    at->second = ProfileSums(profile);
}

void ProcessFoldingErrors::begin_second_round() {
  for (std::size_t c = 0; c < choices_.size(); ++c) {
    auto& of_kept = approximations_.emplace_back();
    for (auto iteration : choices_[c]->kept)
      of_kept.profiles.push_back(&kept_.at(iteration));
    of_kept.places = choices_[c]->kept_of;
    of_kept.paths.emplace(columns_);
    if (auto& own = own_[c]) {
      own->cluster_of = own->clusters.number_clusters();
      approximations_.push_back({own->clusters.profiles(), own->cluster_of});
    }
  }
  begin(window_);
}

void ProcessFoldingErrors::begin(IterationWindow next) {
  window_ = next;
  metrics_.clear();
  for (auto& approximations : approximations_) {
    approximations.errors.emplace(columns_, largest_);
    if (approximations.paths)
      approximations.paths.emplace(columns_);
  }
}

void ProcessFoldingErrors::second(std::size_t iteration, const CallPathProfile& profile) {
  if (!window_.contains(iteration))
    return;

  if (metrics_.empty())
    metrics_.resize(std::min(window_.size, iterations_ - window_.first) * form_.size());
  form_.condense(
      form_.column_sums(profile),
      std::span(metrics_).subspan((iteration - window_.first) * form_.size(), form_.size()));
  for (auto& [profiles, places, errors, paths] : approximations_) {
    const auto& stand_in = *profiles[places[iteration]];
    errors->add(profile, stand_in);
    if (paths)
      paths->add(profile, stand_in);
  }
}

AllFoldingErrors::AllFoldingErrors(const MetricColumns& columns,
                                   const std::vector<MeasuredChoice>& choices,
                                   std::size_t iterations)
    : iterations_(iterations) {
  const CondensedForm form(columns);
  for (const auto& entry : form.entries())
    of_processes_.metrics.emplace_back(entry);
  for (const auto& choice : choices)
    choices_.push_back({choice.kept, of_processes_, of_processes_});
}

std::vector<std::uint32_t> AllFoldingErrors::list_kept() const {
  std::vector<std::uint32_t> kept;
  for (const auto& choice : choices_)
    kept.insert(kept.end(), choice.kept->kept.begin(), choice.kept->kept.end());
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());

  return kept;
}

void AllFoldingErrors::Errors::add(const JointTotals::Amounts& original,
                                   const JointTotals::Amounts& rebuilt, std::size_t iterations) {
  for (std::size_t e = 0; e < metrics.size(); ++e)
    metrics[e].add({original.sums[e], original.maxima[e], rebuilt.sums[e], rebuilt.maxima[e]},
                   iterations);
  counts_exact = counts_exact && original.has_equal_counts(rebuilt);
}

ErrorSummary AllFoldingErrors::Errors::summarize() const {
  auto summary = summarize_errors(metrics);
  summary.counts_exact = counts_exact;
  return summary;
}

void AllFoldingErrors::add(const JointTotals& totals) {
  const auto [first, size] = totals.window();
  for (auto i = first; i < first + size; ++i) {
    const auto original = totals.get_original(i);
    of_processes_.add(original, totals.get_standing(i), iterations_);

    // All processes keep the same: what stands for the sum of an iteration is the sum of another.
    for (auto& choice : choices_) {
      const auto kept = choice.kept->kept[choice.kept->kept_of[i]];
      choice.all.add(original, totals.get_standing(kept), iterations_);
      choice.of_iterations.add(original, totals.get_original(kept), iterations_);
    }
  }
}

std::vector<FoldingErrors> AllFoldingErrors::figures(std::uint64_t processes) const {
  std::vector<FoldingErrors> out;
  const auto of_processes = of_processes_.summarize();
  for (const auto& choice : choices_)
    out.push_back(
        {processes, 0, choice.all.summarize(), of_processes, choice.of_iterations.summarize()});

  return out;
}

FoldingErrors make_folding_errors(const ErrorSummary& of_kept, std::uint64_t processes) {
  return {processes, 0, of_kept, {}, of_kept};
}

LoopFoldingErrors::LoopFoldingErrors(const MetricColumns& columns,
                                     const std::vector<MeasuredChoice>& choices,
                                     IterationWindow first) {
  const CondensedForm form(columns);
  for (const auto& choice : choices) {
    has_own_clusters_.push_back(choice.own_clusters.has_value());
    for (int k = 0; k < (choice.own_clusters ? 2 : 1); ++k)
      errors_.push_back({IterationErrors(form, choice.kept->kept_of.size(), first)});
  }
}

std::uint64_t LoopFoldingErrors::bytes_per_iteration(const MetricColumns& columns,
                                                     const std::vector<MeasuredChoice>& choices) {
  std::uint64_t measured = 0;
  for (const auto& choice : choices)
    measured += choice.own_clusters ? 2 : 1;
  return measured * IterationErrors::bytes_per_iteration(CondensedForm(columns));
}

void LoopFoldingErrors::begin(IterationWindow next) {
  for (auto& errors : errors_)
    errors.iterations.begin(next);
}

void LoopFoldingErrors::add(const ProcessFoldingErrors& process, std::span<const CallPath> paths) {
  const auto first = process.window_.first;
  const auto last = first + process.metrics_.size() / process.form_.size();

  for (std::size_t k = 0; k < errors_.size(); ++k) {
    const auto& [profiles, places, errors, differences] = process.approximations_[k];
    auto& all = errors_[k];
    if (all.paths)
      all.paths->add(*errors);
    else
      all.paths = errors;
    if (differences) {
      if (!all.functions)
        all.functions.emplace();
      differences->add_to(*all.functions, paths);
      all.all_time += differences->all_time();
    }

    std::vector<std::vector<Wide>> metrics;
    for (const auto* profile : profiles)
      metrics.push_back(process.condense(*profile));
    for (auto i = first; i < last; ++i)
      all.iterations.add(i, process.get_metrics(i), metrics[places[i]],
                         profiles[places[i]]->iterations());
  }
}

IterationFidelity LoopFoldingErrors::Errors::figures(const std::vector<Function>& names) const {
  IterationFidelity out;
  static_cast<ErrorSummary&>(out) = summarize_errors(iterations.figures());
  if (!paths)
    return out;
  for (std::size_t k = 0; k < CallPathErrors::thresholds.size(); ++k) {
    out.times_above[k] = paths->times().share_above(k);
    out.counts_above[k] = paths->counts().share_above(k);
  }

  out.call_paths = paths->call_paths();
  out.phantoms = paths->phantoms();
  out.mpi_phantoms = paths->mpi_phantoms();
  if (functions)
    out.functions = functions->list_largest(names, all_time);

  return out;
}

std::vector<LoopFoldingErrors::Figures> LoopFoldingErrors::figures(
    const std::vector<Function>& functions) const {
  std::vector<Figures> out;
  auto errors = errors_.begin();
  for (const bool has_own_clusters : has_own_clusters_) {
    auto& figures = out.emplace_back(Figures{(errors++)->figures(functions), {}});
    if (has_own_clusters)
      figures.own_clusters = (errors++)->figures(functions);
  }

  return out;
}

}  // namespace tracefold
