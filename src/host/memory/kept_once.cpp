#include "host/memory/kept_once.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "host/memory/rank_blocks.hpp"

namespace heddle::host {
namespace {

/// The kernel's usual limit is 65,530, of which programs that are loaded take some per rank.
constexpr std::size_t kMostMappings = 16'384;
/// Arrays are filled by the time that a rank has stopped so often.
constexpr std::uint32_t kMostStops = 4096;
/// Rows of blocks are numbered above those of globals.
constexpr std::uint32_t kBlocks = 1U << 16;

bool are_equal(const std::byte* a, const std::byte* b) {
  return std::memcmp(a, b, PageMap::page()) == 0;
}

/// What lies wholly in pages.
std::span<std::byte> whole_pages(std::span<std::byte> memory) {
  const std::size_t page = PageMap::page();
  const auto begin = reinterpret_cast<std::uintptr_t>(memory.data());
  const std::uintptr_t first = (begin + page - 1) / page * page;
  const std::uintptr_t end = (begin + memory.size()) / page * page;
  if (end <= first) return {};
  return {reinterpret_cast<std::byte*>(first), end - first};
}

}  // namespace

KeptOnce::KeptOnce(bool arrays) : arrays_(arrays) {
  if (arrays_) file_ = memfd_create("heddle ranks", MFD_CLOEXEC);
  arrays_ = file_ >= 0;
}

KeptOnce::~KeptOnce() {
  for (const std::byte* slot : slots_) {
    munmap(const_cast<std::byte*>(slot), PageMap::page());
  }
  if (file_ >= 0) close(file_);
}

void KeptOnce::add_globals(std::uint32_t rank, std::uint32_t row, std::span<std::byte> memory) {
  memory = whole_pages(memory);
  if (!arrays_ || memory.size() < kLeastPages * PageMap::page()) return;
  area_of(rows_[row], rank, memory);
}

void KeptOnce::count_stop(std::uint32_t rank) {
  if (rank >= stops_.size()) stops_.resize(rank + 1);
  const std::uint32_t stops = ++stops_[rank];
  if (stops > kMostStops || !std::has_single_bit(stops)) return;
  for (auto& [number, row] : rows_) {
    const auto found = row.areas.find(rank);
    if (found != row.areas.end() && !found->second.block) look(row, found->second);
  }
  rank_blocks().each(rank, [&](std::size_t row, std::span<std::byte> memory) {
    look(rank, kBlocks + static_cast<std::uint32_t>(row), memory);
  });
  // What is measured takes as long as what was mapped since.
  if (shared_ > measured_at_ + measured_at_ / 8) measure();
}

void KeptOnce::look(std::uint32_t rank, std::uint32_t number, std::span<std::byte> memory) {
  if (!arrays_) return;
  Row& row = rows_[number];
  Area& area = area_of(row, rank, whole_pages(memory));
  area.block = true;
  // It was given back, and taken again.
  if (!is_there(area)) area.shared.assign(area.shared.size(), false);
  look(row, area);
}

KeptOnce::Area& KeptOnce::area_of(Row& row, std::uint32_t rank, std::span<std::byte> memory) {
  Area& area = row.areas[rank];
  area.memory = memory;
  const std::size_t pages = memory.size() / PageMap::page();
  area.shared.resize(pages);
  if (row.slots.size() < pages) row.slots.resize(pages, kNone);
  return area;
}

bool KeptOnce::is_held(const Area& area) {
  return !area.block || rank_blocks().room(area.memory.data()) != 0;
}

bool KeptOnce::is_there(const Area& area) {
  return !area.block || rank_blocks().is_mapped(area.memory.data());
}

/// Pages that are the area's own, and equal to others, in rows that are worth it.
void KeptOnce::look(Row& row, Area& area) {
  const std::size_t pages = area.memory.size() / PageMap::page();
  own_ = pages_.read(area.memory.data(), pages);
  const bool has_last = row.last != nullptr && row.last != &area && is_held(*row.last) &&
                        row.last->memory.size() == area.memory.size();
  last_own_ = {};
  if (has_last) last_own_ = last_pages_.read(row.last->memory.data(), pages);
  for (std::size_t i = 0; i < own_.size();) {
    const Found found = find(row, area, i);
    std::size_t end = i + 1;
    while (end < own_.size() && find(row, area, end) == found &&
           (found != Found::slot || goes_on(row, end))) {
      ++end;
    }
    if (found != Found::nowhere && end - i >= kLeastPages) share(row, area, i, end, found);
    i = end;
  }
  row.last = &area;
}

KeptOnce::Found KeptOnce::find(const Row& row, const Area& area, std::size_t page) const {
  if (!own_[page].own()) return Found::nowhere;
  const std::byte* const here = area.memory.data() + page * PageMap::page();
  const Slot slot = row.slots[page];
  if (slot != kNone && are_equal(here, slots_[slot])) return Found::slot;
  if (last_own_.empty() || !last_own_[page].own()) return Found::nowhere;
  const std::byte* const there = row.last->memory.data() + page * PageMap::page();
  return are_equal(here, there) ? Found::last : Found::nowhere;
}

bool KeptOnce::goes_on(const Row& row, std::size_t page) const {
  return row.slots[page] == row.slots[page - 1] + 1;
}

void KeptOnce::share(Row& row, Area& area, std::size_t begin, std::size_t end, Found found) {
  if (found == Found::last) {
    if (!append(row, begin, end)) return;
    map(*row.last, begin, end, row.slots[begin]);
  }
  map(area, begin, end, row.slots[begin]);
}

/// Puts pages of the last area behind those that the file has.
bool KeptOnce::append(Row& row, std::size_t begin, std::size_t end) {
  const std::size_t page = PageMap::page();
  const std::size_t size = (end - begin) * page;
  const auto offset = static_cast<off_t>(slots_.size() * page);
  if (ftruncate(file_, offset + static_cast<off_t>(size)) != 0) return false;
  void* const place = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file_, offset);
  if (place == MAP_FAILED) return false;
  std::memcpy(place, row.last->memory.data() + begin * page, size);
  for (std::size_t i = begin; i < end; ++i) {
    row.slots[i] = static_cast<Slot>(slots_.size());
    slots_.push_back(static_cast<const std::byte*>(place) + (i - begin) * page);
  }
  return true;
}

