#include "host/program/sampling/loop_sampler.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>

#include "host/program/sampling/loop_error.hpp"
#include "host/program/sampling/quiet_code.hpp"
#include "host/rank/code/code_traps.hpp"
#include "host/rank/counted.hpp"
#include "host/rank/job.hpp"
#include "host/rank/place_name.hpp"
#include "host/rank/rank.hpp"
#include "host/rank/registers.hpp"

namespace heddle::host {
namespace {

constexpr std::uint8_t kTrap = 0xcc;
/// Runs of a rank that show how code goes on.
constexpr std::uint32_t kEnoughTimes = 2;
/// A trap costs some microseconds.
constexpr double kLeastSeconds = 50e-6;
constexpr double kLeastCounts = 50'000;
/// Numbers of calls between two runs that a rank may have had before it is no longer looked at.
constexpr std::size_t kMostRounds = 16;

/// Whose traps are handled, for the handler of the signal.
LoopSampler* handling = nullptr;

std::uint8_t& code_byte(std::uint64_t place) {
  return *reinterpret_cast<std::uint8_t*>(place);
}

void open_code(std::uint64_t begin, std::uint64_t end) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  begin = begin / page * page;
  mprotect(reinterpret_cast<void*>(begin), end - begin, PROT_READ | PROT_WRITE | PROT_EXEC);
}

}  // namespace

/// How one rank comes to a loop.
struct LoopSampler::OfRank {
  std::map<std::uint64_t, ExitState> exits;  ///< By the kind of run.
  std::uint64_t due = 0;                     ///< Times that it might have been left out.
  std::uint64_t calls = 0;                   ///< That it had made when it came here last.
  std::vector<std::uint64_t> rounds;         ///< Calls between two times, each once.

  /// Whether it has made as many calls since as before.
  bool comes_as_before(std::uint64_t now) {
    const std::uint64_t round = now - std::exchange(calls, now);
    if (round == now || rounds.size() == kMostRounds) return true;
    if (std::ranges::find(rounds, round) != rounds.end()) return true;
    rounds.push_back(round);
    return false;
  }
};

/// One of a file's, of all ranks. Places are distances from where the file is loaded.
struct LoopSampler::Loop {
  Loop(CodeLoop found, const LoopLimits& limits) : code(std::move(found)), costs(limits) {}

  CodeLoop code;
  LoopCosts costs;
  bool off = false;
  std::unordered_map<const Rank*, OfRank> ranks;
  LoopError error;
  std::uint64_t any_place = 0;  ///< Of its head in one of the copies.
  SampledLoop result;
};

/// What is known of a file.
struct LoopSampler::Code {
  std::deque<Loop> loops;
  std::map<std::uint64_t, Loop*> heads;
  std::map<std::uint64_t, std::uint8_t> bytes;  ///< Those of the file where traps may be.
};

/// A file in memory, once for each rank or for all of them.
struct LoopSampler::Copy {
  std::uint64_t base = 0;
  std::uint64_t begin = 0;
  const Code* code = nullptr;
};

/// A run of a loop that has not come to its end.
struct LoopSampler::Active {
  Loop& loop;
  const Copy& copy;
  Thread& thread;
  LoopCosts::Run run;
  CodeState before;
  double check;     ///< The probability by which it is carried out to compare; 0: it is not.
  double expected;  ///< What it would cost then.
  std::uint64_t calls;
  Time instant;
  double since = 0;
  std::vector<std::uint64_t> inner = {};  ///< Heads inside of it, of functions that it calls.
};

LoopSampler::LoopSampler(const LoopLimits& limits, const HostParams& params, std::uint64_t seed)
    : limits_(limits), params_(params), chance_(RandomStream(seed).split("loops")) {
  limits_.least = params.compute == ComputeModel::count ? kLeastCounts : kLeastSeconds;
}

/// Programs stay in memory: their code is theirs again.
LoopSampler::~LoopSampler() {
  for (const auto& [end, copy] : copies_) {
    for (const auto& [offset, byte] : copy.code->bytes) {
      const std::uint64_t place = copy.base + offset;
      if (place < copy.begin || place >= end) continue;
      if (CodeTraps::instance().find(reinterpret_cast<const void*>(place)) != nullptr) continue;
      code_byte(place) = byte;
    }
  }
  if (!handles_) return;
  sigaction(SIGTRAP, &before_, nullptr);
  handling = nullptr;
}

bool LoopSampler::possible() {
#if defined(__x86_64__)
  return true;
#else
  return false;
#endif
}

const LoopSampler::Code& LoopSampler::code_of(const link_map& object, const std::string& file) {
  std::unique_ptr<Code>& code = codes_[file];
  if (code != nullptr) return *code;
  code = std::make_unique<Code>();
  for (CodeLoop& found : QuietCode(object).loops()) {
    found.head -= object.l_addr;
    for (std::uint64_t& exit : found.exits) exit -= object.l_addr;
    Loop& loop = code->loops.emplace_back(std::move(found), limits_);
    loop.any_place = object.l_addr + loop.code.head;
    code->heads[loop.code.head] = &loop;
    code->bytes[loop.code.head] = code_byte(loop.any_place);
    for (const std::uint64_t exit : loop.code.exits) {
      code->bytes[exit] = code_byte(object.l_addr + exit);
    }
  }
  return *code;
}

