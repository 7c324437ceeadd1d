// A line on the terminal that says how far a run is.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace heddle::cli {

/// "traffic  42 %  3.1 M events/s  7 s left", rewritten in place on the standard error, a few times
/// a second, and a note for programs that want such. Nothing at all where that is not a terminal,
/// or one that cannot do so (TERM=dumb).
class ProgressLine {
 public:
  explicit ProgressLine(std::string label);
  /// Leaves the line empty.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// `done` of 0 to 1 after `events` events; `part` is what is being done.
  void update(double done, std::uint64_t events, const std::string& part = "");
  /// Any other line that says how far things are; `text` is asked for it when one is due.
  /// `done` is for programs that read notes.
  void show(const std::function<std::string(double seconds)>& text,
            std::optional<double> done = {});
  /// Whether there is a terminal for it.
  static bool possible();
  /// Goes back to the beginning of the line, and empties it.
  static constexpr const char* kErase = "\r\033[K";
  /// The text for a run that has taken `seconds` so far.
  static std::string text(const std::string& label, double done, std::uint64_t events,
                          double seconds, const std::string& part = "");

 private:
  using Clock = std::chrono::steady_clock;
  std::string label_;
  bool terminal_;
  Clock::time_point start_;
  Clock::time_point last_;
};

}  // namespace heddle::cli
