#include "mpi/rma/carrier.hpp"

#include "core/error.hpp"
#include "mpi/call_log.hpp"
#include "mpi/rma/window_observer.hpp"
#include "portals/machine.hpp"

namespace heddle::mpi {

void Parcel::fire() {
  by_->landed(*this);
}

ParcelTraits Parcel::traits() const {
  return {};
}

ParcelTraits Notice::traits() const {
  const News news = kind == Kind::grant      ? News::grants
                    : kind == Kind::post     ? News::posts
                    : kind == Kind::complete ? News::ends
                                             : News::operations;
  return {false, kind != Kind::lock && kind != Kind::unlock, false, false, news};
}

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
      if (const ObservedWindows* windows = world_.find_part<ObservedWindows>()) {
        windows->observer.released(window, said.to, said.from, said.lock);
      }
      return receiver.lock.release(said.lock, grant);
    default:
      break;
  }
  if (receiver.window == nullptr) return;  // It has left.
  switch (said.kind) {
    case Notice::Kind::grant:
      return receiver.window->epochs().granted(said.from);
    case Notice::Kind::post:
      return receiver.window->epochs().posted(said.from);
    case Notice::Kind::complete:
      return receiver.window->epochs().completed(said.from);
    default:
      return receiver.window->targets().acknowledged(said.from);
  }
}

namespace {

std::uint64_t parcel_cookie(Parcel& parcel) {
  return reinterpret_cast<std::uintptr_t>(&parcel);
}
Parcel& parcel_of(std::uint64_t cookie) {
  return *reinterpret_cast<Parcel*>(static_cast<std::uintptr_t>(cookie));
}

}  // namespace

Carrier::Carrier(World& world)
    : world_(world), portals_(world.adapters()), source_(world.simulation().new_source()) {}

bool Carrier::within_node(const Process& from, const Process& to) const {
  return world_.config().through_memory(from.rank().node(), to.rank().node());
}

bool Carrier::can_fetch(const Process& origin, const Process& target) const {
  return portals_ != nullptr && &origin != &target && !within_node(origin, target);
}

/// What answers a parcel, or is let go by one, is sent when that arrives.
void Carrier::begin_way(Parcel& parcel, const Process& from, const Process& to,
                        std::int64_t bytes) {
  parcel.by_ = this;
  if (world_.job().recorder() == nullptr) return;
  parcel.under_way_ = true;
  record::MessageRecord& way = parcel.way_;
  way = {};
  way.sender = recorded_as(from);
  way.receiver = recorded_as(to);
  way.bytes = bytes;
  way.sent = way.met = world_.simulation().now();
  way.thread = from.rank().thread().number();
  way.cause = cause_;
  way.by_adapters = portals_ != nullptr;
  if (cause_ != 0) way.way = record::Way::answer;
}

std::uint32_t Carrier::recorded_as(const Process& process) const {
  return world_.job().recorded_as(process.rank().id());
}

void Carrier::landed(Parcel& parcel) {
  CallLog* const log = world_.call_log();
  if (log == nullptr) return hand_over(parcel);
  log->arrives(&parcel);
  hand_over(parcel);
  log->handled();
}

void Carrier::hand_over(Parcel& parcel) {
  record::RunRecorder* const recorder = world_.job().recorder();
  if (recorder == nullptr) return parcel.arrived();
  note_arrival(parcel, *recorder);
  cause_ = parcel.recorded_;
  parcel.arrived();
  cause_ = 0;
}

/// Those that come again at a time of their own have arrived already.
void Carrier::note_arrival(Parcel& parcel, record::RunRecorder& recorder) {
  if (!std::exchange(parcel.under_way_, false)) return;
  record::MessageRecord& way = parcel.way_;
  way.arrived = world_.simulation().now();
  parcel.recorded_ = recorder.message(way);
  recorder.causes().told(way.receiver, parcel.recorded_, way.arrived);
}

void Carrier::concerns(const Process& process) const {
  if (cause_ == 0) return;
  world_.job().recorder()->causes().told(recorded_as(process), cause_, world_.simulation().now());
}

/// In the log of calls a question and its answer.
void Carrier::fetch(Parcel& parcel, Process& origin, Process& target, std::int64_t bytes) {
  if (CallLog* log = world_.call_log()) {
    log->carries(&parcel, origin, target, 0, {true, false, false, true});
    log->arrives(&parcel);
    log->carries(&parcel, target, origin, bytes, {false, true, false, true});
    log->handled();
  }
  // Recorders follow what the adapters do.
  parcel.by_ = this;
  parcel.recorded_ = 0;
  portals_->send(
      {nic::Operation::get, origin.id(), target.id(), Bytes(bytes), parcel_cookie(parcel)}, *this);
}

void Carrier::carry(Parcel& parcel, Process& from, Process& to, std::int64_t bytes) {
  parcel.by_ = this;
  if (CallLog* log = world_.call_log()) log->carries(&parcel, from, to, bytes, parcel.traits());
  if (&from == &to) return parcel.arrived();
  begin_way(parcel, from, to, bytes);
  const MpiConfig& config = world_.config();
  if (within_node(from, to)) {
    world_.simulation().schedule_in(parcel, config.time_through_memory(bytes), source_);
    return;
  }
  if (portals_ != nullptr) {
    portals_->send({nic::Operation::put, from.id(), to.id(), Bytes(bytes), parcel_cookie(parcel)},
                   *this);
    return;
  }
  network::Transfer transfer;
  const platform::Platform& platform = from.rank().job().platform();
  transfer.source = platform.memory_of(from.rank().node(), from.rank().local());
  transfer.destination = platform.memory_of(to.rank().node(), to.rank().local());
  transfer.size = Bytes(bytes + config.envelope.count());
  transfer.client = this;
  transfer.cookie = parcel_cookie(parcel);
  world_.network().start(transfer);
}

void Carrier::deliver_at(Parcel& parcel, Time when) {
  world_.simulation().schedule(parcel, when, source_);
}

void Carrier::transfer_reached(network::Instant /*instant*/, std::uint64_t cookie) {
  landed(parcel_of(cookie));
}

void Carrier::arrived(std::uint64_t cookie) {
  landed(parcel_of(cookie));
}

void Carrier::fetched(std::uint64_t cookie) {
  landed(parcel_of(cookie));
}

void Carrier::lost(std::uint64_t) {
  throw FiberFailure(
      "a window's process cannot be reached: the adapter has given up a one-sided operation after "
      "its last retry (nic.e2e_retries)");
}

void Carrier::tell(const WindowDataRef& window, int from, int to, NoticeKind kind, LockKind lock) {
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
