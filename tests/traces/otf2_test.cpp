// OTF2 archives: events made into calls, sizes of collectives, archives written by the library and
// read again, and damaged ones.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "error_of.hpp"
#include "temporary_folder.hpp"
#include "traces/convert_support.hpp"
#include "traces/readers/otf2_archive.hpp"
#include "traces/readers/otf2_calls.hpp"
#include "traces/readers/otf2_receives.hpp"
#include "traces/readers/otf2_sizes.hpp"
#include "traces/readers/trace_reader.hpp"

#ifdef HEDDLE_OTF2
#include <otf2/otf2.h>
#endif

namespace heddle::traces {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

/// Two ranks, whose ticks are microseconds.
Otf2Definitions two_ranks(bool eztrace = false) {
  Otf2Definitions d;
  d.ticks_per_second = 1'000'000;
  d.begin = 100;
  d.locations = {5, 6};
  const char* const names[] = {"main",         "MPI_Send",      "MPI_Recv",    "MPI_Isend",
                               "MPI_Irecv",    "MPI_Wait",      "MPI_Waitall", "MPI_Sendrecv",
                               "MPI_Alltoall", "MPI_Ssend",     "MPI_Put",     "MPI_Comm_rank",
                               "MPI_Init",     "MPI_Iallreduce"};
  for (std::uint32_t i = 0; i < std::size(names); ++i) d.regions[i] = names[i];
  d.comms[3].members = {0, 1};
  d.comms[4].self = true;
  d.comms[9].members = {1, 0};
  d.eztrace = eztrace;
  return d;
}
enum Otf2Region : std::uint32_t {
  kInMain,
  kInSend,
  kInRecv,
  kInIsend,
  kInIrecv,
  kInWait,
  kInWaitall,
  kInSendrecv,
  kInAlltoall,
  kInSsend,
  kInPut,
  kInCommRank,
  kInInit,
  kInIallreduce
};

/// Otf2Events of one rank, one tick apart.
class Otf2Events {
 public:
  Otf2Events& in(std::uint32_t region) { return add(Otf2Event::Kind::enter).with_region(region); }
  Otf2Events& out() { return add(Otf2Event::Kind::leave); }
  Otf2Events& add(Otf2Event::Kind kind) {
    Otf2Event event;
    event.kind = kind;
    event.number = list_.size() + 1;
    event.time = 100 + list_.size();
    event.comm = 3;
    list_.push_back(event);
    return *this;
  }
  Otf2Events& with_region(std::uint32_t region) {
    return set([&](Otf2Event& e) { e.region = region; });
  }
  Otf2Events& peer(std::uint32_t p) {
    return set([&](Otf2Event& e) { e.peer = p; });
  }
  Otf2Events& tag(std::uint32_t t) {
    return set([&](Otf2Event& e) { e.tag = t; });
  }
  Otf2Events& comm(std::uint32_t c) {
    return set([&](Otf2Event& e) { e.comm = c; });
  }
  Otf2Events& bytes(std::uint64_t b) {
    return set([&](Otf2Event& e) { e.bytes = b; });
  }
  Otf2Events& received(std::uint64_t b) {
    return set([&](Otf2Event& e) { e.received = b; });
  }
  Otf2Events& request(std::uint64_t r) {
    return set([&](Otf2Event& e) { e.request = r; });
  }
  Otf2Events& operation(Otf2Operation o) {
    return set([&](Otf2Event& e) { e.operation = o; });
  }
  const std::vector<Otf2Event>& list() const { return list_; }

 private:
  template <class Change>
  Otf2Events& set(Change change) {
    change(list_.back());
    return *this;
  }
  std::vector<Otf2Event> list_;
};

Trace otf2_trace(const Otf2Definitions& definitions, const std::vector<Otf2Events>& ranks) {
  std::vector<Otf2Rank> read;
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    Otf2Calls calls("rank" + std::to_string(r), definitions, r);
    for (const Otf2Event& event : ranks[r].list()) calls.add(event);
    read.push_back(calls.finish());
  }
  find_messages(definitions, read);
  Trace trace;
  trace.agreed_handles = true;
  for (Otf2Rank& rank : read) trace.ranks.push_back(std::move(rank.trace));
  return trace;
}

