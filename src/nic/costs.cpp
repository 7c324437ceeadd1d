#include "nic/costs.hpp"

#include <algorithm>

namespace heddle::nic {

bool Costs::uses_pio(const Request& request) const {
  const Bytes limit = request.matching ? params_.pio_limit_matching : params_.pio_limit;
  return request.buffered && params_.pci && request.operation != Operation::get &&
         !request.triggered && request.payload > inline_limit(request) && request.payload <= limit;
}

/// What came with the command need not be read.
Time Costs::read_time(const Message& message) const {
  const Bytes here =
      message.kind == MessageKind::request ? inline_limit(message.exchange->request) : Bytes(0);
  return node_.pcie_latency + bus_rate().time_for(std::max(message.payload - here, Bytes(0)));
}

}  // namespace heddle::nic
