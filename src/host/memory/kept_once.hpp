// Memory of which several ranks have the same, and that is kept once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "host/memory/page_map.hpp"

namespace heddle::host {

/// Which pages that ranks have in common are kept once.
enum class SharePages : std::uint8_t {
  none,
  files,  ///< Those of files, of which ranks have copies.
  all,    ///< Those of arrays, too.
};

/// Ranks that run one program fill arrays with the same: tables, constants, what they all read.
/// Where whole pages of two ranks at the same place of the same array are equal, both get the page
/// of a file, copy on write: whoever writes to it has a page of its own again. Nobody notices, as
/// addresses and contents stay. It must be asked when no code of ranks runs.
///
/// A place is known by the array's number, its row: the globals of a program have some, blocks of
/// memory that ranks have in rows (RankBlocks) others.
class KeptOnce {
 public:
  /// Whether arrays are looked at; files are kept once in any case.
  explicit KeptOnce(bool arrays);
  ~KeptOnce();
  KeptOnce(const KeptOnce&) = delete;
  KeptOnce& operator=(const KeptOnce&) = delete;

  /// So much of a row at least has to be equal, for each takes a mapping, of which a process can
  /// have some ten thousands.
  static constexpr std::size_t kLeastPages = 16;

  /// A number for globals of a program of which several ranks have copies.
  std::uint32_t new_row() { return globals_++; }
  /// Memory that a rank has of such a row as long as the run lasts.
  void add_globals(std::uint32_t rank, std::uint32_t row, std::span<std::byte> memory);
  /// Pages that are mapped from a file which others have mapped as well.
  void add_mapped(std::span<const std::byte> memory) { mapped_.push_back(memory); }

  /// A rank has stopped, as it does in calls: its memory is looked at the first time, the second,
  /// the fourth and so on, since arrays are filled in the beginning.
  void stopped(std::uint32_t rank) {
    if (arrays_) count_stop(rank);
  }
  /// Has a look at what a rank has of a row.
  void look(std::uint32_t rank, std::uint32_t row, std::span<std::byte> memory);

  struct Saved {
    std::size_t bytes = 0;    ///< That ranks would take besides.
    std::size_t counted = 0;  ///< Of these, what the kernel counts as the process's all the same.
  };
  /// The most there has been so far, as the kernel tells.
  Saved saved();

 private:
  using Slot = std::uint32_t;
  static constexpr Slot kNone = UINT32_MAX;
  /// What a rank has of a row.
  struct Area {
    std::span<std::byte> memory;
    bool block = false;        ///< It may be given back.
    std::vector<bool> shared;  ///< By page: it was mapped from the file.
  };
  struct Row {
    std::unordered_map<std::uint32_t, Area> areas;
    Area* last = nullptr;     ///< That was looked at.
    std::vector<Slot> slots;  ///< By page: where the file has what was equal last.
  };
  /// Where the page of an area was found to be, too.
  enum class Found : std::uint8_t { nowhere, slot, last };

  void count_stop(std::uint32_t rank);
  Area& area_of(Row& row, std::uint32_t rank, std::span<std::byte> memory);
  void look(Row& row, Area& area);
  Found find(const Row& row, const Area& area, std::size_t page) const;
  bool goes_on(const Row& row, std::size_t page) const;
  void share(Row& row, Area& area, std::size_t begin, std::size_t end, Found found);
  bool append(Row& row, std::size_t begin, std::size_t end);
  bool map(Area& area, std::size_t begin, std::size_t end, Slot slot);
  /// Whether the rank still has it, and whether what was mapped there still is.
  static bool is_held(const Area& area);
  static bool is_there(const Area& area);
  void measure();

  bool arrays_;
  int file_ = -1;
  std::vector<const std::byte*> slots_;  ///< Where the pages of the file can be read.
  std::size_t mappings_ = 0;
  std::uint32_t globals_ = 0;  ///< Rows of globals.
  std::map<std::uint32_t, Row> rows_;
  std::vector<std::span<const std::byte>> mapped_;
  std::vector<std::uint32_t> stops_;  ///< By rank.
  PageMap pages_;
  PageMap last_pages_;
  std::span<const PageMap::Page> own_;       ///< Of the area that is looked at, ...
  std::span<const PageMap::Page> last_own_;  ///< ... and of the one before.
  std::size_t shared_ = 0;                   ///< Pages that were mapped from the file.
  std::size_t measured_at_ = 0;              ///< How many those were then.
  Saved saved_;
};

}  // namespace heddle::host
