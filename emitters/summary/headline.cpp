#include "emitters/summary/headline.hpp"

#include "base/text.hpp"
#include "emitters/messages/waiting_formats.hpp"
#include "emitters/show_names.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/summary/describe_files.hpp"
#include "emitters/summary/headline_names.hpp"
#include "model/chosen_iterations.hpp"
#include "model/process_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace tracefold {

namespace {

constexpr double small_message = 4096;  // bytes

class HeadlineWriter : private HeadlineNames {
 public:
  HeadlineWriter(const Summary& summary, NameLength length)
      : HeadlineNames(summary, length), summary_(summary), found_(summary.finding) {}

  std::vector<std::string> write() const {
    std::vector<std::string> lines;
    if (!summary_.early_ends.processes.empty())
      lines.push_back(write_early_ends());
    lines.push_back(write_first());
    const auto add = [&](const char* label, const std::string& words) {
      if (!words.empty())
        lines.push_back(fmt::format("{}: {}", label, words));
    };

    add("useful", write_useful());
    add(found_.bytes_each < small_message ? "because" : "messages", write_because());
    add("where", write_where());
    add("when", write_when());
    add("waiting", write_waiting());
    add("next", write_besides());
    add("accelerator", write_accelerators());
    add_devices(add);
    for (const auto& line : describe_files(summary_, *this))
      add("I/O", line);
    if (!summary_.early_messages.are_few())
      add("note", describe_early_messages(summary_.early_messages) +
                      ": who waits for whom, and how long, is not known");
    add("note", write_outside_loops());
    add("note", write_late_starts());
    add("note", write_recording_off());
    add("note", write_measurement());
    if (!summary_.missing.empty() && !summary_.ranks.empty())
      add("note",
          fmt::format("all of this is without {}: {}", name(summary_.missing), write_missing()));
    return lines;
  }

  std::string describe(const Gain& gain) const {
    using Kind = ProgramGain::Kind;
    const auto when = write_iterations_of(gain.iterations, " in ");
    switch (gain.kind) {
      case Kind::files: return "files took no time" + when;
      case Kind::network: return "the network took no time";
      case Kind::order: return "no rank had to wait for results of another one";
      case Kind::spread: return "all ranks computed equally long";
      case Kind::iterations:
        return gain.iterations.every == 0 ? std::string("all iterations were as short as most")
                                          : fmt::format("{} were as long as the others",
                                                        write_iterations_of(gain.iterations, ""));
      case Kind::computation:
        return gain.who.empty()
                   ? "all ranks computed equally long" + when
                   : fmt::format("{} computed as long as the other ranks{}", name(gain.who), when);
      default: break;
    }
    const auto what = show_function(gain.call.function);
    if (gain.who.empty())
      return fmt::format("all ranks took equally long for {}{}", what, when);
    return fmt::format("{} took as long for {} as the other ranks{}", name(gain.who), what, when);
  }

 private:
  const char* be(std::size_t count, const char* one, const char* more) const {
    return count == 1 ? one : more;
  }

  // "if files took no time, the run would take 42.0 ms less (11 %)": what else it would gain, by
  // another kind of change.
  std::string write_besides() const {
    using Kind = ProgramGain::Kind;
    const auto is_of_loss = [&](Kind kind) {
      switch (found_.loss) {
        case Loss::io: return kind == Kind::files;
        case Loss::transfer: return kind == Kind::network;
        case Loss::serialisation: return kind == Kind::order;
        case Loss::threads: return false;  // which is not played
        default: return kind != Kind::files && kind != Kind::network && kind != Kind::order;
      }
    };
    constexpr double least = 0.05;
    for (const auto& gain : summary_.gains)
      if (gain.share >= least && (!found_.cost || !is_of_loss(gain.kind)))
        return fmt::format("if {}, it would take {} less ({})", describe(gain),
                           format_seconds(gain.seconds), show_percent(gain.share));
    return {};
  }
  // "; without that 21.3 ms instead of 41.3 ms (48 % less)"
  std::string write_cost() const {
    if (!found_.cost || found_.share <= 0)
      return {};
    const auto now = *found_.cost / found_.share;
    return fmt::format("; {} {} instead of {} ({} less)", write_condition(),
                       format_seconds(now - *found_.cost), format_seconds(now),
                       show_percent(found_.share));
  }
  const char* write_condition() const {
    if (found_.culprit == Culprit::serial_part)
      return "shared by all threads";
    const bool is_spread =
        found_.culprit == Culprit::idle ||
        (found_.loss == Loss::threads && found_.culprit == Culprit::thread && !found_.is_as_others);
    return is_spread ? "evenly spread" : "without that";
  }
  // "iterations 10-12", "iteration 4", "every 8th iteration"
  std::string write_iterations_of(const SomeIterations& some, const char* before) const {
    if (some.every == 0)
      return {};
    const auto first = number(some.first), last = number(some.last);
    if (first == last)
      return fmt::format("{}iteration {}", before, first);
    if (some.every == 1)
      return fmt::format("{}iterations {}-{}", before, first, last);
    return fmt::format("{}every {} iteration", before, show_ordinal(some.every));
  }
  // "8th", "2nd"
  static std::string show_ordinal(std::uint64_t n) {
    const auto last = n % 10;
    const bool is_teen = n / 10 % 10 == 1;
    return fmt::format("{}{}", n,
                       is_teen     ? "th"
                       : last == 1 ? "st"
                       : last == 2 ? "nd"
                       : last == 3 ? "rd"
                                   : "th");
  }

