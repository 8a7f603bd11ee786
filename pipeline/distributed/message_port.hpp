// Messages of any size between members, over one communicator, without a call that waits in MPI.
//
// One thread.
#pragma once

#include "pipeline/distributed/mpi_calls.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>

namespace tracefold {

class MessagePort {
 public:
  // `check` is called again and again while something is waited for, and throws where that makes no
  // sense any more. What is on its way then stays with the port, which MPI may still read or write.
  MessagePort(MPI_Comm communicator, std::function<void()> check)
      : communicator_(communicator), check_(std::move(check)) {}

  // Members that send to each other have to be in the same call: receive() throws otherwise.
  void begin_call() { ++call_; }
  void send(std::size_t to, std::string bytes);
  std::string receive(std::size_t from);
  std::string send_and_receive(std::size_t to, std::string bytes, std::size_t from);

  // Takes messages that nobody receives any more, so that those who send them come to an end.
  void drain();
  // Whether nothing is on its way, to or from this member, that it knows of.
  bool is_at_rest();

 private:
  struct Transfer {
    std::shared_ptr<std::string> bytes;  // that MPI reads or writes
    MPI_Request request = MPI_REQUEST_NULL;
    bool is_receive = false;
  };
  using Transfers = std::list<Transfer>;

  void begin_send(std::size_t to, const std::shared_ptr<std::string>& bytes, std::size_t first,
                  std::size_t size, Transfers& transfers);
  void begin_receive(std::size_t from, const std::shared_ptr<std::string>& bytes, std::size_t first,
                     std::size_t size, Transfers& transfers);
  Transfers begin_message(std::size_t to, std::string bytes);
  void wait(Transfers& transfers);
  void abandon(Transfers& transfers);

  MPI_Comm communicator_;
  std::function<void()> check_;
  std::uint64_t call_ = 0;
  Transfers abandoned_;
};

}  // namespace tracefold
