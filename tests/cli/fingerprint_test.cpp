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
  const Outcome outcome = heddle(std::string(GetParam().arguments) + " --fingerprint");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::string label = "fingerprint ";
  const std::size_t at = outcome.out.find(label);
  ASSERT_NE(at, std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.substr(at + label.size(), 16), GetParam().fingerprint);
}

// Random sizes and spacings on a dragonfly; a closed loop over shared limiters and a trunk; routes
// that depend on loads; packets with congestion control; replays over each kind of network, with
// noise; random routes; tori, HyperX, a graph of uneven cables, and SimGrid platforms.
INSTANTIATE_TEST_SUITE_P(
    Runs, Fingerprint,
    testing::Values(
        Golden{"traffic -p dragonfly-72 --network loggops --load 0.4 --duration 20us --size "
               "uniform:64B:8KiB",
               "fee88fc7dddbd092"},
        Golden{"traffic -p dragonfly-72 --network queue --load 0.4 --duration 20us --size "
               "uniform:64B:8KiB",
               "0accebc6c85d17cc"},
        Golden{"traffic -p dragonfly-72 --network fluid --load 0.4 --duration 20us --size "
               "uniform:64B:8KiB",
               "062f95c9df19ddcf"},
        Golden{
            "traffic -p graphene --network loggops --pattern permutation --messages 5 --size 1MB "
            "--window 2",
            "de87e4f1886a36b2"},
        Golden{"traffic -p graphene --network queue --pattern permutation --messages 5 --size 1MB "
               "--window 2",
               "37d7ddc2d5080287"},
        Golden{"traffic -p graphene --network fluid --pattern permutation --messages 5 --size 1MB "
               "--window 2",
               "6669f2e338b987aa"},
        Golden{"traffic -p fat-tree-64 --set topology.routing=adaptive --network fluid --load 0.6 "
               "--duration 20us --size uniform:64B:8KiB",
               "cb3140c2260b6dbb"},
        Golden{"traffic -p ib-h128-s24 --network packet --set packet.congestion=ib "
               "--pattern hotspot --messages 20 --size 8KiB",
               "ca9b978fc28f3a2d"},
        Golden{
            "replay --pattern nearest-neighbour --set pattern.ranks=24 --set "
            "pattern.iterations=20 --set pattern.compute=5000 --set noise.kind=exponential --set "
            "noise.period=20us --set noise.duration=1us --seed 7",
            "ffbd718021ca2065"},
        Golden{"replay --pattern linear-alltoall --set pattern.ranks=24 --set pattern.size=3KiB "
               "-p ib-h128-s24 --network packet --set loggops.o=300ns",
               "07d4c118a23622d3"},
        Golden{"replay --pattern random-dag --set pattern.ranks=64 --set pattern.size=3KiB -p "
               "dragonfly-72 --network queue --set loggops.o=300ns",
               "762a3566ec774164"},
        Golden{"replay --pattern rabenseifner-allreduce --set pattern.ranks=24 --set "
               "pattern.size=64KiB -p dragonfly-72 --network fluid --set "
               "topology.routing=adaptive --set loggops.o=300ns",
               "b302baffa07f7dc2"},
        Golden{"traffic -p dragonfly-72 --set topology.routing=valiant --network queue --load 0.3 "
               "--duration 20us --size uniform:64B:8KiB --seed 3",
               "3007c7a456a12b10"},
        Golden{"traffic -p dragonfly-72 --set topology.routing=valiant --network fluid --load 0.3 "
               "--duration 20us --size uniform:64B:8KiB --seed 3",
               "ccb9ce031248cc4c"},
        Golden{"traffic -p dragonfly-72 --set topology.routing=valiant --network packet --pattern "
               "tornado --messages 5 --size 8KiB",
               "b573692ed24c3462"},
        Golden{"traffic -p fat-tree-64 --set topology.routing=adaptive --network queue --load 0.6 "
               "--duration 20us --size uniform:64B:8KiB",
               "fb2e9f07ad818e81"},
        Golden{"traffic -p torus-512 --network queue --pattern tornado --load 0.2 --duration 10us "
               "--size uniform:64B:8KiB",
               "0fc26519294b2eee"},
        Golden{
            "traffic -p torus-512 --network packet --pattern neighbours --messages 6 --size 4KiB",
            "bf7ac4c7c26808fb"},
        Golden{"traffic -p hyperx-256 --set topology.routing=adaptive --network packet --pattern "
               "transpose --messages 4 --size 8KiB",
               "6da3d88c2b843d6f"},
        Golden{"traffic -p hyperx-256 --network fluid --pattern permutation --messages 4 --size "
               "uniform:64B:64KiB --window 2",
               "fba0747c65af4bc4"},
        Golden{"traffic -p " HEDDLE_TEST_DATA "/machines/uneven-ring.yaml --network queue "
               "--pattern all-to-all --size uniform:64B:64KiB --window 3",
               "35765438f66bb6ac"},
        Golden{"traffic -p " HEDDLE_TEST_DATA "/machines/uneven-ring.yaml --network packet "
               "--pattern all-to-all --size 16KiB --window 3",
               "30671c2e87b10db4"},
        Golden{"traffic -p " HEDDLE_TEST_DATA "/simgrid/flat_everything.xml --network fluid "
               "--pattern all-to-all --size uniform:64B:1MiB --window 2 --set "
               "fluid.weighting=simgrid --set fluid.occupancy=after-latency",
               "c159cd776eee1c5a"},
        Golden{"traffic -p " HEDDLE_TEST_DATA "/simgrid/dijkstra_mesh.xml --network queue "
               "--pattern all-to-all --size uniform:64B:1MiB --window 2",
               "11bde2b9bc197803"}));

}  // namespace
}  // namespace heddle::cli
