#include "base/error.hpp"

#include <algorithm>

namespace tracefold {

namespace {

void add(Diagnostics::Oddities& to, const std::string& kind, const std::string& place,
         std::uint64_t records) {
  auto& known = to[kind][place];
  known = std::max(known, records);
}

// "5.evt", "2 records in 5.evt", "5.evt and 3 more", or "9 records in 4 places, first in 5.evt".
std::string describe(const Diagnostics::Places& places) {
  std::uint64_t records = 0;
  for (const auto& [place, count] : places)
    records += count;

  const auto& first = places.begin()->first;
  const auto others = places.size() - 1;
  if (records == places.size())
    return first + (others ? " and " + std::to_string(others) + " more" : "");

  return std::to_string(records) + " records in " +
         (others ? std::to_string(places.size()) + " places, first in " : "") + first;
}

std::vector<std::string> list_lines(const Diagnostics::Oddities& oddities) {
  std::vector<std::string> lines;
  for (const auto& [kind, places] : oddities)
    lines.push_back(places.begin()->first.empty() ? kind : kind + ": " + describe(places));

  return lines;
}

}  // namespace

Error::Error(ErrorKind kind, std::string what) : kind_(kind), what_(std::move(what)) {
  compose();
}

Error& Error::in(const std::string& path) & {
  if (path_.empty())
    path_ = path;
  compose();
  return *this;
}

Error&& Error::in(const std::string& path) && {
  in(path);
  return std::move(*this);
}

Error& Error::hint(const std::string& words) & {
  if (hint_.empty())
    hint_ = words;
  compose();
  return *this;
}

Error&& Error::hint(const std::string& words) && {
  hint(words);
  return std::move(*this);
}

void Error::compose() {
  text_ = (path_.empty() ? "" : path_ + ": ") + what_ + (hint_.empty() ? "" : " (" + hint_ + ")");
}

void Diagnostics::warn(const std::string& kind, const std::string& place, std::uint64_t records) {
  std::lock_guard lock(mutex_);
  add(found_, kind, place, records);
}

void Diagnostics::detail(const std::string& kind, const std::string& place, std::uint64_t records) {
  std::lock_guard lock(mutex_);
  add(details_, kind, place, records);
}

void Diagnostics::note(const std::string& words) {
  std::lock_guard lock(mutex_);
  if (std::find(notes_.begin(), notes_.end(), words) == notes_.end())
    notes_.push_back(words);
}

std::vector<std::string> Diagnostics::warnings() const {
  std::lock_guard lock(mutex_);
  return list_lines(found_);
}

std::vector<std::string> Diagnostics::details() const {
  std::lock_guard lock(mutex_);
  return list_lines(details_);
}

std::vector<std::string> Diagnostics::notes() const {
  std::lock_guard lock(mutex_);
  return notes_;
}

std::pair<Diagnostics::Oddities, Diagnostics::Oddities> Diagnostics::collected() const {
  std::lock_guard lock(mutex_);
  return {found_, details_};
}

void Diagnostics::add_collected(const std::pair<Oddities, Oddities>& collected) {
  std::lock_guard lock(mutex_);
  for (const auto& [kind, places] : collected.first)
    for (const auto& [place, records] : places)
      add(found_, kind, place, records);
  for (const auto& [kind, places] : collected.second)
    for (const auto& [place, records] : places)
      add(details_, kind, place, records);
}

}  // namespace tracefold
