// Chrome's trace event format, in JSON: for chrome://tracing, Perfetto, speedscope and many others.
//
// A process is a process there, a thread a thread, a call a pair of B and E, a message end an
// instant event and one end of a flow (s, f), a part in a collective an instant event inside of its
// call, a counter a C, a marker an instant event. Times are in microseconds with three decimals,
// and so exact. Calls have no arguments, and both of their events have the name: speedscope tells
// calls apart by them.
//
// Source: "Trace Event Format" of the Catapult project.
#pragma once

#include "model/viewers/view_writer.hpp"

#include <memory>

namespace tracefold {

// The view has to stay.
std::unique_ptr<ViewWriter> make_chrome_trace(const View& view);

}  // namespace tracefold
