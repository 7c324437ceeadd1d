// Loads for models without queues.
#pragma once

#include <cstdint>

#include "platform/topology.hpp"

namespace heddle::platform {

/// Nothing is ever loaded.
class NoLoads final : public LoadView {
 public:
  std::int64_t load(LinkId) const override { return 0; }
};

}  // namespace heddle::platform