  // Then that ranks wait for them is no loss.
  bool are_accelerators_busy() const {
    constexpr double busy = 0.9;
    return found_.culprit == Culprit::waits_for_accelerator &&
           summary_.find_busy_accelerators().value_or(0) >= busy;
  }
  // The first sentence: the largest loss.
  std::string write_first() const {
    if (summary_.ranks.empty() && summary_.missing.empty())
      return fmt::format("No calls of threads were recorded in {}.", describe_part(summary_));
    if (found_.loss == Loss::none)
      return write_useful_time() + "; no loss is 2 % or more.";
    if (are_accelerators_busy())
      return fmt::format(
          "No large loss: accelerators compute {} of the time; {} wait{} for them, {}.",
          show_percent(*summary_.find_busy_accelerators()), name_kind(), end_verb(),
          write_on_average(found_.value));
    if (found_.loss == Loss::accelerator && found_.culprit != Culprit::idle_streams)
      return fmt::format("Largest loss: {}{}.", write_of_accelerators(), write_cost());
    return fmt::format("Largest loss: {}: {}{}.", name_loss(), write_loss(), write_cost());
  }
  // "60 % of the time in the main loop is useful"
  std::string write_useful_time() const {
    const auto useful = find_useful_time();
    return useful ? fmt::format("{} of the time {} is useful", show_percent(*useful), name_part())
                  : fmt::format("Useful time {} is not known, since {}", name_part(),
                                why_not_useful());
  }
  // "60 % of the time in the main loop". What waits for accelerators counts as useful.
  std::string write_useful() const {
    if (found_.loss == Loss::none ||
        (found_.loss == Loss::accelerator && found_.culprit != Culprit::idle_streams))
      return {};
    const auto useful = find_useful_time();
    return useful ? fmt::format("{} of the time {}", show_percent(*useful), name_part())
                  : "not known, since " + why_not_useful();
  }
  std::optional<double> find_useful_time() const {
    return find_useful(summary_.finding_is_around ? summary_.around : summary_.efficiencies);
  }
  std::string name_part() const {
    return summary_.finding_is_around || summary_.part == RunPart::mpi
               ? "between MPI_Init and MPI_Finalize"
               : "in " + describe_part(summary_);
  }
  std::string why_not_useful() const {
    return summary_.missing.empty() ? "no MPI was recorded" : write_missing();
  }

  // "records of ranks 1,3,5,7 end at 23 % of the run: all that follows is of the part up to there."
  std::string write_early_ends() const {
    const auto& early = summary_.early_ends;
    const auto first = show_percent(early.first), last = show_percent(early.last);
    const auto when = first == last ? first : fmt::format("{} to {}", first, last);
    return fmt::format("records of {} end at {} of the run: all that follows is {}.",
                       name_each(early.processes), when,
                       early.are_left_out ? "without them" : "of the part up to there");
  }
  // Few ranks are named one by one.
  // "58 % of the time is before the main loop; 55 % is in allocate"
  std::string write_outside_loops() const {
    constexpr double much = 0.3;
    const auto& outside = summary_.outside_loops;
    if (!outside || outside->before + outside->behind < much)
      return {};
    const auto side = [](double share, const char* where) {
      return share < least_told_share
                 ? std::string()
                 : fmt::format("{} of the time is {} the main loop", show_percent(share), where);
    };
    const auto before = side(outside->before, "before"), behind = side(outside->behind, "behind");
    auto out = before + (before.empty() || behind.empty() ? "" : ", ") + behind;
    if (outside->in_function >= 0.5 * (outside->before + outside->behind))
      out += fmt::format("; {} is in {}", show_percent(outside->in_function),
                         show_function(outside->function));
    return out;
  }

  std::string write_late_starts() const {
    const auto& late = summary_.late_starts;
    if (late.masters.empty())
      return {};
    return fmt::format("{} begin{} at {} of the run and count{} from then on", name(late.masters),
                       late.masters.size() == 1 ? "s" : "", show_percent(late.first),
                       late.masters.size() == 1 ? "s" : "");
  }

  std::string write_recording_off() const {
    if (summary_.recording_off <= 0)
      return {};
    return fmt::format(
        "recording was off for {} of the run; that time counts nowhere",
        summary_.recording_off < 0.001 ? "less than 0.1 %" : show_percent(summary_.recording_off));
  }

  // Only where it matters.
  std::string write_measurement() const {
    const auto& spent = summary_.paradigms[static_cast<std::size_t>(Paradigm::measurement)];
    const auto share = summary_.time > 0 ? spent.seconds / summary_.time : 0;
    if (share < least_told_share)
      return {};
    std::vector<std::size_t> who;
    for (const auto& rank : summary_.ranks)
      if (rank.measurement > 0)
        who.push_back(rank.master);
    const auto whose =
        who.empty() || who.size() == summary_.ranks.size() ? "" : ", by " + name(who);
    return fmt::format(
        "the measurement itself took {} of the time of all threads, to write its buffers to "
        "files{}; that is no useful time",
        show_percent(share), whose);
  }

  std::string write_missing() const {
    return fmt::format("the event files of {} are missing", name(summary_.missing));
  }

