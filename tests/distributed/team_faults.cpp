// Does a little work as a member of a team, and what is asked for goes wrong at one of them.
//
//   team_faults FAULT RANK FOLDER
//
// The first member makes a hidden folder beside FOLDER/out, as programs that write do, and
// publishes it when all are done.
#include "base/error.hpp"
#include "base/interrupt.hpp"
#include "base/publish.hpp"
#include "base/team.hpp"
#include "base/unfinished.hpp"
#include "pipeline/distributed/mpi_calls.hpp"
#include "pipeline/distributed/mpi_team.hpp"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace tracefold;

void sleep_for(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

std::string make_bytes(std::uint64_t seed, std::size_t size) {
  std::string bytes(size, '\0');
  for (auto& byte : bytes) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    byte = static_cast<char>(seed >> 56);
  }
  return bytes;
}

void check(bool is_right, const char* what) {
  if (!is_right)
    throw std::logic_error(std::string("wrong: ") + what);
}

// Messages below and above the size of the first piece of each, from all and to all.
void work_together(Team& team, std::size_t most_bytes) {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{5}, std::size_t{65536}, std::size_t{65537}, most_bytes}) {
    check(team.broadcast(team.rank() == 0 ? make_bytes(1, size) : "") == make_bytes(1, size),
          "broadcast");

    const auto gathered = team.gather(make_bytes(team.rank(), size));
    check(gathered.size() == (team.rank() == 0 ? team.size() : 0), "number of gathered");
    for (std::size_t rank = 0; rank < gathered.size(); ++rank)
      check(gathered[rank] == make_bytes(rank, size), "gathered");

    const auto together =
        share_merged(&team, std::to_string(team.rank()) + ".",
                     [](const auto& lower, const auto& higher) { return lower + higher; });
    std::string all;
    for (std::size_t rank = 0; rank < team.size(); ++rank)
      all += std::to_string(rank) + ".";
    check(together == all, "merged");

    std::vector<std::string> given;
    for (std::size_t to = 0; to < team.size(); ++to)
      given.push_back(make_bytes(team.rank() * 1000 + to, size));
    const auto received = team.exchange(std::move(given));
    for (std::size_t from = 0; from < team.size(); ++from)
      check(received.at(from) == make_bytes(from * 1000 + team.rank(), size), "exchanged");
    team.barrier();
  }
}

// As a pass does that looks whether it is to stop, or one that does not.
void compute(double seconds, bool looks) {
  for (int k = 0; k < seconds * 100; ++k) {
    if (looks)
      check_stop();
    sleep_for(0.01);
  }
}

bool stops_at_end = false;

using Fault = std::function<void(Team&, bool is_culprit)>;

