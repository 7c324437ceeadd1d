#include "core/log.hpp"

#include <cstdio>
#include <string>

namespace heddle {

void write_stderr(std::string_view text) noexcept {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

Logger::Logger(LogLevel verbosity, Sink sink) : verbosity_(verbosity), sink_(std::move(sink)) {}

void Logger::to_stderr(LogLevel, std::string_view line) {
  write_stderr(std::string(line) + "\n");
}

void Logger::write(LogLevel level, std::string_view message) const {
  static constexpr std::string_view kPrefixes[] = {"error: ", "warning: ", "", ""};
  sink_(level, std::string(kPrefixes[static_cast<int>(level)]).append(message));
}

}  // namespace heddle
