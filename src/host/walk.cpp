#include "host/walk.hpp"

#include <algorithm>
#include <cstring>

#include "host/number_bits.hpp"
#include "host/registers.hpp"

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

std::uint64_t low_bytes(std::uint64_t value, std::size_t size) {
  return value & ones(static_cast<unsigned>(8 * size));
}

/// Some bytes of what was written.
Thought part_of(const Thought& whole, std::uint64_t offset, std::size_t size) {
  const std::uint64_t value = low_bytes(whole.value >> (8 * offset), size);
  if (offset != 0) return combined(value, whole, {});
  return {value, whole.origin, whole.known};
}

bool is_simulators(std::uint64_t place) {
  return place >= reinterpret_cast<std::uint64_t>(&__executable_start) &&
         place < reinterpret_cast<std::uint64_t>(&etext);
}

}  // namespace

Thought changed(std::uint64_t value, const Thought& from) {
  return {value, from.origin == 0 ? 0 : mixed(from.origin, value) | 1, from.known};
}

Thought summed(std::uint64_t value, const Thought& a, const Thought& b) {
  if (a.origin != 0 || b.origin != 0) return combined(value, a, b);
  return {value, 0, a.known && b.known};
}

Thought combined(std::uint64_t value, const Thought& a, const Thought& b) {
  return {value, mixed(mixed(1, a.made_of()), b.made_of()) | 1, a.known && b.known};
}

void Walk::begin(const AddressSpace& memory, std::uint32_t most, std::uint64_t stack) {
  memory_ = &memory;
  outlook_ = {};
  over_ = false;
  steps_ = 0;
  most_ = most;
  stack_ = stack;
  code_end_ = 0;
  rounds_ = 0;
  even_ = wanders_ = false;
  decided_ = read_ = stored_ = wrote_ = 0;
}

void Walk::stop(Outlook::Kind kind) {
  over_ = true;
  outlook_.kind = kind;
  outlook_.instructions = steps_;
}

bool Walk::arrive(std::uint64_t place, const Registers& registers) {
  if (over_) return false;
  // A call of ours, or of what stands in front of the C library: it goes on there.
  if (is_simulators(place)) stop(Outlook::Kind::goes_on);
  if (steps_ == most_) stop(Outlook::Kind::unknown);
  if (over_) return false;
  if (steps_++ == 0) {
    begin_ = place;
    before_ = registers;
  } else if (place == begin_) {
    come_round(registers);
  }
  return !over_;
}

void Walk::come_round(const Registers& registers) {
  ++rounds_;
  if (rounds_ <= kRounds) note_strides(registers);
  if (rounds_ < kRounds || decided_ == 0) return;
  const bool fixed =
      std::all_of(decisions_.begin(), decisions_.begin() + decided_, [](const Decision& decision) {
        return decision.both_ways || (decision.times > 1 && !decision.varies);
      });
  if (!fixed && (rounds_ > kRounds || !only_counts())) return;
  stop(has_something_to_do() ? Outlook::Kind::goes_on : Outlook::Kind::waits);
}

