// A line on the terminal that says how far a run of programs is.
#pragma once

#include <cstdint>
#include <string>

#include "core/time.hpp"
#include "host/libc/terminal_user.hpp"
#include "host/rank/ticker.hpp"
#include "run/program_run.hpp"

namespace heddle::cli {

/// "run  1.25 ms simulated  3.1 M events/s  12 of 64 ranks done", as ProgressLine shows such lines.
/// It is written by the handler of the timer's signal, so the simulator does nothing for it between
/// two signals, and is taken away before the program writes something.
class RunProgress final : public host::Ticked, public host::TerminalUser {
 public:
  /// `label` must be a literal. Shows nothing if that is not wanted.
  RunProgress(const char* label, bool wanted);
  /// Leaves the line empty.
  ~RunProgress();
  RunProgress(const RunProgress&) = delete;
  RunProgress& operator=(const RunProgress&) = delete;

  /// Is to be told of what the run does.
  void watch(run::RunConfig& config);
  /// The run begins; it must outlive this.
  void begin(run::ProgramRun& run);

  void tick() override;
  void give_way() override;

  struct State {
    Time simulated;
    std::uint64_t events = 0;
    std::uint32_t ended = 0;
    std::uint32_t ranks = 0;
  };
  /// Writes the text for a run that has taken `seconds` so far; answers its end. Allocates nothing.
  static char* text(const char* label, const State& state, double seconds, char* to,
                    std::size_t room);

 private:
  State state() const;

  const char* label_;
  bool terminal_;
  bool shown_ = false;
  run::ProgramRun* run_ = nullptr;
  std::int64_t begin_ns_ = 0;
  std::int64_t last_ns_ = 0;
};

}  // namespace heddle::cli
