// Calls in little room: what is put in comes out, wherever it stands and whatever was changed.
#include "traces/call_list.hpp"

#include <gtest/gtest.h>

#include <random>

namespace heddle::traces {
namespace {

bool same(const Call& a, const Call& b) {
  return a.kind == b.kind && a.nonblocking == b.nonblocking && a.persistent == b.persistent &&
         a.synchronous == b.synchronous && a.detached == b.detached && a.buffered == b.buffered &&
         a.per_member == b.per_member && a.untyped == b.untyped && a.element == b.element &&
         a.line == b.line && a.comm == b.comm && a.start == b.start && a.end == b.end &&
         a.bytes == b.bytes && a.recv_bytes == b.recv_bytes && a.others == b.others &&
         a.buffer == b.buffer && a.recv_buffer == b.recv_buffer && a.request == b.request &&
         a.requests == b.requests && a.list == b.list && a.others_list == b.others_list &&
         a.peer == b.peer && a.source == b.source && a.tag == b.tag && a.recv_tag == b.recv_tag;
}

/// Any call there can be: small numbers, the largest and the smallest.
Call any_call(std::mt19937_64& random) {
  const auto number = [&]() -> std::uint64_t {
    switch (random() % 4) {
      case 0:
        return 0;
      case 1:
        return random() % 1000;
      case 2:
        return UINT64_MAX - random() % 3;
      default:
        return random();
    }
  };
  const auto flag = [&] { return random() % 2 != 0; };
  const auto small = [&] { return static_cast<std::int32_t>(number()); };
  Call call;
  call.kind = static_cast<CallKind>(random() % 28);
  call.nonblocking = flag();
  call.persistent = flag();
  call.synchronous = flag();
  call.detached = flag();
  call.buffered = flag();
  call.per_member = flag();
  call.untyped = flag();
  call.element = static_cast<std::uint8_t>(number());
  call.line = static_cast<std::uint32_t>(number());
  call.comm = static_cast<std::uint32_t>(number());
  call.start = static_cast<std::int64_t>(number());
  call.end = static_cast<std::int64_t>(number());
  call.bytes = number();
  call.recv_bytes = number();
  call.others = number();
  call.buffer = number();
  call.recv_buffer = number();
  call.request = number();
  call.requests = static_cast<std::uint32_t>(number());
  call.list = static_cast<std::uint32_t>(number());
  call.others_list = static_cast<std::uint32_t>(number());
  call.peer = small();
  call.source = small();
  call.tag = small();
  call.recv_tag = small();
  return call;
}

struct Both {
  CallList list;
  std::vector<Call> plain;
};
Both many(std::size_t calls) {
  std::mt19937_64 random(5);
  Both both;
  for (std::size_t i = 0; i < calls; ++i) {
    both.plain.push_back(any_call(random));
    both.list.push_back(both.plain.back());
  }
  return both;
}

void expect_same(const Both& both) {
  ASSERT_EQ(both.list.size(), both.plain.size());
  std::size_t i = 0;
  for (const Call& call : both.list) {
    ASSERT_TRUE(same(call, both.plain[i])) << i;
    ++i;
  }
}

// Three thousand calls with any values: one after another, backwards, and the last.
TEST(CallList, GivesWhatWasPut) {
  const Both both = many(3000);
  expect_same(both);
  for (std::size_t i = both.plain.size(); i-- > 0;) {
    ASSERT_TRUE(same(both.list[i], both.plain[i])) << i;
  }
  EXPECT_TRUE(same(both.list.back(), both.plain.back()));
  EXPECT_TRUE(CallList().empty());
}

// Calls that are changed stay so, near the end and far from it, when others are looked at and when
// all behind them are taken away.
TEST(CallList, KeepsChanges) {
  Both both = many(2000);
  for (const std::size_t i : {3UL, 4UL, 1999UL, 700UL, 3UL, 65UL}) {
    both.list.edit(i).bytes = both.plain[i].bytes = i + 17;
  }
  expect_same(both);
  both.list.edit(400).kind = both.plain[400].kind = CallKind::finalize;
  while (both.plain.size() > 401) {
    both.list.pop_back();
    both.plain.pop_back();
  }
  EXPECT_EQ(both.list.back().kind, CallKind::finalize);
  expect_same(both);
  for (int i = 0; i < 500; ++i) {
    both.plain.push_back(both.plain[7]);
    both.list.emplace_back() = both.plain[7];
  }
  expect_same(both);
}

// Only calls of the kinds asked for are visited, those that were changed to them, too.
TEST(CallList, FindsKinds) {
  CallList list;
  Call call;
  call.kind = CallKind::send;
  for (int i = 0; i < 5000; ++i) list.push_back(call);
  EXPECT_FALSE(list.has_any(set_of(CallKind::barrier, CallKind::reduce_scatter)));
  EXPECT_TRUE(list.has_any(set_of(CallKind::send)));
  list.edit(1234).kind = CallKind::bcast;
  list.edit(4990).kind = CallKind::barrier;
  std::vector<std::uint32_t> found;
  list.for_kinds(set_of(CallKind::barrier, CallKind::reduce_scatter),
                 [&](std::uint32_t i, const Call&) { found.push_back(i); });
  EXPECT_EQ(found, (std::vector<std::uint32_t>{1234, 4990}));
  EXPECT_FALSE(list.has_any(kOpenCalls));
  list.edit(10).synchronous = true;
  EXPECT_TRUE(list.has_any(kOpenCalls));
}

}  // namespace
}  // namespace heddle::traces
