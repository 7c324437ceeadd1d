#include "core/log.hpp"

#include <cstdio>
#include <string>

namespace heddle {

Logger::Logger(LogLevel verbosity, Sink sink) : verbosity_(verbosity), sink_(std::move(sink)) {}

void Logger::to_stderr(LogLevel, std::string_view line) {
  // A line that cannot be written is nobody's failure: fmt::print would throw.
  const std::string text = std::string(line) + "\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void Logger::write(LogLevel level, std::string_view message) const {
  static constexpr std::string_view kPrefixes[] = {"error: ", "warning: ", "", ""};
  sink_(level, std::string(kPrefixes[static_cast<int>(level)]).append(message));
}

}  // namespace heddle