  // Where the finding is of what is around the main loop, which the rest is of.
  std::string write_loop() const {
    const auto useful = find_useful(summary_.efficiencies);
    if (!summary_.finding_is_around || !useful)
      return {};
    auto out = "more outside of " + describe_part(summary_) + " than in it, which ";
    if (summary_.loop_share)
      out +=
          fmt::format("takes {} of the time on average, and ", show_percent(*summary_.loop_share));
    return out + fmt::format("is {} useful", show_percent(*useful));
  }

  const char* name_loss() const {
    switch (found_.loss) {
      case Loss::load_balance: return "load balance";
      case Loss::serialisation: return "serialisation";
      case Loss::transfer: return "transfer";
      case Loss::communication: return "communication";
      case Loss::threads: return summary_.has_openmp ? "OpenMP" : "threads";
      case Loss::io: return "I/O";
      case Loss::measurement: return "measurement";
      case Loss::iterations: return "long iterations";
      case Loss::accelerator: return "accelerators";
      default: return "";
    }
  }

  std::string write_loss() const {
    switch (found_.loss) {
      case Loss::load_balance: return write_balance();
      case Loss::serialisation: return write_serialisation();
      case Loss::transfer:
      case Loss::communication: return write_transfer();
      case Loss::threads: return write_threads();
      case Loss::io: return write_io();
      case Loss::measurement:
        return fmt::format("each rank spends {} or more writing its buffers to files",
                           format_seconds(found_.value));
      case Loss::iterations: return write_iterations();
      case Loss::accelerator: return write_accelerator();
      default: return {};
    }
  }

  // "cuStreamSynchronize, called by step, waiting for kernel dot on CUDA[0:7]"
  std::string show_found_call() const {
    auto out = show_call(found_.call);
    if (!found_.kernel.name.empty())
      out += fmt::format(", waiting for {}", show_kernel(found_.kernel));
    return out;
  }

  std::string write_accelerator() const { return write_streams(" only"); }
  // "ranks wait for accelerators for 89 % of the time: 80.0 ms on average in cudaStreamSynchronize"
  std::string write_of_accelerators() const {
    if (found_.culprit == Culprit::straggler)
      return fmt::format("accelerators wait for {}, which reach{} {} last",
                         name(found_.who) + on_node(), found_.who.size() > 1 ? "" : "es",
                         show_function(found_.wait_call.function));
    const auto* const end = end_verb();
    const auto verb = found_.culprit == Culprit::copies
                          ? fmt::format("cop{} from and to", *end ? "ies" : "y")
                          : fmt::format("wait{} for", end);
    return fmt::format("{} {} accelerators for {} of the time: {} in {}", name_kind(), verb,
                       show_percent(found_.share), write_on_average(found_.value),
                       show_function(found_.call.function));
  }
  // "its 2 streams compute 12 % of the time on average", "2 of its 9 streams record anything, and
  // compute …"
  std::string write_streams(const char* only) const {
    const auto share = show_percent(*summary_.efficiencies.accelerator);
    const auto recording = summary_.recording_streams;
    if (recording < summary_.streams)
      return fmt::format("{} of its {} streams record{} anything, and compute{}{} {} of the time{}",
                         show_count(recording), show_count(summary_.streams),
                         recording == 1 ? "s" : "", recording == 1 ? "s" : "", only, share,
                         recording == 1 ? "" : " on average");
    if (summary_.streams == 1)
      return fmt::format("its stream computes{} {} of the time", only, share);
    return fmt::format("its {} streams compute{} {} of the time on average",
                       show_count(summary_.streams), only, share);
  }
  // Where that is not the largest loss.
  std::string write_accelerators() const {
    if (!summary_.efficiencies.accelerator || found_.culprit == Culprit::idle_streams ||
        are_accelerators_busy())
      return {};
    auto out = write_streams("");
    if (found_.loss == Loss::accelerator)
      return out;
    if (const auto& waiting = summary_.accelerator_waiting;
        waiting && waiting->share >= least_told_share) {
      out += fmt::format("; {} wait{} {} ({}) for it in {}", name_kind(), end_verb(),
                         format_seconds(waiting->seconds), show_percent(waiting->share),
                         show_call(waiting->call));
      if (!waiting->kernel.name.empty())
        out += fmt::format(", most for {}", show_kernel(waiting->kernel));
    }
    return out;
  }

  // "the accelerator does nothing for 41 % of the time; in 73 % of that its host is in read_input",
  // "12 % of the time of the accelerator, 35 % of that while kernels run"
  template <class Add>
  void add_devices(const Add& add) const {
    if (!summary_.devices)
      return;
    constexpr double least = 0.02;
    using Of = ProgramDevices;
    const auto& of = *summary_.devices;
    const bool is_one = of.sums.devices == 1;
    const auto name = is_one ? std::string("the accelerator")
                             : fmt::format("the {} accelerators", show_count(of.sums.devices));
    if (const auto idle = of.share(&Of::idle); idle >= least) {
      auto words = fmt::format("{} do{} nothing for {} of the time{}", name, is_one ? "es" : "",
                               show_percent(idle), is_one ? "" : " on average");
      if (!of.host.empty())
        words += fmt::format("; in {} of that {} in {}", show_percent(of.host_share),
                             is_one ? "its host is" : "their hosts are", show_call(of.host));
      add("idle", words);
    }
    const auto add_hidden = [&](const char* label, double share, double hidden) {
      if (share >= least)
        add(label,
            fmt::format("{} of the time of {}, {} of that while kernels run", show_percent(share),
                        name,
                        hidden / share < least_told_share ? "none" : show_percent(hidden / share)));
    };
    add_hidden("copies", of.share(&Of::copies), of.share(&Of::hidden_copies));
    add_hidden("communication", of.share(&Of::communication), of.share(&Of::hidden_communication));
  }

