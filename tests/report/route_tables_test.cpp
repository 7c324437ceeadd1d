// Routes that the page finds by its tables are those of the fabric.
#include <gtest/gtest.h>

#include "platform/machine_support.hpp"
#include "platform/routing.hpp"
#include "report/route_tables.hpp"

namespace heddle::report {
namespace {

using platform::Platform;
using platform::platform_of;

/// Reads what PackedNumbers has written, as the page does.
class Unpacked {
 public:
  explicit Unpacked(const std::string& base64) {
    const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::uint32_t bits = 0;
    int have = 0;
    for (const char c : base64) {
      if (c == '=') break;
      bits = bits << 6 | static_cast<std::uint32_t>(letters.find(c));
      have += 6;
      if (have < 8) continue;
      have -= 8;
      bytes_ += static_cast<char>(bits >> have & 255);
    }
  }
  bool more() const { return at_ < bytes_.size(); }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_.at(at_++));
      value |= std::uint64_t{byte & 127U} << shift;
      if (byte < 128) return value;
    }
  }
  std::int64_t signed_number() {
    const auto n = static_cast<std::int64_t>(number());
    return n % 2 == 0 ? n / 2 : -(n + 1) / 2;
  }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

/// The tables, read back.
struct Tables {
  std::vector<std::uint64_t> classes;
  std::vector<std::vector<std::int64_t>> ports;
  std::vector<std::vector<std::vector<std::uint64_t>>> rows;  ///< By class and vertex.

  explicit Tables(const Json& json) {
    Unpacked packed_classes(json["classes"].get<std::string>());
    while (packed_classes.more()) classes.push_back(packed_classes.number());
    Unpacked packed_ports(json["ports"].get<std::string>());
    while (packed_ports.more()) {
      std::vector<std::int64_t>& list = ports.emplace_back(packed_ports.number());
      std::int64_t before = 0;
      for (std::int64_t& to : list) to = before += packed_ports.signed_number();
    }
    Unpacked packed_rows(json["tables"].get<std::string>());
    std::vector<std::vector<std::uint64_t>> told(1, std::vector<std::uint64_t>(classes.size()));
    while (packed_rows.more()) {
      rows.emplace_back(ports.size());
      for (std::size_t v = 0; v < ports.size(); ++v) {
        if (ports[v].size() < 2) continue;
        std::vector<std::uint64_t> row = told.at(told.size() - packed_rows.number());
        for (std::size_t to = 0; to < row.size();) {
          to += packed_rows.number();
          for (std::uint64_t n = packed_rows.number(); n > 0; --n) {
            row.at(to++) = packed_rows.number();
          }
        }
        told.push_back(row);
        rows.back()[v] = row;
      }
    }
  }

  std::vector<std::int64_t> route(std::size_t from, std::size_t to) const {
    std::vector<std::int64_t> vertices = {static_cast<std::int64_t>(from)};
    while (vertices.back() != static_cast<std::int64_t>(to) && vertices.size() < 100) {
      const auto at = static_cast<std::size_t>(vertices.back());
      const std::uint64_t port = ports[at].size() < 2 ? 0 : rows[classes[from]][at][to];
      vertices.push_back(ports[at].at(port));
    }
    return vertices;
  }
};

std::vector<std::int64_t> expected(const platform::Topology& t, VertexId from, VertexId to) {
  platform::LinkSet links;
  t.find_route(from, to, links);
  std::vector<std::int64_t> vertices = {static_cast<std::int64_t>(index(from))};
  for (const LinkId link : links) {
    vertices.push_back(static_cast<std::int64_t>(index(t.ends(link).to)));
  }
  return vertices;
}

TEST(RouteTables, GiveTheRouteOfEveryPair) {
  for (const char* const machine :
       {"topology: {kind: fat-tree, arity: 4, levels: 3}", "topology: {kind: single-switch}",
        // Even extents: half of the routes go each way around a ring.
        "topology: {kind: torus, dims: [4, 6, 2], nodes_per_switch: 2}",
        "topology: {kind: mesh, dims: [3, 4]}", "topology: {kind: dragonfly, nodes_per_switch: 2}",
        "topology: {kind: hyperx, dims: [4, 3], nodes_per_switch: 3}",
        "topology: {kind: chain, switches: 4, nodes_per_switch: 2}"}) {
    SCOPED_TRACE(machine);
    const std::unique_ptr<Platform> platform = platform_of(machine);
    const auto json = route_tables(*platform);
    ASSERT_TRUE(json);
    EXPECT_EQ((*json)["choice"], "fixed");
    const Tables tables(*json);
    for (std::uint32_t from = 0; from < platform->nodes(); ++from) {
      for (std::uint32_t to = 0; to < platform->nodes(); ++to) {
        ASSERT_EQ(tables.route(from, to),
                  expected(platform->topology(), VertexId{from}, VertexId{to}))
            << "from " << from << " to " << to;
      }
    }
  }
}

// 1,152 nodes on 72 switches have 83,000 ports, 512 on as many in a torus 262,144 for each of two
// classes: both are told in less than a character for six of them.
TEST(RouteTables, AreShort) {
  for (const auto& [machine, ports] :
       {std::pair("topology: {kind: fat-tree, down: [24, 48], up: [1, 24]}", 83'000U),
        std::pair("topology: {kind: torus, dims: [8, 8, 8]}", 524'288U)}) {
    const auto json = route_tables(*platform_of(machine));
    ASSERT_TRUE(json) << machine;
    EXPECT_LT((*json)["tables"].get<std::string>().size(), ports / 6) << machine;
  }
}

}  // namespace
}  // namespace heddle::report
