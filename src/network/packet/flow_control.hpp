// What can be set of flow control without credits.
#pragma once

#include <cstdint>
#include <optional>

#include "core/params.hpp"
#include "core/quantity.hpp"

namespace heddle::network {

enum class FlowControl : std::uint8_t {
  credits,
  pfc,    ///< A switch whose buffer fills tells those before it to pause.
  lossy,  ///< What finds a full queue is lost.
};

/// Defaults and meanings stand in pfc_table().
struct PfcConfig {
  Bytes reserve;
  std::optional<Bytes> threshold;
  double alpha;
  Bytes shared;
  Bytes resume;
  std::optional<Bytes> headroom;
  Bytes frame;
  Time response;
};
const ParamTable<PfcConfig>& pfc_table();

/// Defaults and meanings stand in lossy_table().
struct LossyConfig {
  enum class Full : std::uint8_t { drop, trim };
  std::optional<Bytes> queue;
  std::optional<Bytes> shared;
  double alpha;
  Full full = Full::drop;
  Bytes trim_to;
};
const ParamTable<LossyConfig>& lossy_table();

}  // namespace heddle::network
