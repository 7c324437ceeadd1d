#include "platform/link_params.hpp"

namespace heddle::platform {

const ParamTable<LinkParams>& link_table() {
  static const auto table = [] {
    ParamTable<LinkParams> t("link", "cables of the fabric");
    t.add(
        "bandwidth", &LinkParams::bandwidth, "100Gbps", {"1bps", "1000000Tbps"},
        "what all messages on the cable get together, in each direction (in all, if half duplex)");
    t.add("flow_cap", &LinkParams::flow_cap, "unlimited", {"", "1000000Tbps"},
          "what a single message gets at most");
    t.add("latency", &LinkParams::latency, "100ns", {"", "1000s"},
          "time for a bit to travel the cable");
    t.add_choice("duplex", &LinkParams::duplex, "full",
                 {{"full", Duplex::full}, {"half", Duplex::half}},
                 "whether each direction has the bandwidth to itself or both share it");
    return t;
  }();
  return table;
}

const ParamTable<SwitchParams>& switch_table() {
  static const auto table = [] {
    ParamTable<SwitchParams> t("switch", "switches of the fabric");
    t.add("latency", &SwitchParams::latency, "100ns", {"", "1000s"},
          "time from the arrival of a head to its leaving on an idle output");
    return t;
  }();
  return table;
}

}  // namespace heddle::platform