  // How long others wait, as a sum over all: "2.00 s together", "2.00 s together in the whole run".
  std::string write_lost() const {
    return format_seconds(found_.lost) + (summary_.ranks.size() > 2 ? " together" : "") +
           (found_.lost_is_of_run ? " in the whole run" : "");
  }
  // The ranks of threads that are slow.
  std::vector<std::size_t> list_waited_for() const {
    if (found_.culprit != Culprit::thread)
      return found_.who;
    std::vector<std::size_t> out;
    for (const auto& rank : summary_.ranks)
      if (std::any_of(rank.threads.begin(), rank.threads.end(),
                      [&](auto thread) { return contains(found_.who, thread); }))
        out.push_back(rank.master);
    return out;
  }
  // What follows for others where somebody is slow.
  std::string write_others_wait() const {
    const bool is_of_work = found_.loss == Loss::load_balance || found_.loss == Loss::io;
    if (!is_of_work || found_.who.empty() || found_.wait_call.empty() ||
        found_.lost < summary_.least_told_waiting())
      return {};
    const auto in = show_call(found_.wait_call);
    const auto lost = write_lost();
    const auto waited_for = list_waited_for();
    const auto who = name(waited_for);
    const auto many = waited_for.size() > 1;
    // Those who compute little are not who is waited for.
    if (found_.culprit == Culprit::idle)
      return fmt::format("{} wait{} {} for the others in {} ({})", who, many ? "" : "s", lost, in,
                         name_wait(found_.wait));
    switch (found_.wait) {
      case Metric::mpi_late_sender_time:
        return fmt::format("others wait {} for messages of {} in {} (late sender)", lost, who, in);
      case Metric::mpi_late_receiver_time:
        return fmt::format("others wait {} until {} receive{}, in {} (late receiver)", lost, who,
                           many ? "" : "s", in);
      case Metric::mpi_late_broadcast_time:
        return fmt::format("others wait {} for {}, the late root of {}", lost, who, in);
      default:
        return fmt::format(
            "{} reach{} {} last{}; the others wait {} there", who, many ? "" : "es",
            show_function(found_.wait_call.function),
            found_.wait_call.caller.empty()
                ? std::string()
                : fmt::format(" (called by {})", show_function(found_.wait_call.caller)),
            lost);
    }
  }

  std::string write_balance() const {
    if (found_.cost && found_.who.empty())
      return write_uneven();
    const auto who = name(found_.who);
    const auto many = found_.who.size() > 1;
    if (found_.is_of_call)
      return write_longer_in_call();
    if (found_.culprit == Culprit::idle)
      return fmt::format("{}{} ha{} {} to compute: {}{}, the others {} on average", who, on_node(),
                         many ? "ve" : "s", 2 * found_.value < found_.others ? "little" : "less",
                         format_seconds(found_.value), many ? " each" : "",
                         format_seconds(found_.others));
    if (found_.culprit == Culprit::thread)
      return fmt::format("{} compute{} {}{}, the other threads of {} rank {} on average", who,
                         many ? "" : "s", format_seconds(found_.value), many ? " each" : "",
                         many ? "their" : "its", format_seconds(found_.others));
    const auto out = found_.culprit == Culprit::node
                         ? fmt::format("node {} is slow: {}", make_printable(found_.node), who)
                         : who + on_node();
    return out + fmt::format(" compute{} {}{}, the {} {}", many ? "" : "s",
                             format_seconds(found_.value), many ? " each" : "",
                             is_of_outliers() ? "others" : "average is",
                             format_seconds(found_.others));
  }
  // Nobody is always longer than others.
  std::string write_uneven() const {
    const auto what = found_.is_of_call ? show_function(found_.call.function) : "computation";
    const auto when = write_iterations_of(found_.when, " in ");
    const auto difference = found_.value - found_.others;
    if (difference < *found_.cost)
      return fmt::format("{} is uneven{}, and the slowest rank changes again and again", what,
                         when);
    return fmt::format("ranks are between {} and {} in {}{}", format_seconds(found_.others),
                       format_seconds(found_.value), what, when);
  }
  std::string write_longer_in_call() const {
    const auto who = name(found_.who) + on_node();
    const auto what = show_function(found_.call.function);
    const auto when = write_iterations_of(found_.when, " in ");
    const auto many = found_.who.size() > 1;
    if (found_.is_alone)
      return fmt::format("{} alone {} in {}{}, {}{}", who, many ? "are" : "is", what, when,
                         format_seconds(found_.value), many ? " each" : "");
    if (!when.empty())
      return fmt::format("{} take{} longer than the others for {}{}", who, many ? "" : "s", what,
                         when);
    return fmt::format("{} take{} {}{} for {}, the others {}", who, many ? "" : "s",
                       format_seconds(found_.value), many ? " each" : "", what,
                       format_seconds(found_.others));
  }
  // Where those who are meant are all of one node.
  std::string on_node() const {
    return found_.node.empty() ? std::string()
                               : fmt::format(" (on node {})", make_printable(found_.node));
  }
  bool is_of_outliers() const {
    // `others` is the mean without them, unless nobody stands out.
    double sum = 0;
    for (const auto& rank : summary_.ranks)
      sum += rank.useful + rank.io;
    const auto mean = sum / static_cast<double>(std::max<std::size_t>(summary_.ranks.size(), 1));
    return found_.others < mean * 0.9999;
  }

