#include "cli/run/run_progress.hpp"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "cli/notes.hpp"
#include "cli/progress_line.hpp"
#include "core/units.hpp"

namespace heddle::cli {
namespace {

constexpr std::int64_t kNs = 1'000'000'000;
constexpr std::int64_t kIntervalNs = kNs / 5;

/// Clocks and files of the C library are the programs' simulated ones while a rank runs.
std::int64_t real_ns() {
  timespec now{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return now.tv_sec * kNs + now.tv_nsec;
}

void write_terminal(const char* text, std::size_t size) {
  syscall(SYS_write, STDERR_FILENO, text, size);
}

}  // namespace

RunProgress::RunProgress(const char* label, bool wanted)
    : label_(label), terminal_(wanted && ProgressLine::possible()) {}

RunProgress::~RunProgress() {
  give_way();
  if (host::TerminalUser::current == this) host::TerminalUser::current = nullptr;
}

void RunProgress::watch(run::RunConfig& config) {
  if (!terminal_ && !Notes::wanted()) return;
  config.ticked = this;
  if (terminal_) host::TerminalUser::current = this;
}

void RunProgress::begin(run::ProgramRun& run) {
  run_ = &run;
  begin_ns_ = last_ns_ = real_ns();
}

RunProgress::State RunProgress::state() const {
  State state{run_->simulation().now(), run_->simulation().events_fired()};
  state.ended = run_->ended_ranks();
  for (run::World& world : run_->worlds()) state.ranks += world.job().size();
  return state;
}

void RunProgress::tick() {
  const std::int64_t now = real_ns();
  if (run_ == nullptr || now - last_ns_ < kIntervalNs) return;
  last_ns_ = now;
  constexpr std::size_t kRoom = 160;
  char line[kRoom];
  const std::size_t before = std::strlen(ProgressLine::kErase);
  std::copy_n(ProgressLine::kErase, before, line);
  const char* const end =
      text(label_, state(), static_cast<double>(now - begin_ns_) / static_cast<double>(kNs),
           line + before, kRoom - before);
  const char* const text_begin = line + before;
  Notes::plain_progress({text_begin, static_cast<std::size_t>(end - text_begin)});
  if (!terminal_) return;
  shown_ = true;
  write_terminal(line, static_cast<std::size_t>(end - line));
}

void RunProgress::give_way() {
  if (!shown_) return;
  shown_ = false;
  write_terminal(ProgressLine::kErase, std::strlen(ProgressLine::kErase));
}

char* RunProgress::text(const char* label, const State& state, double seconds, char* to,
                        std::size_t room) {
  const double rate = seconds > 0 ? static_cast<double>(state.events) / seconds : 0;
  const bool millions = rate >= 1e6;
  const double shown = millions ? rate / 1e6 : rate / 1e3;
  const std::string time = format_time(state.simulated);  // Short enough for no allocation.
  const auto written = fmt::format_to_n(
      to, room, "{}  {} simulated  {:.{}f} {} events/s  {} of {} ranks done", label, time, shown,
      millions ? 1 : 0, millions ? 'M' : 'k', state.ended, state.ranks);
  return to + std::min(written.size, room);
}

}  // namespace heddle::cli
