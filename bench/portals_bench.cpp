// Portals programs on the whole model, from the call to the event, beside one communication of
// SimGrid's; and what an idle process of one takes.
#include <malloc.h>
#include <portals4.h>

#include <cstdint>
#include <memory>
#include <stdexcept>

#include "cases.hpp"
#include "host/memory/heap.hpp"
#include "host/rank/job.hpp"
#include "network/network.hpp"
#include "network/sections.hpp"
#include "platform/machine.hpp"
#include "portals/machine.hpp"

namespace heddle::bench {
namespace {

void check(int answer) {
  if (answer != PTL_OK) {
    throw std::runtime_error("a Portals call answers " + std::to_string(answer));
  }
}

/// A rank with an interface, and an entry for everything if it receives.
struct Opened {
  explicit Opened(bool receives) {
    check(PtlInit());
    check(PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_MATCHING | PTL_NI_LOGICAL, PTL_PID_ANY, nullptr,
                    nullptr, &interface));
    check(PtlEQAlloc(interface, 64, &events));
    ptl_pt_index_t portal = 0;
    check(PtlPTAlloc(interface, 0, events, 0, &portal));
    ptl_me_t entry{};
    entry.start = data;
    entry.length = sizeof data;
    entry.ct_handle = PTL_CT_NONE;
    entry.uid = PTL_UID_ANY;
    entry.options = PTL_ME_OP_PUT | PTL_ME_EVENT_COMM_DISABLE | PTL_ME_EVENT_LINK_DISABLE;
    entry.match_id.rank = PTL_RANK_ANY;
    ptl_handle_me_t appended{};
    if (receives) {
      check(PtlMEAppend(interface, portal, &entry, PTL_PRIORITY_LIST, nullptr, &appended));
    }
  }
  /// A descriptor of `data` whose acknowledgements are counted, or become events without a counter.
  ptl_handle_md_t bind(ptl_handle_ct_t counter) {
    ptl_md_t bound{};
    bound.start = data;
    bound.length = sizeof data;
    const bool counts = counter != PTL_CT_NONE;
    bound.options = PTL_MD_EVENT_SEND_DISABLE | (counts ? PTL_MD_EVENT_CT_ACK : 0U);
    bound.eq_handle = counts ? PTL_EQ_NONE : events;
    bound.ct_handle = counter;
    ptl_handle_md_t descriptor{};
    check(PtlMDBind(interface, &bound, &descriptor));
    return descriptor;
  }

  ptl_handle_ni_t interface {};
  ptl_handle_eq_t events{};
  char data[8] = {};
};

void put(ptl_handle_md_t descriptor, std::uint32_t to) {
  ptl_process_t target;
  target.rank = to;
  check(PtlPut(descriptor, 0, 8, PTL_ACK_REQ, target, 0, 0, 0, nullptr, 0));
}

/// Rank 0 puts to the last, and waits for each.
void put_and_wait(host::Rank& rank, std::uint32_t last, std::int64_t puts) {
  Opened opened(rank.id() == host::RankId{last});
  // Who is put to stays until the last put; who puts waits until the entry is there.
  rank.thread().waits().sleep(rank.id() == host::RankId{0} ? Time::us(10) : Time::s(10));
  if (rank.id() != host::RankId{0}) return;
  const ptl_handle_md_t descriptor = opened.bind(PTL_CT_NONE);
  for (std::int64_t i = 0; i < puts; ++i) {
    put(descriptor, last);
    ptl_event_t event;
    check(PtlEQWait(opened.events, &event));
    if (event.ni_fail_type != PTL_NI_OK) throw std::runtime_error("a put has failed");
  }
}

/// Every rank puts to all others, those after it first, and waits for all acknowledgements.
void put_to_all(host::Rank& rank, std::uint32_t ranks) {
  Opened opened(true);
  ptl_handle_ct_t counter{};
  check(PtlCTAlloc(opened.interface, &counter));
  const ptl_handle_md_t descriptor = opened.bind(counter);
  rank.thread().waits().sleep(Time::us(10));
  const auto self = static_cast<std::uint32_t>(rank.id());
  for (std::uint32_t i = 1; i < ranks; ++i) put(descriptor, (self + i) % ranks);
  ptl_ct_event_t acknowledged;
  check(PtlCTWait(counter, ranks - 1, &acknowledged));
  if (acknowledged.failure != 0) throw std::runtime_error("a put has failed");
  rank.thread().waits().sleep(Time::s(10));
}

/// A job of ranks that run `body`, one per node, on a heap like that of a run.
class Programs {
 public:
  Programs(const std::string& machine, std::uint32_t ranks, std::function<int(host::Rank&)> body)
      : settings_(network::fabric_sections({&portals::portals_table()})),
        program_(std::move(body)) {
    host::prepare_heap(ranks);
    const auto description = platform::read_machine(machine, settings_);
    platform_ = platform::build_platform(description, settings_);
    network_ = network::make_network("queue", simulation_, *platform_, settings_);
    job_ = std::make_unique<host::Job>(fibers_, *platform_, program_, host::JobConfig{ranks, 1});
    machine_ = std::make_unique<portals::Machine>(*job_, *network_,
                                                  settings_.get(portals::portals_table()));
  }
  void run() { fibers_.run(); }

