#include "network/packet/repair.hpp"

namespace heddle::network {

const ParamTable<RepairConfig>& repair_table() {
  using C = RepairConfig;
  static const auto table = [] {
    ParamTable<C> t("repair", "network model 'packet': packets that are sent again");
    t.add_choice("mode", &C::mode, "auto",
                 {{"auto", Repair::automatic},
                  {"none", Repair::none},
                  {"go-back-n", Repair::go_back_n},
                  {"selective", Repair::selective}},
                 "go-back-n: behind a lost packet all are sent again, for they are taken in order "
                 "only; selective: those that are lost; auto: selective if lossy, go-back-n over "
                 "pfc with a pfc.headroom that is set, else none");
    t.add("timeout", &C::timeout, "auto", {"1ns", "1000s"},
          "without news for so long, packets are sent again; doubled each time; auto: 10 round "
          "trips of the idle network, at least 100us (lossy) or 4ms");
    t.add("gap", &C::gap, "auto", {"0", "1G"},
          "selective: a packet is lost when one so many behind it has arrived; 0: never so; auto: "
          "3 where routes are fixed, else 0");
    t.add("ack_every", &C::ack_every, "auto", {"1", "1M"},
          "packets in order that one acknowledgement is for; auto: 1 where congestion control goes "
          "by them, else 16");
    t.add("ack", &C::ack, "64B", {"1B", "4KiB"},
          "bytes of an acknowledgement, on the wire, and of what else flows tell");
    return t;
  }();
  return table;
}

}  // namespace heddle::network
