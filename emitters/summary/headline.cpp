#include "emitters/summary/headline.hpp"

#include "base/text.hpp"
#include "emitters/messages/waiting_formats.hpp"
#include "emitters/show_numbers.hpp"
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

constexpr std::size_t longest_call = 48;

class HeadlineWriter {
 public:
  HeadlineWriter(const Summary& summary, NameLength names)
      : summary_(summary), found_(summary.finding), names_(names), plan_() {
    plan_.processes = summary.processes;
  }

  std::vector<std::string> write() const {
    std::vector<std::string> lines;
    if (!summary_.early_ends.processes.empty())
      lines.push_back(write_early_ends());
    lines.push_back(write_first());
    if (!summary_.early_messages.are_few())
      lines.push_back(describe_early_messages(summary_.early_messages) +
                      ": who waits for whom, and how long, is not known.");
    if (!summary_.late_starts.masters.empty())
      lines.push_back(write_late_starts());
    if (summary_.recording_off > 0)
      lines.push_back(fmt::format("Recording was off for {} of the run; that time counts nowhere.",
                                  summary_.recording_off < 0.001
                                      ? "less than 0.1 %"
                                      : show_percent(summary_.recording_off)));
    if (auto measurement = write_measurement(); !measurement.empty())
      lines.push_back(std::move(measurement));
    if (!summary_.missing.empty() && !summary_.ranks.empty())
      lines.push_back(
          fmt::format("All of this is without {}: {}.", name(summary_.missing), write_missing()));
    if (auto loop = write_loop(); !loop.empty())
      lines.push_back(std::move(loop));
    if (auto waiting = write_waiting(); !waiting.empty())
      lines.push_back(std::move(waiting));
    if (auto streams = write_accelerators(); !streams.empty())
      lines.push_back(std::move(streams));
    if (summary_.causes)
      for (const auto& sentence :
           describe_waiting(*summary_.causes, 1, summary_.least_told_waiting()))
        lines.push_back(fmt::format("In {}, {}.", name_part_of_causes(), sentence));
    return lines;
  }

 private:
  std::string show_function(const std::string& name) const {
    const auto shown = make_printable(name);
    return names_ == NameLength::whole ? shown : shorten_name(shown, longest_call);
  }

  // "solve, called by step"
  std::string show_call(const NamedCall& call) const {
    auto out = show_function(call.function);
    if (!call.caller.empty())
      out += fmt::format(", called by {}", show_function(call.caller));
    return out;
  }

  // "rank 3", "ranks 0-3"
  std::string name(const std::vector<std::size_t>& who) const {
    if (who.size() == 1)
      return name_process(plan_.processes[who.front()]);
    auto ascending = who;
    std::sort(ascending.begin(), ascending.end());
    const bool has_ranks = plan_.processes[who.front()].rank.has_value();
    const auto list = list_places(plan_, ascending);
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> words{
        {{"location ", "locations "}, {"process ", "processes "}, {"thread ", "threads "}}};
    for (const auto& [one, several] : words)
      if (!has_ranks && list.starts_with(one))
        return std::string(several) + list.substr(one.size());
    return fmt::format("{}{}", has_ranks ? "ranks " : "", list);
  }
  std::string name_threads(const std::vector<std::size_t>& who) const {
    if (!found_.is_thread_number)
      return name(who);
    std::vector<std::uint64_t> numbers;
    for (auto p : who)
      numbers.push_back(plan_.processes[p].thread);
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    if (who.size() == 1 && found_.culprit == Culprit::idle_threads)
      return name(who);
    const auto list = fmt::format("{}", fmt::join(numbers, ", "));
    const auto word = numbers.size() == 1 ? "thread" : "threads";
    const bool are_all =
        found_.culprit != Culprit::idle_threads || who.size() % summary_.ranks.size() == 0;
    if (summary_.ranks.size() == 1 || !are_all)
      return name(who);
    return fmt::format("{} {} of each {}", word, list, summary_.has_ranks ? "rank" : "process");
  }
  const char* be(std::size_t count, const char* one, const char* more) const {
    return count == 1 ? one : more;
  }

