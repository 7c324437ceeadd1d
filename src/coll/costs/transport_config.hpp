// What the transports of all libraries are given: how data travels, and what that costs beside the
// network.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "coll/costs/piecewise.hpp"
#include "core/ids.hpp"
#include "core/params.hpp"

namespace heddle::coll {

/// What messages and operations travel by.
enum class TransportKind : std::uint8_t { hybrid, portals };

struct TransportConfig {
  TransportKind transport = TransportKind::hybrid;
  Bytes envelope;
  std::optional<Factors> latency_factors;
  std::optional<Factors> bandwidth_factors;
  std::optional<Time> node_latency;
  std::optional<Bandwidth> node_bandwidth;
  Time init_cost;

  /// Whether what goes from one node to another goes through the memory of one.
  bool through_memory(NodeId from, NodeId to) const { return node_latency && from == to; }
  /// What so many bytes take there.
  Time time_through_memory(std::int64_t bytes) const {
    return *node_latency + node_bandwidth.value_or(Bandwidth::unlimited()).time_for(Bytes(bytes));
  }
};

/// Adds these parameters to the table of a library, which says what they are to its users.
template <class Config>
class TransportParams {
 public:
  explicit TransportParams(ParamTable<Config>& table) : table_(table) {}

  void add_kind(const std::string& meaning) {
    table_.add_choice("transport", of(&TransportConfig::transport), "hybrid",
                      {{"hybrid", TransportKind::hybrid}, {"portals", TransportKind::portals}},
                      meaning);
  }
  void add_envelope(const std::string& meaning) {
    table_.add("envelope", of(&TransportConfig::envelope), "16", {"0", "1MiB"}, meaning);
  }
  void add_factors(const std::string& unless_given, const std::string& of_latency,
                   const std::string& of_bandwidth) {
    table_.add("latency_factors", of(&TransportConfig::latency_factors), unless_given, {},
               of_latency);
    table_.add("bandwidth_factors", of(&TransportConfig::bandwidth_factors), unless_given, {},
               of_bandwidth);
  }
  void add_init_cost(const std::string& meaning) {
    table_.add("init_cost", of(&TransportConfig::init_cost), "0ns", {"0ns", "1h"}, meaning);
  }
  void add_node_memory(const std::string& of_latency, const std::string& of_bandwidth) {
    table_.add("node_latency", of(&TransportConfig::node_latency), "auto", {"0ns", "1s"},
               of_latency);
    table_.add("node_bandwidth", of(&TransportConfig::node_bandwidth), "auto",
               {"1bps", "1000000Tbps"}, of_bandwidth);
  }

 private:
  template <class T>
  static constexpr T Config::*of(T TransportConfig::*member) {
    return static_cast<T Config::*>(member);
  }
  ParamTable<Config>& table_;
};

}  // namespace heddle::coll