/// Whether what it writes first changes something that it does not change again and again: others
/// may wait for that, and it has not been written yet.
bool Walk::has_something_to_do() const {
  return std::any_of(stores_.begin(), stores_.begin() + stored_,
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
  if (!even_ || wanders_ || read_ == 0) return false;
  bool looks = false;
  for (std::size_t i = 0; i < decided_; ++i) {
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
  for (std::size_t i = 0; i < decided_; ++i) {
    Decision& decision = decisions_[i];
    if (decision.place != place) continue;
    ++decision.times;
    decision.both_ways = decision.both_ways || decision.which != which;
    decision.varies = decision.varies || decision.made_of != made_of;
    decision.step = decision.distance - distance;
    decision.distance = distance;
    return;
  }
  if (decided_ == decisions_.size()) return stop(Outlook::Kind::unknown);
  decisions_[decided_++] = {place, made_of, distance, 0, 1, which, false, false};
}

void Walk::note_read(std::uint64_t place, std::uint64_t address) {
  for (std::size_t i = 0; i < read_; ++i) {
    if (reads_[i].place != place) continue;
    wanders_ = wanders_ || reads_[i].address != address;
    return;
  }
  if (read_ == reads_.size()) {
    wanders_ = true;
  } else {
    reads_[read_++] = {place, address};
  }
}

const Walk::Written* Walk::own(std::uint64_t address, std::size_t size, bool& partly) const {
  partly = false;
  for (std::size_t i = wrote_; i-- > 0;) {
    const Written& written = written_[i];
    if (written.address <= address && address + size <= written.address + written.size)
      return &written;
    if (written.address < address + size && address < written.address + written.size) {
      partly = true;
      return nullptr;
    }
  }
  return nullptr;
}

Thought Walk::load(std::uint64_t place, const Thought& address, std::size_t size) {
  if (!address.known) return Thought::unknown();
  note_read(place, address.value);
  bool partly = false;
  if (const Written* written = own(address.value, size, partly)) {
    return part_of(written->what, address.value - written->address, size);
  }
  if (partly) return Thought::unknown();
  Thought found;
  if (!memory_->read(&found.value, reinterpret_cast<const void*>(address.value), size)) {
    stop(Outlook::Kind::unknown);
    return found;
  }
  if (!outlook_.looked_at.add(address.value, found.value, size)) stop(Outlook::Kind::unknown);
  return found;
}

/// Where no function has its variables yet: handlers of signals may have written there, too.
bool Walk::is_on_free_stack(std::uint64_t address) const {
  return address < stack_ && stack_ - address <= kFreeStack;
}

void Walk::note_store(std::uint64_t place, bool changes) {
  const auto end = stores_.begin() + stored_;
  auto store = std::find_if(stores_.begin(), end, [&](const Store& s) { return s.place == place; });
  if (store == end) {
    if (stored_ == stores_.size()) return stop(Outlook::Kind::unknown);
    stores_[stored_++] = {place, false, false};
  }
  if (rounds_ == 0) {
    store->at_first = store->at_first || changes;
  } else {
    store->still = store->still || changes;
  }
}

void Walk::store(std::uint64_t place, const Thought& address, std::size_t size,
                 const Thought& what) {
  wanders_ = true;
  if (!address.known || !what.known) return stop(Outlook::Kind::unknown);
  bool partly = false;
  const Written* const before = own(address.value, size, partly);
  std::uint64_t old = 0;
  if (before != nullptr) {
    old = part_of(before->what, address.value - before->address, size).value;
  } else if (!memory_->read(&old, reinterpret_cast<const void*>(address.value), size)) {
    return stop(Outlook::Kind::unknown);
  }
  const bool same = !partly && low_bytes(old, size) == low_bytes(what.value, size);
  if (!is_on_free_stack(address.value)) note_store(place, !same);
  for (std::size_t i = 0; i < wrote_; ++i) {
    Written& written = written_[i];
    if (written.address != address.value || written.size != size) continue;
    written.what = what;
    // What was written there later, in part, would still be found first.
    if (&written != before) std::rotate(&written, &written + 1, written_.data() + wrote_);
    return;
  }
  if (wrote_ == written_.size()) return stop(Outlook::Kind::unknown);
  written_[wrote_++] = {address.value, size, what};
}

std::size_t Walk::fetch(std::uint64_t place, void* to, std::size_t size) {
  constexpr std::uint64_t kPage = 4096;
  const std::uint64_t end = (place / kPage + 1) * kPage;
  const auto* const at = reinterpret_cast<const void*>(place);
  const std::size_t here = std::min<std::size_t>(size, end - place);
  if (end == code_end_) {
    std::memcpy(to, at, here);
  } else if (memory_->read(to, at, here)) {
    code_end_ = end;
  } else {
    return 0;
  }
  // The rest, of an instruction on two pages, is read with care each time.
  auto* const rest = static_cast<char*>(to) + here;
  const bool whole =
      here < size && memory_->read(rest, reinterpret_cast<const void*>(end), size - here);
  return whole ? size : here;
}

}  // namespace heddle::host