void LoopSampler::take(const link_map& object, const std::string& file,
                       std::span<const AddressRange> code) {
  const Code& known = code_of(object, file);
  if (known.heads.empty()) return;
  for (const AddressRange& range : code) {
    const std::uint64_t begin = object.l_addr + range.begin;
    const std::uint64_t end = object.l_addr + range.end;
    copies_[end] = {object.l_addr, begin, &known};
    open_code(begin, end);
  }
  for (const auto& [head, loop] : known.heads) {
    if (!loop->off) code_byte(object.l_addr + head) = kTrap;
  }
}

void LoopSampler::handle_traps() {
  struct sigaction action = {};
  action.sa_sigaction = on_signal;
  // On the stack of the fiber, which may be left in the handler.
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  sigaction(SIGTRAP, &action, &before_);
  handles_ = true;
  handling = this;
}

void LoopSampler::on_signal(int signal, siginfo_t* info, void* context) {
  const int saved = errno;
  const auto place = reinterpret_cast<std::uint64_t>(instruction(context)) - sizeof kTrap;
  if (!handling->on_trap(place, context)) handling->before_.sa_sigaction(signal, info, context);
  errno = saved;
}

const LoopSampler::Copy* LoopSampler::copy_at(std::uint64_t place) const {
  const auto found = copies_.upper_bound(place);
  return found == copies_.end() || place < found->second.begin ? nullptr : &found->second;
}

/// Whether code is to come to us there.
bool LoopSampler::stands(const Copy& copy, std::uint64_t offset) const {
  const bool running = active_ != nullptr && active_->copy.base == copy.base;
  if (running &&
      std::ranges::find(active_->loop.code.exits, offset) != active_->loop.code.exits.end()) {
    return true;
  }
  const auto head = copy.code->heads.find(offset);
  if (head == copy.code->heads.end() || head->second->off) return false;
  return !running || (&active_->loop != head->second &&
                      std::ranges::find(active_->inner, offset) == active_->inner.end());
}

/// Writes what is to be there now.
void LoopSampler::show(const Copy& copy, std::uint64_t offset) const {
  const std::uint64_t place = copy.base + offset;
  const bool ours = stands(copy, offset);
  // Where a thread waits by looking there may be a trap of others.
  if (!ours && CodeTraps::instance().stands(reinterpret_cast<const void*>(place))) return;
  code_byte(place) = ours ? kTrap : copy.code->bytes.at(offset);
}

bool LoopSampler::on_trap(std::uint64_t place, void* context) {
  const Copy* const copy = copy_at(place);
  if (copy == nullptr || !copy->code->bytes.contains(place - copy->base)) return false;
  const std::uint64_t offset = place - copy->base;
  if (!stands(*copy, offset) && CodeTraps::instance().stands(reinterpret_cast<void*>(place))) {
    return false;
  }
  go_on_at(reinterpret_cast<void*>(place), context);
  if (active_ != nullptr &&
      (&active_->thread != current_thread() || active_->copy.base != copy->base)) {
    // It was set aside: it waits.
    active_->loop.off = true;
    drop_active();
  }
  if (active_ != nullptr &&
      std::ranges::find(active_->loop.code.exits, offset) != active_->loop.code.exits.end()) {
    end(place, context);
  }
  const auto head = copy->code->heads.find(offset);
  if (head != copy->code->heads.end() && !head->second->off) {
    come_to_head(*copy, *head->second, context);
  }
  show(*copy, offset);
  return true;
}

void LoopSampler::come_to_head(const Copy& copy, Loop& loop, void* context) {
  Thread* const thread = current_thread();
  if (active_ != nullptr) {
    active_->inner.push_back(loop.code.head);
    return;
  }
  // Called by us, or outside of ranks.
  if (thread == nullptr || thread->calls().under_way()) {
    loop.off = true;
    return;
  }
  Rank& rank = thread->rank();
  CodeState before = state_of(context, thread->fiber().context().stack());
  const LoopCosts::Run run{rank.job().recorded_as(rank.id()), before.numbers};
  OfRank& of = loop.ranks[&rank];
  const bool as_before = of.comes_as_before(thread->calls().made());
  const ExitState& exit = of.exits[loop.costs.kind(run)];
  const CostSample* const known = exit.times() >= kEnoughTimes ? loop.costs.known(run) : nullptr;
  if (known == nullptr || !as_before) {
    if (known != nullptr) ++loop.result.noticed;
    return begin(copy, loop, run, std::move(before), 0);
  }
  RandomStream chance = chance_of(loop, run.rank, of);
  const double check = loop.error.probability();
  if (chance.uniform() < check) return begin(copy, loop, run, std::move(before), check);
  const double cost = known->drawn(chance);
  loop.error.left_out(cost, *known);
  leave_out(loop, cost, before, exit, copy, context);
}

