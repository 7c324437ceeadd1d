#include "core/quantity.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

// 8 bits at 56 Gb/s take 142.857 ps. Rates held as whole ps per byte would give 142 ps a byte and
// 142 ms for a gigabyte, 0.6 % too little; it takes 8e9 / 56e9 s = 142,857,142,857 ps.
TEST(Bandwidth, IsNotRoundedPerByte) {
  EXPECT_EQ(Bandwidth::gbps(56).time_for(Bytes(1)), Time::ps(143));
  EXPECT_EQ(Bandwidth::gbps(56).time_for(Bytes(1'000)), Time::ps(142'857));
  EXPECT_EQ(Bandwidth::gbps(56).time_for(Bytes(1'000'000'000)), Time::ps(142'857'142'857));
}

// At 16 Tb/s a byte takes half a picosecond: halves go up, so 1 byte takes 1 ps, 2 take 1, 3
// take 2.
TEST(Bandwidth, RoundsHalvesUp) {
  const Bandwidth fast = Bandwidth::gbps(16'000);
  EXPECT_EQ(fast.time_for(Bytes(1)), Time::ps(1));
  EXPECT_EQ(fast.time_for(Bytes(2)), Time::ps(1));
  EXPECT_EQ(fast.time_for(Bytes(3)), Time::ps(2));
}

// Products beyond 64 bits: 1 TiB at 100 Gb/s takes 2^40 * 80 ps. Just below and above the size at
// which the arithmetic widens, a byte more takes 80 ps more.
TEST(Bandwidth, BigSizesAreExact) {
  const Bandwidth rate = Bandwidth::gbps(100);
  EXPECT_EQ(rate.time_for(Bytes(1LL << 40)), Time::ps((1LL << 40) * 80));
  for (const std::int64_t size : {(1 << 20) - 1, 1 << 20, (1 << 20) + 1}) {
    EXPECT_EQ(rate.time_for(Bytes(size)), Time::ps(size * 80));
  }
  EXPECT_EQ(Bandwidth::bits_per_second(7).time_for(Bytes(1 << 20)),
            Time::ps((8'388'608LL * 1'000'000'000'000 + 3) / 7));
}

// A terabyte at one bit per second is over 200,000 years: never, rather than a wrong number.
TEST(Bandwidth, TimesThatDoNotFitAreNever) {
  const Time eternity = Bandwidth::bits_per_second(1).time_for(Bytes(1'000'000'000'000));
  EXPECT_EQ(eternity, Time::never());
  EXPECT_EQ(eternity + Time::s(1), Time::never());
}

TEST(Bandwidth, NoLimitTakesNoTime) {
  EXPECT_EQ(Bandwidth::unlimited().time_for(Bytes(1LL << 50)), Time::zero());
  EXPECT_EQ(Bandwidth::gbps(1).time_for(Bytes(0)), Time::zero());
}

// The tighter of two limits is the smaller one, unless that is no limit at all.
TEST(Bandwidth, TighterKnowsThatZeroIsNoLimit) {
  const Bandwidth none = Bandwidth::unlimited();
  const Bandwidth slow = Bandwidth::gbps(1);
  const Bandwidth fast = Bandwidth::gbps(2);
  EXPECT_EQ(tighter(slow, fast), slow);
  EXPECT_EQ(tighter(fast, slow), slow);
  EXPECT_EQ(tighter(none, fast), fast);
  EXPECT_EQ(tighter(fast, none), fast);
  EXPECT_TRUE(tighter(none, none).is_unlimited());
}

TEST(Bandwidth, UnitsAgree) {
  EXPECT_EQ(Bandwidth::bytes_per_second(125'000'000), Bandwidth::gbps(1));
  EXPECT_DOUBLE_EQ(Bandwidth::gbps(100).bytes_per_ps(), 0.0125);
}

// Products that fit 64 bits, and those that do not, are rounded alike.
TEST(TimePerByte, IsRoundedAlikeWhateverItsSize) {
  for (const std::int64_t bytes : {1L << 20, (1L << 20) + 1, 1L << 30}) {
    for (const std::int64_t cost : {1'500'000L, 1L << 41, (1L << 41) + 1}) {
      EXPECT_EQ(TimePerByte::attoseconds(cost).time_for(Bytes(bytes)).ps(),
                rounded_quotient(static_cast<__int128>(bytes) * cost, 1'000'000));
    }
  }
}

// 0.04 ns/B is 40 ps/B: 1,000 bytes take 40 ns; 0.0005 ps/B rounds to 1 ps at 1,000 bytes.
TEST(TimePerByte, IsRoundedOncePerTransfer) {
  EXPECT_EQ(TimePerByte::attoseconds(40'000'000).time_for(Bytes(1'000)), Time::ns(40));
  EXPECT_EQ(TimePerByte::attoseconds(500).time_for(Bytes(1'000)), Time::ps(1));
  EXPECT_EQ(TimePerByte::attoseconds(499).time_for(Bytes(1'000)), Time::zero());
  EXPECT_EQ(TimePerByte::attoseconds(1).time_for(Bytes(1LL << 60)), Time::ps(1'152'921'504'607));
}

// Sums past 2^63 ps stay at never; differences are plain.
TEST(Time, SumsSaturate) {
  EXPECT_EQ(Time::never() + Time::ps(1), Time::never());
  EXPECT_EQ(Time::s(9'000'000) + Time::s(9'000'000), Time::never());
  EXPECT_EQ(Time::ns(3) + Time::ps(7) - Time::ns(1), Time::ps(2'007));
  EXPECT_EQ(Time::ns(3) * 4 / 6, Time::ns(2));
}

// 2^62 ps twice are 2^63, one more than there is: never. One picosecond less fits.
TEST(Time, ProductsSaturate) {
  EXPECT_EQ(Time::ps(1LL << 62) * 2, Time::never());
  EXPECT_EQ(Time::never() * 3, Time::never());
  EXPECT_EQ(Time::ps((1LL << 62) - 1) * 2, Time::ps(INT64_MAX - 1));
  EXPECT_EQ(Time::never() * 0, Time::zero());
}

// A real number of picoseconds is cut; what does not fit 63 bits, or is no number, is never.
TEST(Time, WholePicosecondsOfRealNumbers) {
  EXPECT_EQ(Time::whole_ps(0.99), Time::zero());
  EXPECT_EQ(Time::whole_ps(1234.5), Time::ps(1234));
  EXPECT_EQ(Time::whole_ps(0x1p62), Time::ps(1LL << 62));
  EXPECT_EQ(Time::whole_ps(0x1p63), Time::never());
  EXPECT_EQ(Time::whole_ps(1e300), Time::never());
  EXPECT_EQ(Time::whole_ps(std::numeric_limits<double>::quiet_NaN()), Time::never());
}

}  // namespace
}  // namespace heddle