  // The first sentence: how much of the time is useful, and the largest loss.
  std::string write_first() const {
    std::string out;
    const bool is_around = summary_.finding_is_around;
    const auto useful = find_useful(is_around ? summary_.around : summary_.efficiencies);
    const auto part = is_around ? "in the run between MPI_Init and MPI_Finalize" : write_in_part();
    if (useful)
      out = fmt::format("{} of the time {} is useful", show_percent(*useful), part);
    else
      out = fmt::format("how much of the time {} is useful is not known, since {}", part,
                        summary_.missing.empty() ? "no MPI was recorded" : write_missing());
    // Waiting for accelerators is no loss of MPI.
    if (useful && found_.culprit == Culprit::waits_for_accelerator)
      out += " or waiting for accelerators";
    if (summary_.ranks.empty() && summary_.missing.empty())
      return fmt::format("No calls of threads were recorded in {}.", describe_part(summary_));
    if (found_.loss == Loss::none)
      return out + "; no loss is 2 % or more.";
    if (found_.loss == Loss::iterations || found_.loss == Loss::accelerator)
      return out + fmt::format("; largest loss: {}.", write_loss());
    return out + fmt::format("; largest loss: {}: {}.", name_loss(), write_loss());
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
  std::string name_each(const std::vector<std::size_t>& who) const {
    constexpr std::size_t few = 8;
    const bool are_ranks = std::all_of(who.begin(), who.end(), [&](std::size_t p) {
      return plan_.processes[p].rank && plan_.processes[p].is_mpi_endpoint;
    });
    if (who.size() == 1 || who.size() > few || !are_ranks)
      return name(who);
    std::vector<std::uint64_t> ranks;
    for (auto p : who)
      ranks.push_back(*plan_.processes[p].rank);
    std::sort(ranks.begin(), ranks.end());
    return fmt::format("ranks {}", fmt::join(ranks, ","));
  }

  std::string write_late_starts() const {
    const auto& late = summary_.late_starts;
    return fmt::format("{} begin{} at {} of the run and count{} from then on.", name(late.masters),
                       late.masters.size() == 1 ? "s" : "", show_percent(late.first),
                       late.masters.size() == 1 ? "s" : "");
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
        "The measurement itself took {} of the time of all threads, to write its buffers to "
        "files{}; that is no useful time.",
        show_percent(share), whose);
  }

  // Who waits for whom is told of all that was read.
  std::string name_part_of_causes() const {
    return summary_.part == RunPart::window ? describe_part(summary_)
                                            : std::string("the whole run");
  }

  std::string write_missing() const {
    return fmt::format("the event files of {} are missing", name(summary_.missing));
  }

  // "in the main loop"
  std::string write_in_part() const { return "in " + describe_part(summary_); }

  // Where the finding is of what is around the main loop, which the rest is of.
  std::string write_loop() const {
    const auto useful = find_useful(summary_.efficiencies);
    if (!summary_.finding_is_around || !useful)
      return {};
    auto out = fmt::format("More is lost outside of {} than in it", describe_part(summary_));
    if (summary_.loop_share)
      out += fmt::format(", which takes {} of that time", show_percent(*summary_.loop_share));
    return out + fmt::format("; {} of its own time is useful.", show_percent(*useful));
  }

