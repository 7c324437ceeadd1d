#include "mpi/rma/carrier.hpp"

#include "mpi/call_log.hpp"
#include "mpi/rma/operation.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {

void Notice::arrived() {
  // The record may be used again by what follows.
  const Said said{kind, lock, from, to};
  const WindowDataRef about = std::move(window);
  Carrier& by = *carrier;
  by.give_back(*this);
  by.deliver(about, said);
}

void Carrier::deliver(const WindowDataRef& window, const Notice::Said& said) {
  WindowMember& receiver = window->members[static_cast<std::size_t>(said.to)];
  const auto grant = [&](int next) { tell(window, said.to, next, Notice::Kind::grant, said.lock); };
  switch (said.kind) {
    case Notice::Kind::lock:
      if (receiver.lock.request({said.from, said.lock})) grant(said.from);
      return;
    case Notice::Kind::unlock:
      return receiver.lock.release(said.lock, grant);
    default:
      break;
  }
  if (receiver.window == nullptr) return;  // It has left.
  switch (said.kind) {
    case Notice::Kind::grant:
      return receiver.window->granted(said.from);
    case Notice::Kind::post:
      return receiver.window->posted(said.from);
    case Notice::Kind::complete:
      return receiver.window->completed(said.from);
    default:
      return receiver.window->acknowledged(said.from);
  }
}

Carrier::Carrier(World& world) : world_(world), source_(world.simulation().new_source()) {}

void Carrier::carry(Parcel& parcel, Process& from, Process& to, std::int64_t bytes) {
  if (CallLog* log = world_.call_log()) log->leaves_out(from.call);
  if (&from == &to) return parcel.arrived();
  const MpiConfig& config = world_.config();
  if (from.rank().node() == to.rank().node() && config.node_latency) {
    const Bandwidth bandwidth = config.node_bandwidth.value_or(Bandwidth::unlimited());
    world_.simulation().schedule_in(parcel, *config.node_latency + bandwidth.time_for(Bytes(bytes)),
                                    source_);
    return;
  }
  network::Transfer transfer;
  transfer.source = {from.rank().node(), platform::Port::memory};
  transfer.destination = {to.rank().node(), platform::Port::memory};
  transfer.size = Bytes(bytes + config.envelope.count());
  transfer.client = this;
  transfer.cookie = reinterpret_cast<std::uintptr_t>(&parcel);
  world_.network().start(transfer);
}

void Carrier::deliver_at(Parcel& parcel, Time when) {
  world_.simulation().schedule(parcel, when, source_);
}

void Carrier::transfer_reached(network::Instant /*instant*/, std::uint64_t cookie) {
  reinterpret_cast<Parcel*>(static_cast<std::uintptr_t>(cookie))->arrived();
}

void Carrier::tell(Window& from, int to, Notice::Kind kind, LockKind lock) {
  tell(from.data_ref(), from.rank(), to, kind, lock);
}

void Carrier::tell(const WindowDataRef& window, int from, int to, Notice::Kind kind,
                   LockKind lock) {
  Notice& notice = notices_.take();
  notice.kind = kind;
  notice.lock = lock;
  notice.window = window;
  notice.from = from;
  notice.to = to;
  notice.carrier = this;
  const Group& group = *window->communicator->group;
  carry(notice, world_.process(group.process(from)), world_.process(group.process(to)), 0);
}

}  // namespace heddle::mpi