  // Where the loss is, as far as the headline does not say it.
  std::string write_where() const {
    const auto& call = found_.call;
    const auto has_more = !call.caller.empty() || !found_.kernel.name.empty();
    switch (found_.loss) {
      case Loss::load_balance:
        if (found_.is_of_call)
          return has_more ? write_caller() : std::string();
        return call.empty() ? std::string() : "mostly in " + show_found_call();
      case Loss::serialisation:
        if (found_.culprit == Culprit::chain && found_.lost == 0 && !found_.wait_call.empty())
          return show_call(found_.wait_call) +
                 ": asking again and again for messages does not count as waiting";
        return names_wait_call() && found_.wait_call.caller.empty() ? std::string()
                                                                    : show_call(found_.wait_call);
      case Loss::transfer:
      case Loss::communication: return has_more ? write_caller() : std::string();
      case Loss::iterations:
        return found_.cost && !call.empty() ? "mostly in " + show_found_call() : std::string();
      case Loss::threads:
      case Loss::io: return call.empty() ? std::string() : "mostly in " + show_found_call();
      case Loss::accelerator:
        if (found_.culprit == Culprit::straggler)
          return call.empty()
                     ? std::string()
                     : fmt::format("{}{}: {} on {}, {} on the others",
                                   found_.paradigm == Paradigm::accelerator ? "kernel " : "",
                                   show_call(call), format_seconds(found_.value), name(found_.who),
                                   format_seconds(found_.others));
        return call.caller.empty() || found_.culprit == Culprit::idle_streams ? std::string()
                                                                              : write_caller();
      default: return {};
    }
  }
  // Where the headline has the function: "solve, called by step, waiting for kernel dot on
  // CUDA[0:7]"
  std::string write_caller() const {
    auto out = show_call(found_.call);
    if (!found_.kernel.name.empty() && found_.loss != Loss::accelerator)
      out += ", waiting for " + show_kernel(found_.kernel);
    return out;
  }
  // Whether the headline has the call in which others wait.
  bool names_wait_call() const {
    return found_.wait_call.empty() ||
           (found_.culprit != Culprit::chain && found_.culprit != Culprit::sender &&
            found_.culprit != Culprit::receiver);
  }

  std::string write_because() const {
    switch (found_.loss) {
      case Loss::serialisation:
        if (found_.cost && found_.culprit == Culprit::chain)
          return {};
        if (auto late = write_late_in(); !late.empty())
          return late;
        if (summary_.causes && found_.wait == Metric::mpi_late_sender_time)
          if (auto chain = describe_chain(*summary_.causes); !chain.empty())
            return chain;
        break;
      case Loss::transfer:
      case Loss::communication: return write_messages();
      case Loss::accelerator:
        return found_.kernel.name.empty() || found_.culprit == Culprit::idle_streams
                   ? std::string()
                   : fmt::format("mostly for {}", show_kernel(found_.kernel));
      case Loss::iterations: return write_slow_process();
      case Loss::load_balance: return write_counted();
      default: return {};
    }
    return write_cause();
  }
  // Whether the one that takes longer has more to do.
  std::string write_counted() const {
    constexpr double as_many = 0.1, many_more = 1.2;
    if (!found_.counted || found_.counted->cycles < many_more)
      return {};
    const auto [instructions, cycles] = *found_.counted;
    if (std::abs(instructions - 1) <= as_many)
      return fmt::format("same instructions, {:.1f} times the cycles: not more work, slower work",
                         cycles);
    if (std::abs(instructions / cycles - 1) <= as_many)
      return fmt::format("{:.1f} times the instructions: more work", instructions);
    return {};
  }
  // What made the one late that the headline names.
  std::string write_cause() const {
    if (!summary_.causes)
      return {};
    for (const auto& late : summary_.causes->processes) {
      if (!contains(found_.who, late.process))
        continue;
      const auto likely = keep_likely(late);
      if (late.seconds < summary_.least_told_waiting() || !is_explained(likely))
        return {};
      const auto part =
          summary_.part == RunPart::window ? describe_part(summary_) : "the whole run";
      return fmt::format("in {}, {}", part, describe_late_process(likely));
    }
    return {};
  }
  static bool contains(const std::vector<std::size_t>& who, std::size_t process) {
    return std::find(who.begin(), who.end(), process) != who.end();
  }
  // Nobody can make others wait for longer than all of them wait while it is in a function.
  LateProcess keep_likely(LateProcess late) const {
    std::erase_if(late.causes, [&](const WaitingCause& cause) {
      const auto call =
          std::find_if(summary_.calls.begin(), summary_.calls.end(),
                       [&](const CallTime& one) { return one.function == cause.function; });
      return call != summary_.calls.end() &&
             2 * call->most * static_cast<double>(summary_.ranks.size()) < cause.seconds;
    });
    return late;
  }

