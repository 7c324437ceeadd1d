#include "host/rank/host_params.hpp"

namespace heddle::host {
namespace {

using Table = ParamTable<HostParams>;

void add_compute(Table& t) {
  t.add_choice("compute", &HostParams::compute, "none",
               {{"none", ComputeModel::none},
                {"measure", ComputeModel::measure},
                {"fixed", ComputeModel::fixed},
                {"count", ComputeModel::count}},
               "what computation between two calls costs: nothing, the processor time it takes "
               "here, a fixed time, or what it does as programs count it that were built to do so");
  t.add("compute_factor", &HostParams::compute_factor, "1", {"0", "1000000"},
        "compute measure: simulated time per time measured");
  t.add("compute_time", &HostParams::compute_time, "0ns", {"0ns", "1h"},
        "compute fixed: what each stretch of computation costs");
  t.add("compute_threshold", &HostParams::compute_threshold, "1us", {"0ns", "1h"},
        "compute measure: shorter stretches, after scaling, cost nothing");
  t.add("count_rate", &HostParams::count_rate, "4G", {"1", "1000000G"},
        "compute count: how much of what programs count a core does in a second, on the nodes of "
        "the highest node.speed; on others in proportion");
}

void add_calls(Table& t) {
  t.add("poll_cost", &HostParams::poll_cost, "10ns", {"1ps", "1s"},
        "what a look for an event or a message costs if there is none");
  t.add("poll_patience", &HostParams::poll_patience, "1h", {"1us", "100h"},
        "how long ranks that poll and look at the clock go on when nothing else is left to happen, "
        "before it counts as a deadlock");
  t.add("clock_cost", &HostParams::clock_cost, "20ns", {"1ps", "1s"},
        "what reading the clock costs, and locking again and again");
  t.add(
      "spin_patience", &HostParams::spin_patience, "20s", {"1ms", "100h"},
      "processor time that a rank may take here without a call while its registers change, before "
      "it is taken to wait for something in its memory");
  t.add("outside_patience", &HostParams::outside_patience, "1s", {"1ms", "100h"},
        "how long, in real time, others wait for a process that sleeps without having called, such "
        "as one that waits for a terminal");
  t.add("barrier_step", &HostParams::barrier_step, "1us", {"0ns", "1s"},
        "what heddle_barrier and heddle_fence cost for each doubling of the ranks");
}

void add_places(Table& t) {
  t.add_choice("privatize", &HostParams::privatize, "auto",
               {{"auto", Privatization::automatic},
                {"copies", Privatization::copies},
                {"swap", Privatization::swap},
                {"none", Privatization::none}},
               "how each rank gets globals of its own: by a copy of the program, by exchanging "
               "them when it runs, or not at all");
  t.add("threads_per_rank", &HostParams::threads_per_rank, "1", {"1", "65536"},
        "how many threads of a rank compute at a time, each on a core, and how many cores a rank "
        "finds");
  t.add("stack", &HostParams::stack, "auto", {"16KiB", "1TiB"},
        "stack of each rank; auto: 8MiB for up to 4096 ranks, 1MiB to 65536, 64KiB beyond");
  t.add("disturb_threads", &HostParams::disturb_threads, "0", {"0", "1000000"},
        "with several threads of this computer: a seed for the order in which they take up what "
        "they are given, and for pauses; 0: as it comes. No result depends on it");
  t.add("epoch", &HostParams::epoch, "1704067200", {"0", "100G"},
        "the calendar time at which simulated time is zero, in seconds since 1970");
}

}  // namespace

const ParamTable<HostParams>& host_table() {
  static const Table table = [] {
    Table t("host", "ranks: what their code costs, and where they keep their globals and stacks");
    add_compute(t);
    add_calls(t);
    add_places(t);
    return t;
  }();
  return table;
}

}  // namespace heddle::host
