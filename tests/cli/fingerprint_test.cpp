// The same input gives the same bits on every run, machine and build type: these fingerprints hold
// in all of them. A change of a model changes them on purpose; then the new ones are written here.
#include <gtest/gtest.h>

#include "cli/program.hpp"

namespace heddle::cli {
namespace {

struct Golden {
  const char* arguments;
  const char* fingerprint;
};

class Fingerprint : public testing::TestWithParam<Golden> {};

TEST_P(Fingerprint, IsTheSameEverywhere) {
  const Outcome outcome = heddle(std::string("traffic --fingerprint ") + GetParam().arguments);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::string label = "fingerprint ";
  const std::size_t at = outcome.out.find(label);
  ASSERT_NE(at, std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.substr(at + label.size(), 16), GetParam().fingerprint);
}

// Random sizes and spacings on a dragonfly; a closed loop over shared limiters and a trunk.
INSTANTIATE_TEST_SUITE_P(
    Runs, Fingerprint,
    testing::Values(
        Golden{"-p dragonfly-72 --network loggops --load 0.4 --duration 20us --size "
               "uniform:64B:8KiB",
               "fee88fc7dddbd092"},
        Golden{"-p dragonfly-72 --network queue --load 0.4 --duration 20us --size uniform:64B:8KiB",
               "bfa2d64fa41be797"},
        Golden{"-p dragonfly-72 --network fluid --load 0.4 --duration 20us --size uniform:64B:8KiB",
               "35cf9ce2ff4b34a8"},
        Golden{"-p graphene --network loggops --pattern permutation --messages 5 --size 1MB "
               "--window 2",
               "de87e4f1886a36b2"},
        Golden{
            "-p graphene --network queue --pattern permutation --messages 5 --size 1MB --window 2",
            "af9142b39c05c22a"},
        Golden{
            "-p graphene --network fluid --pattern permutation --messages 5 --size 1MB --window 2",
            "6669f2e338b987aa"}));

}  // namespace
}  // namespace heddle::cli
