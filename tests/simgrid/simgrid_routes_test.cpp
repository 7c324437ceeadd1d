// Our reading of SimGrid platforms against libsimgrid itself: the links, their parameters and the
// routes between hosts must be the same for every file in tests/data/simgrid.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "platform/simgrid_xml.hpp"

namespace heddle::platform {
namespace {

namespace sg = ::simgrid::s4u;

/// Hosts by name, of which at most this many are paired with each other.
constexpr std::size_t kMostHosts = 40;

std::vector<std::string> sample(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  if (names.size() <= kMostHosts) return names;
  std::vector<std::string> chosen;
  for (std::size_t i = 0; i < kMostHosts; ++i) {
    chosen.push_back(names[i * names.size() / kMostHosts + i % 2]);
  }
  return chosen;
}

long long picoseconds(double seconds) {
  return std::llround(seconds * 1e12);
}

/// One line per fact, in an order of its own: hosts, links, routes.
std::string told_by_simgrid(const std::string& path) {
  int argc = 2;
  char program[] = "test";
  char quiet[] = "--log=root.thresh:error";
  char* argv[] = {program, quiet, nullptr};
  sg::Engine engine(&argc, argv);
  engine.load_platform(path);
  engine.seal_platform();
  std::ostringstream out;
  std::vector<std::string> names;
  for (const sg::Host* host : engine.get_all_hosts()) {
    names.push_back(host->get_name());
    out << "host " << host->get_name() << ' ' << std::llround(host->get_speed()) << ' '
        << host->get_core_count() << '\n';
  }
  for (const sg::Link* link : engine.get_all_links()) {
    if (link->get_name().ends_with("loopback") || link->get_name() == "__loopback__") continue;
    out << "link " << link->get_name() << ' ' << std::llround(link->get_bandwidth() * 8) << ' '
        << picoseconds(link->get_latency())
        << (link->get_sharing_policy() == sg::Link::SharingPolicy::FATPIPE ? " fat\n"
                                                                           : " shared\n");
  }
  for (const std::string& from : sample(names)) {
    for (const std::string& to : sample(names)) {
      std::vector<sg::Link*> links;
      double latency = 0;
      engine.host_by_name(from)->route_to(engine.host_by_name(to), links, &latency);
      out << "route " << from << ' ' << to << ' ' << picoseconds(latency);
      if (from == to) {
        // Some clusters have no route from a host to itself: there we take the default.
        if (links.empty()) links.push_back(engine.link_by_name("__loopback__"));
        double least = HUGE_VAL;
        for (const sg::Link* link : links) least = std::min(least, link->get_bandwidth());
        out << ' ' << std::llround(least * 8);
      } else {
        // A bypass whose gateway is the end itself goes from there to itself in SimGrid.
        for (const sg::Link* link : links) {
          if (link->get_name() != "__loopback__") out << ' ' << link->get_name();
        }
      }
      out << '\n';
    }
  }
  return out.str();
}

void tell_route(const Platform& platform, const std::string& from, const std::string& to,
                std::ostream& out) {
  const auto node = [&](const std::string& name) {
    return NodeId{static_cast<std::uint32_t>(*platform.topology().find(name))};
  };
  Walk walk = platform.routes().walk({node(from)}, {node(to)}, 0);
  const NoLoads loads;
  Time latency;
  std::string names;
  for (LinkId link = platform.routes().next(walk, loads); link != kNoLink;
       link = platform.routes().next(walk, loads)) {
    latency += platform.routes().latency(walk, link);
    names += ' ' + platform.links().name(link);
  }
  out << "route " << from << ' ' << to << ' ' << latency.ps();
  if (from == to) {
    out << ' ' << platform.node(node(from)).loopback_flow_cap.bits_per_second() << '\n';
  } else {
    out << names << '\n';
  }
}

std::string told_by_us(const std::string& path) {
  const auto platform = read_simgrid_platform(path);
  const Topology& topology = platform->topology();
  std::ostringstream out;
  std::vector<std::string> names;
  for (std::uint32_t node = 0; node < platform->nodes(); ++node) {
    names.push_back(topology.name(VertexId{node}));
    const NodeParams& params = platform->node(NodeId{node});
    out << "host " << names.back() << ' ' << params.speed.flops() << ' ' << params.cores << '\n';
  }
  for (std::uint32_t id = 0; id < topology.links(); ++id) {
    if (platform->links().capacity(LinkId{id}) != LinkId{id}) continue;
    const Link& link = platform->links()[LinkId{id}];
    const bool fat = link.bandwidth.is_unlimited();
    out << "link " << topology.link_name(LinkId{id}) << ' '
        << (fat ? link.flow_cap : link.bandwidth).bits_per_second() << ' ' << link.latency.ps()
        << (fat ? " fat\n" : " shared\n");
  }
  for (const std::string& from : sample(names)) {
    for (const std::string& to : sample(names)) tell_route(*platform, from, to, out);
  }
  return out.str();
}

/// Runs libsimgrid in a process of its own: it holds one platform per process.
std::string ask_simgrid(const std::string& path) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    close(pipe_ends[0]);
    std::FILE* out = fdopen(pipe_ends[1], "w");
    std::fputs(told_by_simgrid(path).c_str(), out);
    std::fflush(out);
    _exit(0);
  }
  close(pipe_ends[1]);
  std::string text;
  char buffer[1 << 16];
  for (ssize_t n = 0; (n = read(pipe_ends[0], buffer, sizeof buffer)) > 0;) text.append(buffer, n);
  close(pipe_ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? text : "SimGrid failed";
}

std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::vector<std::string> files() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_TEST_DATA "/simgrid")) {
    if (entry.path().extension() == ".xml") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

class SimgridRoutes : public testing::TestWithParam<std::string> {};

/// Facts that one side tells and the other does not: none.
TEST_P(SimgridRoutes, AreTheSame) {
  const auto theirs = sorted_lines(ask_simgrid(GetParam()));
  const auto ours = sorted_lines(told_by_us(GetParam()));
  std::vector<std::string> only_theirs;
  std::vector<std::string> only_ours;
  std::set_difference(theirs.begin(), theirs.end(), ours.begin(), ours.end(),
                      std::back_inserter(only_theirs));
  std::set_difference(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                      std::back_inserter(only_ours));
  EXPECT_THAT(only_theirs, testing::IsEmpty());
  EXPECT_THAT(only_ours, testing::IsEmpty());
  EXPECT_GT(theirs.size(), 5U);
}

std::string file_stem(const testing::TestParamInfo<std::string>& info) {
  return std::filesystem::path(info.param).stem().string();
}

INSTANTIATE_TEST_SUITE_P(File, SimgridRoutes, testing::ValuesIn(files()), file_stem);

}  // namespace
}  // namespace heddle::platform