/// The same in every run, wherever memory is.
RandomStream LoopSampler::chance_of(const Loop& loop, std::uint32_t rank, OfRank& of) const {
  return chance_.split(loop.code.head).split(rank).split(of.due++);
}

void LoopSampler::leave_out(Loop& loop, double cost, const CodeState& before, const ExitState& exit,
                            const Copy& copy, void* context) {
  CodeState after = exit.after(before);
  if (counts(loop)) after.numbers[counting_number()] = before.numbers[counting_number()];
  ++loop.result.left_out;
  go_on_with(after, copy.base + exit.place(), context);
  charge(cost);
}

void LoopSampler::begin(const Copy& copy, Loop& loop, const LoopCosts::Run& run, CodeState before,
                        double check) {
  Thread& thread = *current_thread();
  const double expected = check > 0 ? loop.costs.known(run)->mean() : 0;
  active_ = std::make_unique<Active>(Active{loop, copy, thread, run, std::move(before), check,
                                            expected, thread.calls().made(), thread.now()});
  for (const std::uint64_t exit : loop.code.exits) show(copy, exit);
  active_->since = now(loop, active_->before);
}

void LoopSampler::end(std::uint64_t place, const void* context) {
  Active& active = *active_;
  Loop& loop = active.loop;
  const std::uint64_t offset = place - active.copy.base;
  const CodeState after = state_of(context, active.thread.fiber().context().stack());
  const double cost = now(loop, after) - active.since;
  const bool alone =
      active.thread.calls().made() == active.calls && active.thread.now() == active.instant;
  loop.off = loop.off || !alone || after.stack_pointer != active.before.stack_pointer;
  ++loop.result.run;
  if (!loop.off) learn(active, after, offset, cost);
  drop_active();
  if (params_.compute == ComputeModel::none) charge(cost);
}

void LoopSampler::learn(Active& active, const CodeState& after, std::uint64_t offset, double cost) {
  Loop& loop = active.loop;
  ExitState& exit = loop.ranks[&active.thread.rank()].exits[loop.costs.kind(active.run)];
  const bool contradicts = exit.times() >= kEnoughTimes && exit.contradicts(active.before, after);
  // The first time, memory may not have been touched before.
  const bool first = exit.times() == 0;
  exit.learn(active.before, after, offset);
  if (contradicts) exit.doubt();
  if (active.check > 0) {
    loop.error.checked(active.check, active.expected, cost);
    if (contradicts) ++loop.result.noticed;
    if (!loop.costs.confirms(active.run, cost)) {
      ++loop.result.noticed;
      loop.costs.forget(active.run);
    }
  }
  if (!first) loop.costs.add(active.run, cost);
  const bool worth = loop.costs.state() == LoopCosts::State::open;
  loop.result.repeats = loop.costs.state() != LoopCosts::State::irregular && exit.place() != 0;
  loop.off = !worth || exit.place() == 0;
}

void LoopSampler::drop_active() {
  const std::unique_ptr<Active> was = std::move(active_);
  for (const std::uint64_t exit : was->loop.code.exits) show(was->copy, exit);
  for (const std::uint64_t head : was->inner) show(was->copy, head);
  show(was->copy, was->loop.code.head);
}

bool LoopSampler::counts(const Loop& loop) const {
  return params_.compute == ComputeModel::count && loop.code.counts;
}

/// What has been done up to here, as it is charged.
double LoopSampler::now(const Loop& loop, const CodeState& state) const {
  if (params_.compute == ComputeModel::count) {
    const std::uint64_t rest = counts(loop) ? state.numbers[counting_number()] : 0;
    return static_cast<double>(heddle_counted + rest);
  }
  return current_thread()->rank().program().processor_time().seconds();
}

void LoopSampler::charge(double cost) const {
  if (params_.compute == ComputeModel::count) {
    heddle_counted += static_cast<std::uint64_t>(std::llround(cost));
  } else {
    Thread& thread = *current_thread();
    const Call call(thread.rank());
    thread.work().compute(time(cost));
  }
}

Time LoopSampler::time(double cost) const {
  const double seconds = params_.compute == ComputeModel::count
                             ? cost / static_cast<double>(params_.count_rate)
                             : cost * params_.compute_factor;
  return Time::ps(std::llround(seconds * 1e12));
}

std::vector<SampledLoop> LoopSampler::report() const {
  std::vector<SampledLoop> all;
  for (const auto& [file, code] : codes_) {
    for (const Loop& loop : code->loops) {
      if (loop.result.left_out == 0 && loop.result.repeats) continue;
      SampledLoop& one = all.emplace_back(loop.result);
      one.place = place_name(reinterpret_cast<const void*>(loop.any_place));
      one.charged = time(loop.error.charged());
      one.error = time(loop.error.half_width());
      one.checks = loop.error.checks();
      one.off = loop.error.off();
    }
  }
  std::ranges::stable_sort(
      all, [](const SampledLoop& a, const SampledLoop& b) { return a.charged > b.charged; });
  return all;
}

}  // namespace heddle::host
