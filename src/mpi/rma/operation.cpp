#include "mpi/rma/operation.hpp"

#include <cstring>

#include "mpi/call_log.hpp"
#include "mpi/engine/engine.hpp"
#include "mpi/rma/window_observer.hpp"

namespace heddle::mpi {
namespace {

/// What is fetched is taken aside when it is read, unless it is longer than this: then it is copied
/// straight to its origin when it arrives there.
constexpr std::int64_t kLongestAside = 65536;

bool fetches(RmaKind kind) {
  return kind != RmaKind::put && kind != RmaKind::accumulate;
}

}  // namespace

Process& RmaOperation::target_process() const {
  return window_->process_of(call_.target);
}
AddressSpace& RmaOperation::target_memory() const {
  return target_process().memory();
}

/// Datatypes may be freed while the operation is under way.
void RmaOperation::keep_types() {
  types_[0] = call_.origin.type;
  types_[1] = call_.result.type;
  types_[2] = call_.remote.type;
}

void RmaOperation::begin(Window& window, const RmaCall& call, Completion* request,
                         std::uint64_t number) {
  Process& process = window.process();
  window_ = &window;
  target_ = &window.targets().of(call.target);
  call_ = call;
  request_ = request;
  at_target = returning = handled_ = staged_ = fetched_aside_ = false;
  keep_types();
  checked_ = number;
  const std::int64_t size = call_.origin.type == nullptr ? 0 : bytes(call_.origin);
  Transport& transport = engine_of(process).transport();
  const Protocol protocol = transport.protocol(size, SendMode::standard);
  process.occupy(transport.send_overhead(size, SendCall::nonblocking, protocol));
  process.settle();
  ++target_->unfinished;
  ++target_->unsent;
  Carrier& carrier = rma_of(process).carrier;
  if (call_.kind == RmaKind::get && carrier.can_fetch(process, target_process())) {
    returning = true;
    return carrier.fetch(*this, process, target_process(), bytes(call_.remote));
  }
  next = nullptr;
  (target_->first == nullptr ? target_->first : target_->last->next) = this;
  target_->last = this;
  const bool swaps = call_.kind == RmaKind::compare_and_swap;
  if (protocol != Protocol::rendezvous || swaps) stage_origin();
  carrier.carry(*this, process, target_process(), size);
}

/// Small data leaves the origin's memory at once.
void RmaOperation::stage_origin() {
  if (call_.kind == RmaKind::get) return;
  outgoing_.resize(static_cast<std::size_t>(bytes(call_.origin)));
  pack(window_->process().memory(), call_.origin, outgoing_.data());
  if (call_.kind == RmaKind::compare_and_swap) {
    const auto* compare = static_cast<const std::byte*>(call_.compare);
    outgoing_.insert(outgoing_.end(), compare, compare + bytes(call_.origin));
  }
  staged_ = true;
  if (fetches(call_.kind)) return;  // The result still comes to the origin's memory.
  window_->targets().sent(*target_);
  if (request_ != nullptr) request_->completed({});
  request_ = nullptr;
}

ParcelTraits RmaOperation::traits() const {
  return {!returning, returning, !returning && !staged_ && !fetches(call_.kind),
          call_.kind == RmaKind::get};
}

void RmaOperation::arrived() {
  if (returning) return deliver();
  if (!std::exchange(handled_, true) && busy_target()) return;
  at_target = true;
  // What the network has let overtake others waits for its turn.
  RmaTarget& target = *target_;
  while (target.first != nullptr && target.first->at_target) {
    RmaOperation& due = *target.first;
    target.first = due.next;
    due.perform();
  }
}

/// Where the target's processor has to do something, that comes first.
bool RmaOperation::busy_target() {
  Process& target = target_process();
  if (&target == &window_->process()) return false;
  const World& world = target.world();
  const Time cost = world.config().rma_target_cost.at(bytes(call_.remote));
  if (cost == Time::zero()) return false;
  rma_of(target).carrier.deliver_at(*this, target.occupy(cost));
  return true;
}

void RmaOperation::perform() {
  WindowObserver* const observer = observer_of(window_->process());
  if (observer != nullptr) observer->arrives(*window_, call_, checked_);
  if (fetches(call_.kind)) fetch();
  switch (call_.kind) {
    case RmaKind::put:
      store();
      break;
    case RmaKind::accumulate:
    case RmaKind::get_accumulate:
      accumulate();
      break;
    case RmaKind::compare_and_swap:
      swap();
      break;
    default:
      break;
  }
  if (observer != nullptr) observer->performed(*window_, call_);
  if (fetches(call_.kind)) return reply();
  complete(false);
}

/// The origin's data in packed order, wherever it is.
const std::byte* RmaOperation::origin_bytes() {
  if (staged_) return outgoing_.data();
  const auto size = static_cast<std::size_t>(bytes(call_.origin));
  AddressSpace& memory = window_->process().memory();
  if (call_.origin.type->contiguous()) {
    if (const std::byte* direct = memory.direct(call_.origin.address, size)) return direct;
  }
  outgoing_.resize(size);
  pack(memory, call_.origin, outgoing_.data());
  return outgoing_.data();
}

void RmaOperation::store() {
  if (staged_) {
    unpack(target_memory(), call_.remote, outgoing_.data(), std::ssize(outgoing_));
  } else {
    move(target_memory(), call_.remote, window_->process().memory(), call_.origin);
  }
}

void RmaOperation::accumulate() {
  if (call_.op->operation() == Operation::no_op || bytes(call_.remote) == 0) return;
  if (call_.op->operation() == Operation::replace) return store();
  accumulate_packed(target_memory(), call_.remote, *call_.op, origin_bytes());
}

void RmaOperation::swap() {
  const auto size = static_cast<std::size_t>(bytes(call_.origin));
  const std::byte* both = outgoing_.data();  // Always taken aside.
  if (std::memcmp(fetched_.data(), both + size, size) != 0) return;
  unpack(target_memory(), call_.remote, both, static_cast<std::int64_t>(size));
}

void RmaOperation::fetch() {
  const std::int64_t size = bytes(call_.remote);
  fetched_aside_ = call_.kind != RmaKind::get || size <= kLongestAside;
  if (!fetched_aside_) return;
  fetched_.resize(static_cast<std::size_t>(size));
  pack(target_memory(), call_.remote, fetched_.data());
}

void RmaOperation::reply() {
  returning = true;
  rma_of(window_->process())
      .carrier.carry(*this, target_process(), window_->process(), bytes(call_.remote));
}

void RmaOperation::deliver() {
  WindowObserver* const observer = observer_of(window_->process());
  if (observer != nullptr && !at_target) {
    observer->arrives(*window_, call_, checked_);
    observer->performed(*window_, call_);
  }
  if (observer != nullptr) observer->fetched(*window_, call_, checked_);
  AddressSpace& memory = window_->process().memory();
  if (fetched_aside_) {
    unpack(memory, call_.result, fetched_.data(), std::ssize(fetched_));
  } else {
    move(memory, call_.result, target_memory(), call_.remote);
  }
  if (observer != nullptr) observer->wrote(*window_, checked_);
  complete(true);
}

void RmaOperation::complete(bool known) {
  Window& window = *window_;
  RmaTarget& target = *target_;
  const int rank = call_.target;
  const bool kept = !(staged_ && !fetches(call_.kind));
  Completion* request = std::exchange(request_, nullptr);
  rma_of(window.process()).carrier.concerns(window.process());
  for (DatatypeRef& type : types_) type = nullptr;
  rma_of(window.process()).operations.give_back(*this);
  if (kept) window.targets().sent(target);
  if (request != nullptr) request->completed({});
  window.targets().finished(rank, target, known);
}

}  // namespace heddle::mpi
