#include "filters/iterations/folding_errors.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

ProcessEntries::ProcessEntries(const MetricColumns& columns,
                               const std::vector<MeasuredChoice>& choices, IterationWindow window)
    : form_(columns), window_(window), entries_(form_.size()) {
  for (const auto& choice : choices) {
    iterations_ = choice.kept->kept_of.size();
    for (auto iteration : choice.kept->kept)
      kept_places_.try_emplace(iteration, kept_places_.size() * form_.size());
  }
  kept_.resize(kept_places_.size() * form_.size());
}

void ProcessEntries::Table::resize(std::size_t size) {
  exact.resize(size);
  rounded.resize(size);
}

void ProcessEntries::Table::set(std::size_t first, std::span<const Wide> entries) {
  for (std::size_t e = 0; e < entries.size(); ++e) {
    exact[first + e] = entries[e];
    rounded[first + e] = to_double(entries[e]);
  }
}

void ProcessEntries::begin(IterationWindow next) {
  window_ = next;
  inside_ = {};
}

void ProcessEntries::add(std::size_t iteration, const CallPathProfile& profile) {
  if (kept_places_.contains(iteration))
    add_kept(iteration, profile);
  else if (window_.contains(iteration))
    form_.condense<Wide>(form_.column_sums(profile), entries_);
  if (!window_.contains(iteration))
    return;

  if (inside_.exact.empty())
    inside_.resize(std::min(window_.size, iterations_ - window_.first) * form_.size());
  inside_.set((iteration - window_.first) * form_.size(), entries_);
}

void ProcessEntries::add_kept(std::size_t iteration, const CallPathProfile& profile) {
  form_.condense<Wide>(form_.column_sums(profile), entries_);
  kept_.set(kept_places_.at(iteration), entries_);
}

ProcessFoldingErrors::ProcessFoldingErrors(const MetricColumns& columns,
                                           const std::vector<MeasuredChoice>& choices,
                                           IterationWindow window)
    : columns_(columns),
      window_(window),
      entries_(columns, choices, window),
      largest_(columns.size()) {
  for (const auto& choice : choices) {
    auto& added = choices_.emplace_back(Choice{choice.kept});
    if (choice.own_clusters)
      added.own.emplace(columns, *choice.own_clusters);
    for (auto iteration : choice.kept->kept)
      kept_.try_emplace(iteration);
  }
}

std::vector<Wide> ProcessFoldingErrors::condense(const ProfileSums& profile) const {
  const auto& form = entries_.form();
  std::vector<Wide> entries(form.size());
  form.condense<Wide>(form.column_sums(profile), entries);

  return entries;
}

void ProcessFoldingErrors::first(std::size_t iteration, const CallPathProfile& profile) {
  for (auto& choice : choices_)
    if (choice.own)
      choice.own->clusters.add(profile);
  for (const auto& [column, value] : profile.values)
    largest_[column] = std::max(largest_[column], value);
  if (const auto at = kept_.find(iteration); at != kept_.end()) {
    at->second = ProfileSums(profile);
    entries_.add_kept(iteration, profile);
  }
}

void ProcessFoldingErrors::turn() {
  for (auto& choice : choices_)
    if (auto& own = choice.own) {
      own->cluster_of = own->clusters.number_clusters();
      own->profiles = own->clusters.profiles();
    }
  begin(window_);
}

void ProcessFoldingErrors::begin(IterationWindow next) {
  window_ = next;
  entries_.begin(next);
  for (auto& choice : choices_) {
    choice.of_kept.emplace(columns_, largest_);
    if (choice.own)
      choice.own->errors.emplace(columns_, largest_);
  }
}

void ProcessFoldingErrors::second(std::size_t iteration, const CallPathProfile& profile) {
  if (!window_.contains(iteration))
    return;

  entries_.add(iteration, profile);
  for (auto& choice : choices_) {
    choice.of_kept->add(profile, kept_.at(choice.kept->kept[choice.kept->kept_of[iteration]]));
    if (auto& own = choice.own)
      own->errors->add(profile, *own->profiles[own->cluster_of[iteration]]);
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
    metrics[e].add({original.sum(e), original.maximum(e), rebuilt.sum(e), rebuilt.maximum(e)},
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
    const Errors none{IterationErrors(form, choice.kept->kept_of.size(), first), {}};
    choices_.push_back({none, choice.own_clusters ? std::optional(none) : std::nullopt});
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
  for (auto& choice : choices_) {
    choice.kept.iterations.begin(next);
    if (choice.own_clusters)
      choice.own_clusters->iterations.begin(next);
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
    auto& [kept, own_clusters] = choices_[c];
    kept.add(*measured.of_kept);

    const auto& kept_of = measured.kept->kept_of;
    const auto [first, most] = process.window_;
    const auto last = first + std::min(most, kept_of.size() - std::min(first, kept_of.size()));
    for (auto i = first; i < last; ++i)
      kept.iterations.add(i, process.entries_.get_inside(i),
                          process.entries_.get_kept(measured.kept->kept[kept_of[i]]));

    if (!own_clusters)
      continue;
    const auto& own = *measured.own;
    own_clusters->add(*own.errors);
    std::vector<std::vector<Wide>> entries;
    for (const auto* profile : own.profiles)
      entries.push_back(process.condense(*profile));
    for (auto i = first; i < last; ++i) {
      const auto cluster = own.cluster_of[i];
      own_clusters->iterations.add(i, process.entries_.get_inside(i).exact, entries[cluster],
                                   own.profiles[cluster]->iterations());
    }
  }
}

IterationFidelity LoopFoldingErrors::Errors::figures() const {
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

  return out;
}

std::vector<LoopFoldingErrors::Figures> LoopFoldingErrors::figures() const {
  std::vector<Figures> out;
  for (const auto& [kept, own_clusters] : choices_)
    out.push_back(
        {kept.figures(), own_clusters ? std::optional(own_clusters->figures()) : std::nullopt});
  return out;
}

}  // namespace tracefold
