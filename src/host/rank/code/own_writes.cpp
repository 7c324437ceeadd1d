#include "host/rank/code/own_writes.hpp"

#include <algorithm>

namespace heddle::host {

OwnWrites::Written* OwnWrites::find(std::uint64_t address, std::size_t size, bool& partly) {
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

bool OwnWrites::keep(std::uint64_t address, std::size_t size, const Thought& what, Written* before,
                     bool partly) {
  const auto is_there = [&](const Written& written) {
    return written.address == address && written.size == size;
  };
  if (before != nullptr && is_there(*before)) {
    before->what = what;
    return true;
  }
  overlap_ = overlap_ || before != nullptr || partly;
  const auto end = written_.begin() + wrote_;
  const auto hidden =
      before == nullptr && !partly ? end : std::find_if(written_.begin(), end, is_there);
  if (hidden != end) {
    hidden->what = what;
    // What was written there later, in part, would still be found first.
    std::rotate(hidden, hidden + 1, end);
    return true;
  }
  if (wrote_ == written_.size()) return false;
  written_[wrote_++] = {address, size, what};
  filter_.add(address, size);
  newest(address) = static_cast<std::uint16_t>(wrote_);
  return true;
}

}  // namespace heddle::host
