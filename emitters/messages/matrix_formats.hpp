// Outputs of the communication matrix.
#pragma once

#include "model/messages/message_matrix.hpp"
#include "model/messages/waiting_report.hpp"

#include <string>

namespace tracefold {

// For people: the whole matrix where it has few rows, else the pairs with most of the metric.
std::string to_table(const MessageMatrix& matrix, MatrixMetric metric);
// One line for each pair that has messages: (part,) from, to, messages, bytes.
std::string to_csv(const MessageMatrix& matrix);
// With who makes others wait, where that is given.
std::string to_json(const MessageMatrix& matrix, const WaitingReport* waiting = nullptr);
// A map of the sum over all parts, darker where there is more, on a logarithmic scale. Many rows
// share a line of the map.
std::string to_svg(const MessageMatrix& matrix, MatrixMetric metric);

}  // namespace tracefold
