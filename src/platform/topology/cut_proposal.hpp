// Where a search for a narrow cut may begin.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::platform {

/// A topology that knows no formula for its narrowest cut, but halves that are near to it.
class CutProposal {
 public:
  /// All nodes, in an order whose first half is likely to be one side of a narrow cut.
  virtual std::vector<std::uint32_t> cut_order() const = 0;

 protected:
  ~CutProposal() = default;
};

}  // namespace heddle::platform