/// In the same moment the pages that were there are given back.
bool KeptOnce::map(Area& area, std::size_t begin, std::size_t end, Slot slot) {
  const std::size_t page = PageMap::page();
  if (mappings_ >= kMostMappings) return false;
  void* const place = area.memory.data() + begin * page;
  const void* const got =
      mmap(place, (end - begin) * page, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file_, static_cast<off_t>(slot * page));
  if (got == MAP_FAILED) return false;
  if (area.block) rank_blocks().note_mapped(area.memory.data());
  ++mappings_;
  shared_ += end - begin;
  std::fill(area.shared.begin() + static_cast<std::ptrdiff_t>(begin),
            area.shared.begin() + static_cast<std::ptrdiff_t>(end), true);
  return true;
}

KeptOnce::Saved KeptOnce::saved() {
  measure();
  return saved_;
}

/// Of pages that were mapped, those are one's own now that were written to since.
void KeptOnce::measure() {
  measured_at_ = shared_;
  std::size_t others = 0;
  std::size_t present = 0;
  const auto add = [&](PageMap::Page page) {
    others += page.own() ? 0 : 1;
    present += page.present() && !page.own() ? 1 : 0;
  };
  for (const auto& [number, row] : rows_) {
    for (const auto& [rank, area] : row.areas) {
      if (!is_there(area)) continue;
      const std::span<const PageMap::Page> pages =
          pages_.read(area.memory.data(), area.shared.size());
      for (std::size_t i = 0; i < pages.size(); ++i) {
        if (area.shared[i]) add(pages[i]);
      }
    }
  }
  const std::size_t once = std::min(others, slots_.size());
  others -= once;
  for (const std::span<const std::byte>& memory : mapped_) {
    for (const PageMap::Page page : pages_.read(memory.data(), memory.size() / PageMap::page())) {
      add(page);
    }
  }
  if (others * PageMap::page() < saved_.bytes) return;
  saved_ = {others * PageMap::page(), std::min(present, others) * PageMap::page()};
}

}  // namespace heddle::host
