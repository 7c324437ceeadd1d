#include "mpi/rma/carrier.hpp"

#include "mpi/rma/operation.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {

void Notice::arrived() {
  WindowMember& receiver = window->members[static_cast<std::size_t>(to)];
  const WindowDataRef keep = std::move(window);
  Carrier& by = *carrier;
  by.give_back(*this);
  switch (kind) {
    case Kind::lock:
      if (receiver.lock.request({from, lock})) by.tell(keep, to, from, Kind::grant, lock);
      return;
    case Kind::unlock:
      receiver.lock.release(lock, [&](int next) { by.tell(keep, to, next, Kind::grant, lock); });
      return;
    default:
      break;
  }
  if (receiver.window == nullptr) return;  // It has left.
  switch (kind) {
    case Kind::grant:
      return receiver.window->granted(from);
    case Kind::post:
      return receiver.window->posted(from);
    case Kind::complete:
      return receiver.window->completed(from);
    default:
      return receiver.window->acknowledged(from);
  }
}

Carrier::Carrier(World& world) : world_(world), source_(world.simulation().new_source()) {}

void Carrier::carry(Parcel& parcel, Process& from, Process& to, std::int64_t bytes) {
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
