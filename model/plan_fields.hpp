// The fields of the plain sections of a plan, for writing and reading them
// (base/json_fields.hpp). docs/plan.schema.json names the same fields.
#pragma once

#include "base/json_fields.hpp"
#include "model/groups/like_section.hpp"
#include "model/plan.hpp"
#include "model/profile/function_json.hpp"

namespace tracefold {

inline nlohmann::ordered_json write_span(const TimeSpan& span) {
  return {write_id(span.begin), write_id(span.end)};
}
inline TimeSpan read_span(const nlohmann::ordered_json& in) {
  return {read_id(in.at(0).get_ref<const std::string&>()),
          read_id(in.at(1).get_ref<const std::string&>())};
}

inline void list_fields(JsonFields& fields, TraceIdentity& identity) {
  fields.id("size", identity.size);
  fields.field("sha256", identity.sha256);
}

inline void list_fields(JsonFields& fields, TracePart& part) {
  fields.field("anchor", part.anchor);
  fields.field("rank", part.rank);
  fields.id("begin", part.begin);
  fields.field("clock", part.clock);
  fields.field("identity", part.identity);
}

inline void list_fields(JsonFields& fields, TraceSection& trace) {
  fields.field("anchor", trace.anchor);
  fields.field("locations", trace.locations);
  fields.id("events", trace.events);
  fields.object("clock",
                [&](JsonFields& clock) { clock.id("ticks_per_second", trace.ticks_per_second); });
  fields.field("identity", trace.identity);
  fields.unless("archives", trace.parts, {});
  fields.id("messages", trace.messages);
  fields.form("run", trace.run, write_span, read_span);
}

// Without the window in time.
inline void list_fields(JsonFields& fields, FilterSection& filter) {
  fields.field("drop", filter.drop);
  fields.field("keep", filter.keep);
  fields.field("locations", filter.locations);
  fields.field("max_depth", filter.max_depth);
}

inline void list_fields(JsonFields& fields, Process& process) {
  fields.id("id", process.id);
  fields.field("name", process.name);
  fields.id("location_group", process.location_group);
  fields.unless("location_group_name", process.location_group_name, "");
  fields.id("created_by", process.creator);
  fields.field("rank", process.rank);
  fields.field("thread", process.thread);
  fields.unless("listed", process.is_mpi_endpoint, false);
  fields.unless("weight", process.weight, 1);
  fields.unless("talks", process.has_messages, false);
  fields.unless("damaged", process.damaged, false);
  fields.id("ends_early", process.ends_early);
  fields.field("events", process.events);
  fields.field("intent", process.intent);
  fields.field("exclusive", process.exclusive);
  fields.field("rest", process.rest);
}

inline void list_fields(JsonFields& fields, GridAxis& axis) {
  fields.field("size", axis.size);
  fields.field("periodic", axis.periodic);
}

inline void list_fields(JsonFields& fields, LikeSection& like) {
  fields.field("run", like.run);
  fields.id("processes", like.processes);
  fields.id("groups", like.groups);
  fields.field("by_place", like.is_by_place);
  fields.field("misfits", like.misfits);
}

// Behind the name of the file.
inline void list_fields(JsonFields& fields, ProgramFile& program) {
  fields.field("sha256", program.sha256);
  fields.field("percent", program.detail.percent);
  fields.field("iterations_per_column", program.detail.iterations_per_column);
  fields.unless("left_out", program.detail.left_out, {});
}

inline void list_fields(JsonFields& fields, WriteSection& write) {
  fields.field("version", write.version);
  fields.field("keep_ids", write.keep_ids);
  fields.field("plain_names", write.plain_names);
  if (fields.has("most_profiles"))
    fields.id("most_profiles", write.most_profiles);
  fields.if_there("member_metrics", write.member_metrics);
  fields.if_there("messages_drawn", write.draws_messages);
  if (fields.has("tree"))
    fields.text(
        "tree", write.tree, [](TreeChoice tree) { return to_text(tree); }, parse_tree);
}

}  // namespace tracefold
