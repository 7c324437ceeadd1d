// Entries of non-matching interfaces, and the arguments that entries of both kinds must have.
#include "portals/lists_support.hpp"

namespace heddle::portals {
namespace {

// The same on a non-matching interface: every entry matches.
TEST(ListEntries, WorkWithoutMatching) {
  Bed bed;
  bed.run([](std::uint32_t rank) {
    const Side side(PTL_NI_NO_MATCHING | PTL_NI_LOGICAL);
    std::string memory(8, rank == 0 ? 'x' : '.');
    if (rank == 0) {
      pause();
      const ptl_handle_md_t md = side.bind(memory.data(), 8);
      for (int i = 0; i < 3; ++i) EXPECT_OK(side.put(md, 1, 1, 99, 3));
      return pause(4);
    }
    const auto append = [&](const ptl_le_t& le, ptl_list_t list, std::uintptr_t who) {
      ptl_handle_le_t handle = 0;
      EXPECT_OK(PtlLEAppend(side.ni, kPortal, &le, list, user(who), &handle));
      return handle;
    };
    append(le_of(memory.data(), 8, kQuiet | PTL_LE_USE_ONCE), PTL_PRIORITY_LIST, 1);
    const ptl_handle_le_t spare = append(le_of(memory.data(), 8, kQuiet), PTL_OVERFLOW_LIST, 2);
    let_them_arrive();
    EXPECT_THAT(seen(side), ElementsAre(Pair(PTL_EVENT_PUT, 1), Pair(PTL_EVENT_AUTO_UNLINK, 1),
                                        Pair(PTL_EVENT_PUT, 2), Pair(PTL_EVENT_PUT, 2)));
    EXPECT_EQ(memory, "...x....");
    const ptl_le_t probe = le_of(nullptr, 0, PTL_LE_USE_ONCE);
    EXPECT_OK(PtlLESearch(side.ni, kPortal, &probe, PTL_SEARCH_ONLY, user(5)));
    EXPECT_OK(PtlLESearch(side.ni, kPortal, &probe, PTL_SEARCH_DELETE, user(6)));
    EXPECT_THAT(seen(side),
                ElementsAre(Pair(PTL_EVENT_SEARCH, 5), Pair(PTL_EVENT_PUT_OVERFLOW, 6)));
    EXPECT_EQ(PtlLEUnlink(spare), PTL_IN_USE);
    append(le_of(nullptr, 0, PTL_LE_OP_PUT), PTL_PRIORITY_LIST, 7);
    EXPECT_THAT(seen(side), ElementsAre(Pair(PTL_EVENT_PUT_OVERFLOW, 7), Pair(PTL_EVENT_LINK, 7)));
    EXPECT_OK(PtlLEUnlink(spare));
    EXPECT_EQ(PtlLEUnlink(spare), PTL_ARG_INVALID);
  });
}

/// An interface of each kind, and entries of nothing.
struct Both {
  Side matching;
  Side plain{PTL_NI_NO_MATCHING | PTL_NI_LOGICAL};
  ptl_me_t me = me_of(nullptr, 0, 0);
  ptl_le_t le = le_of(nullptr, 0, 0);
  ptl_handle_me_t handle = 0;

  int append(const Side& side, const ptl_me_t& what, ptl_list_t list = PTL_PRIORITY_LIST) {
    return PtlMEAppend(side.ni, kPortal, &what, list, nullptr, &handle);
  }
  int append(const Side& side, const ptl_le_t& what) {
    return PtlLEAppend(side.ni, kPortal, &what, PTL_PRIORITY_LIST, nullptr, &handle);
  }
};

void with_both(const std::function<void(Both&)>& body) {
  Bed bed(1);
  bed.run([&](std::uint32_t) {
    Both both;
    body(both);
  });
}

TEST(EntryArguments, OfAppendAreChecked) {
  with_both([](Both& both) {
    const auto& [matching, plain, me, le, handle] = both;
    const auto append_me = [&](ptl_pt_index_t portal, const ptl_me_t* what,
                               ptl_handle_me_t* where) {
      return PtlMEAppend(both.matching.ni, portal, what, PTL_PRIORITY_LIST, nullptr, where);
    };
    EXPECT_EQ(append_me(9, &me, &both.handle), PTL_ARG_INVALID);
    EXPECT_EQ(append_me(kPortal, nullptr, &both.handle), PTL_ARG_INVALID);
    EXPECT_EQ(append_me(kPortal, &me, nullptr), PTL_ARG_INVALID);
    EXPECT_EQ(both.append(plain, me), PTL_ARG_INVALID);
    EXPECT_EQ(both.append(matching, le), PTL_ARG_INVALID);
    EXPECT_EQ(both.append(matching, me, static_cast<ptl_list_t>(7)), PTL_ARG_INVALID);
    EXPECT_EQ(both.append(matching, me_of(nullptr, 0, 1U << 25)), PTL_ARG_INVALID);
    EXPECT_EQ(both.append(matching, me_of(nullptr, 2, PTL_IOVEC)), PTL_ARG_INVALID);
    EXPECT_EQ(both.append(plain, le_of(nullptr, 0, PTL_ME_MANAGE_LOCAL)), PTL_ARG_INVALID);
    ptl_me_t foreign = me;
    foreign.ct_handle = plain.counter();
    EXPECT_EQ(both.append(matching, foreign), PTL_ARG_INVALID);
  });
}

// A handle of one kind of entry is none of the other.
TEST(EntryArguments, OfUnlinkAreChecked) {
  with_both([](Both& both) {
    EXPECT_OK(both.append(both.plain, both.le));
    EXPECT_EQ(PtlMEUnlink(both.handle), PTL_ARG_INVALID);
    EXPECT_OK(PtlLEUnlink(both.handle));
    EXPECT_OK(both.append(both.matching, both.me));
    EXPECT_EQ(PtlLEUnlink(both.handle), PTL_ARG_INVALID);
  });
}

TEST(EntryArguments, OfSearchAreChecked) {
  with_both([](Both& both) {
    const auto me_search = [](const Side& side, const ptl_me_t* me, int what = PTL_SEARCH_ONLY) {
      return PtlMESearch(side.ni, kPortal, me, static_cast<ptl_search_op_t>(what), nullptr);
    };
    EXPECT_EQ(me_search(both.matching, nullptr), PTL_ARG_INVALID);
    EXPECT_EQ(me_search(both.matching, &both.me, 9), PTL_ARG_INVALID);
    EXPECT_EQ(me_search(both.plain, &both.me), PTL_ARG_INVALID);
    const auto le_search = [](const Side& side, const ptl_le_t* le) {
      return PtlLESearch(side.ni, kPortal, le, PTL_SEARCH_ONLY, nullptr);
    };
    EXPECT_EQ(le_search(both.plain, nullptr), PTL_ARG_INVALID);
    EXPECT_EQ(le_search(both.matching, &both.le), PTL_ARG_INVALID);
  });
}

}  // namespace
}  // namespace heddle::portals
