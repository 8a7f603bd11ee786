// Matches operations of several locations that are one: both ends of a message, and the
// members' parts of a collective. They stay or go together.
//
// Channel and order say which belong together (see channel.hpp): operations are numbered as
// they are begun, so the n-th receive of a channel is the n-th that was posted. Lengths do
// not help to match messages, since tools may record the receiver's buffer. Where several
// locations of one process take part, or one end has another number of operations, it is
// not known which belong together: then all of the channel stay or all go.
//
// Memory: 8 bytes for each operation of the locations that are matched, and some 200 for
// each channel of each location. Thread-safe for different locations.
//
// Source: the MPI standard, 3.5 (messages are non-overtaking); docs/design.md, the rules
// "communicators are cut", "messages need both ends" and "collapsed iterations".
#pragma once

#include "pipeline/messages/channel.hpp"

#include <cstdint>
#include <vector>

namespace tracefold {

class Team;

// The operations of one location, by their numbers.
struct LocationOperations {
  static constexpr std::uint32_t unmatched = 0xffffffff;

  std::uint64_t process = 0;  // the endpoint of the location
  std::vector<bool> stays;
  std::vector<std::uint32_t> channel;  // index into `channels`; empty where nothing is matched
  std::vector<ChannelEnd> channels;
};

// Lets operations stay only where all that they are matched with stay.
void keep_matched_together(std::vector<LocationOperations>& locations);
// The same where each member of a team has the operations of its own locations only, at their
// places among all. Each member matches the channels that fall to it, and has the operations of
// these for that time.
void keep_matched_together(std::vector<LocationOperations>& locations, Team* team);

}  // namespace tracefold
