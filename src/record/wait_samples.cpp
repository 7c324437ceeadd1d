#include "record/wait_samples.hpp"

#include <utility>

namespace heddle::record {
namespace {

/// Beyond, links would take much memory however few the slices.
constexpr std::size_t kMostLinks = std::size_t{1} << 15;

}  // namespace

void WaitSamples::watch(Look look) {
  const std::size_t known = look().size();
  if (known == 0) return;
  links_ = known > kMostLinks ? 0 : static_cast<std::uint32_t>(known);
  look_ = std::move(look);
  samples_.watch((links_ + 1) * columns, [this] { return flattened(); });
}

SparseVector<std::int64_t> WaitSamples::flattened() const {
  const std::vector<Row> rows = look_();
  SparseVector<std::int64_t> numbers((std::size_t{links_} + 1) * columns);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      const std::int64_t number = rows[r][c];
      numbers[c] += number;
      if (links_ > 0 && number != 0) numbers[(r + 1) * columns + c] = number;
    }
  }
  return numbers;
}

void WaitSamples::finish(Time end) {
  samples_.finish(end);
  look_ = nullptr;
}

bool WaitSamples::any() const {
  for (const Column column : {queued, held_up, marked, lost}) {
    for (std::size_t slice = 0; slice < slices(); ++slice) {
      if (samples_.bytes(slice, column) != 0) return true;
    }
  }
  return false;
}

/// What waits is kept as how it changed.
std::vector<std::int64_t> WaitSamples::series(std::uint32_t place) const {
  std::vector<std::int64_t> values(slices());
  std::int64_t waiting = 0;
  for (std::size_t slice = 0; slice < values.size(); ++slice) {
    const std::int64_t change = samples_.bytes(slice, place);
    waiting += change;
    values[slice] = place % columns == queued ? waiting : change;
  }
  return values;
}

}  // namespace heddle::record
