// A list of entries that finds the first one a header fits, fast also when it is long.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "portals/lists.hpp"

namespace heddle::portals {

using EntryTable = SlotTable<Entry>;

/// Chains the entries of a list that compare the same bits of a header with the same value, and
/// finds the chains by hashing. A header has to be looked up once for each set of bits that some
/// entry ignores; there are few.
class MatchIndex {
 public:
  /// Appends an entry, the last of the list.
  void add(EntryTable& entries, std::uint32_t place);
  void remove(EntryTable& entries, std::uint32_t place);
  /// kNone if none fits.
  std::uint32_t first_match(const EntryTable& entries, const Header& header, bool logical) const;

 private:
  /// Entries that ignore the same bits.
  struct Group {
    ptl_match_bits_t ignore_bits;
    std::uint32_t entries;
  };
  std::size_t slot_of(const EntryTable& entries, ptl_match_bits_t bits,
                      ptl_match_bits_t ignore_bits) const;
  std::uint32_t first_in_chain(const EntryTable& entries, const Header& header,
                               ptl_match_bits_t ignore_bits, bool logical) const;
  void grow(const EntryTable& entries);
  void erase(const EntryTable& entries, std::size_t slot);
  void leave_group(ptl_match_bits_t ignore_bits);

  std::vector<Group> groups_;
  std::vector<std::uint32_t> heads_;  ///< Of chains, by hash; kNone where there is none.
  std::size_t chains_ = 0;
  std::uint64_t next_order_ = 0;
};

/// The list itself, indexed while it is long.
class MatchList {
 public:
  std::uint32_t size() const { return list_.size; }
  std::uint32_t first() const { return list_.first; }
  void push_back(EntryTable& entries, std::uint32_t place);
  void remove(EntryTable& entries, std::uint32_t place);
  /// kNone if none fits.
  std::uint32_t first_match(const EntryTable& entries, const Header& header, bool logical) const;

 private:
  List list_;
  std::unique_ptr<MatchIndex> index_;
};

/// One entry of the portal table.
struct Portal {
  unsigned int options = 0;
  bool enabled = true;
  ptl_handle_eq_t queue = PTL_EQ_NONE;
  MatchList priority;
  MatchList overflow;
  List unexpected;

  bool flow_controlled() const { return (options & PTL_PT_FLOWCTRL) != 0; }
  MatchList& list(ptl_list_t which) { return which == PTL_PRIORITY_LIST ? priority : overflow; }
  bool empty() const { return priority.size() + overflow.size() + unexpected.size == 0; }
};

}  // namespace heddle::portals
