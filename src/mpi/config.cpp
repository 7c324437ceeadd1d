#include "mpi/config.hpp"

#include <fmt/core.h>

#include "coll/costs/path_factors.hpp"
#include "coll/rules/rules.hpp"
#include "network/fluid/fluid_network.hpp"

namespace heddle::mpi {
namespace {

using Table = ParamTable<MpiConfig>;

/// What a preset says of the parameters that are auto.
struct PresetValues {
  const char* eager_limit;
  const char* detached_limit;
  const char* latency_factors;
  const char* bandwidth_factors;
  const char* send_overhead;
  const char* isend_overhead;
  const char* receive_overhead;
  const char* clock_cost;
  const char* test_cost;
};
constexpr PresetValues kOwn{"16KiB", "16KiB", "1", "1", "100ns", "100ns", "100ns", "20ns", "0ns"};
/// As the release 3.32 has them when nothing is said.
constexpr PresetValues kSmpi{
    "0",
    "64KiB",
    "65472:11.6436;15424:3.48845;9376:2.59299;5776:2.18796;3484:1.88101;1426:1.61075;732:1.9503;"
    "257:1.95341;0:2.01467",
    "65472:0.940694;15424:0.697866;9376:0.58729;5776:1.08739;3484:0.77493;1426:0.608902;"
    "732:0.341987;257:0.338112;0:0.812084",
    "0ns",
    "0ns",
    "0ns",
    "10ns",
    "100us"};

template <class T>
void resolve(std::optional<T>& member, const char* text) {
  if (!member) member = ParamType<T>::parse(text);
}

void add_protocol(Table& t) {
  coll::TransportParams<MpiConfig> shared(t);
  shared.add_kind(
      "what messages travel by: costs by size and the network (hybrid), or puts and gets "
      "through the Portals layer and the adapters (portals)");
  t.add_choice(
      "preset", &MpiConfig::preset, "none", {{"none", Preset::none}, {"smpi", Preset::smpi}},
      "whose costs parameters take that are auto: our own, or those of SMPI 3.32; smpi is also "
      "short for network.model=fluid, fluid.preset=smpi, fluid.size_factors=none and "
      "host.clock_cost=10ns, unless another network is chosen");
  t.add("eager_limit", &MpiConfig::eager_limit, "auto", {"0", "1TiB"},
        "messages shorter than this travel at once, whether or not their receive is posted; auto: "
        "16KiB, smpi 0");
  t.add("detached_limit", &MpiConfig::detached_limit, "auto", {"0", "1TiB"},
        "standard sends of messages shorter than this end without their receive, though those not "
        "below mpi.eager_limit travel only when it is posted; auto: 16KiB, smpi 64KiB");
  t.add("control_size", &MpiConfig::control_size, "auto", {"0", "1MiB"},
        "bytes of the request and of the clearance of a message between nodes that is not eager, "
        "which are messages themselves, in line with what else goes from one rank to the other; "
        "auto: there are none");
  t.add("send_buffer", &MpiConfig::send_buffer, "0", {"0", "1TiB"},
        "what the sender's system takes of a message that was cleared (mpi.control_size): the send "
        "of one that is no longer ends with its clearance, before it has travelled");
  shared.add_envelope("bytes that travel with each message besides its own");
}

void add_costs(Table& t) {
  coll::TransportParams<MpiConfig> shared(t);
  shared.add_factors(
      "auto",
      "by which the latency of a route is multiplied, by bytes with the envelope; at least 1; "
      "auto: 1, smpi its own",
      "by which the bandwidth of a message is multiplied, by bytes with the envelope; auto: 1, "
      "smpi its own");
  t.add("send_overhead", &MpiConfig::send_overhead, "auto", {},
        "processor time of a blocking send that ends without its receive; auto: 100ns, smpi 0ns");
  t.add("isend_overhead", &MpiConfig::isend_overhead, "auto", {},
        "processor time of a non-blocking send; auto: 100ns, smpi 0ns");
  t.add("receive_overhead", &MpiConfig::receive_overhead, "auto", {},
        "processor time of receiving a message whose send ended without it; auto: 100ns, smpi "
        "0ns");
  t.add("delay", &MpiConfig::delay, "0ns", {},
        "time by bytes that a message between nodes is under way beyond its way through the "
        "network; it occupies neither processor nor wire");
  t.add("gap", &MpiConfig::gap, "0ns", {},
        "least time between the departures of two messages of a rank to other nodes, by the bytes "
        "of the first; it occupies neither processor nor wire");
  t.add("jitter", &MpiConfig::jitter, "0ns", {},
        "mean, by bytes, of a random time that a message between nodes takes besides: drawn for "
        "each from an exponential distribution that follows from the seed");
  t.add("clock_cost", &MpiConfig::clock_cost, "auto", {"0ns", "1s"},
        "what MPI_Wtime costs; auto: 20ns, smpi 10ns");
  t.add("test_cost", &MpiConfig::test_cost, "auto", {"0ns", "1s"},
        "what MPI_Test, MPI_Iprobe and their like cost that find nothing, beyond host.poll_cost; "
        "auto: 0ns, smpi 100us");
  shared.add_init_cost("what MPI_Init costs");
  t.add("spawn_cost", &MpiConfig::spawn_cost, "0ns", {"0ns", "1h"},
        "from MPI_Comm_spawn to the start of its processes");
}

void add_node_classes(Table& t) {
  t.add(
      "node_eager_limit", &MpiConfig::node_eager_limit, "auto", {"0", "1TiB"},
      "mpi.eager_limit and mpi.detached_limit of messages between ranks of one node; auto: those");
  t.add("node_send_overhead", &MpiConfig::node_send_overhead, "auto", {},
        "mpi.send_overhead between ranks of one node; auto: that");
  t.add("node_isend_overhead", &MpiConfig::node_isend_overhead, "auto", {},
        "mpi.isend_overhead between ranks of one node; auto: that");
  t.add("node_receive_overhead", &MpiConfig::node_receive_overhead, "auto", {},
        "mpi.receive_overhead between ranks of one node; auto: that");
  t.add("copy_cost", &MpiConfig::copy_cost, "0ns", {},
        "processor time of copying data inside of a collective, by its bytes");
  t.add("reduction_cost", &MpiConfig::reduction_cost, "0ns", {},
        "processor time of combining data inside of a collective, by its bytes");
}

void add_nodes(Table& t) {
  coll::TransportParams<MpiConfig>(t).add_node_memory(
      "of a message between ranks of one node through its memory; auto: messages take the "
      "node's loopback in the network",
      "of each message between ranks of one node, if mpi.node_latency is given; auto: unlimited");
  t.add("node_delay", &MpiConfig::node_delay, "0ns", {},
        "time by bytes that a message between ranks of one node takes besides, if mpi.node_latency "
        "is given");
  t.add("node_gap", &MpiConfig::node_gap, "0ns", {},
        "mpi.gap between ranks of one node, if mpi.node_latency is given");
  t.add("node_memory_bandwidth", &MpiConfig::node_memory_bandwidth, "auto", {"1bps", "1000000Tbps"},
        "what all messages between ranks of one node share, if mpi.node_latency is given; auto: "
        "each has mpi.node_bandwidth");
  t.add("sockets", &MpiConfig::sockets, "1", {"1", "1024"},
        "into which the ranks of a node are divided, in blocks");
  t.add("socket_delay", &MpiConfig::socket_delay, "0ns", {},
        "time by bytes that a message between sockets of one node takes besides, if "
        "mpi.node_latency is given");
  add_node_classes(t);
  t.add("copy_payload", &MpiConfig::copy_payload, "yes", {},
        "whether messages carry their data; without it they cost the same simulated time, and no "
        "memory is touched");
  t.add("payload_limit", &MpiConfig::payload_limit, "auto", {"0", "1000TiB"},
        "messages longer than this, and steps of collectives that reduce or copy more, carry no "
        "data; auto: all do, if mpi.copy_payload says so");
}

/// What a base class of the configuration has.
template <class T>
constexpr T MpiConfig::*of_collectives(T coll::CollConfig::*member) {
  return static_cast<T MpiConfig::*>(member);
}

void add_collectives(Table& t) {
  using coll::CollConfig;
  std::vector<std::pair<std::string, std::string>> names;
  for (const coll::Library& library : coll::libraries()) {
    names.emplace_back(library.name, library.name);
  }
  t.add_choice("selector", of_collectives(&CollConfig::selector), "openmpi", names,
               "the library whose rules choose the algorithms of collectives");
  t.add_file("rules", of_collectives(&CollConfig::rules), "",
             "a file of Open MPI's dynamic rules, classic or JSON, that comes before mpi.selector");
  t.add_choice("rules_for", of_collectives(&CollConfig::rules_version), "4.1",
               {{"4.1", coll::OpenMpi::v4_1}, {"5", coll::OpenMpi::v5}},
               "the version of Open MPI whose algorithms' numbers a classic file of rules has");
  t.add("coll.segment", of_collectives(&CollConfig::segment), "0", {"0", "1TiB"},
        "bytes of the pieces in which algorithms send data that can; 0: as the rules say");
  t.add("coll.radix", of_collectives(&CollConfig::radix), "0", {"0", "1000000"},
        "children in trees, chains, or ranks of a round, of algorithms that have a choice; 0: as "
        "the rules say");
  for (std::size_t i = 0; i < coll::kCollectives; ++i) {
    const std::string name(coll::name_of(static_cast<coll::Collective>(i)));
    t.add(
        "coll." + name, of_collectives(coll::kAlgorithmMembers[i]), CollConfig::kAuto, {},
        fmt::format("the algorithm of {0} (`heddle coll list {0}`); auto: as the rules say", name));
  }
}

void add_windows_and_files(Table& t) {
  t.add("rma_target_cost", &MpiConfig::rma_target_cost, "0ns", {},
        "processor time at the target of a one-sided operation, before it is done, by its bytes");
  t.add("io_bandwidth", &MpiConfig::io_bandwidth, "100GBps", {"1bps", "1000000Tbps"},
        "of the file system, which all nodes share");
  t.add("io_node_bandwidth", &MpiConfig::io_node_bandwidth, "10GBps", {"1bps", "1000000Tbps"},
        "of a node's way to the file system");
  t.add("io_latency", &MpiConfig::io_latency, "50us", {"0ns", "1h"},
        "of an access to a file, beyond the time of its bytes");
}

}  // namespace

MpiConfig MpiConfig::resolved() const {
  const PresetValues& values = preset == Preset::smpi ? kSmpi : kOwn;
  MpiConfig config = *this;
  resolve(config.eager_limit, values.eager_limit);
  resolve(config.detached_limit, values.detached_limit);
  resolve(config.latency_factors, values.latency_factors);
  resolve(config.bandwidth_factors, values.bandwidth_factors);
  resolve(config.send_overhead, values.send_overhead);
  resolve(config.isend_overhead, values.isend_overhead);
  resolve(config.receive_overhead, values.receive_overhead);
  resolve(config.clock_cost, values.clock_cost);
  resolve(config.test_cost, values.test_cost);
  coll::require_no_shortening(*config.latency_factors, "mpi.latency_factors");
  return config;
}

void follow_preset(Settings& settings) {
  if (settings.get(mpi_table()).preset != Preset::smpi) return;
  const auto unless_set = [&](const char* name, const char* value) {
    if (settings.has(name)) return;
    settings.assign(name, value, settings.where("mpi.preset"), settings.origin("mpi.preset"));
  };
  unless_set("host.clock_cost", "10ns");
  if (!settings.has("network.model")) {
    unless_set("network.model", "fluid");
    unless_set("fluid.preset", "smpi");
  }
  const network::FluidPreset fluid = settings.get(network::FluidNetwork::table()).preset;
  if (fluid == network::FluidPreset::smpi) unless_set("fluid.size_factors", "none");
  // As in SMPI, whose factors belong to its own flow model.
  if (fluid != network::FluidPreset::simgrid_lv08) return;
  unless_set("mpi.latency_factors", "1");
  unless_set("mpi.bandwidth_factors", "1");
}

const ParamTable<MpiConfig>& mpi_table() {
  static const Table table = [] {
    Table t("mpi", "MPI: what messages cost, and how they travel");
    add_protocol(t);
    add_costs(t);
    add_nodes(t);
    add_collectives(t);
    add_windows_and_files(t);
    return t;
  }();
  return table;
}

}  // namespace heddle::mpi
