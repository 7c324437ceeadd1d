#include "platform/designs/fabric_designs.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace heddle::platform {
namespace {

using Number = std::uint64_t;
using Parameters = std::vector<std::pair<std::string, std::string>>;

/// More switches than these make no design that anybody would build.
constexpr Number kMostSwitches = 1'000'000;

Number divided_up(Number a, Number b) {
  return (a + b - 1) / b;
}

std::string listed(const std::vector<Number>& numbers, char separator = ',') {
  std::string text;
  for (const Number n : numbers) {
    text += (text.empty() ? "" : std::string(1, separator)) + std::to_string(n);
  }
  return text;
}

bool is_prime_power(Number q) {
  for (Number p = 2; p * p <= q; ++p) {
    if (q % p != 0) continue;
    while (q % p == 0) q /= p;
    return q == 1;
  }
  return q > 1;
}

/// The first of two choices that was found.
class FirstFit {
 public:
  /// A candidate that fits; those with fewer switches come first.
  void offer(bool balanced, const Parameters& parameters) {
    if (!any_) any_ = parameters;
    if (balanced && !balanced_) balanced_ = parameters;
  }
  bool has_balanced() const { return balanced_.has_value(); }
  void add_to(std::vector<FabricDesign>& list, const std::string& name,
              const std::string& kind) const {
    if (const auto& best = balanced_ ? balanced_ : any_) list.push_back({name, kind, *best});
  }

 private:
  std::optional<Parameters> any_;
  std::optional<Parameters> balanced_;
};

class DesignFinder {
 public:
  DesignFinder(Number nodes, Number radix) : nodes_(nodes), radix_(radix) {}

  std::vector<FabricDesign> find() {
    single_switch();
    switch_mesh();
    for (const Number taper : {1, 2}) fat_tree(taper);
    torus();
    for (const unsigned dimensions : {2U, 3U}) hyperx(dimensions);
    dragonfly();
    dragonfly_plus();
    slim_fly();
    polarfly();
    jellyfish();
    xpander();
    return std::move(list_);
  }

 private:
  void single_switch() {
    if (nodes_ > radix_) return;
    list_.push_back({"single-switch", "single-switch", {{"nodes", std::to_string(nodes_)}}});
  }

  /// Balanced where a switch has no more nodes than there are switches.
  void switch_mesh() {
    FirstFit fit;
    for (Number n = 2; n <= radix_ && !fit.has_balanced(); ++n) {
      const Number p = divided_up(nodes_, n);
      if (p + n - 1 > radix_) continue;
      fit.offer(p <= n, {{"switches", std::to_string(n)}, {"nodes_per_switch", std::to_string(p)}});
    }
    fit.add_to(list_, "switch-mesh", "switch-mesh");
  }

  /// Cables to each parent, so that all ports of `up` are used and a parent with `children` has
  /// enough: the largest divisor that fits.
  Number parallel(Number up, Number children) const {
    for (Number c = up; c > 1; --c) {
      if (up % c == 0 && children * c <= radix_) return c;
    }
    return 1;
  }

  /// Leaves with `taper` times as many ports down as up; two levels if they suffice, else three.
  void fat_tree(Number taper) {
    const Number up = radix_ / (taper + 1);
    const Number down = radix_ - up;
    if (up == 0 || nodes_ <= radix_) return;
    const std::string suffix = taper == 1 ? "" : " " + std::to_string(taper) + ":1";
    const Number leaves = divided_up(nodes_, down);
    if (leaves <= radix_) {
      const Number c = parallel(up, leaves);
      add_tree("2 levels" + suffix, {down, leaves}, {1, up / c}, {1, c});
      return;
    }
    const Number half = radix_ / 2;
    const Number pods = divided_up(nodes_, down * half);
    if (pods > radix_) return;
    const Number c = parallel(half, pods);
    add_tree("3 levels" + suffix, {down, half, pods}, {1, up, half / c}, {1, 1, c});
  }
  void add_tree(const std::string& name, const std::vector<Number>& down,
                const std::vector<Number>& up, const std::vector<Number>& cables) {
    list_.push_back({"fat-tree " + name,
                     "fat-tree",
                     {{"down", listed(down)},
                      {"up", listed(up)},
                      {"parallel", listed(cables)},
                      {"nodes", std::to_string(nodes_)}}});
  }

  /// Three dimensions as equal as can be, a node to a switch.
  void torus() {
    if (radix_ < 7 || nodes_ < 27 || nodes_ > kMostSwitches) return;
    const auto side = static_cast<Number>(std::ceil(std::cbrt(static_cast<double>(nodes_)) - 1e-9));
    std::vector<Number> dims = {side, side, side};
    for (Number& dim : dims) {
      --dim;
      if (dims[0] * dims[1] * dims[2] < nodes_) ++dim;
    }
    std::ranges::sort(dims, std::greater<>());
    list_.push_back({"torus", "torus", {{"dims", listed(dims, 'x')}, {"nodes_per_switch", "1"}}});
  }

