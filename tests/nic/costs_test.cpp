#include "nic/costs.hpp"

#include <gtest/gtest.h>

#include "engine_bed.hpp"

namespace heddle::nic {
namespace {

using network::Instant;

/// 200 ns and what of the payload is in one packet of 512 B at 15.75 GB/s; nothing for nothing, and
/// nothing where the bus costs nothing.
TEST(Costs, OfTheFirstPacket) {
  EngineBed bed;
  EXPECT_EQ(bed.costs().stream_time(Bytes(0)), Time::zero());
  EXPECT_EQ(bed.costs().stream_time(Bytes(512)), Time::ps(232'508));
  EXPECT_EQ(bed.costs().stream_time(Bytes(1 << 20)), Time::ps(232'508));
  bed.params.pci = false;
  EXPECT_EQ(bed.costs().stream_time(Bytes(512)), Time::zero());
}

/// 250 ns and 0.1 ns per byte of the last packet.
TEST(Costs, OfTheLastPacketToMemory) {
  EngineBed bed;
  EXPECT_EQ(bed.costs().write_time(Bytes(8)), Time::ps(250'800));
  EXPECT_EQ(bed.costs().write_time(Bytes(4096)), Time::ps(301'200));
}

/// Beside match bits a command holds 8 B, without them 16; the processor writes up to 408 or 416 B
/// of a volatile descriptor, and never for a get or a triggered request.
TEST(Costs, DependOnTheWayOfThePayload) {
  EngineBed bed;
  Request request = bed.begin(Operation::put, 8).request;
  request.buffered = true;
  const auto pio = [&](std::int64_t size, bool matching) {
    request.payload = Bytes(size);
    request.matching = matching;
    return bed.costs().uses_pio(request);
  };
  EXPECT_FALSE(pio(8, true));
  EXPECT_TRUE(pio(9, true));
  EXPECT_TRUE(pio(408, true));
  EXPECT_FALSE(pio(409, true));
  EXPECT_FALSE(pio(16, false));
  EXPECT_TRUE(pio(17, false));
  EXPECT_TRUE(pio(416, false));
  request.triggered = true;
  EXPECT_FALSE(pio(100, true));
}

/// A put of 65 B is read from memory, and its engine waits until it has left; one of 64 B does not
/// wait, for the adapter keeps it; a get request of 64 B is waited for until it is delivered, or
/// until it has left if engines need not wait for delivery.
TEST(Costs, SayWhatAnEngineWaitsFor) {
  EngineBed bed;
  const auto request = [&](Operation operation, std::int64_t size) -> Message& {
    return bed.exchanges.make_message(bed.begin(operation, size), MessageKind::request);
  };
  EXPECT_TRUE(bed.costs().reads_memory(request(Operation::put, 65)));
  EXPECT_FALSE(bed.costs().reads_memory(request(Operation::put, 8)));
  EXPECT_EQ(bed.costs().awaited(request(Operation::put, 65)), Instant::injected);
  EXPECT_EQ(bed.costs().awaited(request(Operation::put, 64)), std::nullopt);
  EXPECT_EQ(bed.costs().awaited(request(Operation::get, 0)), Instant::tail);
  EXPECT_EQ(bed.costs().wire_size(request(Operation::get, 0)), Bytes(64));
  bed.params.wait_for_delivery = false;
  EXPECT_EQ(bed.costs().awaited(request(Operation::get, 0)), Instant::injected);
}

}  // namespace
}  // namespace heddle::nic
