// Matches operations of several locations that belong together: both ends of a message, and the
// parts of a collective. They are kept or left out together.
//
// Channel and order decide (see channel.hpp). Operations are numbered as they begin, so the n-th
// receive of a channel is the n-th that was posted. Lengths of messages do not help, since tools
// may record the receiver's buffer. If several locations of one process take part, or the ends have
// different numbers of operations, the assignment is not known, and all operations of the channel
// are kept, or none.
//
// Memory: 8 bytes for each operation of matched locations, and about 200 for each channel of each
// location. Thread-safe for different locations.
//
// Source: the MPI standard, 3.5 (messages are non-overtaking); docs/design.md, the rules
// "communicators are cut", "messages need both ends" and "collapsed iterations".
#pragma once

#include "pipeline/messages/channel.hpp"

#include <cstdint>
#include <vector>

namespace tracefold {

class Team;

// The operations of one location, by number.
struct LocationOperations {
  static constexpr std::uint32_t unmatched = 0xffffffff;

  std::uint64_t process = 0;  // the endpoint of the location
  std::vector<bool> stays;
  std::vector<std::uint32_t> channel;  // index into `channels`; empty if nothing is matched
  std::vector<ChannelEnd> channels;
};

// Keeps an operation only if all operations that it is matched with are kept.
void keep_matched_together(std::vector<LocationOperations>& locations);
// The same for a team, whose members have only their own locations, at their places among all. Each
// member matches some of the channels, and has their operations meanwhile.
void keep_matched_together(std::vector<LocationOperations>& locations, Team* team);

}  // namespace tracefold
