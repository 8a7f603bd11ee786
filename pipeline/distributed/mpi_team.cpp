#include "pipeline/distributed/mpi_team.hpp"

#include "base/host_name.hpp"
#include "base/interrupt.hpp"
#include "base/packed_values.hpp"
#include "pipeline/distributed/end_guard.hpp"
#include "pipeline/distributed/life_watch.hpp"
#include "pipeline/distributed/message_port.hpp"
#include "pipeline/distributed/mpi_calls.hpp"
#include "pipeline/distributed/parting_watch.hpp"
#include "pipeline/distributed/start_of_team.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

using Clock = std::chrono::steady_clock;

// How long members that have ended wait for those that still are at it, once one has failed. The
// one that has failed waits less: it knows the words, and tells them before all end.
constexpr auto until_force = std::chrono::seconds(5);
constexpr auto until_force_of_others = std::chrono::seconds(7);
// For messages that are on their way to members that wait for them no more.
constexpr auto longest_rest = std::chrono::seconds(2);
constexpr auto until_lost_is_told = std::chrono::seconds(2);
constexpr double until_exit = 2, longest_finalize = 10;  // seconds

// What the run has come to, as far as some members know.
struct Ending {
  // One that is lost has its words, which another thread tells.
  enum Weight : std::uint8_t { well, stopped, failed_after_others, failed, lost };

  Weight weight = well;
  std::uint64_t rank = 0;  // of the member that this is of
  int status = 0;
  std::string message, host;
};
auto list_members(Like<Ending> auto& ending) {
  return std::tie(ending.weight, ending.rank, ending.status, ending.message, ending.host);
}

Ending choose_ending(Ending lower, Ending higher) {
  return higher.weight > lower.weight ? std::move(higher) : std::move(lower);
}

}  // namespace

struct MpiTeam::State {
  TeamHooks hooks;
  EndGuard guard;
  int rank = 0, size = 1;
  NodeShare share;
  std::optional<LifeWatch> watch;
  std::optional<MessagePort> work, ending;
  bool is_ending = false, has_finished = false;
  std::optional<Clock::time_point> give_up;  // while it ends, and something is wrong

  explicit State(TeamHooks of_program)
      : hooks(std::move(of_program)), guard(hooks.tell, hooks.remove_debris) {}

  MessagePort& port() { return is_ending ? *ending : *work; }

  void check_work() const {
    if (watch->is_stopped())
      throw TeamStopped("another member has failed");
    check_stop();
  }
  void check_ending() {
    work->drain();
    if (!give_up)
      if (const auto failure = watch->failure())
        give_up = Clock::now() + (failure->origin == rank ? until_force : until_force_of_others);
    if (give_up && Clock::now() > *give_up)
      throw TeamStopped("other members do not come to their end");
  }
};

std::unique_ptr<MpiTeam> MpiTeam::start(TeamHooks hooks) {
  auto state = std::make_unique<State>(std::move(hooks));
  if (const auto missing = find_missing_plugin()) {
    if (is_first_of_start())
      state->hooks.tell(*missing);
    return nullptr;
  }
  const auto seconds = choose_start_limit();
  state->guard.set(Limit::start, seconds, static_cast<int>(ErrorKind::input),
                   "MPI has not started all processes within " +
                       std::to_string(static_cast<int>(seconds)) + " s");
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &state->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &state->size);

  auto wrong = find_wrong_start(state->size);
  if (provided < MPI_THREAD_MULTIPLE)
    wrong = "this MPI does not let several threads call it (MPI_THREAD_MULTIPLE): use another one";
  if (wrong) {
    if (state->rank == 0 && is_first_of_start())
      state->hooks.tell(*wrong);
    MPI_Finalize();
    return nullptr;
  }

  auto& s = *state;
  s.share = measure_node_share(MPI_COMM_WORLD);
  s.work.emplace(copy_communicator(MPI_COMM_WORLD), [&s] { s.check_work(); });
  s.ending.emplace(copy_communicator(MPI_COMM_WORLD), [&s] { s.check_ending(); });
  s.watch.emplace(MPI_COMM_WORLD, s.guard, s.hooks.tell, s.hooks.remove_debris);
  s.guard.clear(Limit::start);
  return std::unique_ptr<MpiTeam>(new MpiTeam(std::move(state)));
}

