#include "shmem/trees.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "portals/atomics.hpp"
#include "shmem/entry.hpp"

namespace heddle::shmem {
namespace {

using coll::Collective;

constexpr int kUsualRadix = 4;
/// Tells calls that go along trees from PEs in the channels of a mailbox.
constexpr std::uint64_t kTreeChannel = std::uint64_t{1} << 63;

std::uint64_t channel_of(const Team& team, std::uint32_t call) {
  return kTreeChannel | (std::uint64_t{team.number()} << 32) | call;
}
std::uint32_t call_of(const Operation& message) {
  return static_cast<std::uint32_t>(message->channel);
}

std::optional<ptl_datatype_t> combined_type(Type type) {
  if (type.number == Number::real) {
    return type.size == sizeof(float)    ? PTL_FLOAT
           : type.size == sizeof(double) ? PTL_DOUBLE
                                         : PTL_LONG_DOUBLE;
  }
  if (type.number == Number::complex) {
    return type.size == 2 * sizeof(float) ? PTL_FLOAT_COMPLEX : PTL_DOUBLE_COMPLEX;
  }
  if (type.number == Number::none) return std::nullopt;
  const bool has_sign = type.number == Number::signed_integer;
  switch (type.size) {
    case 1:
      return has_sign ? PTL_INT8_T : PTL_UINT8_T;
    case 2:
      return has_sign ? PTL_INT16_T : PTL_UINT16_T;
    case 4:
      return has_sign ? PTL_INT32_T : PTL_UINT32_T;
    default:
      return has_sign ? PTL_INT64_T : PTL_UINT64_T;
  }
}

std::optional<ptl_op_t> combining(coll::Operation operation) {
  switch (operation) {
    case coll::Operation::max:
      return PTL_MAX;
    case coll::Operation::min:
      return PTL_MIN;
    case coll::Operation::sum:
      return PTL_SUM;
    case coll::Operation::prod:
      return PTL_PROD;
    case coll::Operation::band:
      return PTL_BAND;
    case coll::Operation::bor:
      return PTL_BOR;
    case coll::Operation::bxor:
      return PTL_BXOR;
    default:
      return std::nullopt;
  }
}

}  // namespace

Trees::Trees(World& world, std::optional<std::size_t> largest_atomic)
    : world_(world),
      largest_atomic_(largest_atomic),
      radix_(world.config().radix > 0 ? static_cast<int>(world.config().radix) : kUsualRadix),
      limit_(static_cast<std::size_t>(world.config().triggered_limit.count())) {
  for (std::size_t i = 0; i < by_hand_.size(); ++i) {
    by_hand_[i] = world.config().*coll::kAlgorithmMembers[i] != coll::CollConfig::kAuto;
  }
}

bool Trees::take(Collective collective, std::size_t bytes) const {
  return largest_atomic_ && bytes <= limit_ && !by_hand_[static_cast<std::size_t>(collective)];
}

std::optional<Trees::Combination> Trees::take(coll::Operation operation, Type type,
                                              std::size_t bytes) const {
  if (!take(Collective::allreduce, bytes) || bytes > *largest_atomic_) return std::nullopt;
  const auto op = combining(operation);
  const auto element = combined_type(type);
  if (!op || !element || !portals::combines(*op, *element)) return std::nullopt;
  return Combination{*op, *element};
}

// The tree: members in the order of the team from the root on, each above the next ones.

int Trees::behind_root(const Part& part, int places) {
  return (part.knot.work.root + places) % part.team.members.size();
}

int Trees::place_of(const Part& part) {
  const int away = part.member - part.knot.work.root;
  return away < 0 ? away + part.team.members.size() : away;
}

int Trees::count_below(const Part& part) const {
  const std::int64_t before = std::int64_t{place_of(part)} * radix_ + 1;
  const std::int64_t left = part.team.members.size() - before;
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, radix_));
}

// What a member's processor does.

void Trees::run(const Call& call, Membership& member, Collective collective, const TreeWork& work) {
  Pe& pe = call.pe();
  Team& team = *member.team;
  const std::uint32_t number = enter(pe, member, collective, {work.bytes, work.root});
  const Part part{pe, team, member.number, team.knot(member.number)};
  Knot& knot = part.knot;
  prepare(part, work, number);
  if (team.members.size() == 1) return store(part, knot.data.data());
  start(part);
  // The root of a broadcast waits for nobody.
  if (part.is_root() && !work.up) return pe.settle();
  if (!knot.complete) {
    pe.wait_until([&] { return knot.visible; }, [&] { return waiting_text(part); });
  }
  pe.occupy(world_.config().receive_overhead.at(static_cast<std::int64_t>(work.bytes)));
  pe.settle();
}

