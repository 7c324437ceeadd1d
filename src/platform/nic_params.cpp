#include "platform/nic_params.hpp"

namespace heddle::platform {
namespace {

using Table = ParamTable<NicParams>;

void add_plain_messages(Table& t) {
  t.add("send_overhead", &NicParams::send_overhead, "0ns", {"", "1000s"},
        "time from the request of a plain message to its first byte leaving");
  t.add("receive_overhead", &NicParams::receive_overhead, "0ns", {"", "1000s"},
        "time from the last byte of a plain message to the receiver's knowing");
  t.add("gap", &NicParams::gap, "0ns", {"", "1000s"},
        "least time between the starts of two plain messages of a node");
}

void add_commands(Table& t) {
  t.add("command_queue_depth", &NicParams::command_queue_depth, "16", {"1", "1000000"},
        "commands of one process that wait for transmission before the next one blocks");
  t.add("command_size", &NicParams::command_size, "64B", {"", "1MiB"},
        "bytes of a command on the bus");
  t.add("inline_limit", &NicParams::inline_limit, "16B", {"", "1MiB"},
        "largest payload within the command, without match bits");
  t.add("inline_limit_matching", &NicParams::inline_limit_matching, "8B", {"", "1MiB"},
        "largest payload within the command, beside match bits");
  t.add("pio_limit", &NicParams::pio_limit, "416B", {"", "1MiB"},
        "largest payload that the processor writes to the adapter (PIO), without match bits");
  t.add("pio_limit_matching", &NicParams::pio_limit_matching, "408B", {"", "1MiB"},
        "largest payload that the processor writes to the adapter (PIO), with match bits");
  t.add("pio_fence", &NicParams::pio_fence, "200ns", {"", "1000s"},
        "time between a payload written by the processor and its command");
  t.add("pci", &NicParams::pci, "yes", {},
        "whether commands, payloads and events cost anything on the bus");
  t.add("pci_commands", &NicParams::pci_commands, "yes", {},
        "whether commands and events cost anything on the bus");
}

void add_memory(Table& t) {
  t.add("dma_request_size", &NicParams::dma_request_size, "64B", {"", "1MiB"},
        "bytes of the request by which the adapter reads memory (DMA)");
  t.add("event_size", &NicParams::event_size, "96B", {"", "1MiB"}, "bytes of an event on the bus");
  t.add("event_notice", &NicParams::event_notice, "auto", {"", "1000s"},
        "time from an event's being in memory to the process's seeing it; auto: the bus's latency");
  t.add("counter_size", &NicParams::counter_size, "16B", {"", "1MiB"},
        "bytes of a counter's value on the bus");
  t.add("stream_latency", &NicParams::stream_latency, "200ns", {"", "1000s"},
        "latency of the first packet read from memory before a payload enters the wire, and of the "
        "last one written behind it");
  t.add("stream_packet", &NicParams::stream_packet, "512B", {"1B", "1MiB"},
        "payload of a packet on the bus: what is in it does not overlap with the wire");
  t.add("stream_bandwidth", &NicParams::stream_bandwidth, "15.75GBps", {"1bps", "1000000Tbps"},
        "rate of the first and the last packet on the bus");
}

void add_engines(Table& t) {
  t.add("transmit_engines", &NicParams::transmit_engines, "1", {"1", "10000"},
        "messages that each virtual network transmits at a time");
  t.add("match_engines", &NicParams::match_engines, "1", {"1", "10000"},
        "messages that each virtual network receives and matches at a time");
  t.add("wait_for_delivery", &NicParams::wait_for_delivery, "yes", {},
        "whether a transmit engine waits until its get request or acknowledgement has arrived");
  t.add("message_overhead", &NicParams::message_overhead, "2ns", {"", "1000s"},
        "time of a transmit engine before each message");
  t.add("after_request", &NicParams::after_request, "200ns", {"", "1000s"},
        "time of a transmit engine from the start of a request whose payload it has already");
  t.add("after_get", &NicParams::after_get, "250ns", {"", "1000s"},
        "time of a transmit engine after a get request");
  t.add("after_ack", &NicParams::after_ack, "200ns", {"", "1000s"},
        "time of a transmit engine after a Portals acknowledgement");
  t.add("after_response", &NicParams::after_response, "300ns", {"", "1000s"},
        "time of a transmit engine after a response for which it read no memory");
  t.add("early_send_limit", &NicParams::early_send_limit, "64B", {"", "1MiB"},
        "largest payload that the adapter keeps, so that its buffer is free once it is sent");
}

void add_wire(Table& t) {
  t.add("wire_header", &NicParams::wire_header, "0B", {"", "1MiB"},
        "bytes on the wire besides the payload of a request or response");
  t.add("get_request_size", &NicParams::get_request_size, "64B", {"", "1MiB"},
        "bytes of a get request on the wire");
  t.add("ack_size", &NicParams::ack_size, "32B", {"", "1MiB"},
        "bytes of a Portals acknowledgement on the wire");
  t.add("bxi_ack_size", &NicParams::bxi_ack_size, "32B", {"", "1MiB"},
        "bytes of an acknowledgement or error report between adapters on the wire");
  t.add("quick_acks", &NicParams::quick_acks, "no", {},
        "whether acknowledgements travel at once and cost neither engines nor bytes");
}

void add_reliability(Table& t) {
  t.add("e2e", &NicParams::e2e, "yes", {},
        "whether requests and answers are acknowledged and sent again (end-to-end reliability)");
  t.add("e2e_timeout", &NicParams::e2e_timeout, "100ms", {"1ns", "1000000s"},
        "time after which a message that was not acknowledged is sent again; longer than messages "
        "wait in a crowded network, or those are sent twice");
  t.add("e2e_retries", &NicParams::e2e_retries, "5", {"0", "200"},
        "times that a message is sent again before it is given up");
  t.add("e2e_contexts", &NicParams::e2e_contexts, "8192", {"1", "1000000000"},
        "requests, and as many answers, that wait for their acknowledgement at a time");
  t.add("max_in_flight_nodes", &NicParams::max_in_flight_nodes, "0", {"0", "1000000000"},
        "requests under way from a node to another one, at most; 0: no limit");
  t.add("max_in_flight_processes", &NicParams::max_in_flight_processes, "0", {"0", "1000000000"},
        "requests under way from a process to another one, at most; 0: no limit");
}

}  // namespace

const ParamTable<NicParams>& nic_table() {
  static const auto table = [] {
    Table t("nic", "network adapters");
    add_plain_messages(t);
    add_commands(t);
    add_memory(t);
    add_engines(t);
    add_wire(t);
    add_reliability(t);
    return t;
  }();
  return table;
}

}  // namespace heddle::platform
