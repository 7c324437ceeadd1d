#include "network/packet/config.hpp"

#include "network/packet/rules.hpp"

namespace heddle::network {

const ParamTable<PacketConfig>& packet_table() {
  using C = PacketConfig;
  static const auto table = [] {
    ParamTable<C> t("packet", "network model 'packet': flits, credits and virtual lanes");
    t.add("flit", &C::flit, "64B", {"1B", "64KiB"}, "the unit of credits and buffers");
    t.add("header", &C::header, "20B", {"0B", "4KiB"},
          "bytes that every packet carries beside its payload");
    t.add("max_packet", &C::max_packet, "2176B", {"2B", "16MiB"},
          "largest packet, header included");
    t.add(
        "lanes", &C::lanes, "auto", {"1", "64"},
        "virtual lanes of every link; auto: by class those of class_lanes, else 1; by hop as many "
        "as the longest route has links");
    auto lane_choices = names_of(lane_rules());
    lane_choices.insert(lane_choices.begin(), {"auto", ""});
    t.add_choice("lane_by", &C::lane_by, "auto", lane_choices,
                 "a packet's lane: " + meanings_of(lane_rules()) +
                     "; auto: hop where the routes could deadlock and lanes is auto, else class");
    t.add("class_lanes", &C::class_lanes, "auto", {},
          "lane of each class from 0 on, such as 0,0,1; auto: the class modulo the lanes");
    t.add(
        "buffer", &C::buffer, "auto", {"1", "1G"},
        "flits that an input buffer holds, per lane; auto: 200, more where the cable's round trip "
        "needs it");
    t.add_choice(
        "buffer_sharing", &C::buffer_sharing, "lane",
        {{"lane", BufferSharing::none},
         {"port", BufferSharing::port},
         {"switch", BufferSharing::everyone}},
        "whose the room of a switch's input buffers is, but for that of one packet per lane: lane: "
        "each lane's; port: that of all lanes of a link; switch: of all links into the switch");
    t.add_choice(
        "input_queue", &C::input_queue, "voq",
        {{"voq", InputQueue::voq}, {"fifo", InputQueue::fifo}},
        "order inside a lane of an input buffer: voq: a packet waits only behind those for "
        "the same output (virtual output queues); fifo: behind all that came before it");
    t.add_choice(
        "forwarding", &C::forwarding, "cut-through",
        {{"cut-through", PacketForwarding::cut_through},
         {"store-and-forward", PacketForwarding::store_and_forward}},
        "whether a switch passes a packet on from its head on, or when all of it is there");
    t.add("switch_output", &C::switch_output, "78", {"1", "1G"},
          "flits that a switch's output buffer holds");
    t.add("host_output", &C::host_output, "36", {"1", "1G"},
          "flits that a host's output buffer holds");
    t.add("send_window", &C::send_window, "0B", {"0B", "1TiB"},
          "bytes of messages to one node that stand in line at their sender's cable at once, in "
          "packets: the next one gets in line when one has left; 0: all, so that messages go one "
          "after another");
    t.add(
        "unevenness", &C::unevenness, "0", {"0", "5"},
        "standard deviation of the logarithm of send_window, drawn for each node and each that it "
        "sends to");
    t.add("crossbar", &C::crossbar, "0ns/B", {"", "1s/B"},
          "time per byte from input to output buffer");
    t.add("speed_up", &C::speed_up, "auto", {"1", "1000"},
          "how many times as fast as the cable behind it a switch's crossbar is; auto: as crossbar "
          "says, or 1 where an allocation needs a time and crossbar is 0");
    t.add("route_time", &C::route_time, "0ns", {"", "1s"},
          "besides the switch's latency: in which it finds the output of the packet that is the "
          "first of its lane; with input_queue=fifo");
    t.add("lane_time", &C::lane_time, "0ns", {"", "1s"},
          "besides that: in which such a packet then gets a lane of its output for itself until it "
          "has passed; 0: lanes are nobody's own; with input_queue=fifo and an allocation");
    t.add_choice("flow_control", &C::flow_control, "credits",
                 {{"credits", FlowControl::credits},
                  {"pfc", FlowControl::pfc},
                  {"lossy", FlowControl::lossy}},
                 "what keeps buffers of switches from being too full: credits: packets wait for "
                 "room; pfc: full switches pause their neighbours (section pfc); lossy: nothing, "
                 "packets are dropped or trimmed and sent again (sections lossy and repair)");
    t.add("credit_packet", &C::credit_packet, "8B", {"0B", "4KiB"},
          "size of a flow-control packet");
    t.add("credit_period", &C::credit_period, "0ns", {"", "1000s"},
          "time between two flow-control packets of a link and lane; 0: credits come back at once "
          "and cost nothing");
    t.add_choice("arbitration", &C::arbitration, "round-robin", names_of(input_orders()),
                 "which input's packet an output lets pass first: " + meanings_of(input_orders()));
    t.add_choice("allocation", &C::allocation, "none", names_of(allocations()),
                 "how inputs and outputs of a switch are allocated to each other, in slots of a "
                 "flit's time through the crossbar: " +
                     meanings_of(allocations()));
    t.add("allocation_rounds", &C::allocation_rounds, "1", {"1", "64"},
          "rounds of islip, pim and separable allocation in a slot, each among what is left over");
    t.add_choice("lane_arbitration", &C::lane_arbitration, "tables", names_of(lane_arbitrations()),
                 "which lane's packet it lets pass first: " + meanings_of(lane_arbitrations()));
    t.add("high_table", &C::high_table, "none", {},
          "high-priority arbitration table, lane:weight,...; none: no lane has priority");
    t.add("low_table", &C::low_table, "auto", {},
          "low-priority arbitration table, lane:weight,...; auto: all lanes alike");
    t.add("high_limit", &C::high_limit, "1024", {"1", "1G"},
          "flits of high priority that may pass before one packet of low priority");
    t.add("sink", &C::sink, "0ns/B", {"", "1s/B"},
          "time per byte in which a host takes flits off the wire");
    t.add("sink_pause", &C::sink_pause, "0ns", {"", "1000s"},
          "length of the pauses in which a host takes nothing");
    t.add("sink_between", &C::sink_between, "0ns", {"", "1000s"}, "time between two pauses");
    auto controls = names_of(congestion_controls());
    controls.insert(controls.begin(), {"none", ""});
    t.add_choice("congestion", &C::congestion, "none", controls,
                 "what keeps sources from sending too much: " + meanings_of(congestion_controls()));
    auto choices = names_of(path_choices());
    choices.insert(choices.begin(), {"packet", ""});
    t.add_choice("path_by", &C::path_by, "packet", choices,
                 "which of the ways that a routing draws, such as spray, its source has a packet "
                 "take: packet: any; " +
                     meanings_of(path_choices()));
    t.add("paths", &C::paths, "64", {"1", "65536"},
          "of so many ways of a flow that path_by chooses from; a power of 2");
    t.add("mark_threshold", &C::mark_threshold, "0.75", {"0", "1"},
          "fill of the buffers towards an output, as a part of one buffer, from which packets are "
          "marked");
    t.add("marking_rate", &C::marking_rate, "8", {"1", "1G"}, "one of so many packets is marked");
    t.add("cct_increase", &C::cct_increase, "1", {"1", "65535"},
          "steps that a notification slows a flow down; more of a thin flow");
    t.add("cct_limit", &C::cct_limit, "127", {"1", "65535"}, "the slowest step");
    t.add("cct_min", &C::cct_min, "0", {"0", "65535"}, "the fastest step");
    t.add("cct_timer", &C::cct_timer, "20us", {"1ns", "1000s"},
          "time after which a flow gets one step faster; of a thin flow, longer");
    t.add("cct_step", &C::cct_step, "0.1", {"0", "1000000"},
          "pause after a packet, in times from packet to packet, per step and grown by the step: "
          "step * (1 + step / 16) times this");
    return t;
  }();
  return table;
}

}  // namespace heddle::network