Conversion converted(const Otf2Definitions& definitions, const std::vector<Otf2Events>& ranks) {
  return convert(otf2_trace(definitions, ranks), defaults());
}

// A blocking message: the ticks of the sender are 1 us, the send is entered two after the
// beginning, so 2 us of work are before it. The receiver's rank is that in the communicator, which
// has the ranks the other way round.
TEST(Otf2Calls, BlockingMessages) {
  Otf2Events sender, receiver;
  sender.in(kInMain)
      .in(kInCommRank)
      .out()
      .in(kInSend)
      .add(Otf2Event::Kind::send)
      .peer(0)
      .comm(9)
      .tag(7)
      .bytes(40)
      .out()
      .out();
  receiver.in(kInRecv).add(Otf2Event::Kind::recv).peer(1).comm(9).tag(7).bytes(40).out();
  const Conversion made = converted(two_ranks(), {sender, receiver});
  EXPECT_THAT(ops(made.schedule, 0), ElementsAre("calc 3", HasSubstr("send 40 to 1"), "calc 1"));
  EXPECT_THAT(ops(made.schedule, 1), ElementsAre(HasSubstr("recv 40 from 0")));
  EXPECT_THAT(made.report.warnings, IsEmpty());
}

// What MPI_Init takes is before time 0.
TEST(Otf2Calls, TimeBeginsWhereMpiIsReady) {
  Otf2Events rank;
  rank.in(kInInit).out().in(kInSend).add(Otf2Event::Kind::send).peer(1).bytes(1).out();
  const Trace trace = otf2_trace(two_ranks(), {rank, Otf2Events()});
  ASSERT_EQ(trace.ranks[0].calls.size(), 2U);
  EXPECT_EQ(trace.ranks[0].calls[0].start, 1'000'000);
  EXPECT_EQ(trace.ranks[0].calls[0].end, 3'000'000);
}

// A receive that was posted gets its message from the event of its end, and the call in which that
// is waits for it.
TEST(Otf2Calls, NonBlockingMessages) {
  Otf2Events sender, receiver;
  sender.in(kInIsend).add(Otf2Event::Kind::isend).peer(1).tag(2).bytes(8).request(77).out();
  sender.in(kInWait).add(Otf2Event::Kind::isend_complete).request(77).out();
  receiver.in(kInIrecv).add(Otf2Event::Kind::irecv_request).request(4).out();
  receiver.in(kInWaitall).add(Otf2Event::Kind::irecv).peer(0).tag(2).bytes(8).request(4).out();
  const Trace trace = otf2_trace(two_ranks(), {sender, receiver});
  const CallList& calls = trace.ranks[1].calls;
  ASSERT_EQ(calls.size(), 3U);
  EXPECT_TRUE(calls[0].kind == CallKind::recv && calls[0].nonblocking);
  EXPECT_EQ(calls[0].peer, 0);
  EXPECT_EQ(calls[0].tag, 2);
  EXPECT_EQ(calls[0].bytes, 8U);
  EXPECT_EQ(calls[1].kind, CallKind::wait);
  EXPECT_EQ(calls[1].list, kNoList);
  EXPECT_EQ(calls[1].request, 4U);
  EXPECT_THAT(convert(trace, defaults()).report.warnings, IsEmpty());
}

TEST(Otf2Calls, BothDirectionsAtOnce) {
  Otf2Events a, b;
  a.in(kInSendrecv)
      .add(Otf2Event::Kind::send)
      .peer(1)
      .tag(1)
      .bytes(10)
      .add(Otf2Event::Kind::recv)
      .peer(1)
      .tag(1)
      .bytes(20)
      .out();
  b.in(kInSendrecv)
      .add(Otf2Event::Kind::send)
      .peer(0)
      .tag(1)
      .bytes(20)
      .add(Otf2Event::Kind::recv)
      .peer(0)
      .tag(1)
      .bytes(10)
      .out();
  const Conversion made = converted(two_ranks(), {a, b});
  EXPECT_THAT(messages(made.schedule, 0),
              ElementsAre("send 10 to 1 tag 1", "recv 20 from 1 tag 1"));
  EXPECT_THAT(made.report.warnings, IsEmpty());
}