MpiTeam::MpiTeam(std::unique_ptr<State> state) : state_(std::move(state)) {}

MpiTeam::~MpiTeam() {
  if (!state_->has_finished)
    end_by_force(static_cast<int>(ErrorKind::input));
}

std::size_t MpiTeam::rank() const {
  return static_cast<std::size_t>(state_->rank);
}
std::size_t MpiTeam::size() const {
  return static_cast<std::size_t>(state_->size);
}
std::size_t MpiTeam::cores() const {
  return state_->share.cores;
}
std::size_t MpiTeam::members_on_node() const {
  return state_->share.members;
}
bool MpiTeam::is_stopped() const {
  return state_->watch->is_stopped();
}

void MpiTeam::begin_call() {
  state_->port().begin_call();
}
void MpiTeam::send(std::size_t to, std::string bytes) {
  state_->port().send(to, std::move(bytes));
}
std::string MpiTeam::receive(std::size_t from) {
  return state_->port().receive(from);
}
std::string MpiTeam::send_and_receive(std::size_t to, std::string bytes, std::size_t from) {
  return state_->port().send_and_receive(to, std::move(bytes), from);
}

int MpiTeam::finish(const MemberResult& result) {
  auto& s = *state_;
  s.is_ending = true;
  Ending own{Ending::well, rank(), result.status, result.message, read_host_name()};
  if (result.is_stopped) {
    own.weight = Ending::stopped;
  } else if (result.status != 0) {
    own.weight = s.watch->is_stopped() ? Ending::failed_after_others : Ending::failed;
    s.watch->report_failure(result.status);
  }

  const auto known = s.watch->failure();
  if (known && known->kind == Notice::lost)
    own.weight = Ending::lost;

  Ending agreed;
  try {
    agreed = share_merged(this, own, choose_ending);
  } catch (const std::exception&) {
    const auto failure = s.watch->failure();
    if (failure && failure->kind == Notice::failed && failure->origin == s.rank)
      s.hooks.tell(result.message);
    end_by_force(failure ? failure->status : result.status);
  }

  if (agreed.weight == Ending::lost) {
    std::this_thread::sleep_for(until_lost_is_told);
    end_by_force(agreed.status);
  }
  // A signal is nothing of one process, though one may notice it first.
  const bool is_of_all = agreed.rank == 0 || agreed.message == own.message ||
                         agreed.status == static_cast<int>(ErrorKind::interrupted);
  if (rank() == 0 && !agreed.message.empty())
    s.hooks.tell(is_of_all ? agreed.message
                           : "rank " + std::to_string(agreed.rank) + " on " + agreed.host + ": " +
                                 agreed.message);
  if (!agree_to_rest())
    end_by_force(agreed.status);

  // Who has not answered is not waited for a second time.
  const auto seconds = s.watch->say_farewell() ? longest_finalize : 1;
  s.guard.set(Limit::end, seconds, agreed.status);
  be_killed_after(seconds + 1);
  s.has_finished = true;
  MPI_Finalize();
  s.guard.clear(Limit::end);
  return agreed.status;
}

// Whether nothing is on its way at any member. MPI could wait for it for ever otherwise.
bool MpiTeam::agree_to_rest() try {
  auto& s = *state_;
  const auto until = Clock::now() + longest_rest;
  while (!s.work->is_at_rest() && Clock::now() < until) {
    s.work->drain();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  s.give_up = Clock::now() + until_force_of_others;
  const bool rests = share_merged(this, static_cast<unsigned>(s.work->is_at_rest()),
                                  [](unsigned lower, unsigned higher) { return lower & higher; });
  // What others still had under way has reached this member before they agreed.
  s.work->drain();
  return rests && s.work->is_at_rest();
} catch (const std::exception&) {
  return false;
}

void MpiTeam::end_by_force(int status) {
  auto& s = *state_;
  s.has_finished = true;
  s.guard.set(Limit::end, until_exit, status);
  s.hooks.remove_debris();
  MPI_Abort(MPI_COMM_WORLD, status);
  ::_exit(status);
}

}  // namespace tracefold
