#include "host/rank/code/walk.hpp"

#include <algorithm>

#include "host/rank/code/number_bits.hpp"
#include "host/rank/registers.hpp"

// Where the simulator's own code is.
extern "C" {
extern const char __executable_start;  // NOLINT: the linker's name
extern const char etext;
}

namespace heddle::host {
namespace {

/// Rounds after which what was the same in all is taken to stay so.
constexpr std::uint32_t kRounds = 3;

/// Stack that functions which a loop calls may use. A page between stacks keeps what is so near
/// from being another thread's.
constexpr std::uint64_t kFreeStack = 4096;
/// Stack below its pointer that the interrupted function itself may use.
#if defined(__x86_64__)
constexpr std::uint64_t kRedZone = 128;
#else
constexpr std::uint64_t kRedZone = 0;
#endif

std::uint64_t low_bytes(std::uint64_t value, std::size_t size) {
  return value & ones(static_cast<unsigned>(8 * size));
}

}  // namespace

const Walk::Range Walk::simulators_{reinterpret_cast<std::uint64_t>(&__executable_start),
                                    reinterpret_cast<std::uint64_t>(&etext)};

void Walk::begin(const AddressSpace& memory, std::uint32_t most, std::uint64_t stack,
                 std::size_t registers, Turns* turns, ProofWriter* proof) {
  memory_.begin(memory);
  outlook_.kind = Outlook::Kind::unknown;
  outlook_.looked_at.clear();
  outlook_.instructions = 0;
  over_ = false;
  steps_ = 0;
  most_ = most;
  top_ = stack;
  stack_ = stack - kRedZone;
  registers_ = registers;
  rounds_ = found_late_ = calm_ = 0;
  places_ = 0;
  reads_leftovers_ = false;
  decisions_.clear();
  stores_.clear();
  own_.clear();
  looked_.clear();
  turns_ = turns;
  proof_ = proof;
  depth_ = 0;
  if (turns_ != nullptr) turns_->clear();
}

void Walk::stop(Outlook::Kind kind) {
  over_ = true;
  outlook_.kind = kind;
  outlook_.instructions = steps_;
}

void Walk::begin_at(std::uint64_t place, const Registers& registers, std::uint64_t rest) {
  begin_ = place;
  first_ = registers;
  rest_ = rest;
  strides_.begin(registers);
}

/// Whether it will do for ever what it has done so far.
bool Walk::is_as_at_first(const Registers& registers, std::uint64_t rest,
                          std::uint64_t used) const {
  if (reads_leftovers_ || rest != rest_) return false;
  for (std::size_t i = 0; i < registers_; ++i) {
    if ((used >> i & 1) == 0) continue;
    if (!registers[i].known || registers[i].value != first_[i].value) return false;
  }
  const auto writes = own_.all();
  return std::all_of(writes.begin(), writes.end(), [&](const OwnWrites::Written& written) {
    return is_on_free_stack(written.address) ||
           memory_.has(written.address, written.size, written.what.value);
  });
}

/// The same for all numbers for which it would do what it has done.
void Walk::prove_as_at_first(const Registers& registers, std::uint64_t used) {
  for (std::size_t i = 0; i < registers_; ++i) {
    if ((used >> i & 1) != 0) proof_->claim_same(registers[i], first_[i]);
  }
  for (const OwnWrites::Written& written : own_.all()) {
    if (is_on_free_stack(written.address)) continue;
    const Thought what = part_of(written.what, 0, written.size);
    const std::uint16_t there = proof_->place(written.address, written.size, what.value, false);
    proof_->claim_same(what, {what.value, 0, true, there});
  }
}

void Walk::come_round(const Registers& registers, std::uint64_t rest, std::uint64_t used) {
  if (outlook_.looked_at.known() && is_as_at_first(registers, rest, used)) {
    // All of that is one round, however often it came by.
    rounds_ = 1;
    if (proof_ != nullptr) prove_as_at_first(registers, used);
    return stop(Outlook::Kind::waits);
  }
  ++rounds_;
  if (rounds_ <= kRounds) strides_.round(registers, rounds_ == 1);
  note_new_places();
  if (rounds_ < kRounds || !decisions_.any() || may_look_elsewhere()) return;
  const bool fixed = decisions_.fixed();
  if (!fixed && (rounds_ > kRounds || !only_counts())) return;
  rounds_ = decisions_.rounds(rounds_);
  if (proof_ != nullptr) proof_->end_by_rounds(fixed);
  stop(stores_.leave_something_to_do() ? Outlook::Kind::goes_on : Outlook::Kind::waits);
}

void Walk::note_new_places() {
  const std::size_t found = looked_.size() - places_;
  places_ = looked_.size();
  calm_ = found == 0 ? calm_ + 1 : 0;
  if (rounds_ > 1) found_late_ += static_cast<std::uint32_t>(found);
}

/// One that looks at its places by turns has a round for each: as many that find no other have to
/// come behind them.
bool Walk::may_look_elsewhere() const {
  return calm_ + 1 < kRounds + found_late_;
}

void Walk::decide(std::uint64_t place, bool which, const Comparison& by) {
  if (!by.a.known || !by.b.known) return stop(Outlook::Kind::unknown);
  if (by.earlier) return;
  if (!decisions_.note(place, which, by)) stop(Outlook::Kind::unknown);
}

/// Some bytes of what was written.
Thought Walk::part_of(const Thought& whole, std::uint64_t offset, std::size_t size) {
  const std::uint64_t value = low_bytes(whole.value >> (8 * offset), size);
  Thought part{value, whole.origin, whole.known, 0};
  if (offset != 0) part = combined(value, whole, {});
  if (whole.term == 0) return part;
  const auto bytes = static_cast<unsigned>(size);
  part.term = whole.term;
  if (offset != 0) part.term = proof_->say_by(Term::Kind::right, 8, part, 8 * offset);
  part.term = proof_->say(Term::Kind::narrow, bytes, part, {});
  return part;
}

Thought Walk::load(std::uint64_t place, const Thought& address, std::size_t size) {
  if (!address.known) return Thought::unknown();
  if (address.term != 0) proof_->pin(address);
  strides_.read(place, address.value);
  bool partly = false;
  if (const OwnWrites::Written* written = own_.find(address.value, size, partly)) {
    return part_of(written->what, address.value - written->address, size);
  }
  if (partly) return Thought::unknown();
  reads_leftovers_ = reads_leftovers_ || is_on_free_stack(address.value);
  // Addresses leave the upper bits of a number free.
  const std::size_t number = looked_.of(address.value << 4 | size);
  if (number < outlook_.looked_at.count()) return found_[number];
  Thought found;
  if (!memory_.read(address.value, size, found.value) ||
      !outlook_.looked_at.add(address.value, found.value, size)) {
    stop(Outlook::Kind::unknown);
    return found;
  }
  if (proof_ != nullptr) found.term = proof_->place(address.value, size, found.value, true);
  return found_[number] = found;
}

/// Where no function has its variables yet: handlers of signals may have written there, too.
bool Walk::is_on_free_stack(std::uint64_t address) const {
  return address < stack_ && stack_ - address <= kFreeStack;
}

void Walk::note_store(std::uint64_t place, const Thought& what, const Thought& old) {
  const std::size_t number = stores_.note(place, rounds_ == 0, what.value != old.value);
  if (number == Stores::kMost) return stop(Outlook::Kind::unknown);
  if (proof_ != nullptr) proof_->store(number, rounds_ == 0, what, old);
}

void Walk::store(std::uint64_t place, const Thought& address, std::size_t size,
                 const Thought& what) {
  strides_.wander();
  if (!address.known || !what.known) return stop(Outlook::Kind::unknown);
  if (address.term != 0) proof_->pin(address);
  bool partly = false;
  OwnWrites::Written* const before = own_.find(address.value, size, partly);
  Thought old;
  if (before != nullptr) {
    old = part_of(before->what, address.value - before->address, size);
  } else if (!memory_.read(address.value, size, old.value)) {
    return stop(Outlook::Kind::unknown);
  }
  if (!is_on_free_stack(address.value)) {
    if (proof_ != nullptr && before == nullptr) {
      old.term = proof_->place(address.value, size, old.value, false);
    }
    // What is there of two that overlap is not looked into: it changes.
    note_store(place, partly ? Thought{1} : part_of(what, 0, size), partly ? Thought{} : old);
  }
  if (!own_.keep(address.value, size, what, before, partly)) stop(Outlook::Kind::unknown);
}

}  // namespace heddle::host
