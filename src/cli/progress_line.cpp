#include "cli/progress_line.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cli/notes.hpp"

namespace heddle::cli {
namespace {

std::string rate_text(double events_per_second) {
  return events_per_second < 1e6 ? fmt::format("{:.0f} k events/s", events_per_second / 1e3)
                                 : fmt::format("{:.1f} M events/s", events_per_second / 1e6);
}

}  // namespace

ProgressLine::ProgressLine(std::string label)
    : label_(std::move(label)), terminal_(possible()), start_(Clock::now()), last_(start_) {}

ProgressLine::~ProgressLine() {
  if (terminal_) std::fputs(kErase, stderr);
}

bool ProgressLine::possible() {
  const char* const terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && terminal != nullptr && *terminal != '\0' &&
         std::strcmp(terminal, "dumb") != 0;
}

void ProgressLine::update(double done, std::uint64_t events, const std::string& part) {
  show([&](double seconds) { return text(label_, done, events, seconds, part); }, done);
}

void ProgressLine::show(const std::function<std::string(double seconds)>& text,
                        std::optional<double> done) {
  constexpr auto kInterval = std::chrono::milliseconds(200);
  if (!terminal_ && !Notes::wanted()) return;
  const auto now = Clock::now();
  if (now - last_ < kInterval) return;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const std::string line = text(seconds);
  Notes::progress(line, done);
  if (!terminal_) return;
  std::fputs((kErase + line).c_str(), stderr);
  std::fflush(stderr);
}

std::string ProgressLine::text(const std::string& label, double done, std::uint64_t events,
                               double seconds, const std::string& part) {
  std::string text =
      fmt::format("{}{} {:3.0f} %", label, part.empty() ? "" : " " + part, 100 * done);
  if (seconds > 0) text += "  " + rate_text(static_cast<double>(events) / seconds);
  if (done > 0) text += fmt::format("  {:.0f} s left", seconds * (1 - done) / done);
  return text;
}

}  // namespace heddle::cli
