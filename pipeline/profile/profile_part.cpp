#include "pipeline/profile/profile_part.hpp"

#include "base/error.hpp"
#include "filters/groups/keep_largest.hpp"
#include "filters/groups/share_sampled_pairs.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

namespace tracefold {

void TraceTotals::add(const Profile& profile) {
  for (std::size_t k = 0; k < event_kinds; ++k)
    records[k] += profile.records[k];

  unknown_records += profile.unknown_records;
  events += profile.events;
  if (profile.events > 0)
    run.add(!profile.functions.empty(), {profile.first_time, profile.last_time});
}

void TraceTotals::add(const TraceTotals& other) {
  for (std::size_t k = 0; k < event_kinds; ++k)
    records[k] += other.records[k];

  unknown_records += other.unknown_records;
  events += other.events;
  run.add(other.run);
}

void ProfilePart::add(std::size_t process, Profile profile, bool is_whole) {
  totals_.add(profile);
  const auto number = static_cast<std::uint32_t>(intents_.size());
  const auto intent = intents_.try_emplace(std::move(profile.intent), number).first;

  One one{process,
          intent->second,
          {},
          0,
          profile.events,
          profile.has_messages,
          is_whole,
          std::move(profile.receivers),
          {profile.last_time, profile.is_open, profile.recording_off}};
  one.exclusive.reserve(profile.functions.size());
  for (const auto& f : profile.functions)
    one.exclusive.push_back(f.exclusive);

  profiles_.push_back(std::move(one));
}

void ProfilePart::hold(std::size_t process, Profile profile, bool is_whole) {
  held_.push_back({process, std::move(profile), is_whole});
}

void ProfilePart::append(ProfilePart other) {
  totals_.add(other.totals_);
  std::vector<std::uint32_t> numbers(other.intents_.size());  // by its number in the other
  while (!other.intents_.empty()) {
    auto node = other.intents_.extract(other.intents_.begin());
    const auto old_number = node.mapped();
    node.mapped() = static_cast<std::uint32_t>(intents_.size());
    numbers.at(old_number) = intents_.insert(std::move(node)).position->second;
  }
  for (auto& one : other.profiles_) {
    one.intent = numbers.at(one.intent);
    profiles_.push_back(std::move(one));
  }
  std::move(other.held_.begin(), other.held_.end(), std::back_inserter(held_));
}

IntentTimes add_times(IntentTimes times, const IntentTimes& others) {
  for (const auto& [intent, more] : others) {
    auto& sums = times[intent];
    sums.resize(more.size());
    for (std::size_t f = 0; f < more.size(); ++f)
      sums[f] += more[f];
  }
  return times;
}

std::vector<const Intent*> ProfilePart::list_intents() const {
  std::vector<const Intent*> intents(intents_.size());
  for (const auto& [intent, number] : intents_)
    intents[number] = &intent;
  return intents;
}

IntentTimes ProfilePart::sum_times() const {
  std::vector<std::vector<std::uint64_t>> sums(intents_.size());  // by number
  for (const auto& one : profiles_) {
    auto& sum = sums[one.intent];
    sum.resize(one.exclusive.size());
    for (std::size_t f = 0; f < sum.size(); ++f)
      sum[f] += one.exclusive[f];
  }

  IntentTimes times;
  for (const auto& [intent, number] : intents_)
    times.emplace(intent, std::move(sums[number]));
  return times;
}

void ProfilePart::keep_largest(const IntentTimes& times) {
  std::vector<std::vector<std::size_t>> places;  // by number of the intent
  for (const auto* intent : list_intents())
    places.push_back(choose_largest(times.at(*intent)));

  for (auto& one : profiles_) {
    auto kept = keep_times({one.intent, std::move(one.exclusive)}, places[one.intent]);
    one.exclusive = std::move(kept.exclusive);
    one.rest = kept.rest;
  }
}

void ProfilePart::add_held(std::vector<ProfilePart>& parts) {
  std::map<std::size_t, Held*> held;
  for (auto& part : parts)
    for (auto& one : part.held_)
      held.emplace(one.process, &one);

  std::vector<Profile*> profiles;
  profiles.reserve(held.size());
  for (auto& [process, one] : held)
    profiles.push_back(&one->profile);
  share_sampled_pairs(profiles);

  for (auto& [process, one] : held)
    parts.front().add(process, std::move(one->profile), one->is_whole);
}

MergedProfiles ProfilePart::merge(std::vector<ProfilePart> parts, std::vector<Process>& processes,
                                  const IntentTimes* times) {
  add_held(parts);

  MergedProfiles out;
  struct ProfilePlace {
    std::size_t part = 0;
    One* profile = nullptr;
  };
  std::vector<ProfilePlace> found(processes.size());
  std::vector<std::vector<const Intent*>> intents(parts.size());  // by number

  for (std::size_t p = 0; p < parts.size(); ++p) {
    out.totals.add(parts[p].totals_);
    intents[p] = parts[p].list_intents();
    for (auto& one : parts[p].profiles_)
      if (one.process < found.size())
        found[one.process] = {p, &one};
  }

  std::map<Intent, std::uint32_t> known;
  std::unordered_map<const Intent*, std::uint32_t> numbers;

  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i].profile)
      throw Error(ErrorKind::input, "parts of profiles are of other processes than the trace's");

    auto& one = *found[i].profile;
    const auto* intent = intents[found[i].part][one.intent];
    const auto [number, is_new] = numbers.try_emplace(intent, 0);
    if (is_new) {
      const auto next = static_cast<std::uint32_t>(known.size());
      const auto [at, is_unknown] = known.try_emplace(*intent, next);
      if (is_unknown) {
        out.profiles.intents.push_back(*intent);
        if (times)
          out.profiles.kept.push_back(choose_largest(times->at(*intent)));
      }
      number->second = at->second;
    }

    out.profiles.processes.push_back({number->second, std::move(one.exclusive), one.rest});
    auto& process = processes[i];
    process.has_messages = one.has_messages;
    process.damaged = !one.is_whole;
    process.events = one.events;
    out.receivers.push_back({process.id, std::move(one.receivers)});
    out.ends.push_back(one.end);
  }

  return out;
}

}  // namespace tracefold