void Trees::prepare(const Part& part, const TreeWork& work, std::uint32_t number) const {
  Knot& knot = part.knot;
  knot.work = work;
  knot.number = number;
  knot.below = count_below(part);
  knot.missing = work.up ? knot.below : 0;
  knot.complete = knot.visible = false;
  knot.data.resize(work.up || part.is_root() ? work.bytes : 0);
  if (!knot.data.empty()) part.pe.memory().read(knot.data.data(), work.source, knot.data.size());
}

/// Those whose operations wait for nobody give them to the adapter as any other; all else is armed.
void Trees::start(const Part& part) {
  Knot& knot = part.knot;
  const bool up = knot.work.up;
  const bool begins = up ? knot.below == 0 : part.is_root();
  if (!begins) {
    const int armed = knot.below + (up && !part.is_root() ? 1 : 0);
    part.pe.occupy(world_.config().trigger_overhead * armed);
    part.pe.settle();
  }
  knot.armed = true;
  if (!begins) return take_early(part);
  if (up) return report(part, By::processor);
  spread(part, knot.data.data(), By::processor);
  finish(part);
}

void Trees::take_early(const Part& part) {
  if (part.knot.early == 0) return;
  Mailbox::Slot& slot = part.pe.mailbox.of(channel_of(part.team, part.knot.number));
  while (Operation* message = slot.messages.take()) {
    --part.knot.early;
    const auto bytes = static_cast<std::int64_t>((*message)->bytes);
    if (bytes > 0) part.pe.occupy(world_.config().receive_overhead.at(bytes));
    accept(part, *message);
    world_.engine().give_back(*message);
  }
}

// What its adapter does.

void Trees::arrived(Operation& message) {
  Pe& pe = *message->target;
  Team& team = *message->team;
  const Part part{pe, team, message->member, team.knot(message->member)};
  if (!part.knot.armed || part.knot.number != call_of(message)) {
    ++part.knot.early;
    return pe.mailbox.of(message->channel).messages.add(message);
  }
  accept(part, message);
  world_.engine().give_back(message);
  if (part.knot.complete) pe.landed_knots.push_back(&part.knot);
}

void Trees::accept(const Part& part, const Operation& message) {
  Knot& knot = part.knot;
  if (message->kind == Operation::Kind::spread) {
    store(part, message.payload.data());
    spread(part, message.payload.data(), By::adapter);
    return finish(part);
  }
  if (!knot.data.empty()) {
    portals::apply(knot.work.operation, knot.work.type, knot.data.data(), message.payload.data(),
                   nullptr, knot.data.size());
  }
  if (--knot.missing == 0) all_reported(part);
}

void Trees::all_reported(const Part& part) {
  if (!part.is_root()) return report(part, By::adapter);
  store(part, part.knot.data.data());
  spread(part, part.knot.data.data(), By::adapter);
  finish(part);
}

void Trees::report(const Part& part, By by) {
  const auto kind = part.knot.work.bytes > 0 ? Operation::Kind::combine : Operation::Kind::report;
  send(part, above(part), kind, part.knot.data.data(), by);
}

void Trees::spread(const Part& part, const std::byte* data, By by) {
  const int first = place_of(part) * radix_ + 1;
  for (int i = 0; i < part.knot.below; ++i) {
    send(part, behind_root(part, first + i), Operation::Kind::spread, data, by);
  }
}

void Trees::send(const Part& part, int to, Operation::Kind kind, const std::byte* data, By by) {
  Pe& target = world_.pe(static_cast<std::uint32_t>(part.team.members.pe(to)));
  Operation& message = world_.engine().begin(kind, part.pe, target);
  message->bytes = part.knot.work.bytes;
  message->team = &part.team;
  message->member = to;
  message->channel = channel_of(part.team, part.knot.number);
  message.payload.assign(data, data + message->bytes);
  if (by == By::processor) {
    world_.engine().send(message);
  } else {
    world_.engine().trigger(message);
  }
}

void Trees::store(const Part& part, const std::byte* data) {
  const TreeWork& work = part.knot.work;
  if (work.dest != nullptr && work.bytes > 0) part.pe.memory().write(work.dest, data, work.bytes);
}

void Trees::finish(const Part& part) {
  part.knot.armed = false;
  part.knot.complete = true;
}

std::string Trees::waiting_text(const Part& part) const {
  const Knot& knot = part.knot;
  const std::string whom = knot.missing > 0
                               ? fmt::format("{} of the {} PEs below it", knot.missing, knot.below)
                               : fmt::format("PE {}", part.team.members.pe(above(part)));
  return fmt::format("waits in {}, {}, for {}{}", part.pe.call, part.team.label(), whom,
                     not_entered(part.pe, part.team, knot.number));
}

}  // namespace heddle::shmem
