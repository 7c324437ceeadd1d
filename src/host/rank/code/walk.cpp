#include "host/rank/code/walk.hpp"

#include <algorithm>
#include <cstring>

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
/// Looks that take so long that nobody waits for their end: tens of seconds.
constexpr std::int64_t kForEver = 10'000'000'000;

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
  memory_ = &memory;
  outlook_.kind = Outlook::Kind::unknown;
  outlook_.looked_at.clear();
  outlook_.instructions = 0;
  over_ = false;
  steps_ = 0;
  most_ = most;
  top_ = stack;
  stack_ = stack - kRedZone;
  registers_ = registers;
  pages_.fill(~std::uint64_t{0});
  rounds_ = found_late_ = calm_ = 0;
  places_ = 0;
  even_ = wanders_ = reads_leftovers_ = false;
  wrote_ = 0;
  decided_at_.clear();
  read_at_.clear();
  stored_at_.clear();
  looked_.clear();
  turns_ = turns;
  proof_ = proof;
  depth_ = 0;
  if (turns_ != nullptr) turns_->clear();
  filter_.clear();
  newest_.fill(0);
  overlap_ = false;
}

void Walk::stop(Outlook::Kind kind) {
  over_ = true;
  outlook_.kind = kind;
  outlook_.instructions = steps_;
}

void Walk::begin_at(std::uint64_t place, const Registers& registers, std::uint64_t rest) {
  begin_ = place;
  first_ = before_ = registers;
  rest_ = rest;
}

/// Whether it will do for ever what it has done so far.
bool Walk::is_as_at_first(const Registers& registers, std::uint64_t rest,
                          std::uint64_t used) const {
  if (reads_leftovers_ || rest != rest_) return false;
  for (std::size_t i = 0; i < registers_; ++i) {
    if ((used >> i & 1) == 0) continue;
    if (!registers[i].known || registers[i].value != first_[i].value) return false;
  }
  return std::all_of(written_.begin(), written_.begin() + wrote_, [&](const Written& w) {
    return is_on_free_stack(w.address) || is_in_memory(w);
  });
}

/// The same for all numbers for which it would do what it has done.
void Walk::prove_as_at_first(const Registers& registers, std::uint64_t used) {
  for (std::size_t i = 0; i < registers_; ++i) {
    if ((used >> i & 1) != 0) proof_->claim_same(registers[i], first_[i]);
  }
  for (std::size_t i = 0; i < wrote_; ++i) {
    const Written& written = written_[i];
    if (is_on_free_stack(written.address)) continue;
    const Thought what = part_of(written.what, 0, written.size);
    const std::uint16_t there = proof_->place(written.address, written.size, what.value, false);
    proof_->claim_same(what, {what.value, 0, true, there});
  }
}

bool Walk::is_in_memory(const Written& written) const {
  std::uint64_t there = 0;
  return memory_->read(&there, reinterpret_cast<const void*>(written.address), written.size) &&
         there == low_bytes(written.what.value, written.size);
}

