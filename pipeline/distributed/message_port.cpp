#include "pipeline/distributed/message_port.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <utility>

namespace tracefold {

namespace {

using std::chrono::microseconds;

// What a message begins with.
struct MessageHead {
  std::uint64_t call = 0;
  std::uint64_t size = 0;  // bytes that follow
};
constexpr std::size_t head_bytes = sizeof(MessageHead);
// In one piece with the head, so that most messages are one; the rest comes in pieces, since MPI
// counts bytes in an int.
constexpr std::size_t first_bytes = std::size_t{64} << 10;
constexpr std::size_t piece_bytes = std::size_t{1} << 30;

// Sleeps between tests: longer the longer it has waited, so that waiting costs next to nothing, and
// takes a few percent longer.
class Pause {
 public:
  void take() {
    constexpr int fast_turns = 50;
    if (++turns_ < fast_turns) {
      ::sched_yield();
      return;
    }
    const auto waited =
        std::chrono::duration_cast<microseconds>(std::chrono::steady_clock::now() - begun_);
    std::this_thread::sleep_for(std::clamp(waited / 20, microseconds(50), microseconds(5000)));
  }

 private:
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  int turns_ = 0;
};

// Calls give(begin, size) for each piece of the bytes behind the first ones.
template <class Give>
void cut_into_pieces(std::size_t begin, std::size_t size, Give&& give) {
  for (; begin < size; begin += piece_bytes)
    give(begin, std::min(piece_bytes, size - begin));
}

}  // namespace

void MessagePort::begin_send(std::size_t to, const std::shared_ptr<std::string>& bytes,
                             std::size_t first, std::size_t size, Transfers& transfers) {
  auto& one = transfers.emplace_back(Transfer{bytes, MPI_REQUEST_NULL, false});
  check_mpi(MPI_Isend(bytes->data() + first, static_cast<int>(size), MPI_BYTE, static_cast<int>(to),
                      0, communicator_, &one.request));
}

void MessagePort::begin_receive(std::size_t from, const std::shared_ptr<std::string>& bytes,
                                std::size_t first, std::size_t size, Transfers& transfers) {
  auto& one = transfers.emplace_back(Transfer{bytes, MPI_REQUEST_NULL, true});
  check_mpi(MPI_Irecv(bytes->data() + first, static_cast<int>(size), MPI_BYTE,
                      static_cast<int>(from), 0, communicator_, &one.request));
}

void MessagePort::wait(Transfers& transfers) {
  Pause pause;
  try {
    while (!transfers.empty()) {
      transfers.remove_if([](Transfer& one) { return is_done(one.request); });
      if (transfers.empty())
        return;
      check_();
      pause.take();
    }
  } catch (...) {
    abandon(transfers);
    throw;
  }
}

void MessagePort::abandon(Transfers& transfers) {
  for (auto& one : transfers)
    if (one.is_receive && one.request != MPI_REQUEST_NULL)
      MPI_Cancel(&one.request);
  abandoned_.splice(abandoned_.end(), transfers);
}

MessagePort::Transfers MessagePort::begin_message(std::size_t to, std::string bytes) {
  const MessageHead head{call_, bytes.size()};
  const auto with_head = std::min(bytes.size(), first_bytes);
  const auto first = std::make_shared<std::string>(head_bytes + with_head, '\0');
  std::memcpy(first->data(), &head, head_bytes);
  std::memcpy(first->data() + head_bytes, bytes.data(), with_head);

  Transfers transfers;
  begin_send(to, first, 0, first->size(), transfers);
  const auto rest = std::make_shared<std::string>(std::move(bytes));
  cut_into_pieces(with_head, rest->size(), [&](std::size_t begin, std::size_t size) {
    begin_send(to, rest, begin, size, transfers);
  });
  return transfers;
}

void MessagePort::send(std::size_t to, std::string bytes) {
  auto transfers = begin_message(to, std::move(bytes));
  wait(transfers);
}

std::string MessagePort::receive(std::size_t from) {
  Transfers transfers;
  const auto first = std::make_shared<std::string>(head_bytes + first_bytes, '\0');
  begin_receive(from, first, 0, first->size(), transfers);
  wait(transfers);

  MessageHead head;
  std::memcpy(&head, first->data(), head_bytes);
  if (head.call != call_)
    throw std::logic_error("members of a team came to different calls");
  const auto with_head = std::min<std::size_t>(head.size, first_bytes);
  const auto bytes = std::make_shared<std::string>(head.size, '\0');
  std::memcpy(bytes->data(), first->data() + head_bytes, with_head);
  cut_into_pieces(with_head, bytes->size(), [&](std::size_t begin, std::size_t size) {
    begin_receive(from, bytes, begin, size, transfers);
  });
  wait(transfers);
  return std::move(*bytes);
}

std::string MessagePort::send_and_receive(std::size_t to, std::string bytes, std::size_t from) {
  auto sent = begin_message(to, std::move(bytes));
  try {
    auto received = receive(from);
    wait(sent);
    return received;
  } catch (...) {
    abandon(sent);
    throw;
  }
}

void MessagePort::drain() {
  for (;;) {
    int is_there = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    check_mpi(
        MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator_, &is_there, &message, &status));
    if (!is_there)
      break;

    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    const auto bytes = std::make_shared<std::string>(static_cast<std::size_t>(size), '\0');
    auto& one = abandoned_.emplace_back(Transfer{bytes, MPI_REQUEST_NULL, true});
    check_mpi(MPI_Imrecv(bytes->data(), size, MPI_BYTE, &message, &one.request));
  }
}

bool MessagePort::is_at_rest() {
  abandoned_.remove_if([](Transfer& one) { return is_done(one.request); });
  return abandoned_.empty();
}

}  // namespace tracefold
