#include "nic/event_writer.hpp"

namespace heddle::nic {

/// Events that are being written.
struct EventWriter::Batch {
  explicit Batch(EventWriter& writer) : writer(writer) {}
  void advance() { writer.written(*this); }

  EventWriter& writer;
  ProcessId process;
  std::uint64_t operation = 0;
  EventTokens events;
  std::uint8_t next = 0;
  Step* then = nullptr;
  MemberStep<Batch, &Batch::advance> step{*this};
};

/// An event in memory that its process does not know of yet.
struct EventWriter::Notice {
  explicit Notice(EventWriter& writer) : writer(writer) {}
  void advance() { writer.seen(*this); }

  EventWriter& writer;
  EventToken token = 0;
  ProcessId process;  ///< For observers,
  Time written;       ///< as this.
  MemberStep<Notice, &Notice::advance> step{*this};
};

EventWriter::EventWriter(Clock& clock, const platform::Platform& platform, Bus& bus,
                         Software& software)
    : clock_(clock), causes_(clock.causes()), platform_(platform), bus_(bus), software_(software) {}

EventWriter::~EventWriter() = default;

void EventWriter::write(ProcessId process, std::uint64_t operation, const EventTokens& events,
                        Step* then) {
  if (events.count > 0 && charges_control(platform_.nic(process.node))) {
    Batch& batch = batches_.take(*this);
    batch.process = process;
    batch.operation = operation;
    batch.events = events;
    batch.next = 0;
    batch.then = then;
    return write_next(batch);
  }
  for (std::uint8_t i = 0; i < events.count; ++i) announce(process, events.token[i]);
  if (then) then->run();
}

void EventWriter::write_next(Batch& batch) {
  bus_.cross({Activity::pci_event, batch.process, batch.operation,
              platform_.nic(batch.process.node).event_size, &batch.step});
}

void EventWriter::written(Batch& batch) {
  announce(batch.process, batch.events.token[batch.next++]);
  if (batch.next < batch.events.count) return write_next(batch);
  Step* const then = batch.then;
  batches_.give_back(batch);
  if (then) then->run();
}

void EventWriter::announce(ProcessId process, EventToken token) {
  Notice& notice = notices_.take(*this);
  notice.token = token;
  notice.process = process;
  notice.written = clock_.now();
  causes_.keep(&notice);
  const Time delay =
      platform_.nic(process.node).event_notice.value_or(platform_.node(process.node).pcie_latency);
  clock_.alarm(notice.step, notice.written + delay);
}

void EventWriter::seen(Notice& notice) {
  causes_.within([&] { return notice_cause(notice); }, [&] { show(notice); });
}

void EventWriter::show(Notice& notice) {
  notices_.give_back(notice);
  software_.event_visible(notice.token);
}

/// Where it takes as long as the bus does, the bus is why.
Cause EventWriter::notice_cause(const Notice& notice) {
  const Cause cause = causes_.of(&notice);
  causes_.forget(&notice);
  if (platform_.nic(notice.process.node).event_notice) return cause;
  const ActivityRecord record{
      Activity::pci_event, 0,     notice.process, notice.process, Bytes(0), 0, notice.written,
      clock_.now(),        false, cause};
  return Causes::after(causes_.observer()->noticed(record), record);
}

}  // namespace heddle::nic
