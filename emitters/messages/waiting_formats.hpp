// Who makes others wait, and by what, in words and tables.
#pragma once

#include "model/messages/waiting_report.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace tracefold {

// "by computing in solve (called by main)", "in MPI_Recv (called by main)".
std::string describe_cause(const WaitingCause& cause);
// Whether the first cause is not far smaller than what it explains: at least a quarter of it.
bool is_explained(const LateProcess& late);
// "rank 3 makes others wait 1.20 s, mostly by computing in solve (called by main): 84 %". What it
// does is left out where that explains nothing.
std::string describe_late_process(const LateProcess& late);
// "48 % of the waiting for late senders is a chain: the late sender was itself waiting"; "" where
// it is less than a quarter, or no more than what they compute longer.
std::string describe_chain(const WaitingReport& report);
// These sentences, the worst first: of a chain, and of so many processes at most that cause at
// least a twentieth of all waiting, and so many seconds.
std::vector<std::string> describe_waiting(const WaitingReport& report, std::size_t most = 5,
                                          double least = 0);

// For people: who comes last in collective operations, and these sentences.
std::string to_table(const WaitingReport& report);
nlohmann::ordered_json waiting_to_json(const WaitingReport& report);

}  // namespace tracefold