  std::string write_late_in() const {
    if (found_.culprit == Culprit::chain)
      return found_.call.empty() ? std::string()
                                 : fmt::format("it begins with {} in {}",
                                               name({found_.who.front()}), show_found_call());
    if (found_.call.empty())
      return {};
    const bool many = found_.who.size() > 1;
    if (found_.call == found_.wait_call && found_.kernel.name.empty())
      return many ? "they are in that call themselves" : "it is in that call itself";
    return fmt::format("{} the time in {}", many ? "they spend" : "it spends", show_found_call());
  }

  std::string write_when() const {
    if (auto loop = write_loop(); !loop.empty())
      return loop;
    if (found_.loss == Loss::io)
      return write_iterations_of(found_.when, "in ");
    const bool is_of_many = found_.loss == Loss::serialisation && found_.who.empty();
    return is_of_many && !found_.wait_call.empty() ? "now one is late, now another" : "";
  }

  std::string write_serialisation() const {
    const auto in = show_function(found_.wait_call.function);
    const auto lost = write_lost();
    const bool many = found_.who.size() > 1;
    const auto others = found_.victims.empty() ? "others" : name(found_.victims);
    const auto* const end = found_.victims.size() == 1 ? "s" : "";
    switch (found_.culprit) {
      case Culprit::chain: {
        std::vector<std::string> names;
        constexpr std::size_t most = 6;
        for (std::size_t k = 0; k < std::min(found_.who.size(), most); ++k)
          names.push_back(short_name(found_.who[k]));
        return fmt::format(
            "{} work one after the other, each waits for the one before: {}{}{}",
            summary_.has_ranks ? "ranks" : "locations", fmt::join(names, " → "),
            found_.who.size() > most ? " → …" : "",
            found_.lost > 0 && !found_.cost ? fmt::format("; {} of waiting", lost) : "");
      }
      case Culprit::sender:
        return fmt::format("{} {}; {} wait{} {} for {}", name(found_.who),
                           many ? "are late senders" : "is a late sender", others, end, lost,
                           many ? "them" : "it");
      case Culprit::receiver:
        return fmt::format("{} {}; {} wait{} {} until {}", name(found_.who),
                           many ? "are late receivers" : "is a late receiver", others, end, lost,
                           many ? "they receive" : "it receives");
      case Culprit::root:
        return fmt::format("{} reach{} {} late as its root; the others wait {}", name(found_.who),
                           many ? "" : "es", in, lost);
      case Culprit::last:
        return fmt::format("{} reach{} {} last; the others wait {}", name(found_.who),
                           many ? "" : "es", in, lost);
      default: break;
    }
    if (found_.wait_call.empty())
      return "ranks begin or end at different times, and wait for nobody that is known";
    return fmt::format("ranks wait {} for each other in {} ({})", lost, in, name_wait(found_.wait));
  }

  std::string write_transfer() const {
    if (found_.call.empty())
      return "of what, is not known";
    const auto in = show_function(found_.call.function);
    if (found_.cost)
      return write_slow_messages() + ", mostly in " + in;
    if (found_.loss == Loss::communication)
      return fmt::format("{} ({}) in {}; how much of it is waiting, and for whom, is not known",
                         write_of_each(found_.value), show_percent(found_.share), in);
    return fmt::format("{} of it in {}, without waiting", format_seconds(found_.value), in);
  }
  // "messages between rank 3 and rank 4"
  std::string write_slow_messages() const {
    if (found_.who.size() == 1)
      return fmt::format("messages from and to {}", name(found_.who));
    if (found_.who.size() == 2)
      return fmt::format("messages between {} and {}", name({found_.who[0]}),
                         name({found_.who[1]}));
    if (!found_.who.empty())
      return fmt::format("messages between {}", name(found_.who));
    return "data is under way";
  }
  std::string write_messages() const {
    if (found_.operations == 0)
      return {};
    const bool is_point_to_point = found_.paradigm == Paradigm::point_to_point;
    auto out = fmt::format("{} {}{}, {} each on average", group_digits(found_.operations),
                           found_.bytes_each < small_message ? "small " : "",
                           is_point_to_point ? "messages" : "collective operations",
                           format_bytes(static_cast<std::uint64_t>(found_.bytes_each)));
    if (found_.bytes_first != found_.bytes_last)
      out += fmt::format(", which {} with the iterations from {} to {}",
                         found_.bytes_last > found_.bytes_first ? "grow" : "shrink",
                         format_bytes(static_cast<std::uint64_t>(found_.bytes_first)),
                         format_bytes(static_cast<std::uint64_t>(found_.bytes_last)));
    return out;
  }

  // Where neither MPI nor OpenMP says what threads are for.
  std::string write_rows() const {
    if (found_.culprit == Culprit::idle_threads)
      return fmt::format("{} of {} threads compute almost nothing ({})",
                         show_count(found_.who.size()), show_count(summary_.threads),
                         name(found_.who));
    return fmt::format("threads compute {} of the time on average",
                       show_percent(found_.efficiency.value_or(0)));
  }