void Walk::come_round(const Registers& registers, std::uint64_t rest, std::uint64_t used) {
  if (outlook_.looked_at.known() && is_as_at_first(registers, rest, used)) {
    // All of that is one round, however often it came by.
    rounds_ = 1;
    if (proof_ != nullptr) prove_as_at_first(registers, used);
    return stop(Outlook::Kind::waits);
  }
  ++rounds_;
  if (rounds_ <= kRounds) note_strides(registers);
  note_new_places();
  if (rounds_ < kRounds || decided_at_.size() == 0 || may_look_elsewhere()) return;
  const auto end = decisions_.begin() + static_cast<std::ptrdiff_t>(decided_at_.size());
  const bool fixed = std::all_of(decisions_.begin(), end, [](const Decision& decision) {
    return decision.both_ways || (decision.times > 1 && !decision.varies);
  });
  if (!fixed && (rounds_ > kRounds || !only_counts())) return;
  if (proof_ != nullptr) proof_->end_by_rounds(fixed);
  stop(has_something_to_do() ? Outlook::Kind::goes_on : Outlook::Kind::waits);
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

/// Whether what it writes first changes something that it does not change again and again: others
/// may wait for that, and it has not been written yet.
bool Walk::has_something_to_do() const {
  const auto end = stores_.begin() + static_cast<std::ptrdiff_t>(stored_at_.size());
  return std::any_of(stores_.begin(), end,
                     [](const Store& store) { return store.at_first && !store.still; });
}

void Walk::note_strides(const Registers& registers) {
  even_ = rounds_ > 1;
  for (std::size_t i = 0; i < kRegisters; ++i) {
    const std::uint64_t stride = registers[i].value - before_[i].value;
    even_ = even_ && registers[i].known && stride == strides_[i];
    strides_[i] = stride;
  }
  before_ = registers;
}

/// Whether it looks at the same places and does nothing else but to count that, to a number far
/// away.
bool Walk::only_counts() const {
  if (!even_ || wanders_ || read_at_.size() == 0) return false;
  bool looks = false;
  for (std::size_t i = 0; i < decided_at_.size(); ++i) {
    const Decision& decision = decisions_[i];
    if (decision.both_ways) return false;
    if (!decision.varies) {
      looks = true;
      continue;
    }
    if (decision.times < kRounds || decision.step == 0) return false;
    const std::int64_t left = decision.distance / decision.step;
    // One that goes away from what it is compared with comes back to it at the end of numbers.
    if (left <= 0 && left > -kForEver) return false;
    if (left > 0 && left < kForEver) return false;
  }
  return looks;
}

void Walk::decide(std::uint64_t place, bool which, const Comparison& by) {
  if (!by.a.known || !by.b.known) return stop(Outlook::Kind::unknown);
  if (by.earlier) return;
  const std::uint64_t made_of = mixed(mixed(1, by.a.made_of()), by.b.made_of());
  const auto distance = static_cast<std::int64_t>(by.b.value - by.a.value);
  const std::size_t before = decided_at_.size();
  const std::size_t number = decided_at_.of(place);
  if (number == kPlaces) return stop(Outlook::Kind::unknown);
  Decision& decision = decisions_[number];
  if (number == before) {
    decision = {made_of, distance, 0, 1, which, false, false};
    return;
  }
  ++decision.times;
  decision.both_ways = decision.both_ways || decision.which != which;
  decision.varies = decision.varies || decision.made_of != made_of;
  // As the processor subtracts: numbers may be any.
  decision.step = static_cast<std::int64_t>(static_cast<std::uint64_t>(decision.distance) -
                                            static_cast<std::uint64_t>(distance));
  decision.distance = distance;
}

void Walk::note_read(std::uint64_t place, std::uint64_t address) {
  if (wanders_) return;
  const std::size_t before = read_at_.size();
  const std::size_t number = read_at_.of(place);
  if (number == kPlaces) {
    wanders_ = true;
  } else if (number == before) {
    reads_[number] = address;
  } else {
    wanders_ = reads_[number] != address;
  }
}

Walk::Written* Walk::own(std::uint64_t address, std::size_t size, bool& partly) {
  partly = false;
  if (!filter_.may_have(address, size)) return nullptr;
  if (const std::uint16_t which = newest(address); which > 0 && !overlap_) {
    Written& written = written_[which - 1];
    if (written.address == address && written.size == size) return &written;
  }
  for (std::size_t i = wrote_; i-- > 0;) {
    Written& written = written_[i];
    if (written.address <= address && address + size <= written.address + written.size) {
      return &written;
    }
    if (written.address < address + size && address < written.address + written.size) {
      partly = true;
      return nullptr;
    }
  }
  return nullptr;
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
  note_read(place, address.value);
  bool partly = false;
  if (const Written* written = own(address.value, size, partly)) {
    return part_of(written->what, address.value - written->address, size);
  }
  if (partly) return Thought::unknown();
  reads_leftovers_ = reads_leftovers_ || is_on_free_stack(address.value);
  // Addresses leave the upper bits of a number free.
  const std::size_t number = looked_.of(address.value << 4 | size);
  if (number < outlook_.looked_at.count()) {
    return {outlook_.looked_at.value(number), 0, true, looked_terms_[number]};
  }
  Thought found;
  if (!read_memory(address.value, size, found.value) ||
      !outlook_.looked_at.add(address.value, found.value, size)) {
    stop(Outlook::Kind::unknown);
    return found;
  }
  if (proof_ != nullptr) found.term = proof_->place(address.value, size, found.value, true);
  looked_terms_[number] = found.term;
  return found;
}

/// Nobody else runs meanwhile: a page that was there still is.
bool Walk::read_memory(std::uint64_t address, std::size_t size, std::uint64_t& value) {
  const auto* const at = reinterpret_cast<const void*>(address);
  if (is_there(address, size)) {
    if (const std::byte* const direct = memory_->direct(at, size)) {
      std::memcpy(&value, direct, size);
      return true;
    }
  }
  if (!memory_->read(&value, at, size)) return false;
  page_of(address) = address / kPage;
  return true;
}

/// Where no function has its variables yet: handlers of signals may have written there, too.
bool Walk::is_on_free_stack(std::uint64_t address) const {
  return address < stack_ && stack_ - address <= kFreeStack;
}

void Walk::note_store(std::uint64_t place, const Thought& what, const Thought& old) {
  const std::size_t before = stored_at_.size();
  const std::size_t number = stored_at_.of(place);
  if (number == kPlaces) return stop(Outlook::Kind::unknown);
  Store& store = stores_[number];
  if (number == before) store = {false, false};
  bool& changed = rounds_ == 0 ? store.at_first : store.still;
  changed = changed || what.value != old.value;
  if (proof_ != nullptr) proof_->store(number, rounds_ == 0, what, old);
}

void Walk::store(std::uint64_t place, const Thought& address, std::size_t size,
                 const Thought& what) {
  wanders_ = true;
  if (!address.known || !what.known) return stop(Outlook::Kind::unknown);
  if (address.term != 0) proof_->pin(address);
  bool partly = false;
  Written* const before = own(address.value, size, partly);
  Thought old;
  if (before != nullptr) {
    old = part_of(before->what, address.value - before->address, size);
  } else if (!read_memory(address.value, size, old.value)) {
    return stop(Outlook::Kind::unknown);
  }
  if (!is_on_free_stack(address.value)) {
    if (proof_ != nullptr && before == nullptr) {
      old.term = proof_->place(address.value, size, old.value, false);
    }
    // What is there of two that overlap is not looked into: it changes.
    note_store(place, partly ? Thought{1} : part_of(what, 0, size), partly ? Thought{} : old);
  }
  keep(address.value, size, what, before, partly);
}

void Walk::keep(std::uint64_t address, std::size_t size, const Thought& what, Written* before,
                bool partly) {
  const auto is_there = [&](const Written& written) {
    return written.address == address && written.size == size;
  };
  if (before != nullptr && is_there(*before)) {
    before->what = what;
    return;
  }
  overlap_ = overlap_ || before != nullptr || partly;
  const auto end = written_.begin() + wrote_;
  const auto hidden =
      before == nullptr && !partly ? end : std::find_if(written_.begin(), end, is_there);
  if (hidden != end) {
    hidden->what = what;
    // What was written there later, in part, would still be found first.
    std::rotate(hidden, hidden + 1, end);
    return;
  }
  if (wrote_ == written_.size()) return stop(Outlook::Kind::unknown);
  written_[wrote_++] = {address, size, what};
  filter_.add(address, size);
  newest(address) = static_cast<std::uint16_t>(wrote_);
}

std::size_t Walk::fetch_with_care(std::uint64_t place, void* to, std::size_t size) {
  const std::size_t found = fetch_from_memory(place, to, size);
  CodeTraps::restore(place, to, found);
  return found;
}

std::size_t Walk::fetch_from_memory(std::uint64_t place, void* to, std::size_t size) {
  const std::uint64_t end = (place / kPage + 1) * kPage;
  const auto* const at = reinterpret_cast<const void*>(place);
  const std::size_t here = std::min<std::size_t>(size, end - place);
  if (!memory_->read(to, at, here)) return 0;
  page_of(place) = place / kPage;
  // The rest, of an instruction on two pages.
  auto* const rest = static_cast<char*>(to) + here;
  const bool whole =
      here < size && memory_->read(rest, reinterpret_cast<const void*>(end), size - here);
  if (whole) page_of(end) = end / kPage;
  return whole ? size : here;
}

}  // namespace heddle::host