  std::string name_loss() const {
    const auto efficiency =
        found_.efficiency
            ? fmt::format(" (efficiency {}{})", show_percent(*found_.efficiency),
                          summary_.finding_is_around ? " between MPI_Init and MPI_Finalize" : "")
            : std::string();
    switch (found_.loss) {
      case Loss::load_balance: return "load balance" + efficiency;
      case Loss::serialisation: return "serialisation" + efficiency;
      case Loss::transfer: return "transfer" + efficiency;
      case Loss::communication: return "communication" + efficiency;
      case Loss::threads: return (summary_.has_openmp ? "OpenMP" : "threads") + efficiency;
      case Loss::io: return "I/O" + efficiency;
      case Loss::measurement: return "measurement" + efficiency;
      default: return {};
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

  // "CUDA[0:7]", "CUDA[0:7] of rank 3", "2 streams"
  std::string name_streams(const std::vector<std::size_t>& streams) const {
    if (streams.size() != 1)
      return fmt::format("{} streams", show_count(streams.size()));
    const auto& stream = plan_.processes[streams.front()];
    auto out =
        stream.name.empty() ? fmt::format("location {}", stream.id) : show_function(stream.name);
    if (stream.rank && summary_.ranks.size() > 1)
      out += fmt::format(" of rank {}", *stream.rank);
    return out;
  }
  std::string show_kernel(const WaitedKernel& kernel) const {
    return fmt::format("kernel {} on {}", show_function(kernel.name), name_streams(kernel.streams));
  }
  // "cuStreamSynchronize, called by step, waiting for kernel dot on CUDA[0:7]"
  std::string show_found_call() const {
    auto out = show_call(found_.call);
    if (!found_.kernel.name.empty())
      out += fmt::format(", waiting for {}", show_kernel(found_.kernel));
    return out;
  }

  // "rank", "ranks": who has computed.
  const char* name_kind() const {
    const bool is_one = summary_.ranks.size() == 1;
    return summary_.has_ranks ? (is_one ? "the rank" : "ranks")
                              : (is_one ? "the process" : "processes");
  }
  const char* end_verb() const { return summary_.ranks.size() == 1 ? "s" : ""; }

  std::string write_accelerator() const {
    if (found_.culprit == Culprit::idle_streams) {
      auto out = fmt::format("accelerator: {}", write_streams(" only"));
      if (!found_.call.empty())
        out += fmt::format("; {} spend{} most, {}, in {}", name_kind(), end_verb(),
                           format_seconds(found_.value), show_call(found_.call));
      return out;
    }
    auto out = fmt::format("accelerator: {} wait{} {} ({}) for it in {}", name_kind(), end_verb(),
                           format_seconds(found_.value), show_percent(found_.share),
                           show_call(found_.call));
    if (!found_.kernel.name.empty())
      out += fmt::format("; most, {}, for {}", format_seconds(found_.kernel.seconds),
                         show_kernel(found_.kernel));
    if (summary_.efficiencies.accelerator)
      out += "; " + write_streams("");
    return out;
  }
  // "its 2 streams compute 12 % of the time on average", "2 of its 9 streams record anything, and
  // compute …"
  std::string write_streams(const char* only) const {
    const auto& shares = summary_.stream_shares;
    const auto share = show_percent(shares.kernels);
    auto besides = std::string();
    if (shares.copies >= least_told_share)
      besides += fmt::format(", copies take {}", show_percent(shares.copies));
    if (shares.communication >= least_told_share)
      besides += fmt::format(", communication {}", show_percent(shares.communication));
    const auto recording = summary_.recording_streams;
    if (recording < summary_.streams)
      return fmt::format("{} of its {} streams record{} anything, and compute{}{} {} of the time{}",
                         show_count(recording), show_count(summary_.streams),
                         recording == 1 ? "s" : "", recording == 1 ? "s" : "", only, share,
                         recording == 1 ? "" : " on average") +
             besides;
    if (summary_.streams == 1)
      return fmt::format("its stream computes{} {} of the time{}", only, share, besides);
    return fmt::format("its {} streams compute{} {} of the time on average{}",
                       show_count(summary_.streams), only, share, besides);
  }
  // Where that is not the largest loss.
  std::string write_accelerators() const {
    if (found_.loss == Loss::accelerator || !summary_.efficiencies.accelerator)
      return {};
    auto out = "Accelerator: " + write_streams("");
    if (const auto& waiting = summary_.accelerator_waiting;
        waiting && waiting->share >= least_told_share) {
      out += fmt::format("; {} wait{} {} ({}) for it in {}", name_kind(), end_verb(),
                         format_seconds(waiting->seconds), show_percent(waiting->share),
                         show_call(waiting->call));
      if (!waiting->kernel.name.empty())
        out += fmt::format(", most for {}", show_kernel(waiting->kernel));
    }
    return out + ".";
  }

  // ", in solve, called by step"
  std::string write_in_call() const {
    return found_.call.empty() ? std::string() : fmt::format(" in {}", show_found_call());
  }
  // How long others wait: "2.00 s", "2.00 s in the whole run".
  std::string write_lost() const {
    return format_seconds(found_.lost) + (found_.lost_is_of_run ? " in the whole run" : "");
  }
  std::string write_others_wait() const {
    if (found_.wait_call.empty() || found_.lost < summary_.least_told_waiting())
      return {};
    const auto in = show_call(found_.wait_call);
    const auto lost = write_lost();
    const auto many = found_.who.size() > 1;
    switch (found_.wait) {
      case Metric::mpi_late_sender_time:
        return fmt::format("; others wait {} for {} messages in {} (late sender)", lost,
                           many ? "their" : "its", in);
      case Metric::mpi_late_receiver_time:
        return fmt::format("; others wait {} until {}, in {} (late receiver)", lost,
                           many ? "they receive" : "it receives", in);
      case Metric::mpi_late_broadcast_time:
        return fmt::format("; others wait {} for {}, the late root of {}", lost,
                           many ? "them" : "it", in);
      default:
        return fmt::format("; others wait {} for {} last in {}", lost,
                           many ? "them, which come" : "it, which comes", in);
    }
  }

  std::string write_balance() const {
    const auto who = name(found_.who);
    const auto many = found_.who.size() > 1;
    if (found_.culprit == Culprit::idle)
      return fmt::format("{}{} compute{} only {}{}, the others {} on average{}", who, on_node(),
                         many ? "" : "s", format_seconds(found_.value), many ? " each" : "",
                         format_seconds(found_.others), write_in_words());
    if (found_.culprit == Culprit::thread)
      return fmt::format("{} computes {}{}, the other threads of its rank {} on average{}", who,
                         format_seconds(found_.value), write_in_parentheses(),
                         format_seconds(found_.others), write_others_wait());
    auto out = found_.culprit == Culprit::node
                   ? fmt::format("node {} is slow: {}", make_printable(found_.node), who)
                   : who + on_node();
    out +=
        fmt::format(" compute{} {}{}, the {} {}{}", many ? "" : "s", format_seconds(found_.value),
                    many ? " each" : "", is_of_outliers() ? "others" : "average is",
                    format_seconds(found_.others), write_in_words());
    return out + write_others_wait();
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
  std::string write_in_words() const {
    return found_.call.empty()
               ? std::string()
               : fmt::format("; most of the difference is in {}", show_found_call());
  }
  std::string write_in_parentheses() const {
    return found_.call.empty() ? std::string() : fmt::format(" (most in {})", show_found_call());
  }

  std::string write_late_in() const {
    if (found_.call.empty())
      return {};
    if (found_.call == found_.wait_call && found_.kernel.name.empty())
      return fmt::format("; {} late since {} in that call {}",
                         found_.who.size() > 1 ? "they are" : "it is",
                         found_.who.size() > 1 ? "they are" : "it is",
                         found_.who.size() > 1 ? "themselves" : "itself");
    return fmt::format("; {} {} in {}", found_.who.size() > 1 ? "they spend" : "it spends",
                       "the time", show_found_call());
  }

  std::string write_serialisation() const {
    const auto in = show_call(found_.wait_call);
    const auto lost = write_lost();
    switch (found_.culprit) {
      case Culprit::chain: {
        std::vector<std::string> names;
        constexpr std::size_t most = 6;
        for (std::size_t k = 0; k < std::min(found_.who.size(), most); ++k)
          names.push_back(short_name(found_.who[k]));
        auto out = fmt::format(
            "a chain of late senders, each waits for the one before: {} {}{}; {} of waiting in {}",
            summary_.has_ranks ? "ranks" : "locations", fmt::join(names, " → "),
            found_.who.size() > most ? " → …" : "", lost, in);
        if (!found_.call.empty())
          out += fmt::format("; it begins with {} in {}", name({found_.who.front()}),
                             show_found_call());
        return out;
      }
      case Culprit::sender:
        return fmt::format("{} {}: {} wait{} {} for {} messages, in {}{}", name(found_.who),
                           be(found_.who.size(), "is a late sender", "are late senders"),
                           found_.victims.empty() ? "others" : name(found_.victims),
                           found_.victims.size() == 1 ? "s" : "", lost,
                           be(found_.who.size(), "its", "their"), in, write_late_in());
      case Culprit::receiver:
        return fmt::format("{} {}: {} wait{} {} until {}, in {}{}", name(found_.who),
                           be(found_.who.size(), "is a late receiver", "are late receivers"),
                           found_.victims.empty() ? "others" : name(found_.victims),
                           found_.victims.size() == 1 ? "s" : "", lost,
                           be(found_.who.size(), "it receives", "they receive"), in,
                           write_late_in());
      case Culprit::root:
        return fmt::format("{} {} late as root to {}: the others wait {}{}", name(found_.who),
                           be(found_.who.size(), "comes", "come"), in, lost, write_late_in());
      case Culprit::last:
        return fmt::format("{} {} last at {}: the others wait {}{}", name(found_.who),
                           be(found_.who.size(), "comes", "come"), in, lost, write_late_in());
      default: break;
    }
    if (found_.wait_call.empty())
      return "ranks begin or end at different times, and wait for nobody that is known";
    return fmt::format("ranks wait {} for each other in {} ({}), now one comes late, now another",
                       lost, in, name_wait(found_.wait));
  }

  std::string short_name(std::size_t process) const {
    const auto& one = plan_.processes[process];
    return one.rank ? std::to_string(*one.rank) : std::to_string(one.id);
  }

  std::string write_transfer() const {
    if (found_.call.empty())
      return "of what, is not known";
    auto out = fmt::format("{} of it in {}, without waiting", format_seconds(found_.value),
                           show_found_call());
    if (found_.loss == Loss::communication)
      out = fmt::format("{} in {}; how much of it is waiting is not known",
                        format_seconds(found_.value), show_found_call());
    if (found_.operations == 0)
      return out;
    constexpr double small = 4096;
    const bool is_point_to_point = found_.paradigm == Paradigm::point_to_point;
    return out + fmt::format(": {} {}{} of {} on average", group_digits(found_.operations),
                             found_.bytes_each < small ? "small " : "",
                             is_point_to_point ? "messages" : "collective operations",
                             format_bytes(static_cast<std::uint64_t>(found_.bytes_each)));
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
        return fmt::format("{} computes {}{}{}, the other threads {} on average",
                           name_threads(found_.who), format_seconds(found_.value),
                           write_in_parentheses(), inside, format_seconds(found_.others));
      case Culprit::idle_threads:
        return fmt::format("{} {} idle{} and lose{} {}", name_threads(found_.who),
                           be(found_.who.size(), "is", "are"), inside,
                           found_.who.size() == 1 ? "s" : "", format_seconds(found_.value));
      case Culprit::serial_part:
        return fmt::format(
            "{} of computation{}, where one thread works and the others do not{}",
            format_seconds(found_.value), has_regions ? " outside of parallel regions" : "",
            found_.call.empty() ? std::string()
                                : fmt::format("; most of it in {}", show_found_call()));
      default: return fmt::format("{} in its barriers and runtime", format_seconds(found_.value));
    }
  }

  std::string write_io() const {
    const auto in = found_.call.empty() ? std::string() : " in " + show_found_call();
    if (found_.who.empty())
      return fmt::format("each rank spends {} on average{}", format_seconds(found_.value), in);
    return fmt::format("{}{}{} spend{} {}{} on it{}, the others {}{}", name(found_.who), on_node(),
                       found_.is_alone ? " alone" : "", found_.who.size() == 1 ? "s" : "",
                       format_seconds(found_.value), found_.who.size() == 1 ? "" : " each", in,
                       found_.is_alone ? "none" : format_seconds(found_.others),
                       write_others_wait());
  }

  std::string write_iterations() const {
    const auto loop = !found_.loop_ranks.empty() ? fmt::format(" of {}", name(found_.loop_ranks))
                      : summary_.loops > 1       ? fmt::format(" of loop {}", found_.loop + 1)
                                                 : std::string();
    if (found_.culprit == Culprit::slower_iterations) {
      auto out = fmt::format("iterations{} become slower{}, from {} to {}, which costs {}", loop,
                             write_change(), format_seconds(found_.usual),
                             format_seconds(found_.value), show_percent(found_.share));
      if (!found_.who.empty())
        out += fmt::format("; {} computes most{}", name(found_.who), write_in_call());
      return out;
    }
    if (found_.culprit == Culprit::faster_iterations)
      return fmt::format("iterations{} become faster{}, from {} to {}: the slow start costs {}",
                         loop, write_change(), format_seconds(found_.value),
                         format_seconds(found_.usual), show_percent(found_.share));
    const auto which =
        found_.first == found_.last
            ? fmt::format("iteration {}{}", number(found_.first), loop)
            : fmt::format("iterations {}-{}{}", number(found_.first), number(found_.last), loop);
    auto out = fmt::format("{} takes {}, others {}", which, format_seconds(found_.value),
                           format_seconds(found_.usual));
    if (found_.iterations > 1)
      out = fmt::format("{} iterations are slow, most {}", found_.iterations, out);
    if (!found_.who.empty())
      out += fmt::format("; {} computes {} in it{}, the average is {}", name(found_.who),
                         format_seconds(found_.lost), write_in_parentheses(),
                         format_seconds(found_.others));
    return out + fmt::format("; that costs {}", show_percent(found_.share));
  }

  // " at iteration 5"
  std::string write_change() const {
    return found_.change_at == 0 ? std::string()
                                 : fmt::format(" at iteration {}", number(found_.change_at));
  }
  std::uint64_t number(std::size_t iteration) const {
    return find_iteration_number(summary_.numbers, iteration);
  }

  std::string write_waiting() const {
    if (!summary_.waiting || summary_.waiting->share_of_time < least_told_share)
      return {};
    const auto& waiting = *summary_.waiting;
    auto out = summary_.finding_is_around ? "In " + describe_part(summary_) + ", waiting"
                                          : std::string("Waiting");
    out += fmt::format(" takes {} of the time of all ranks; {} of it is in {} ({})",
                       show_percent(waiting.share_of_time), show_share(waiting.worst.share),
                       show_call(waiting.worst.call), name_wait(waiting.worst.kind));
    if (waiting.late.empty() || waiting.late_share <= 0.3)
      return out + ".";
    return out + fmt::format("; {}{} of the waiting of that kind is for {}.",
                             waiting.late_is_of_run ? "in the whole run, " : "",
                             show_share(waiting.late_share), name(waiting.late));
  }
  // "54 %", "all"
  static std::string show_share(double share) {
    auto text = show_percent(share);
    return text == "100 %" ? "all" : text;
  }

  const Summary& summary_;
  const Finding& found_;
  const NameLength names_;
  Plan plan_;
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

}  // namespace tracefold