TEST(Otf2Calls, SynchronousSendsAreToldByTheirNames) {
  Otf2Events a, b;
  a.in(kInSsend).add(Otf2Event::Kind::send).peer(1).bytes(10).out();
  b.in(kInRecv).add(Otf2Event::Kind::recv).peer(0).bytes(10).out();
  EXPECT_TRUE(otf2_trace(two_ranks(), {a, b}).ranks[0].calls[0].synchronous);
}

// Every member sends 24 bytes to all three... of two ranks: 48 are 24 for each.
TEST(Otf2Calls, CollectivesOfAllMembers) {
  Otf2Events rank;
  rank.in(kInAlltoall)
      .add(Otf2Event::Kind::collective)
      .operation(Otf2Operation::alltoall)
      .bytes(48)
      .received(48)
      .out();
  const Conversion made = converted(two_ranks(), {rank, rank});
  EXPECT_THAT(messages(made.schedule, 0), ElementsAre(HasSubstr("24 "), HasSubstr("24 ")));
}

// A nonblocking collective belongs where it was begun, though its sizes come at its end.
TEST(Otf2Calls, NonBlockingCollectives) {
  Otf2Events rank;
  rank.in(kInIallreduce).add(Otf2Event::Kind::icollective).request(9).out();
  rank.in(kInAlltoall)
      .add(Otf2Event::Kind::collective)
      .operation(Otf2Operation::alltoall)
      .bytes(2)
      .received(2)
      .out();
  rank.in(kInWait)
      .add(Otf2Event::Kind::icollective_end)
      .operation(Otf2Operation::allreduce)
      .bytes(16)
      .received(16)
      .request(9)
      .out();
  const Trace trace = otf2_trace(two_ranks(), {rank, rank});
  EXPECT_EQ(trace.ranks[0].calls[0].kind, CallKind::allreduce);
  EXPECT_EQ(trace.ranks[0].calls[0].bytes, 8U);
  EXPECT_EQ(trace.ranks[0].calls[1].kind, CallKind::alltoall);
  EXPECT_EQ(convert(trace, defaults()).report.collectives, 4U);
}

// What calls say nothing of, or a schedule cannot express, is counted.
TEST(Otf2Calls, WhatIsMissingIsListed) {
  Otf2Events rank;
  rank.in(kInPut).out().in(kInSendrecv).out().in(kInSendrecv).out().in(kInCommRank).out();
  rank.in(kInIallreduce).add(Otf2Event::Kind::icollective).request(9).out();
  rank.in(kInSend).add(Otf2Event::Kind::send).comm(12).bytes(3).out();
  const auto warnings = converted(two_ranks(), {rank, Otf2Events()}).report.warnings;
  EXPECT_THAT(warnings, Contains(Pair(HasSubstr("MPI_Put without its messages"), 1)));
  EXPECT_THAT(warnings, Contains(Pair(HasSubstr("MPI_Sendrecv without its messages"), 2)));
  EXPECT_THAT(warnings, Contains(Pair(HasSubstr("MPI_Iallreduce without its end"), 1)));
  EXPECT_THAT(warnings, Contains(Pair(HasSubstr("that the trace does not define"), 1)));
}

TEST(Otf2Calls, RefusesWhatContradictsTheDefinitions) {
  const auto error = [](const Otf2Events& events) {
    return heddle::error_of([&] { otf2_trace(two_ranks(), {events}); });
  };
  EXPECT_THAT(error(Otf2Events().in(kInSend).add(Otf2Event::Kind::send).peer(2)),
              HasSubstr("rank0:2: '2' is no rank of the communicator: accepted are 0 to 1"));
  EXPECT_THAT(error(Otf2Events().out()),
              HasSubstr("rank0:1: a region is left that was not entered"));
}