 private:
  Simulation simulation_;
  Settings settings_;
  host::FunctionProgram program_;
  FiberScheduler fibers_{simulation_, {Bytes(64 * 1024), 2048}};
  std::unique_ptr<platform::Platform> platform_;
  std::unique_ptr<network::Network> network_;
  std::unique_ptr<host::Job> job_;
  std::unique_ptr<portals::Machine> machine_;
};

Sample waited_puts(const std::string& machine, std::uint32_t ranks, std::int64_t puts) {
  Programs programs(machine, ranks, [=](host::Rank& rank) {
    put_and_wait(rank, ranks - 1, puts);
    return 0;
  });
  return timed(puts, [&] { programs.run(); });
}

Sample puts_to_all(const std::string& machine, std::uint32_t ranks) {
  Programs programs(machine, ranks, [=](host::Rank& rank) {
    put_to_all(rank, ranks);
    return 0;
  });
  return timed(static_cast<double>(ranks) * (ranks - 1), [&] { programs.run(); });
}

/// What the adapter and the open interface of an idle process take, measured when all have one.
Sample memory_of_processes() {
  constexpr std::uint32_t kRanks = 1024;
  std::size_t before = 0;
  std::size_t after = 0;
  Programs programs("bxi-v2-1k", kRanks, [&](host::Rank& rank) {
    const Opened opened(rank.id() == host::RankId{1});
    rank.thread().waits().sleep(Time::ms(1));
    if (rank.id() == host::RankId{0}) after = mallinfo2().uordblks;
    rank.thread().waits().sleep(Time::ms(1));
    return 0;
  });
  before = mallinfo2().uordblks;
  programs.run();
  return {static_cast<double>(after - before), static_cast<double>(kRanks)};
}

}  // namespace

void add_portals_cases(Suite& suite) {
  suite.cases.push_back({"portals",
                         "PtlPut of 8 B and its ACK event, E2E, queue",
                         {1e9, "ns/put"},
                         [] { return waited_puts("bxi-v2", 2, 100'000); },
                         [] { return simgrid_pingpong(10'000); },
                         4});
  // The peer is a waited put between two of the same ranks, far apart.
  suite.cases.push_back({.group = "portals",
                         .name = "alltoall of acknowledged 8 B puts, 1,024 ranks, queue",
                         .scale = {1e9, "ns/put"},
                         .ours = [] { return puts_to_all("bxi-v2-1k", 1024); },
                         .peer = [] { return waited_puts("bxi-v2-1k", 1024, 200'000); },
                         .target_ratio = 1 / 1.5,
                         .max_repetitions = 3,
                         .peer_kind = PeerKind::one_message,
                         .models = "Portals over queue, both"});
  suite.cases.push_back({"portals",
                         "memory of an idle process: adapter, interface, EQ, PT",
                         {1, "bytes/node"},
                         memory_of_processes});
}

}  // namespace heddle::bench
