#include "nic/bus.hpp"

#include "core/prefetch.hpp"

namespace heddle::nic {
namespace {

using platform::Port;

bool goes_to_adapter(Activity activity) {
  return activity == Activity::pci_command || activity == Activity::pci_pio_payload;
}

}  // namespace

void Bus::cross(const Crossing& crossing) {
  const NodeId node = crossing.process.node;
  network::Transfer transfer;
  const bool inward = goes_to_adapter(crossing.activity);
  transfer.source = {node, inward ? Port::memory : Port::nic};
  transfer.destination = {node, inward ? Port::nic : Port::memory};
  transfer.size = crossing.size;
  transfer.client = this;
  if (causes_.observer()) {
    Record& record = records_.take();
    record = {crossing, clock_.now(), causes_.now()};
    transfer.cookie = reinterpret_cast<std::uint64_t>(&record);
  } else {
    transfer.cookie = reinterpret_cast<std::uint64_t>(crossing.then);
    if (!crossing.then) transfer.wants = 0;
  }
  network_.start(transfer);
}

void Bus::control(const Crossing& crossing, const platform::NicParams& params) {
  if (charges_control(params)) return cross(crossing);
  if (crossing.then) clock_.schedule_in(*crossing.then, Time::zero());
}

void Bus::glimpse(std::uint64_t cookie) const {
  if (!causes_.observer()) prefetch_lines(reinterpret_cast<const void*>(cookie), 2);
}

void Bus::expect(network::Instant, std::uint64_t cookie) const {
  if (!causes_.observer() && cookie != 0) reinterpret_cast<const Step*>(cookie)->expect();
}

void Bus::foresee(network::Instant, std::uint64_t cookie) const {
  if (!causes_.observer() && cookie != 0) reinterpret_cast<const Step*>(cookie)->foresee();
}

void Bus::transfer_reached(network::Instant, std::uint64_t cookie) {
  if (!causes_.observer()) return reinterpret_cast<Step*>(cookie)->run();
  Record& record = *reinterpret_cast<Record*>(cookie);
  const Crossing crossing = record.crossing;
  const Causes::Scope scope(causes_, [&] {
    return causes_.tell({crossing.activity, crossing.operation, crossing.process, crossing.process,
                         crossing.size, 0, record.start, clock_.now(), false, record.cause});
  });
  records_.give_back(record);
  if (crossing.then) crossing.then->run();
}

}  // namespace heddle::nic
