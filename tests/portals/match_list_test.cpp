// Long lists: the index finds what a walk from the beginning finds.
#include "portals/match_list.hpp"

#include <gtest/gtest.h>

#include <list>

#include "core/random.hpp"

namespace heddle::portals {
namespace {

Header header_of(ptl_match_bits_t bits, std::uint32_t rank, ptl_size_t length) {
  Header header;
  header.match_bits = bits;
  header.initiator.rank = rank;
  header.length = length;
  return header;
}

/// A list, and beside it the order of what is in it.
class ListPair {
 public:
  explicit ListPair(std::uint64_t seed) : random_(seed) {}

  void append() {
    constexpr ptl_match_bits_t kIgnored[] = {0, 0, 0xf, 0xf0, ~0ULL};
    Entry entry;
    entry.match_bits = random_.below(64);
    entry.ignore_bits = kIgnored[random_.below(5)];
    entry.match_id.rank =
        random_.below(4) == 0 ? static_cast<ptl_rank_t>(random_.below(2)) : PTL_RANK_ANY;
    entry.region = Region(static_cast<void*>(nullptr), random_.below(10));
    entry.options = random_.below(3) == 0 ? PTL_ME_NO_TRUNCATE : 0;
    const std::uint32_t place = entries_.add(std::move(entry));
    list_.push_back(entries_, place);
    order_.push_back(place);
  }
  void remove() {
    if (order_.empty()) return;
    const auto which =
        std::next(order_.begin(), static_cast<std::ptrdiff_t>(random_.below(order_.size())));
    list_.remove(entries_, *which);
    entries_.remove(*which);
    order_.erase(which);
  }
  void look() {
    const Header header = header_of(random_.below(64), static_cast<std::uint32_t>(random_.below(3)),
                                    random_.below(10));
    std::uint32_t expected = kNone;
    for (const std::uint32_t place : order_) {
      if (expected == kNone && matches(entries_[place], header, true)) expected = place;
    }
    ASSERT_EQ(list_.first_match(entries_, header, true), expected);
  }
  void check_size() const { ASSERT_EQ(list_.size(), order_.size()); }
  bool coin() { return random_.below(2) == 0; }
  std::size_t size() const { return order_.size(); }

 private:
  RandomStream random_;
  EntryTable entries_;
  MatchList list_;
  std::list<std::uint32_t> order_;
};

// The list grows to 300 entries and shrinks to none, several times, by random steps.
TEST(MatchList, FindsTheFirstEntryHoweverLong) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ListPair pair(seed);
    for (int wave = 0; wave < 3; ++wave) {
      while (pair.size() < 300) {
        if (pair.coin() || pair.coin()) {
          pair.append();
        } else {
          pair.remove();
        }
        pair.look();
      }
      while (pair.size() > 0) {
        if (pair.coin() || pair.coin()) {
          pair.remove();
        } else {
          pair.append();
        }
        pair.look();
      }
      pair.check_size();
    }
  }
}

}  // namespace
}  // namespace heddle::portals
