// The options of the stages `group` and `select`, which a plan records: how processes are compared,
// and which of a group are kept. Plain data, with its words and JSON.
//
// Source: structural V and VIII.B, thesis 4.2.3, 4.2.4, 4.3 and 4.4.1.
#pragma once

#include "model/messages/signature.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

class JsonFields;

// signature: the communication of MPI ranks; processes without communication are then compared by
// pairs.
enum class CompareBy { pairs, functions, signature };

// How processes are compared. Functions that are ignored stay in the trace.
struct Comparison {
  CompareBy by = CompareBy::pairs;
  std::vector<std::string> ignore = {};  // globs of function names
  bool ignore_root = false;              // artificial roots are ignored, too
  std::vector<std::string> combine =
      {};  // globs of location names, or of "location group's name/location's name"
  SignatureOptions signature = {};  // where signatures are compared

  bool operator==(const Comparison&) const = default;
};

// Changes to a comparison. Absent, empty and false values change nothing.
struct ComparisonOptions {
  std::optional<CompareBy> by;
  std::vector<std::string> ignore = {};
  bool ignore_root = false;
  std::vector<std::string> combine = {};
  std::optional<ClusterLevel> level = {};  // this and the following for signatures
  std::optional<ComparePeers> peers = {};
  std::optional<bool> compare_bytes = {}, keep_order = {};

  bool change_nothing() const {
    return !by && ignore.empty() && !ignore_root && combine.empty() && !change_signatures();
  }
  bool change_signatures() const { return level || peers || compare_bytes || keep_order; }
};

Comparison change_comparison(Comparison comparison, const ComparisonOptions& options);

// Options of the stage `group`.
struct GroupOptions {
  std::optional<double> threshold;  // from 0 to 1; absent: the default of `group`
  ComparisonOptions comparison;

  bool are_defaults() const { return !threshold && comparison.change_nothing(); }
};

// connected: like medoid, but medoids are exchanged so that more messages between kept processes
// stay.
enum class Choice { first, medoid, slowest, connected };

inline constexpr std::size_t auto_per_group = 0;

// The features of clusters by time (filters/groups/process_times.hpp). ten: the unscaled times of
// the ten largest functions; all: the scaled times of all functions.
enum class TimeFeatures { ten, all };

// Options of the stage `select`: which processes of a group are kept.
struct Selection {
  Choice choice = Choice::medoid;          // for each cluster
  std::size_t per_group = 1;               // number of clusters by time, or auto_per_group
  std::vector<std::uint64_t> always = {};  // location ids, ascending: kept for themselves
  TimeFeatures features = TimeFeatures::ten;
  bool keep_odd = true;  // those that compute far more or less than their group, for themselves
  // How many rows there are to be at most (filters/groups/select_rows.hpp): the choice and the
  // number per group then mean nothing. 0: not given.
  std::size_t rows = 0;

  bool operator==(const Selection&) const = default;
};

// What the system tree of a written trace shows above location groups: the machine, or the groups
// of the plan.
enum class TreeChoice : std::uint8_t { machine, groups };

// "machine" or "groups". Throws Error(usage) for other words.
TreeChoice parse_tree(std::string_view word);
std::string_view to_text(TreeChoice tree);

// "pairs", "functions" or "signature"; "first", "medoid", "slowest" or "connected"; "auto" or a
// number from 1; "ten" or "all". They throw Error(usage) for other words.
CompareBy parse_compare_by(std::string_view word);
std::string_view to_text(CompareBy by);
// "main" or "sub"; "relative", "pattern" or "ignore"; "5%" or "ignore"; "keep" or "ignore". They
// throw Error(usage) for other words.
ClusterLevel parse_level(std::string_view word);
ComparePeers parse_peers(std::string_view word);
bool parse_compare_bytes(std::string_view word);
bool parse_keep_order(std::string_view word);
Choice parse_choice(std::string_view word);
std::size_t parse_per_group(std::string_view word);
TimeFeatures parse_time_features(std::string_view word);

// For JSON objects of a plan (base/json_fields.hpp). Reading throws Error(usage), too.
void list_fields(JsonFields& fields, Comparison& comparison);
void list_fields(JsonFields& fields, Selection& selection);

}  // namespace tracefold
