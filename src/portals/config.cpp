#include "portals/config.hpp"

#include <algorithm>

namespace heddle::portals {
namespace {

using Table = ParamTable<PortalsConfig>;
using Config = PortalsConfig;

/// The smallest table of portals that an interface may have.
constexpr int kLeastPtIndex = 63;
constexpr ptl_size_t kLeastWawOrdered = 64;
constexpr ptl_size_t kLeastWarOrdered = 8;

void add_counts(Table& table) {
  const ParamRange range{"1", "16777216"};
  table.add("max_entries", &Config::max_entries, "1048576", range,
            "List and match-list entries of an interface.");
  table.add("max_unexpected_headers", &Config::max_unexpected_headers, "1048576", range,
            "Headers of unexpected messages that an interface keeps.");
  table.add("max_mds", &Config::max_mds, "1048576", range, "Memory descriptors of an interface.");
  table.add("max_cts", &Config::max_cts, "1048576", range, "Counters of an interface.");
  table.add("max_eqs", &Config::max_eqs, "65536", range, "Event queues of an interface.");
  table.add("max_pt_index", &Config::max_pt_index, "255", {"63", "65535"},
            "The largest index of the portal table.");
  table.add("max_iovecs", &Config::max_iovecs, "65536", range,
            "Pieces of memory that one descriptor or entry may have.");
  table.add("max_list_size", &Config::max_list_size, "1048576", range,
            "Entries of one list of a portal table entry.");
  table.add("max_triggered_ops", &Config::max_triggered_ops, "1048576", range,
            "Triggered operations of an interface that wait for their counters.");
}

void add_sizes(Table& table) {
  table.add("max_msg_size", &Config::max_msg_size, "4GiB", {"1", "1000TiB"},
            "The longest put or get.");
  table.add("max_atomic_size", &Config::max_atomic_size, "1KiB", {"8", "1MiB"},
            "The longest atomic operation.");
  table.add("max_fetch_atomic_size", &Config::max_fetch_atomic_size, "1KiB", {"8", "1MiB"},
            "The longest atomic operation or swap that brings the old value back.");
  table.add("max_waw_ordered_size", &Config::max_waw_ordered_size, "4GiB", {"0", "1000TiB"},
            "The longest message whose data is ordered after an earlier write.");
  table.add("max_war_ordered_size", &Config::max_war_ordered_size, "4GiB", {"0", "1000TiB"},
            "The longest message whose data is ordered after an earlier read.");
  table.add("max_volatile_size", &Config::max_volatile_size, "416", {"0", "1MiB"},
            "The longest payload of a volatile descriptor that is taken when the call is made; of "
            "those, up to nic.pio_limit are written by the processor.");
}

void add_habits(Table& table) {
  table.add("bind_inaccessible", &Config::bind_inaccessible, "yes", {},
            "Whether entries may name memory that is not there: PTL_TARGET_BIND_INACCESSIBLE.");
  table.add("total_data_ordering", &Config::total_data_ordering, "yes", {},
            "Whether data of all sizes is said to be ordered: PTL_TOTAL_DATA_ORDERING.");
  table.add("coherent_atomics", &Config::coherent_atomics, "yes", {},
            "Whether a process may touch what atomics change without PtlAtomicSync: "
            "PTL_COHERENT_ATOMICS.");
  table.add("copy_payload", &Config::copy_payload, "yes", {},
            "Whether puts and gets carry their data; without it they cost the same simulated time, "
            "and no memory is touched.");
  table.add("first_pid", &Config::first_pid, "1", {"0", "1073741824"},
            "The process id of a node's first rank, unless it asks for another.");
  table.add("uid", &Config::uid, "1000", {"0", "1073741824"}, "The user id of every process.");
}

Table make_table() {
  Table table("portals", "Portals interfaces: limits, and what they do with data.");
  add_counts(table);
  add_sizes(table);
  add_habits(table);
  return table;
}

unsigned features_of(const PortalsConfig& config) {
  return (config.bind_inaccessible ? PTL_TARGET_BIND_INACCESSIBLE : 0U) |
         (config.total_data_ordering ? PTL_TOTAL_DATA_ORDERING : 0U) |
         (config.coherent_atomics ? PTL_COHERENT_ATOMICS : 0U);
}

ptl_size_t size(Bytes bytes) {
  return static_cast<ptl_size_t>(bytes.count());
}

/// Names every limit once: applies `f` to each pair of members.
template <class F>
void for_each_limit(ptl_ni_limits_t& a, const ptl_ni_limits_t& b, F f) {
  f(a.max_entries, b.max_entries);
  f(a.max_unexpected_headers, b.max_unexpected_headers);
  f(a.max_mds, b.max_mds);
  f(a.max_cts, b.max_cts);
  f(a.max_eqs, b.max_eqs);
  f(a.max_pt_index, b.max_pt_index);
  f(a.max_iovecs, b.max_iovecs);
  f(a.max_list_size, b.max_list_size);
  f(a.max_triggered_ops, b.max_triggered_ops);
  f(a.max_msg_size, b.max_msg_size);
  f(a.max_atomic_size, b.max_atomic_size);
  f(a.max_fetch_atomic_size, b.max_fetch_atomic_size);
  f(a.max_waw_ordered_size, b.max_waw_ordered_size);
  f(a.max_war_ordered_size, b.max_war_ordered_size);
  f(a.max_volatile_size, b.max_volatile_size);
}

}  // namespace

const ParamTable<PortalsConfig>& portals_table() {
  static const Table table = make_table();
  return table;
}

ptl_ni_limits_t limits_of(const PortalsConfig& config) {
  ptl_ni_limits_t limits{};
  limits.max_entries = static_cast<int>(config.max_entries);
  limits.max_unexpected_headers = static_cast<int>(config.max_unexpected_headers);
  limits.max_mds = static_cast<int>(config.max_mds);
  limits.max_cts = static_cast<int>(config.max_cts);
  limits.max_eqs = static_cast<int>(config.max_eqs);
  limits.max_pt_index = static_cast<int>(config.max_pt_index);
  limits.max_iovecs = static_cast<int>(config.max_iovecs);
  limits.max_list_size = static_cast<int>(config.max_list_size);
  limits.max_triggered_ops = static_cast<int>(config.max_triggered_ops);
  limits.max_cqs = 1;
  limits.max_msg_size = size(config.max_msg_size);
  limits.max_atomic_size = size(config.max_atomic_size);
  limits.max_fetch_atomic_size = size(config.max_fetch_atomic_size);
  limits.max_waw_ordered_size = size(config.max_waw_ordered_size);
  limits.max_war_ordered_size = size(config.max_war_ordered_size);
  limits.max_volatile_size = size(config.max_volatile_size);
  limits.features = features_of(config);
  return limits;
}

ptl_ni_limits_t clamped(const ptl_ni_limits_t* desired, const ptl_ni_limits_t& most) {
  if (!desired) return most;
  ptl_ni_limits_t limits = most;
  // Zero and less, as in a structure that was cleared or filled with ones, is no wish at all.
  for_each_limit(limits, *desired, [](auto& limit, auto wish) {
    if (wish > 0) limit = std::min(limit, wish);
  });
  limits.max_pt_index = std::max(limits.max_pt_index, kLeastPtIndex);
  const auto at_least = [](ptl_size_t& limit, ptl_size_t least, ptl_size_t possible) {
    limit = std::max(limit, std::min(least, possible));
  };
  at_least(limits.max_waw_ordered_size, kLeastWawOrdered, most.max_waw_ordered_size);
  at_least(limits.max_war_ordered_size, kLeastWarOrdered, most.max_war_ordered_size);
  at_least(limits.max_fetch_atomic_size, limits.max_atomic_size, most.max_fetch_atomic_size);
  return limits;
}

}  // namespace heddle::portals
