#include "mpi/check/access_check.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <cstring>

namespace heddle::mpi {
namespace {

constexpr std::uint64_t kOperationOwner = std::uint64_t{1} << 62;
/// Of one member, beyond which the oldest are forgotten.
constexpr std::size_t kMostAccesses = 2048;
/// Larger windows are not looked at for stores.
constexpr std::int64_t kLargestWatched = 64 << 20;

/// Whether two accesses to the same bytes, in no order, may give different results.
bool matters(RmaKind a, RmaKind b, bool atomic, bool same_operation) {
  if (a == RmaKind::get && b == RmaKind::get) return false;
  return !(atomic && same_operation);
}

Window* window_of(const WindowData& data, int rank) {
  return data.members[static_cast<std::size_t>(rank)].window;
}

}  // namespace

AccessCheck::Member& AccessCheck::member(const WindowData& data, int rank) {
  OfWindow& of = windows_[&data];
  if (of.members.empty()) of.members.resize(data.members.size());
  return of.members[static_cast<std::size_t>(rank)];
}

AccessCheck::Access AccessCheck::access_of(Window& origin, const RmaCall& call) {
  Access access;
  access.number = kOperationOwner | ++numbers_;
  access.origin = origin.rank();
  access.process = origin.process().id();
  access.call = origin.process().call;
  access.kind = call.kind;
  access.atomic = call.op != nullptr || call.kind == RmaKind::compare_and_swap;
  if (call.op != nullptr) access.op = call.op->operation();
  access.bytes = ByteRanges(call.remote);
  access.epoch = origin.epochs().epoch_for(call.target);
  Member& target = member(origin.data(), call.target);
  access.epoch_number =
      access.epoch == Epoch::fence ? member(origin.data(), origin.rank()).fences : target.exposures;
  if (access.epoch == Epoch::shared_lock || access.epoch == Epoch::exclusive_lock) {
    access.contents = contents(origin.process_of(call.target).memory(), access.bytes);
    access.landed = target.landed;
  }
  return access;
}

std::uint64_t AccessCheck::issued(Window& origin, const RmaCall& call) {
  Access access = access_of(origin, call);
  const std::uint64_t number = access.number;
  hold_buffers(origin, call, number);
  add(origin, call.target, std::move(access));
  member(origin.data(), origin.rank()).pending.push_back({number, call.target});
  return number;
}

void AccessCheck::hold_buffers(Window& origin, const RmaCall& call, std::uint64_t number) {
  Process& process = origin.process();
  const BufferCheck::Owner owner{
      number, fmt::format("{} to rank {} of {}", process.call, call.target, origin.label())};
  if (call.origin.type != nullptr) {
    buffers_.begin(process, owner, ByteRanges(call.origin), BufferCheck::Use::reads);
  }
  if (call.result.type != nullptr) {
    buffers_.begin(process, owner, ByteRanges(call.result), BufferCheck::Use::writes);
  }
}

/// Compares with what others have done to the same bytes.
void AccessCheck::add(Window& window, int target, Access access) {
  Member& at = member(window.data(), target);
  for (const Access& earlier : at.accesses) {
    const bool same_operation =
        earlier.op == access.op || earlier.op == Operation::no_op ||
        access.op == Operation::no_op || earlier.kind == RmaKind::compare_and_swap ||
        access.kind == RmaKind::compare_and_swap || earlier.origin == access.origin;
    if (!matters(earlier.kind, access.kind, earlier.atomic && access.atomic, same_operation)) {
      continue;
    }
    if (in_order(earlier, access) || !earlier.bytes.overlaps(access.bytes)) continue;
    findings_.add(access.process,
                  fmt::format("{} meets {} of rank {} at the same memory of rank {} in {}, and "
                              "nothing says which comes first",
                              access.call, earlier.call, earlier.process,
                              window.process_of(target).id(), window.label()));
  }
  if (at.accesses.size() >= kMostAccesses) {
    at.accesses.erase(at.accesses.begin(), at.accesses.begin() + kMostAccesses / 2);
  }
  at.accesses.push_back(std::move(access));
}

bool AccessCheck::in_order(const Access& earlier, const Access& later) const {
  const auto locks = [](Epoch epoch) {
    return epoch == Epoch::shared_lock || epoch == Epoch::exclusive_lock;
  };
  const bool by_locks = locks(earlier.epoch) && locks(later.epoch);
  if (!by_locks) {
    return earlier.epoch != later.epoch || earlier.epoch_number != later.epoch_number ||
           earlier.epoch == Epoch::none;
  }
  if (earlier.origin == later.origin) return earlier.known_by != 0;
  if (earlier.epoch == Epoch::exclusive_lock || later.epoch == Epoch::exclusive_lock) return true;
  return earlier.known_by != 0 &&
         causality_.knows(later.process, earlier.process, earlier.known_by);
}

void AccessCheck::arrives(Window& origin, const RmaCall& call, std::uint64_t number) {
  Member& at = member(origin.data(), call.target);
  const ByteRanges bytes(call.remote);
  Window* const target = window_of(origin.data(), call.target);
  if (target == nullptr) return;
  const auto access = std::ranges::find(at.accesses, number, &Access::number);
  if (access == at.accesses.end()) return;
  bool changed = at.watched && stored(*target, at, bytes);
  if (access->contents && access->landed == at.landed) {
    changed = changed || contents(target->process().memory(), bytes) != access->contents;
  }
  if (changed) complain_of_store(*target, access->call, access->process);
}

void AccessCheck::performed(Window& origin, const RmaCall& call) {
  Member& at = member(origin.data(), call.target);
  ++at.landed;
  const Causality::Stamp stamp = causality_.stamp(origin.process().id());
  at.told_by_all = Causality::both(at.told_by_all, stamp);
  Process& process = origin.process_of(call.target);
  causality_.learns(process.id(), stamp);
  const ByteRanges bytes(call.remote);
  at.used.add(bytes);
  // Windows may share memory.
  for (auto& [data, of] : windows_) {
    for (std::size_t rank = 0; rank < of.members.size(); ++rank) {
      Window* const window = data->members[rank].window;
      if (window != nullptr && &window->process() == &process) {
        renew(*window, of.members[rank], bytes);
      }
    }
  }
}

void AccessCheck::fetched(Window& origin, const RmaCall& call, std::uint64_t number) {
  causality_.learns(origin.process().id(), member(origin.data(), call.target).told_by_all);
  buffers_.look(origin.process(), number);
}

void AccessCheck::wrote(Window& origin, std::uint64_t number) {
  buffers_.renew(origin.process(), number);
}

void AccessCheck::sees_end(Window& origin, std::uint64_t number) {
  Member& own = member(origin.data(), origin.rank());
  const auto found = std::ranges::find(own.pending, number, &Pending::number);
  if (found == own.pending.end()) return;
  own.pending.erase(found);
  buffers_.end(origin.process(), number);
}

void AccessCheck::flushed(Window& origin, int target) {
  const std::uint32_t event = causality_.happens(origin.process().id());
  for (int rank = 0; rank < origin.size(); ++rank) {
    if (target >= 0 && rank != target) continue;
    for (Access& access : member(origin.data(), rank).accesses) {
      if (access.origin == origin.rank() && access.known_by == 0) {
        access.known_by = std::max<std::uint32_t>(event, 1);
      }
    }
  }
  let_go(origin, target);
}

void AccessCheck::flushed_here(Window& origin, int target) {
  let_go(origin, target);
}

void AccessCheck::let_go(Window& origin, int target) {
  std::vector<Pending>& pending = member(origin.data(), origin.rank()).pending;
  std::erase_if(pending, [&](const Pending& one) {
    if (target >= 0 && one.target != target) return false;
    buffers_.end(origin.process(), one.number);
    return true;
  });
}

void AccessCheck::exposed(Window& window, Epoch epoch) {
  Member& own = member(window.data(), window.rank());
  ++(epoch == Epoch::fence ? own.fences : own.exposures);
  // Others may have left the fence before.
  std::erase_if(own.accesses, [&](const Access& access) {
    return (access.epoch == Epoch::fence && access.epoch_number < own.fences) ||
           (access.epoch == Epoch::start && access.epoch_number < own.exposures);
  });
  const Region& memory = window.member(window.rank()).memory;
  own.watched = false;
  if (window.data().flavor == MPI_WIN_FLAVOR_SHARED || memory.size > kLargestWatched) return;
  own.expected.resize(static_cast<std::size_t>(memory.size));
  own.watched =
      window.process().memory().read(own.expected.data(), memory.base, own.expected.size());
}

void AccessCheck::closed(Window& window) {
  Member& own = member(window.data(), window.rank());
  if (own.watched && stored(window, own, own.used)) complain_of_store(window, "", 0);
  own.watched = false;
  own.used = {};
}

bool AccessCheck::stored(Window& window, Member& at, const ByteRanges& bytes) const {
  const auto base = reinterpret_cast<std::uintptr_t>(window.member(window.rank()).memory.base);
  std::vector<std::byte> now;
  for (const ByteRange& range : bytes.list()) {
    if (range.begin < base || range.end > base + at.expected.size()) continue;
    now.resize(range.end - range.begin);
    if (!window.process().memory().read(now.data(), reinterpret_cast<const void*>(range.begin),
                                        now.size())) {
      continue;
    }
    if (std::memcmp(now.data(), at.expected.data() + (range.begin - base), now.size()) != 0) {
      return true;
    }
  }
  return false;
}

void AccessCheck::renew(Window& window, Member& at, const ByteRanges& bytes) {
  if (!at.watched) return;
  const auto base = reinterpret_cast<std::uintptr_t>(window.member(window.rank()).memory.base);
  for (const ByteRange& range : bytes.list()) {
    if (range.begin < base || range.end > base + at.expected.size()) continue;
    window.process().memory().read(at.expected.data() + (range.begin - base),
                                   reinterpret_cast<const void*>(range.begin),
                                   range.end - range.begin);
  }
}

void AccessCheck::complain_of_store(const Window& window, const char* call, std::uint32_t origin) {
  const std::string who =
      *call == '\0' ? "operations of others" : fmt::format("{} of rank {}", call, origin);
  findings_.add(window.process().id(),
                fmt::format("changed its memory in {} where {} in the same epoch came to",
                            window.label(), who));
}

void AccessCheck::told(const Window& window, int by) {
  causality_.learns(window.process().id(), causality_.stamp(window.process_of(by).id()));
}

void AccessCheck::released(const WindowDataRef& window, int at, int origin, LockKind kind) {
  Member& locked = member(*window, at);
  const Causality::Stamp stamp = causality_.stamp(window->communicator->group->process(origin));
  locked.told_by_locks = Causality::both(locked.told_by_locks, stamp);
  if (kind == LockKind::exclusive) {
    locked.told_by_writers = Causality::both(locked.told_by_writers, stamp);
  }
}

void AccessCheck::granted(const Window& origin, int at, LockKind kind) {
  const Member& locked = member(origin.data(), at);
  causality_.learns(origin.process().id(),
                    kind == LockKind::exclusive ? locked.told_by_locks : locked.told_by_writers);
}

void AccessCheck::freed(Window& window) {
  const auto found = windows_.find(&window.data());
  if (found != windows_.end() && ++found->second.gone == found->second.members.size()) {
    windows_.erase(found);
  }
}

void AccessCheck::touches(Process& process, const Buffer& buffer, BufferCheck::Use use) {
  Windows* const windows = process.find_part<Windows>();
  if (windows == nullptr || windows->table.size() == 0) return;
  Access access;
  access.process = process.id();
  access.call = process.call;
  access.kind = use == BufferCheck::Use::writes ? RmaKind::put : RmaKind::get;
  access.bytes = ByteRanges(buffer);
  if (access.bytes.empty()) return;
  access.known_by = causality_.happens(process.id());
  windows->table.for_each([&](int, const std::unique_ptr<Window>& window) {
    const Member& own = member(window->data(), window->rank());
    access.origin = window->rank();
    access.epoch = window->epochs().epoch_here();
    access.epoch_number = access.epoch == Epoch::fence ? own.fences : own.exposures;
    if (access.epoch != Epoch::none) add(*window, window->rank(), access);
  });
}

}  // namespace heddle::mpi