  std::string write_threads() const {
    if (!summary_.has_mpi && !summary_.has_openmp)
      return write_rows();

    // Only OpenMP has parallel regions.
    const bool has_regions = summary_.has_openmp;
    const auto inside = has_regions ? " in parallel regions" : "";
    switch (found_.culprit) {
      case Culprit::thread:
        if (found_.who.empty())
          return fmt::format(
              "threads wait {} each for the slowest of their rank, now one, now another",
              format_seconds(found_.value));
        return fmt::format("{} compute{} {}{}{}, the other threads {} on average",
                           name_threads(found_.who), found_.who.size() == 1 ? "s" : "",
                           format_seconds(found_.value), found_.who.size() == 1 ? "" : " each",
                           inside, format_seconds(found_.others));
      case Culprit::idle_threads:
        return fmt::format("{} {} idle{} and lose{} {}", name_threads(found_.who),
                           be(found_.who.size(), "is", "are"), inside,
                           found_.who.size() == 1 ? "s" : "", format_seconds(found_.value));
      case Culprit::locks:
        return fmt::format("threads wait {} together for each other in {}",
                           format_seconds(found_.value), show_function(found_.call.function));
      case Culprit::serial_part:
        return fmt::format("{} in computation{}, where only one thread works",
                           write_of_each(found_.value),
                           has_regions ? " outside of parallel regions" : "");
      default:
        return fmt::format("{} to start and join threads (uneven work aside)",
                           write_of_each(found_.value));
    }
  }

  double count_ranks() const {
    return static_cast<double>(std::max<std::size_t>(summary_.ranks.size(), 1));
  }
  // Of sums over ranks: "240 ms on average", "ranks spend 240 ms on average".
  std::string write_on_average(double seconds) const {
    return format_seconds(seconds / count_ranks()) +
           (summary_.ranks.size() > 1 ? " on average" : "");
  }
  std::string write_of_each(double seconds) const {
    return fmt::format("{} spend{} {}", name_kind(), end_verb(), write_on_average(seconds));
  }
  std::string write_io() const {
    if (found_.who.empty())
      return write_of_each(found_.value * count_ranks()) +
             (found_.call.empty() ? "" : " in " + show_function(found_.call.function));
    return fmt::format("{}{}{} spend{} {}{} on it, the others {}", name(found_.who), on_node(),
                       found_.is_alone ? " alone" : "", found_.who.size() == 1 ? "s" : "",
                       format_seconds(found_.value), found_.who.size() == 1 ? "" : " each",
                       found_.is_alone ? "none" : format_seconds(found_.others));
  }

  std::string write_iterations() const {
    const auto loop = !found_.loop_ranks.empty() ? fmt::format(" of {}", name(found_.loop_ranks))
                      : summary_.loops > 1       ? fmt::format(" of loop {}", found_.loop + 1)
                                                 : std::string();
    const auto value = format_seconds(found_.value), usual = format_seconds(found_.usual);
    if (found_.cost)
      return write_costly_iterations(loop, value, usual);
    const auto cost = show_percent(found_.share);
    if (found_.culprit == Culprit::slower_iterations)
      return fmt::format("iterations{} become slower{}, from {} to {}; costs {}", loop,
                         write_change(), usual, value, cost);
    if (found_.culprit == Culprit::faster_iterations)
      return fmt::format("iterations{} become faster{}, from {} to {}: the slow start costs {}",
                         loop, write_change(), value, usual, cost);
    const auto which =
        found_.first == found_.last
            ? fmt::format("iteration {}{}", number(found_.first), loop)
            : fmt::format("iterations {}-{}{}", number(found_.first), number(found_.last), loop);
    auto out = fmt::format("{} takes {}, others {}", which, value, usual);
    if (found_.iterations > 1)
      out = fmt::format("{} iterations are slow, most {}", found_.iterations, out);
    return out + fmt::format("; that costs {}", cost);
  }
  std::string write_costly_iterations(const std::string& loop, const std::string& value,
                                      const std::string& usual) const {
    if (found_.culprit == Culprit::slower_iterations)
      return fmt::format("iterations{} become slower{}, from {} to {}", loop, write_change(), usual,
                         value);
    if (found_.culprit == Culprit::faster_iterations)
      return fmt::format("iterations{} become faster{}, from {} to {}: a slow start", loop,
                         write_change(), value, usual);
    if (found_.when.every == 0 && found_.iterations > 1)
      return fmt::format("{} iterations{} are slow, the slowest, {}, takes {}, the others {}",
                         found_.iterations, loop, number(found_.first), value, usual);
    const auto which = write_iterations_of(found_.when, "") + loop;
    if (found_.culprit == Culprit::none)
      return which + " takes longer than the others";
    const auto many = found_.when.every == 1 && found_.when.first != found_.when.last;
    if (found_.iterations > 1 && found_.when.every == 1)
      return fmt::format("{} {} slow: up to {}, most others {}", which, many ? "are" : "is", value,
                         usual);
    return fmt::format("{} take{} {}, most others {}", which, many ? "" : "s", value, usual);
  }
  // " at iteration 5"
  std::string write_change() const {
    return found_.change_at == 0 ? std::string()
                                 : fmt::format(" at iteration {}", number(found_.change_at));
  }
  // Who makes iterations slow.
  std::string write_slow_process() const {
    if (found_.who.empty())
      return {};
    if (found_.cost)
      return fmt::format("{} take{} most of it", name(found_.who),
                         found_.who.size() == 1 ? "s" : "");
    const auto in = found_.call.empty() ? std::string() : fmt::format(" in {}", show_found_call());
    if (found_.culprit == Culprit::slower_iterations)
      return fmt::format("{} computes most{}", name(found_.who), in);
    return fmt::format("{} computes {} then{}, the average is {}", name(found_.who),
                       format_seconds(found_.lost), in.empty() ? in : fmt::format(" (most{})", in),
                       format_seconds(found_.others));
  }

