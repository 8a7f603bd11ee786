#include "tests/support/made_programs.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <random>
#include <utility>

namespace tracefold::testing {

namespace {

enum Communication : std::uint64_t {
  mpi_init,
  mpi_finalize,
  mpi_send,
  mpi_recv,
  mpi_irecv,
  mpi_wait,
  mpi_allreduce,
  mpi_barrier,
  mpi_bcast
};

constexpr std::uint64_t main_function = made_communication;

enum class What : std::uint8_t {
  call,         // of a function, with the statements in it
  loop,         // an inner one, of the statements in it
  exchange,     // with a neighbour
  collective,   // of all
  some,         // the statements in it, in some iterations only
  alternative,  // one of the statements in it
  recursion     // of a function that calls itself
};

struct Statement {
  What what = What::call;
  std::uint64_t function = 0;
  std::uint64_t ticks = 0;      // of its own
  std::uint64_t count = 1;      // of passes of an inner loop; partners; depth of recursion
  std::uint64_t variation = 0;  // of the count
  std::uint64_t every = 1;      // only in each so-manieth iteration
  std::vector<Statement> inside;
};

using Block = std::vector<Statement>;

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) { program_.seed = seed; }

  MadeProgram make() {
    noise_ = std::array{0.02, 0.1, 0.3, 0.6}[draw(4)];
    const bool has_loop = !happens(0.12);
    const bool has_threads = has_loop && happens(0.15);
    const bool has_commands = has_loop && !has_threads && happens(0.12);

    enter(main_function);
    call_leaf(mpi_init, 1000 * (1 + draw(100'000)));
    run_set_up();
    if (!has_loop)
      run_without_loop();
    else if (has_commands)
      run_commands();
    else
      run_loops(has_threads);
    run_block(make_distinct_calls(draw(3)), 0);
    call_leaf(mpi_finalize, 1000 + draw(1000));
    leave();

    program_.threads.insert(program_.threads.begin(), std::move(events_));
    if (has_threads)
      program_.threads.push_back(std::move(worker_));

    return std::move(program_);
  }

 private:
  std::uint64_t draw(std::uint64_t below) { return below ? random_() % below : 0; }
  bool happens(double probability) {
    return static_cast<double>(draw(1'000'000)) < probability * 1e6;
  }
  std::uint64_t make_noisy(std::uint64_t ticks) {
    const auto range = static_cast<std::uint64_t>(noise_ * static_cast<double>(ticks));
    auto out = ticks - range / 2 + draw(range + 1);
    if (happens(0.01 * noise_))
      out *= 5;
    return std::max<std::uint64_t>(out, 1);
  }
  void note(const std::string& feature) {
    program_.features += (program_.features.empty() ? "" : ", ") + feature;
  }

  // Functions that were not called before, or where there are no more, any.
  std::uint64_t take_function() {
    constexpr auto first = main_function + 1;
    if (next_function_ < made_functions - first)
      return first + next_function_++;
    return first + draw(made_functions - first);
  }

  void enter(std::uint64_t region) {
    events_.push_back({MadeEvent::Kind::enter, ++time_, region, 0});
    open_.push_back(region);
  }
  void leave() {
    events_.push_back({MadeEvent::Kind::leave, ++time_, open_.back(), 0});
    open_.pop_back();
  }
  void call_leaf(std::uint64_t region, std::uint64_t ticks) {
    enter(region);
    time_ += ticks;
    leave();
  }
  void communicate(std::uint64_t region, MadeEvent::Kind kind, std::uint64_t partner,
                   std::uint64_t ticks) {
    enter(region);
    time_ += ticks;
    events_.push_back({kind, ++time_, 0, partner});
    leave();
  }

  // Statements of a body that is drawn at random.
  Block make_block(std::size_t statements, std::size_t depth) {
    Block block;
    for (std::size_t k = 0; k < statements; ++k)
      block.push_back(make_statement(block, depth));
    return block;
  }
  Statement make_statement(const Block& before, std::size_t depth) {
    Statement out;
    out.ticks = 1000 + draw(100'000);
    const auto kind = draw(100);

    if (kind < 20) {
      out.what = What::exchange;
      out.count = 1 + draw(4);
      out.function = mpi_send;
      out.ticks = 1000 + draw(20'000);
    } else if (kind < 32) {
      out.what = What::collective;
      out.function = happens(0.7) ? mpi_allreduce : happens(0.5) ? mpi_barrier : mpi_bcast;
      out.ticks = 1000 + draw(20'000);
    } else if (kind < 42 && depth > 0) {
      out.what = What::loop;
      out.count = 2 + draw(8);
      out.variation = happens(0.4) ? draw(4) : 0;
      out.inside = make_block(1 + draw(3), depth - 1);
      if (happens(0.75))
        out = wrap(std::move(out));
    } else if (kind < 46 && depth > 0) {
      out.what = What::recursion;
      out.function = take_function();
      out.count = 2 + draw(3);
    } else if (kind < 56 && depth > 0) {
      out.what = What::some;
      out.every = 2 + draw(9);
      out.inside = make_block(1 + draw(2), depth - 1);
    } else if (kind < 60 && depth > 0) {
      out.what = What::alternative;
      for (std::size_t k = 0; k < 2 + draw(2); ++k)
        out.inside.push_back(make_call(0));
    } else if (kind < 72 && !before.empty() && before.back().what == What::call) {
      out = before[draw(before.size())];
    } else {
      out = make_call(depth);
    }

    return out;
  }
  // A call of a function that does nothing else.
  Statement wrap(Statement inside) {
    Statement out;
    out.function = take_function();
    out.ticks = 1000;
    out.inside.push_back(std::move(inside));
    return out;
  }
  Statement make_call(std::size_t depth) {
    Statement out;
    out.function = take_function();
    out.ticks = 1000 + draw(200'000);
    if (depth > 0 && happens(0.4))
      out.inside = make_block(1 + draw(3), depth - 1);
    return out;
  }
  Block make_distinct_calls(std::size_t n) {
    Block block;
    for (std::size_t k = 0; k < n; ++k)
      block.push_back(make_call(happens(0.3) ? 1 : 0));
    return block;
  }

  void run_block(const Block& block, std::uint64_t iteration) {
    for (const auto& statement : block)
      run(statement, iteration);
  }
  void run(const Statement& s, std::uint64_t iteration) {
    switch (s.what) {
      case What::call:
        enter(s.function);
        time_ += make_noisy(s.ticks);
        run_block(s.inside, iteration);
        leave();
        break;
      case What::loop:
        for (std::uint64_t k = 0, n = s.count + draw(s.variation + 1); k < n; ++k)
          run_block(s.inside, iteration);
        break;
      case What::exchange: exchange(s); break;
      case What::collective:
        communicate(s.function, MadeEvent::Kind::collective, 0, make_noisy(s.ticks));
        break;
      case What::some:
        if (iteration % s.every == s.every - 1)
          run_block(s.inside, iteration);
        break;
      case What::alternative: run(s.inside[draw(s.inside.size())], iteration); break;
      case What::recursion: recurse(s, s.count); break;
    }
  }
  void exchange(const Statement& s) {
    for (std::uint64_t k = 0; k < s.count; ++k)
      call_leaf(mpi_irecv, 100);
    for (std::uint64_t k = 0; k < s.count; ++k)
      communicate(mpi_send, MadeEvent::Kind::send, k + 1, make_noisy(s.ticks / 4));
    for (std::uint64_t k = 0; k < s.count; ++k)
      communicate(mpi_wait, MadeEvent::Kind::receive, k + 1, make_noisy(s.ticks));
  }
  void recurse(const Statement& s, std::uint64_t depth) {
    enter(s.function);
    time_ += make_noisy(s.ticks / 4 + 1);
    for (int branch = 0; depth > 1 && branch < 2; ++branch)
      recurse(s, depth - 1);
    leave();
  }

  void run_set_up() {
    auto block = make_distinct_calls(1 + draw(6));
    if (happens(0.3))
      block.push_back(make_statement({}, 0));
    run_block(block, 0);
    call_leaf(mpi_barrier, 1000);
  }

  // Calls in no order that comes again, or a recursion.
  void run_without_loop() {
    program_.right.clear();

    if (happens(0.3)) {
      note("recursion without a loop");
      Statement s;
      s.function = take_function();
      s.count = 4 + draw(4);
      s.ticks = 50'000;
      recurse(s, s.count);
      return;
    }

    if (happens(0.4)) {
      note("calls in no order");
      Block block = make_distinct_calls(8 + draw(12));
      for (std::size_t k = 0, n = 20 + draw(100); k < n; ++k)
        run(block[draw(block.size())], 0);
      return;
    }

    note("calls in a row");
    for (std::size_t k = 0, n = 3 + draw(9); k < n; ++k) {
      run_block(make_distinct_calls(1), 0);
      if (happens(0.5))
        call_leaf(mpi_barrier, 1000 + draw(5000));
    }
  }

  struct LoopPlan {
    Block body;
    std::uint64_t iterations = 0;
    std::optional<std::uint64_t> step;  // function around each iteration
    bool skips_first = false;           // the first iteration skips its first statement
    bool exits_early = false;
    std::size_t exit = 0;  // statements of the last iteration then
  };

  LoopPlan plan_loop() {
    LoopPlan plan;
    plan.iterations = happens(0.2) ? 3 + draw(3) : happens(0.2) ? 50 + draw(250) : 4 + draw(30);
    plan.body = make_block(2 + draw(6), 2);
    // A body that only some iterations have anything to do in is none.
    plan.body.push_back(make_call(1));
    if (happens(0.35))
      plan.step = take_function();
    plan.skips_first = !plan.step && happens(0.1);
    // What only the first iteration does not do is little, as swapping two fields is.
    if (plan.skips_first)
      plan.body.insert(plan.body.begin(), make_call(0));
    plan.exits_early = happens(0.12);
    // Three quarters of the body are done before it is left.
    plan.exit = plan.body.size() - std::max<std::size_t>(plan.body.size() / 4, 1);

    return plan;
  }
  void run_loop(const LoopPlan& plan) {
    for (std::uint64_t i = 0; i < plan.iterations; ++i) {
      begin_step(plan);
      const bool is_first = i == 0;
      const bool is_last = i + 1 == plan.iterations;
      const auto begin = plan.skips_first && is_first ? 1 : 0;
      const auto end = plan.exits_early && is_last ? plan.exit : plan.body.size();
      run_block({plan.body.begin() + begin, plan.body.begin() + static_cast<std::ptrdiff_t>(end)},
                i);
      end_step(plan);
    }
  }
  void begin_step(const LoopPlan& plan) {
    if (plan.step)
      enter(*plan.step);
    step_began_ = time_;
  }
  void end_step(const LoopPlan& plan) {
    if (plan.step)
      leave();
    if (!has_worker_)
      return;

    // The other thread works while this one does, and waits for the next iteration.
    worker_.push_back({MadeEvent::Kind::enter, step_began_ + 1, worker_function_, 0});
    const auto inner = (time_ - step_began_) / 2;
    worker_.push_back(
        {MadeEvent::Kind::enter, step_began_ + 1 + inner / 4, worker_function_ + 1, 0});
    worker_.push_back({MadeEvent::Kind::leave, step_began_ + 1 + inner, worker_function_ + 1, 0});
    worker_.push_back({MadeEvent::Kind::leave, time_, worker_function_, 0});
  }

  // The calls that each pass of a block makes, on this level.
  static std::uint64_t count_calls(const Block& block) {
    std::uint64_t calls = 0;
    for (const auto& s : block) {
      if (s.what == What::loop)
        calls += s.count * count_calls(s.inside);
      else if (s.what == What::exchange)
        calls += 3 * s.count;
      else if (s.what != What::some)
        ++calls;
    }
    return calls;
  }

  // Adds the numbers of iterations that are right besides n: where every second one does more, or
  // every k-th more than k others do, k of them may as well be one.
  static void add_longer_iterations(const Block& block, std::size_t n,
                                    std::vector<std::size_t>& right) {
    for (const auto& s : block) {
      if (s.what == What::some &&
          (s.every == 2 || count_calls(s.inside) >= s.every * count_calls(block)))
        right.push_back(n / s.every);
      if (s.what != What::call)
        add_longer_iterations(s.inside, n, right);
    }
  }

  void run_main_loop(const LoopPlan& plan) {
    note(std::to_string(plan.iterations) + " iterations");
    if (plan.step)
      note("a function around each");
    if (plan.skips_first)
      note("less in the first");
    if (plan.exits_early)
      note("left early");
    program_.right = {plan.iterations};
    add_longer_iterations(plan.body, plan.iterations, program_.right);
    run_loop(plan);
  }

  void run_loops(bool has_threads) {
    if (has_threads) {
      note("two threads");
      has_worker_ = true;
      worker_function_ = take_function();
      take_function();
    }

    const bool is_deeper = happens(0.4);
    if (is_deeper) {
      enter(take_function());
      run_block(make_distinct_calls(draw(3)), 0);
    }

    auto plan = plan_loop();
    if (happens(0.2)) {
      note("warm-up");
      begin_step(plan);
      run_block(plan.body, 0);
      if (plan.step)
        leave();
      run_block(make_distinct_calls(1 + draw(3)), 0);
    }

    if (!has_threads && happens(0.2)) {
      note("several in turn");
      run_in_turn(std::move(plan));
    } else {
      run_main_loop(plan);
    }

    if (is_deeper) {
      run_block(make_distinct_calls(draw(3)), 0);
      leave();
    }
  }

  // The loop that does the most counts: the share of the time and of the calls, mean of both.
  void run_in_turn(LoopPlan plan) {
    struct Done {
      std::uint64_t ticks = 0, events = 0;
      std::vector<std::size_t> right;  // numbers of its iterations
      double work = 0;
    };
    std::vector<Done> loops;
    Done all;
    for (std::size_t k = 0, n = 2 + draw(2); k < n; ++k) {
      const Done before{time_, events_.size(), {}};
      run_main_loop(plan);
      loops.push_back({time_ - before.ticks, events_.size() - before.events, program_.right, 0});
      all.ticks += loops.back().ticks;
      all.events += loops.back().events;
      run_block(make_distinct_calls(1 + draw(2)), 0);
      plan = plan_loop();
      plan.skips_first = plan.exits_early = false;
    }

    double most = 0;
    for (auto& loop : loops) {
      loop.work = static_cast<double>(loop.ticks) / static_cast<double>(all.ticks) +
                  static_cast<double>(loop.events) / static_cast<double>(all.events);
      most = std::max(most, loop.work);
    }

    std::vector<std::size_t> right;
    for (const auto& loop : loops)
      if (loop.work >= 0.8 * most)
        right.insert(right.end(), loop.right.begin(), loop.right.end());
    program_.right = std::move(right);
  }

  // A loop over what the program reads; one of the commands runs the time steps.
  void run_commands() {
    note("commands");
    const auto parse = take_function();
    const auto execute = take_function();
    const auto commands = 3 + draw(6);
    const auto running = draw(commands);
    const auto plan = plan_loop();

    for (std::uint64_t k = 0; k < commands; ++k) {
      call_leaf(parse, make_noisy(5000));
      enter(execute);
      if (k == running) {
        enter(take_function());
        run_main_loop(plan);
        leave();
      } else {
        run_block(make_distinct_calls(1), 0);
      }
      leave();
    }
  }

  std::mt19937_64 random_;
  MadeProgram program_;
  std::vector<MadeEvent> events_, worker_;
  std::vector<std::uint64_t> open_;
  std::uint64_t time_ = 1000, next_function_ = 0, step_began_ = 0, worker_function_ = 0;
  bool has_worker_ = false;
  double noise_ = 0;
};

}  // namespace

bool MadeProgram::is_right(std::size_t number) const {
  return std::find(right.begin(), right.end(), number) != right.end();
}

MadeProgram make_program(std::uint64_t seed) {
  return Maker(seed).make();
}

}  // namespace tracefold::testing
