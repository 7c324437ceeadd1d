#include "core/log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace heddle {
namespace {

std::vector<std::string> lines_at(LogLevel verbosity) {
  std::vector<std::string> lines;
  const Logger log(verbosity, [&](LogLevel, std::string_view line) { lines.emplace_back(line); });
  log.error("{} failed", "rank 3");
  log.warning("{} links are idle", 2);
  log.info("reads {}", "a.yaml");
  log.debug("step {}", 7);
  return lines;
}

// Errors and warnings say what they are; a level shows itself and the graver ones.
TEST(Logger, ShowsWhatItsVerbosityAsksFor) {
  using testing::ElementsAre;
  EXPECT_THAT(lines_at(LogLevel::error), ElementsAre("error: rank 3 failed"));
  EXPECT_THAT(lines_at(LogLevel::warning),
              ElementsAre("error: rank 3 failed", "warning: 2 links are idle"));
  EXPECT_THAT(
      lines_at(LogLevel::debug),
      ElementsAre("error: rank 3 failed", "warning: 2 links are idle", "reads a.yaml", "step 7"));
}

TEST(Logger, WritesToStandardErrorByDefault) {
  testing::internal::CaptureStderr();
  Logger().warning("check this");
  Logger().info("not shown");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "warning: check this\n");
}

}  // namespace
}  // namespace heddle