  std::uint64_t number(std::size_t iteration) const {
    return find_iteration_number(summary_.numbers, iteration);
  }

  std::string write_waiting() const {
    if (auto others = write_others_wait(); !others.empty())
      return others;
    if (!summary_.waiting || summary_.waiting->share_of_time < least_told_share)
      return {};
    const auto& waiting = *summary_.waiting;
    const bool is_told =
        found_.loss == Loss::serialisation && waiting.worst.call == found_.wait_call;
    auto out =
        fmt::format("{} of the time of ranks{}, {} {}", show_percent(waiting.share_of_time),
                    summary_.finding_is_around ? " in " + describe_part(summary_) : std::string(),
                    show_percent(waiting.share_of_time * waiting.worst.share),
                    is_told ? std::string("there")
                            : fmt::format("in {} ({})", show_call(waiting.worst.call),
                                          name_wait(waiting.worst.kind)));
    // Who else is late belongs to what the headline says only where that names nobody.
    const bool has_late = !waiting.late.empty() && waiting.late_share > 0.3 &&
                          waiting.late.size() < summary_.ranks.size() &&
                          ((found_.who.empty() && !found_.cost) || found_.who == waiting.late);
    if (!has_late)
      return out;
    return out + fmt::format(", {} for {}{}", show_most(waiting.late_share), name(waiting.late),
                             waiting.late_is_of_run ? " in the whole run" : "");
  }
  // "most", "all"
  static const char* show_most(double share) {
    return show_percent(share) == "100 %" ? "all" : share > 0.5 ? "mostly" : "partly";
  }

  const Summary& summary_;
  const Finding& found_;
};

}  // namespace

std::optional<double> find_useful(const Efficiencies& efficiencies) {
  const auto& all = efficiencies;
  return all.hybrid ? all.hybrid : all.parallel ? all.parallel : all.threads;
}

std::string describe_part(const Summary& summary) {
  switch (summary.part) {
    case RunPart::loop:
      return (summary.loops_are_unsure ? "what may be " : "") +
             (summary.loops > 1             ? fmt::format("the {} main loops", summary.loops)
              : !summary.rank_loops.empty() ? std::string("the main loops")
                                            : std::string("the main loop"));
    case RunPart::mpi: return "the run between MPI_Init and MPI_Finalize";
    case RunPart::window:
      if (summary.window.empty())
        return fmt::format("the first {} of the run", show_percent(summary.early_ends.first));
      return fmt::format("the part {}", make_printable(summary.window));
    default: return "the whole run";
  }
}

std::string describe_rank_loops(const Summary& summary) {
  Plan plan;
  plan.processes = summary.processes;
  std::vector<std::string> parts;
  for (const auto& loop : summary.rank_loops) {
    const auto* const word = !summary.has_ranks ? "" : loop.ranks.size() == 1 ? "rank " : "ranks ";
    parts.push_back(fmt::format("{}{} ({}{})", loop.iterations,
                                &loop == &summary.rank_loops.back() ? " iterations" : "", word,
                                list_places(plan, loop.ranks)));
  }
  const auto last = std::exchange(parts.back(), {});
  parts.pop_back();
  return fmt::format("{}{} loops of {} and {}", summary.loops_are_unsure ? "what may be " : "",
                     parts.size() == 1 ? "two" : std::to_string(parts.size() + 1),
                     fmt::join(parts, ", "), last);
}

const char* name_wait(Metric metric) {
  switch (metric) {
    case Metric::mpi_late_sender_time: return "late senders";
    case Metric::mpi_late_receiver_time: return "late receivers";
    case Metric::mpi_wait_at_barrier_time: return "wait at barrier";
    case Metric::mpi_wait_at_fence_time: return "wait at fence";
    case Metric::mpi_wait_at_nxn_time: return "wait at N×N";
    case Metric::mpi_late_broadcast_time: return "late root";
    case Metric::mpi_early_reduce_time: return "early reduce";
    default: return "waiting";
  }
}

const char* name_paradigm(Paradigm paradigm) {
  switch (paradigm) {
    case Paradigm::point_to_point: return "MPI point-to-point";
    case Paradigm::collective: return "MPI collective";
    case Paradigm::synchronisation: return "MPI synchronisation";
    case Paradigm::other_mpi: return "MPI, other";
    case Paradigm::io: return "I/O";
    case Paradigm::openmp: return "OpenMP runtime";
    case Paradigm::accelerator: return "accelerator";
    case Paradigm::measurement: return "measurement";
    default: return "computation";
  }
}

std::vector<std::string> write_headline(const Summary& summary, NameLength names) {
  return HeadlineWriter(summary, names).write();
}

std::string describe_iterations(const Summary& summary, const SomeIterations& iterations) {
  if (iterations.every == 0)
    return {};
  const auto first = find_iteration_number(summary.numbers, iterations.first);
  const auto last = find_iteration_number(summary.numbers, iterations.last);
  if (first == last)
    return std::to_string(first);
  return fmt::format("{}-{}{}", first, last,
                     iterations.every == 1 ? "" : fmt::format(":{}", iterations.every));
}

std::string describe_gain(const Summary& summary, const Gain& gain, NameLength names) {
  return HeadlineWriter(summary, names).describe(gain);
}

}  // namespace tracefold
