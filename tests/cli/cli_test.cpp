#include "cli/cli.hpp"

#include <gtest/gtest.h>

namespace heddle::cli {
namespace {

TEST(Cli, RunsWithoutArguments) {
  char name[] = "heddle";
  char* argv[] = {name, nullptr};
  EXPECT_EQ(run(1, argv), 0);
}

}  // namespace
}  // namespace heddle::cli
