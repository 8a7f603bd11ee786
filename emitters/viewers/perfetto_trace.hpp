// Perfetto's own format, TrackEvent in protobuf: for ui.perfetto.dev and its trace processor.
//
// Tracks are nested and in the order of the view: system tree nodes, processes, threads with their
// calls, and below these their counters. A node that has all processes, and a process of one
// thread, have no track of their own: that would only be one more thing to open. A call is a slice;
// a message end, and a part in a collective, an instant event inside of it; a message a flow
// between two of these, so that its arrow has the times of the records. Each thread is a packet
// sequence of its own with its own interned names.
//
// Source: Perfetto's trace_packet.proto, track_event.proto, track_descriptor.proto.
#pragma once

#include "model/viewers/view_writer.hpp"

#include <memory>

namespace tracefold {

// The view has to stay.
std::unique_ptr<ViewWriter> make_perfetto_trace(const View& view);

}  // namespace tracefold
