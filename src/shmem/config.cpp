#include "shmem/config.hpp"

#include "coll/rules/rules.hpp"

namespace heddle::shmem {
namespace {

using Table = ParamTable<ShmemConfig>;
using coll::CollConfig;
using coll::Collective;

void add_ways(Table& t) {
  coll::TransportParams<ShmemConfig>(t).add_kind(
      "what operations travel by: costs by size and the network (hybrid), or puts, gets "
      "and atomics of the adapters as the Portals layer gives them (portals)");
  t.add_choice("collectives", &ShmemConfig::collectives, "triggered",
               {{"triggered", CollectivesBy::adapters}, {"software", CollectivesBy::software}},
               "who carries out barriers, broadcasts and reductions over portals, if no algorithm "
               "is chosen for them and shmem.node_latency is not given: the adapters, by triggered "
               "operations along a tree (triggered), or the PEs' processors (software)");
  t.add("triggered_limit", &ShmemConfig::triggered_limit, "2KiB", {"0", "1MiB"},
        "longer data is spread and combined by the PEs' processors, as are reductions longer than "
        "portals.max_atomic_size");
  t.add("heap", &ShmemConfig::heap, "auto", {"4KiB", "16TiB"},
        "the symmetric heap of each PE, unless its environment has SHMEM_SYMMETRIC_SIZE; auto: "
        "256MiB, or what fits into 16TiB together");
  t.add("copy_limit", &ShmemConfig::copy_limit, "2KiB", {"0", "1TiB"},
        "blocking puts of up to so many bytes are copied, and end at once; longer ones when their "
        "source can be used again");
}

void add_shmem_costs(Table& t) {
  t.add("put_overhead", &ShmemConfig::put_overhead, "50ns", {},
        "processor time of a put, and of sending a message of a collective, by bytes");
  t.add("get_overhead", &ShmemConfig::get_overhead, "50ns", {},
        "processor time of a get, by bytes");
  t.add("atomic_overhead", &ShmemConfig::atomic_overhead, "50ns", {},
        "processor time of an atomic operation, by bytes");
  t.add("receive_overhead", &ShmemConfig::receive_overhead, "50ns", {},
        "processor time of taking in a message of a collective, by bytes");
  t.add("quiet_overhead", &ShmemConfig::quiet_overhead, "20ns", {"0ns", "1s"},
        "what shmem_quiet costs besides waiting");
  t.add("trigger_overhead", &ShmemConfig::trigger_overhead, "20ns", {"0ns", "1s"},
        "processor time of each triggered operation that a collective arms");
  coll::TransportParams<ShmemConfig>(t).add_init_cost("what shmem_init costs");
}

void add_network(Table& t) {
  coll::TransportParams<ShmemConfig> shared(t);
  shared.add_envelope(
      "with hybrid: bytes that travel with each operation besides its own, and alone as request "
      "or acknowledgement");
  shared.add_factors(
      "1",
      "with hybrid: by which the latency of a route is multiplied, by bytes with the envelope; "
      "at least 1",
      "with hybrid: by which the bandwidth of an operation is multiplied, by bytes with the "
      "envelope");
  shared.add_node_memory(
      "of an operation between PEs of one node through its memory; auto: it takes the node's "
      "loopback in the network, or the adapter",
      "of each operation between PEs of one node, if shmem.node_latency is given; auto: "
      "unlimited");
}

/// What a base class of the configuration has.
template <class T>
constexpr T ShmemConfig::*inherited(T CollConfig::*member) {
  return static_cast<T ShmemConfig::*>(member);
}

void add_shmem_collectives(Table& t) {
  std::vector<std::pair<std::string, std::string>> names;
  for (const coll::Library& library : coll::libraries()) {
    names.emplace_back(library.name, library.name);
  }
  t.add_choice("selector", inherited(&CollConfig::selector), "mpich", names,
               "the library whose rules choose the algorithms of collectives");
  t.add("coll.segment", inherited(&CollConfig::segment), "0", {"0", "1TiB"},
        "bytes of the pieces in which algorithms send data that can; 0: as the rules say");
  t.add("coll.radix", inherited(&CollConfig::radix), "0", {"0", "1000000"},
        "children in trees, chains, or PEs of a round, of algorithms that have a choice; 0: as the "
        "rules say, and 4 in trees of triggered operations");
  for (const Collective one :
       {Collective::barrier, Collective::bcast, Collective::allgather, Collective::allgatherv,
        Collective::alltoall, Collective::allreduce, Collective::scan, Collective::exscan}) {
    const std::string name(coll::name_of(one));
    t.add(
        "coll." + name, inherited(coll::kAlgorithmMembers[static_cast<std::size_t>(one)]),
        CollConfig::kAuto, {},
        "the algorithm of " + name + " (`heddle coll list " + name + "`); auto: as the rules say");
  }
}

}  // namespace

const ParamTable<ShmemConfig>& shmem_table() {
  static const Table table = [] {
    Table t("shmem", "OpenSHMEM: what operations cost, and how they travel");
    add_ways(t);
    add_shmem_costs(t);
    add_network(t);
    add_shmem_collectives(t);
    return t;
  }();
  return table;
}

}  // namespace heddle::shmem