  /// Balanced where a switch has no more nodes than a line has switches.
  void hyperx(unsigned dimensions) {
    FirstFit fit;
    for (Number side = 2; dimensions * (side - 1) < radix_ && !fit.has_balanced(); ++side) {
      Number switches = 1;
      for (unsigned d = 0; d < dimensions; ++d) switches *= side;
      const Number p = divided_up(nodes_, switches);
      if (dimensions * (side - 1) + p > radix_ || switches > nodes_) continue;
      fit.offer(p <= side, {{"dims", listed(std::vector<Number>(dimensions, side), 'x')},
                            {"nodes_per_switch", std::to_string(p)}});
    }
    fit.add_to(list_, "hyperx " + std::to_string(dimensions) + "D", "hyperx");
  }

  /// a = 2p = 2h, as large as the radix allows with two groups at least.
  void dragonfly() {
    for (Number p = (radix_ + 1) / 4; p > 0; --p) {
      const Number groups = divided_up(nodes_, 2 * p * p);
      if (groups < 2) continue;
      if (groups > 2 * p * p + 1) return;
      list_.push_back({"dragonfly",
                       "dragonfly",
                       {{"nodes_per_switch", std::to_string(p)},
                        {"switches_per_group", std::to_string(2 * p)},
                        {"global_per_switch", std::to_string(p)},
                        {"groups", std::to_string(groups)}}});
      return;
    }
  }

  /// Leaves, spines, nodes of a leaf and global cables of a spine are half of the radix, or fewer
  /// where that leaves one group only.
  void dragonfly_plus() {
    for (Number half = radix_ / 2; half > 0; --half) {
      const Number groups = divided_up(nodes_, half * half);
      if (groups < 2) continue;
      if (groups > half * half + 1) return;
      const std::string h = std::to_string(half);
      list_.push_back({"dragonfly-plus",
                       "dragonfly-plus",
                       {{"nodes_per_leaf", h},
                        {"leaves_per_group", h},
                        {"spines_per_group", h},
                        {"global_per_spine", h},
                        {"groups", std::to_string(groups)}}});
      return;
    }
  }

  /// `switches` with `ports` cables to others each, by q; balanced where a switch has no more nodes
  /// than half of those.
  template <class Switches, class Ports>
  void diameter_two(const std::string& kind, Switches switches, Ports ports) {
    FirstFit fit;
    for (Number q = 3; q <= 64 && !fit.has_balanced(); ++q) {
      if (!is_prime_power(q)) continue;
      const Number p = divided_up(nodes_, switches(q));
      if (ports(q) + p > radix_ || switches(q) > nodes_) continue;
      fit.offer(2 * p <= ports(q) + 1,
                {{"q", std::to_string(q)}, {"nodes_per_switch", std::to_string(p)}});
    }
    fit.add_to(list_, kind, kind);
  }
  void slim_fly() {
    // q = 4w + d with d = -1, 0, 1: (3q - d) / 2 cables.
    const auto ports = [](Number q) { return q % 4 == 3 ? (3 * q + 1) / 2 : 3 * q / 2; };
    diameter_two(
        "slim-fly", [](Number q) { return 2 * q * q; }, ports);
  }
  void polarfly() {
    diameter_two(
        "polarfly", [](Number q) { return q * q + q + 1; }, [](Number q) { return q + 1; });
  }

  /// A third of the ports for nodes, or fewer where that leaves too few switches.
  void jellyfish() {
    for (Number p = radix_ / 3; p > 0; --p) {
      const Number ports = std::min<Number>(radix_ - p, 100);
      Number switches = divided_up(nodes_, p);
      switches += switches % 2;
      if (switches <= ports) continue;
      if (switches > 10'000) return;
      list_.push_back({"jellyfish",
                       "jellyfish",
                       {{"switches", std::to_string(switches)},
                        {"ports", std::to_string(ports)},
                        {"nodes_per_switch", std::to_string(p)}}});
      return;
    }
  }
  void xpander() {
    for (Number p = radix_ / 3; p > 0; --p) {
      const Number ports = std::min<Number>(radix_ - p, 100);
      const Number lift = divided_up(divided_up(nodes_, p), ports + 1);
      if (lift < 2) continue;
      if (lift * (ports + 1) > 10'000) return;
      list_.push_back({"xpander",
                       "xpander",
                       {{"ports", std::to_string(ports)},
                        {"lift", std::to_string(lift)},
                        {"nodes_per_switch", std::to_string(p)}}});
      return;
    }
  }

  Number nodes_;
  Number radix_;
  std::vector<FabricDesign> list_;
};

}  // namespace

void FabricDesign::apply(Settings& settings) const {
  settings.assign("topology.kind", kind, {"design " + name});
  for (const auto& [parameter, value] : parameters) {
    settings.assign(kind + "." + parameter, value, {"design " + name});
  }
}

std::string FabricDesign::yaml() const {
  std::string text = "{kind: " + kind;
  for (const auto& [name, value] : parameters) {
    const bool list = value.find(',') != std::string::npos;
    text += ", " + name + ": " + (list ? "[" + value + "]" : value);
  }
  return text + "}";
}

std::vector<FabricDesign> fitting_designs(std::uint64_t nodes, std::uint64_t radix) {
  return DesignFinder(nodes, radix).find();
}

}  // namespace heddle::platform
