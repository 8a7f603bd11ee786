// Operations of several locations that are one: both ends of a message, and the
// members' parts of a collective. They stay or go together.
//
// The n-th message that a process sends another one in a communicator with a tag is the
// n-th that the other one receives so: MPI does not let messages overtake, and
// operations are numbered as they are begun. Lengths do not tell messages apart, since
// tools may record the receiver's buffer. Of collectives the n-th on
// a communicator is one on all its members. Where that cannot be told, because several
// locations of one process take part or one end has other numbers, all of them stay or
// all go.
//
// Memory: 8 bytes for each operation of the locations that are matched, and some 200 for
// each channel of each location. Thread-safe for different locations.
//
// Source: the MPI standard, 3.5 (messages are non-overtaking); DESIGN's rules 4, 5 and 7 of
// rewriting.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace tracefold {

// What matches operations of different locations. Ids are the trace's.
struct Channel {
  enum class Kind : std::uint8_t { message, collective, one_sided_collective };
  Kind kind = Kind::message;
  std::uint64_t scope = 0;  // communicator or window
  std::uint64_t sender = 0,
                receiver = 0;  // processes of a message; of what a location does by itself, it
  std::uint64_t tag = 0;
  bool receives = false;  // which end of the message

  auto operator<=>(const Channel&) const = default;
};

// The operations of one location, by their numbers.
struct LocationOperations {
  static constexpr std::uint32_t unmatched = 0xffffffff;

  std::uint64_t process = 0;  // that the location is of
  std::vector<bool> stays;
  std::vector<std::uint32_t> channel;  // index into `channels`; empty where nothing is matched
  std::vector<Channel> channels;
};

// Numbers the channels of one location by first use.
class ChannelNumbers {
 public:
  std::uint32_t of(const Channel& channel, std::vector<Channel>& channels);

 private:
  std::map<Channel, std::uint32_t> numbers_;
};

// Lets operations stay only where all that they are matched with stay.
void stay_together(std::vector<LocationOperations>& locations);

}  // namespace tracefold