// EZTrace leaves out what receives get and when requests are complete. The rank has two messages
// that no other receive got; the one that was sent first is that of the first receive.
TEST(Otf2Calls, ReceivesThatEztraceTellsNothingOf) {
  Otf2Events sender, receiver;
  sender.in(kInSend).add(Otf2Event::Kind::send).peer(1).tag(5).bytes(50).out();
  sender.in(kInSend).add(Otf2Event::Kind::send).peer(1).tag(6).bytes(60).out();
  sender.in(kInSend).add(Otf2Event::Kind::send).peer(1).tag(7).bytes(70).out();
  receiver.in(kInIrecv).add(Otf2Event::Kind::irecv_request).request(1).out();
  receiver.in(kInIrecv).add(Otf2Event::Kind::irecv_request).request(2).out();
  receiver.in(kInRecv).add(Otf2Event::Kind::recv).peer(0).tag(6).bytes(60).out();
  receiver.in(kInWaitall).out();
  receiver.in(kInIrecv).add(Otf2Event::Kind::irecv_request).request(1).out().in(kInWait).out();
  const Conversion made = converted(two_ranks(true), {sender, receiver});
  EXPECT_THAT(messages(made.schedule, 1),
              ElementsAre("recv 50 from 0 tag 5", "recv 70 from 0 tag 7", "recv 60 from 0 tag 6"));
  EXPECT_THAT(dependencies(made.schedule, 1), Contains(HasSubstr("after recv 70 from 0 tag 7")));
  EXPECT_THAT(made.report.warnings, Contains(Pair(HasSubstr("whose message the trace"), 2)));
  EXPECT_THAT(made.report.warnings, Contains(Pair(HasSubstr("no message is left for"), 1)));
  EXPECT_THAT(made.report.warnings, Contains(Pair(HasSubstr("do not say for which requests"), 2)));
}

// Four ranks on a ring, each with two rounds of messages to and from both sides. By their clocks,
// ranks 0 and 3 were through before the others began, so that each would have waited in its first
// round for both messages of the other, of which one is sent in the second: as that cannot be, the
// first round has one message of each side. A collective in between is waited for as well.
TEST(Otf2Calls, MessagesComeWhenTheyMayHaveBeenSent) {
  Otf2Definitions definitions = two_ranks(true);
  definitions.locations = {5, 6, 7, 8};
  definitions.comms[3].members = {0, 1, 2, 3};
  std::vector<Otf2Events> ranks(4);
  for (std::uint32_t r = 0; r < 4; ++r) {
    const bool late = r == 1 || r == 2;
    for (int i = 0; i < (late ? 500 : 1); ++i) ranks[r].in(kInMain).out();
    for (const std::uint32_t round : {1U, 2U}) {
      for (const std::uint64_t side : {1UL, 3UL}) {
        ranks[r].in(kInIrecv).add(Otf2Event::Kind::irecv_request).request(side).out();
      }
      for (const std::uint32_t side : {1U, 3U}) {
        const std::uint64_t request = 10 + side;
        ranks[r].in(kInIsend).add(Otf2Event::Kind::isend).request(request);
        ranks[r].peer((r + side) % 4).tag(round).bytes(8).out();
      }
      ranks[r].in(kInWaitall).out();
      if (round == 1) {
        ranks[r].in(kInAlltoall).add(Otf2Event::Kind::collective).bytes(4).received(4);
        ranks[r].operation(Otf2Operation::alltoall).out();
      }
    }
  }
  const Conversion made = converted(definitions, ranks);
  EXPECT_THAT(check(made.schedule), IsEmpty());
  const std::vector<std::string> all = messages(made.schedule, 0);
  ASSERT_GE(all.size(), 4U);
  EXPECT_THAT(std::vector(all.begin(), all.begin() + 2),
              testing::UnorderedElementsAre("recv 8 from 1 tag 1", "recv 8 from 3 tag 1"));
}

