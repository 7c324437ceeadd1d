// Messages for people, by how much they matter.
#pragma once

#include <fmt/core.h>

#include <functional>
#include <string_view>
#include <utility>

namespace heddle {

/// Writes to the standard error. That it cannot be written is nobody's failure: runs end as they
/// would.
void write_stderr(std::string_view text) noexcept;

/// An error means a non-zero exit, a warning "check this before you trust the result".
enum class LogLevel { error, warning, info, debug };

/// Passes on messages up to its verbosity, one line each: "warning: ..." and "error: ...", the
/// others as they are. Whoever starts a run owns one and hands it to what may have something to
/// say.
class Logger {
 public:
  /// Takes a finished line, without its end.
  using Sink = std::function<void(LogLevel, std::string_view)>;

  /// Writes to standard error unless told otherwise.
  explicit Logger(LogLevel verbosity = LogLevel::warning, Sink sink = to_stderr);
  static void to_stderr(LogLevel level, std::string_view line);

  bool shows(LogLevel level) const { return level <= verbosity_; }

  template <class... Args>
  void error(fmt::format_string<Args...> format, Args&&... args) const {
    log(LogLevel::error, format, std::forward<Args>(args)...);
  }
  template <class... Args>
  void warning(fmt::format_string<Args...> format, Args&&... args) const {
    log(LogLevel::warning, format, std::forward<Args>(args)...);
  }
  template <class... Args>
  void info(fmt::format_string<Args...> format, Args&&... args) const {
    log(LogLevel::info, format, std::forward<Args>(args)...);
  }
  template <class... Args>
  void debug(fmt::format_string<Args...> format, Args&&... args) const {
    log(LogLevel::debug, format, std::forward<Args>(args)...);
  }

 private:
  template <class... Args>
  void log(LogLevel level, fmt::format_string<Args...> format, Args&&... args) const {
    // Nothing is formatted that nobody will see.
    if (shows(level)) write(level, fmt::format(format, std::forward<Args>(args)...));
  }
  void write(LogLevel level, std::string_view message) const;

  LogLevel verbosity_;
  Sink sink_;
};

}  // namespace heddle
