#include "host/walk.hpp"

#include <algorithm>
#include <cstring>

#include "host/registers.hpp"

namespace heddle::host {
namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);
/// Rounds after which what was the same in all is taken to stay so.
constexpr std::uint32_t kRounds = 3;
/// Looks that take so long that nobody waits for their end: tens of seconds.
constexpr std::int64_t kForEver = 10'000'000'000;

std::uint64_t low_bytes(std::uint64_t value, std::size_t size) {
  return size >= kWord ? value : value & ((std::uint64_t{1} << (8 * size)) - 1);
}

}  // namespace

Thought changed(std::uint64_t value, const Thought& from) {
  return {value, from.origin == 0 ? 0 : mixed(from.origin, value) | 1, from.known};
}

Thought combined(std::uint64_t value, const Thought& a, const Thought& b) {
  return {value, mixed(mixed(1, a.made_of()), b.made_of()) | 1, a.known && b.known};
}

void Walk::begin(const AddressSpace& memory, std::uint32_t most) {
  memory_ = &memory;
  outlook_ = {};
  over_ = false;
  steps_ = 0;
  most_ = most;
  code_page_ = 0;
  rounds_ = 0;
  even_ = wanders_ = false;
  decided_ = read_ = stored_ = wrote_ = 0;
}

void Walk::stop(Outlook::Kind kind) {
  over_ = true;
  outlook_.kind = kind;
}

bool Walk::arrive(std::uint64_t place, const Registers& registers) {
  if (over_) return false;
  if (steps_ == most_) {
    stop(Outlook::Kind::unknown);
    return false;
  }
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
    if (written.address == address && written.size >= size) return &written;
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
    return {low_bytes(written->what.value, size), written->what.origin, written->what.known};
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
    old = before->what.value;
  } else if (!memory_->read(&old, reinterpret_cast<const void*>(address.value), size)) {
    return stop(Outlook::Kind::unknown);
  }
  const bool same = !partly && low_bytes(old, size) == low_bytes(what.value, size);
  note_store(place, !same);
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

std::uint32_t Walk::fetch(std::uint64_t place) {
  constexpr std::uint64_t kPage = 4096;
  const auto* const at = reinterpret_cast<const void*>(place);
  std::uint32_t code = 0;
  if (place / kPage == code_page_) {
    std::memcpy(&code, at, sizeof code);
  } else if (memory_->read(&code, at, sizeof code)) {
    code_page_ = place / kPage;
  } else {
    stop(Outlook::Kind::unknown);
  }
  return code;
}

}  // namespace heddle::host