const std::map<std::string, Fault> faults{
    {"none", [](Team& team, bool) { work_together(team, 300000); }},
    {"large", [](Team& team, bool) { work_together(team, std::size_t{3} << 20); }},
    {"huge",
     [](Team& team, bool) {
       const auto size = (std::size_t{9} << 28) + 3;
       const auto end = make_bytes(1, 9);
       auto given = team.rank() == 0 ? std::string(size - 9, 'x') + end : "";
       const auto bytes = team.broadcast(std::move(given));
       check(bytes.size() == size && bytes.ends_with(end), "huge");
     }},
    {"throw",
     [](Team& team, bool is_culprit) {
       if (is_culprit)
         throw Error(ErrorKind::input, "is damaged").in("some.evt");
       team.barrier();
     }},
    {"throw_while_others_send",
     [](Team& team, bool is_culprit) {
       if (is_culprit)
         throw Error(ErrorKind::output, "no space left on device");
       team.exchange(std::vector<std::string>(team.size(), std::string(3000000, 'x')));
     }},
    {"throw_while_others_compute",
     [](Team&, bool is_culprit) {
       if (is_culprit)
         throw Error(ErrorKind::input, "is damaged").in("some.evt");
       compute(60, true);
     }},
    {"throw_while_one_does_not_look",
     [](Team& team, bool is_culprit) {
       if (is_culprit)
         throw Error(ErrorKind::input, "is damaged").in("some.evt");
       compute(60, (team.rank() + 1) % 2 == 0);
     }},
    {"no_memory",
     [](Team& team, bool is_culprit) {
       if (is_culprit)
         throw std::bad_alloc();
       team.barrier();
     }},
    {"throw_at_all",
     [](Team&, bool) {
       throw Error(ErrorKind::usage, "unknown argument").hint("see 'tracefold help'");
     }},
    {"throw_at_some",
     [](Team& team, bool) {
       if (team.rank() % 2 == 1)
         throw Error(ErrorKind::input, "is damaged");
       team.barrier();
     }},
    {"slow",
     [](Team& team, bool is_culprit) {
       if (is_culprit)
         sleep_for(14);
       work_together(team, 1000);
     }},
    {"exit",
     [](Team& team, bool is_culprit) {
       if (is_culprit)
         ::_exit(7);
       team.barrier();
     }},
    {"kill",
     [](Team& team, bool is_culprit) {
       if (is_culprit)
         std::raise(SIGKILL);
       team.barrier();
     }},
    {"stop",
     [](Team& team, bool is_culprit) {
       if (is_culprit)
         ::kill(::getpid(), SIGSTOP);
       team.barrier();
     }},
    {"stop_while_others_compute",
     [](Team&, bool is_culprit) {
       if (is_culprit)
         ::kill(::getpid(), SIGSTOP);
       compute(60, true);
     }},
    {"terminate",
     [](Team& team, bool is_culprit) {
       if (is_culprit)
         std::raise(SIGTERM);
       check_stop();
       team.barrier();
       compute(1, true);
     }},
    {"terminate_all",
     [](Team& team, bool) {
       std::raise(SIGTERM);
       team.barrier();
     }},
    {"wait", [](Team& team, bool) { compute(60, team.rank() % 2 == 0); }},
    {"stop_while_it_leaves", [](Team&, bool is_culprit) { stops_at_end = is_culprit; }},
};

MemberResult run(Team& team, const Fault& fault, bool is_culprit, const std::string& folder) try {
  std::optional<PendingFolder> pending;
  if (team.rank() == 0) {
    pending.emplace(folder + "/out", Replacement{});
    write_file(pending->path() / "content", "x");
  }
  team.barrier();
  fault(team, is_culprit);
  team.barrier();
  if (pending)
    pending->publish();
  return {};
} catch (const Error& problem) {
  const bool is_interrupted = problem.kind() == ErrorKind::interrupted;
  const auto& mpi = dynamic_cast<const MpiTeam&>(team);
  return {static_cast<int>(problem.kind()), problem.what(), is_interrupted && mpi.is_stopped()};
} catch (const TeamStopped& stopped) {
  return {static_cast<int>(ErrorKind::input), stopped.what(), true};
} catch (const std::bad_alloc&) {
  return {static_cast<int>(ErrorKind::input), "out of memory"};
} catch (const std::exception& problem) {
  return {static_cast<int>(ErrorKind::input), problem.what()};
}

}  // namespace

// In place of MPI's own, which has another name for such cases. The others have left when this
// process stops, so that nobody but its own child can end it.
int MPI_Finalize() {
  const int code = PMPI_Finalize();
  if (stops_at_end)
    ::kill(::getpid(), SIGSTOP);
  return code;
}

int main(int argc, char** argv) {
  if (argc != 4 || !faults.contains(argv[1])) {
    std::fputs("usage: team_faults FAULT RANK FOLDER\n", stderr);
    return 2;
  }
  std::signal(SIGTERM, [](int number) { stop_signal.store(number); });
  const auto tell = [](const std::string& words) {
    const auto line = "tracefold: " + words + "\n";
    if (::write(STDERR_FILENO, line.data(), line.size()) < 0)
      std::abort();
  };
  const auto team = MpiTeam::start({tell, remove_unfinished});
  if (!team)
    return 2;
  return team->finish(run(*team, faults.at(argv[1]), team->rank() == std::stoul(argv[2]), argv[3]));
}
