// What a Portals interface offers: its limits and a few habits.
#pragma once

#include <portals4.h>

#include <cstdint>

#include "core/params.hpp"

namespace heddle::portals {

struct PortalsConfig {
  std::int64_t max_entries = 0;
  std::int64_t max_unexpected_headers = 0;
  std::int64_t max_mds = 0;
  std::int64_t max_cts = 0;
  std::int64_t max_eqs = 0;
  std::int64_t max_pt_index = 0;
  std::int64_t max_iovecs = 0;
  std::int64_t max_list_size = 0;
  std::int64_t max_triggered_ops = 0;
  Bytes max_msg_size;
  Bytes max_atomic_size;
  Bytes max_fetch_atomic_size;
  Bytes max_waw_ordered_size;
  Bytes max_war_ordered_size;
  Bytes max_volatile_size;
  bool bind_inaccessible = true;
  bool total_data_ordering = true;
  bool coherent_atomics = true;
  bool copy_payload = true;
  std::int64_t first_pid = 0;
  std::int64_t uid = 0;
};

/// Section `portals` of the parameters.
const ParamTable<PortalsConfig>& portals_table();

/// The limits that an interface has at most.
ptl_ni_limits_t limits_of(const PortalsConfig& config);
/// `desired` (may be null) brought within `most`.
ptl_ni_limits_t clamped(const ptl_ni_limits_t* desired, const ptl_ni_limits_t& most);

}  // namespace heddle::portals