// 4 members with 10 bytes each: what Score-P counts is what goes to all of them.
TEST(Otf2Sizes, OfEveryOperation) {
  using enum Otf2Operation;
  const auto bytes = [](Otf2Operation operation, std::uint64_t sent, std::uint64_t received,
                        std::uint64_t member, bool own = false) {
    return member_bytes({operation, sent, received, 4, member, own});
  };
  for (const Otf2Operation all : {allgather, allreduce, alltoall}) {
    EXPECT_EQ(bytes(all, 40, 40, 2), 10U);
    EXPECT_EQ(bytes(all, 30, 30, 2), 10U) << "in place";
    EXPECT_EQ(bytes(all, 10, 10, 2, true), 10U) << "EZTrace";
  }
  EXPECT_EQ(bytes(bcast, 40, 10, 0), 10U) << "the root";
  EXPECT_EQ(bytes(bcast, 0, 10, 1), 10U);
  EXPECT_EQ(bytes(scatter, 40, 10, 0), 10U);
  EXPECT_EQ(bytes(scatter, 30, 0, 0), 10U) << "the root, in place";
  EXPECT_EQ(bytes(reduce, 10, 40, 0), 10U);
  EXPECT_EQ(bytes(reduce, 0, 30, 0), 10U) << "the root, in place";
  EXPECT_EQ(bytes(gatherv, 10, 0, 1), 10U);
  EXPECT_EQ(bytes(scan, 30, 20, 1), 10U) << "to itself and the two behind it";
  EXPECT_EQ(bytes(scan, 20, 10, 1), 10U) << "in place";
  EXPECT_EQ(bytes(exscan, 0, 30, 3), 10U);
  EXPECT_EQ(bytes(reduce_scatter_block, 40, 40, 1), 10U);
}

#ifdef HEDDLE_OTF2

OTF2_FlushType flush_always(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
  return OTF2_FLUSH;
}

class Otf2Archives : public testing::Test {
 protected:
  Otf2Archives() { write(); }

  std::string path(const std::string& name) const { return folder_ / name; }
  std::string error() const {
    return heddle::error_of([&] { read_traces(path("app.otf2")); });
  }

