#include "network/packet/flow_control.hpp"

namespace heddle::network {

const ParamTable<PfcConfig>& pfc_table() {
  using C = PfcConfig;
  static const auto table = [] {
    ParamTable<C> t("pfc", "network model 'packet': pauses by class (packet.flow_control=pfc)");
    t.add("reserve", &C::reserve, "4KiB", {"0B", "1GiB"},
          "bytes of a switch's memory that each of its inputs has for itself, per lane");
    t.add("threshold", &C::threshold, "auto", {"0B", "1GiB"},
          "bytes beyond the reserve from which an input pauses its sender; auto: pfc.alpha times "
          "the shared memory that is free");
    t.add("alpha", &C::alpha, "0.125", {"0.0001", "64"}, "that part");
    t.add("shared", &C::shared, "12MB", {"0B", "1TiB"},
          "memory that all inputs of a switch share, without reserves and headroom");
    t.add("resume", &C::resume, "3KiB", {"0B", "1GiB"},
          "so far below the threshold the sender may go on");
    t.add("headroom", &C::headroom, "auto", {"0B", "1GiB"},
          "bytes of each input and lane for what comes in until a pause has its effect; auto: as "
          "many as can come");
    t.add("frame", &C::frame, "64B", {"0B", "4KiB"}, "size of a pause's packet");
    t.add("response", &C::response, "0ns", {"", "1s"},
          "time that a sender takes to heed a pause that has come in");
    return t;
  }();
  return table;
}

const ParamTable<LossyConfig>& lossy_table() {
  using C = LossyConfig;
  static const auto table = [] {
    ParamTable<C> t("lossy", "network model 'packet': full queues (packet.flow_control=lossy)");
    t.add("queue", &C::queue, "auto", {"1B", "1TiB"},
          "bytes that may wait for a lane of a switch's output, and as many of headers and "
          "acknowledgements; auto: what its wire carries in the longest round trip of the idle "
          "network, at least 8 packets");
    t.add("shared", &C::shared, "auto", {"1B", "1TiB"},
          "memory that all outputs of a switch share; auto: as much as they need");
    t.add("alpha", &C::alpha, "1", {"0.0001", "64"},
          "with shared memory: the most that may wait for a lane of an output, in what is free");
    t.add_choice("full", &C::full, "drop",
                 {{"drop", LossyConfig::Full::drop}, {"trim", LossyConfig::Full::trim}},
                 "drop: a packet that finds no room is lost; trim: its header goes on, ahead of "
                 "data");
    t.add("trim_to", &C::trim_to, "64B", {"1B", "4KiB"}, "what is left of a trimmed packet");
    return t;
  }();
  return table;
}

}  // namespace heddle::network
