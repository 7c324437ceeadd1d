#include "platform/node_params.hpp"

namespace heddle::platform {

const ParamTable<NodeParams>& node_table() {
  static const auto table = [] {
    ParamTable<NodeParams> t("node", "compute nodes");
    t.add("cores", &NodeParams::cores, "1", {"1", "1M"}, "cores of the node");
    t.add("speed", &NodeParams::speed, "10Gf", {"1f", "1000Pf"}, "speed of one core");
    t.add("pcie_bandwidth", &NodeParams::pcie_bandwidth, "unlimited", {"", "1000000Tbps"},
          "capacity of the bus between memory and adapter, shared by all messages");
    t.add("pcie_flow_cap", &NodeParams::pcie_flow_cap, "unlimited", {"", "1000000Tbps"},
          "what a single message gets of the bus");
    t.add("pcie_latency", &NodeParams::pcie_latency, "0ns", {"", "1000s"},
          "latency of the bus, each way");
    t.add_choice("pcie_duplex", &NodeParams::pcie_duplex, "full",
                 {{"full", Duplex::full}, {"half", Duplex::half}},
                 "whether each direction of the bus has its bandwidth to itself");
    t.add("limiter_bandwidth", &NodeParams::limiter_bandwidth, "unlimited", {"", "1000000Tbps"},
          "capacity that messages from and to the node share");
    t.add("loopback_bandwidth", &NodeParams::loopback_bandwidth, "unlimited", {"", "1000000Tbps"},
          "bandwidth that messages from a node to itself share");
    t.add("loopback_flow_cap", &NodeParams::loopback_flow_cap, "unlimited", {"", "1000000Tbps"},
          "what a single message from a node to itself gets at most");
    t.add("loopback_latency", &NodeParams::loopback_latency, "0ns", {"", "1000s"},
          "latency of messages from a node to itself");
    t.add("adapters", &NodeParams::adapters, "1", {"1", "64"},
          "adapters of every node, each with a cable to the fabric");
    t.add_choice("adapter_map", &NodeParams::adapter_map, "planes",
                 {{"planes", AdapterMap::planes},
                  {"rails", AdapterMap::rails},
                  {"neighbours", AdapterMap::neighbours}},
                 "where several adapters lead: each to an equal fabric of its own, each to a leaf "
                 "switch of its own in one fabric, or to places of it that follow each other");
    t.add_choice("adapter_choice", &NodeParams::adapter_choice, "rank",
                 {{"rank", AdapterChoice::rank},
                  {"round-robin", AdapterChoice::round_robin},
                  {"hash", AdapterChoice::hash},
                  {"stripe", AdapterChoice::stripe}},
                 "by which adapter a message leaves: that of its rank, the next, one that follows "
                 "from its two nodes, or, if it is long, all of them");
    t.add("stripe_from", &NodeParams::stripe_from, "64KiB", {"1B", "1000TiB"},
          "size of messages from which they are divided among the adapters, if that is the choice");
    t.add("inner_bandwidth", &NodeParams::inner_bandwidth, "unlimited", {"", "1000000Tbps"},
          "bandwidth between the device at each adapter (a GPU, a socket) and a switch inside the "
          "node, in each direction");
    t.add("inner_latency", &NodeParams::inner_latency, "0ns", {"", "1000s"},
          "latency between that device and the switch inside the node");
    t.add("inner_reduction", &NodeParams::inner_reduction, "no", {},
          "the switch inside the node adds up what several devices send, and sends to several at a "
          "time (NVLink SHARP), for schedules that ask for it");
    return t;
  }();
  return table;
}

}  // namespace heddle::platform