 private:
  /// Two ranks at locations 4 and 8. Their own numbers of the region and the communicator are
  /// others than those of the archive; the clock has ten ticks a microsecond.
  void write() const {
    OTF2_Archive* const archive =
        OTF2_Archive_Open(folder_.path().c_str(), "app", OTF2_FILEMODE_WRITE, 1 << 20, 1 << 20,
                          OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    static const OTF2_FlushCallbacks flush = {flush_always, nullptr};
    OTF2_Archive_SetFlushCallbacks(archive, &flush, nullptr);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_Archive_OpenEvtFiles(archive);
    OTF2_Archive_OpenDefFiles(archive);
    for (const std::uint64_t location : {4, 8}) write_location(archive, location);
    OTF2_Archive_CloseDefFiles(archive);
    OTF2_Archive_CloseEvtFiles(archive);
    write_definitions(OTF2_Archive_GetGlobalDefWriter(archive));
    OTF2_Archive_Close(archive);
  }
  static void write_location(OTF2_Archive* archive, std::uint64_t location) {
    OTF2_EvtWriter* const out = OTF2_Archive_GetEvtWriter(archive, location);
    const std::uint32_t own_region = 0;
    OTF2_EvtWriter_Enter(out, nullptr, 1000, own_region);
    if (location == 4) {
      OTF2_EvtWriter_MpiSend(out, nullptr, 1010, 1, 0, 5, 123);
    } else {
      OTF2_EvtWriter_MpiRecv(out, nullptr, 1040, 0, 0, 5, 123);
    }
    OTF2_EvtWriter_Leave(out, nullptr, 1050, own_region);
    OTF2_EvtWriter_RmaPut(out, nullptr, 1060, 0, 0, 0, 0);
    OTF2_Archive_CloseEvtWriter(archive, out);
    OTF2_DefWriter* const own = OTF2_Archive_GetDefWriter(archive, location);
    for (const auto& [type, to] :
         {std::pair<OTF2_MappingType, std::uint64_t>{OTF2_MAPPING_REGION, location == 4 ? 1 : 2},
          {OTF2_MAPPING_COMM, 6}}) {
      OTF2_IdMap* const map = OTF2_IdMap_CreateFromUint64Array(1, &to, false);
      OTF2_DefWriter_WriteMappingTable(own, type, map);
      OTF2_IdMap_Free(map);
    }
    OTF2_Archive_CloseDefWriter(archive, own);
  }
  static void write_definitions(OTF2_GlobalDefWriter* out) {
    OTF2_GlobalDefWriter_WriteClockProperties(out, 10'000'000, 0, 2000, OTF2_UNDEFINED_TIMESTAMP);
    const char* const texts[] = {"", "MPI_Send", "MPI_Recv"};
    for (std::uint32_t i = 0; i < std::size(texts); ++i) {
      OTF2_GlobalDefWriter_WriteString(out, i, texts[i]);
      OTF2_GlobalDefWriter_WriteRegion(out, i, i, i, 0, OTF2_REGION_ROLE_FUNCTION,
                                       OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, 0, 0, 0);
    }
    OTF2_GlobalDefWriter_WriteSystemTreeNode(out, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    OTF2_GlobalDefWriter_WriteLocationGroup(out, 0, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                            OTF2_UNDEFINED_LOCATION_GROUP);
    for (const std::uint64_t location : {4, 8}) {
      OTF2_GlobalDefWriter_WriteLocation(out, location, 0, OTF2_LOCATION_TYPE_CPU_THREAD, 4, 0);
    }
    const std::uint64_t locations[] = {4, 8};
    const std::uint64_t ranks[] = {0, 1};
    OTF2_GlobalDefWriter_WriteGroup(out, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, 2, locations);
    OTF2_GlobalDefWriter_WriteGroup(out, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, 2, ranks);
    OTF2_GlobalDefWriter_WriteComm(out, 6, 0, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  }

  TemporaryFolder folder_;
};

// The file of its anchor, or the folder with that; numbers of each location mean what its own
// definitions say. The send takes 5 us, and so does the receive.
TEST_F(Otf2Archives, AreReadByTheirAnchorOrFolder) {
  for (const std::string& name : {path("app.otf2"), path("")}) {
    const Trace trace = read_traces(name);
    ASSERT_EQ(trace.ranks.size(), 2U);
    const Call& send = trace.ranks[0].calls[0];
    EXPECT_EQ(send.kind, CallKind::send);
    EXPECT_EQ(send.peer, 1);
    EXPECT_EQ(send.tag, 5);
    EXPECT_EQ(send.bytes, 123U);
    EXPECT_EQ(send.duration(), 5'000'000);
    EXPECT_EQ(trace.ranks[1].calls[0].kind, CallKind::recv);
    const Conversion made = convert(trace, defaults());
    EXPECT_THAT(made.report.warnings, ElementsAre(Pair("one-sided operations, passed over", 2)));
  }
}

// A file that ends early is named, with the byte, unless what is there happens to look like an end;
// the last of the archive first, as the others are read before.
TEST_F(Otf2Archives, EveryTruncationIsNamed) {
  for (const char* name : {"app/8.evt", "app.def"}) {
    std::ostringstream text;
    text << std::ifstream(path(name), std::ios::binary).rdbuf();
    const std::string bytes = text.str();
    for (std::size_t size = bytes.size(); size-- > 0;) {
      std::filesystem::resize_file(path(name), size);
      if (bytes.substr(0, size).ends_with("\2\1")) continue;
      ASSERT_THAT(error(), testing::AllOf(HasSubstr(name), HasSubstr("breaks off at byte"),
                                          HasSubstr(std::to_string(size))));
    }
  }
  std::filesystem::resize_file(path("app.otf2"), 20);
  EXPECT_THAT(error(), HasSubstr("app.otf2: this is no whole OTF2 archive"));
}

TEST_F(Otf2Archives, MissingFilesAreNamed) {
  std::filesystem::remove(path("app/8.evt"));
  EXPECT_THAT(error(), HasSubstr("app/8.evt: this file of the OTF2 archive is missing"));
}

#endif

}  // namespace
}  // namespace heddle::traces
