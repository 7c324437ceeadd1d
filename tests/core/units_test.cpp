#include "core/units.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

// One of each unit, in picoseconds.
TEST(Units, EveryTimeUnit) {
  EXPECT_EQ(parse_time("1ps"), Time::ps(1));
  EXPECT_EQ(parse_time("1ns"), Time::ns(1));
  EXPECT_EQ(parse_time("1us"), Time::us(1));
  EXPECT_EQ(parse_time("1\u00b5s"), Time::us(1));
  EXPECT_EQ(parse_time("1\u03bcs"), Time::us(1));
  EXPECT_EQ(parse_time("1ms"), Time::ms(1));
  EXPECT_EQ(parse_time("1s"), Time::s(1));
  EXPECT_EQ(parse_time("1min"), Time::s(60));
  EXPECT_EQ(parse_time("1h"), Time::s(3600));
}

// Decimal units are powers of 1000, binary ones of 1024; a bare number counts bytes.
TEST(Units, EveryByteUnit) {
  EXPECT_EQ(parse_bytes("17"), Bytes(17));
  EXPECT_EQ(parse_bytes("17B"), Bytes(17));
  EXPECT_EQ(parse_bytes("1kB"), Bytes(1'000));
  EXPECT_EQ(parse_bytes("1KB"), Bytes(1'000));
  EXPECT_EQ(parse_bytes("1MB"), Bytes(1'000'000));
  EXPECT_EQ(parse_bytes("1GB"), Bytes(1'000'000'000));
  EXPECT_EQ(parse_bytes("1TB"), Bytes(1'000'000'000'000));
  EXPECT_EQ(parse_bytes("1KiB"), Bytes(1'024));
  EXPECT_EQ(parse_bytes("1MiB"), Bytes(1'048'576));
  EXPECT_EQ(parse_bytes("1GiB"), Bytes(1'073'741'824));
  EXPECT_EQ(parse_bytes("1TiB"), Bytes(1'099'511'627'776));
}

std::int64_t bps(std::string_view text) {
  const auto bandwidth = parse_bandwidth(text);
  return bandwidth ? bandwidth->bits_per_second() : -1;
}

// Bits with a small b, bytes (eight times as many) with a capital one; "/s" and "ps" are the same,
// and so are "b/s" and "bit/s", a small k and a capital one.
TEST(Units, EveryBandwidthUnit) {
  EXPECT_EQ(bps("1bps"), 1);
  EXPECT_EQ(bps("1b/s"), 1);
  EXPECT_EQ(bps("1kbps"), 1'000);
  EXPECT_EQ(bps("1Mb/s"), 1'000'000);
  EXPECT_EQ(bps("1Gbps"), 1'000'000'000);
  EXPECT_EQ(bps("1Tbps"), 1'000'000'000'000);
  EXPECT_EQ(bps("100Gbit/s"), 100'000'000'000);
  EXPECT_EQ(bps("100 Gb/s"), 100'000'000'000);
  EXPECT_EQ(bps("1Mibit/s"), 1'048'576);
  EXPECT_EQ(bps("1Kbps"), 1'000);
  EXPECT_EQ(bps("1KB/s"), 8'000);
  EXPECT_EQ(bps("1Bps"), 8);
  EXPECT_EQ(bps("1kB/s"), 8'000);
  EXPECT_EQ(bps("1MBps"), 8'000'000);
  EXPECT_EQ(bps("12.5GB/s"), 100'000'000'000);
  EXPECT_EQ(bps("1TBps"), 8'000'000'000'000);
  EXPECT_EQ(bps("1Kibps"), 1'024);
  EXPECT_EQ(bps("1Mibps"), 1'048'576);
  EXPECT_EQ(bps("1Gib/s"), 1'073'741'824);
  EXPECT_EQ(bps("1Tibps"), 1'099'511'627'776);
  EXPECT_EQ(bps("1KiBps"), 8'192);
  EXPECT_EQ(bps("1MiB/s"), 8'388'608);
  EXPECT_EQ(bps("1GiBps"), 8'589'934'592);
  EXPECT_EQ(bps("1TiB/s"), 8'796'093'022'208);
  EXPECT_TRUE(parse_bandwidth(" unlimited ")->is_unlimited());
}

TEST(Units, EverySpeedUnit) {
  EXPECT_EQ(parse_speed("3f"), Speed::flops(3));
  EXPECT_EQ(parse_speed("3kf"), Speed::flops(3'000));
  EXPECT_EQ(parse_speed("3Mf"), Speed::flops(3'000'000));
  EXPECT_EQ(parse_speed("2.5Gf"), Speed::flops(2'500'000'000));
  EXPECT_EQ(parse_speed("3Tf"), Speed::flops(3'000'000'000'000));
  EXPECT_EQ(parse_speed("3Pf"), Speed::flops(3'000'000'000'000'000));
}

// 0.04 ns/B is 40 ps, or 40,000,000 as, per byte; "/B" may be left out.
TEST(Units, TimesPerByte) {
  EXPECT_EQ(parse_time_per_byte("0.04ns/B"), TimePerByte::attoseconds(40'000'000));
  EXPECT_EQ(parse_time_per_byte("0.000001ps/B"), TimePerByte::attoseconds(1));
  EXPECT_EQ(parse_time_per_byte("1\u00b5s/B"), TimePerByte::attoseconds(1'000'000'000'000));
  EXPECT_EQ(parse_time_per_byte("1us"), TimePerByte::attoseconds(1'000'000'000'000));
  EXPECT_EQ(parse_time_per_byte("1s/B"), TimePerByte::attoseconds(1'000'000'000'000'000'000));
  EXPECT_FALSE(parse_time_per_byte("1min/B"));
  EXPECT_FALSE(parse_time_per_byte("1ns/b"));
}

// A count is a whole number once its suffix is applied.
TEST(Units, Counts) {
  EXPECT_EQ(parse_count("0"), 0);
  EXPECT_EQ(parse_count("16"), 16);
  EXPECT_EQ(parse_count("2k"), 2'000);
  EXPECT_EQ(parse_count("2.5k"), 2'500);
  EXPECT_EQ(parse_count("3M"), 3'000'000);
  EXPECT_EQ(parse_count("4G"), 4'000'000'000);
  EXPECT_EQ(parse_count("1e3"), 1'000);
  EXPECT_FALSE(parse_count("2.5"));
  EXPECT_FALSE(parse_count("2.5555k"));
  EXPECT_FALSE(parse_count("-1"));
  EXPECT_FALSE(parse_count("1K"));
}

TEST(Units, RatiosAndFlags) {
  EXPECT_EQ(parse_ratio("0.9"), 0.9);
  EXPECT_EQ(parse_ratio("90%"), 0.9);
  EXPECT_EQ(parse_ratio(" 90 % "), 0.9);
  for (const char* bad : {"", "-0.5", "nan", "inf", "0.9x", "0x10", "1e999", "%"}) {
    EXPECT_FALSE(parse_ratio(bad)) << bad;
  }
  for (const char* yes : {"yes", "true", "on", "1"}) EXPECT_EQ(parse_flag(yes), true) << yes;
  for (const char* no : {"no", "false", "off", "0"}) EXPECT_EQ(parse_flag(no), false) << no;
  EXPECT_FALSE(parse_flag("maybe"));
}

// Decimal figures are exact: 0.1 us is 100,000 ps although 0.1 is no binary fraction, and every
// digit of a long figure counts.
TEST(Units, DecimalFiguresAreExact) {
  EXPECT_EQ(parse_time("0.1us"), Time::ps(100'000));
  EXPECT_EQ(parse_time("123456.789012345678s"), Time::ps(123'456'789'012'345'678));
  EXPECT_EQ(parse_time("1e-9s"), Time::ns(1));
  EXPECT_EQ(parse_time("2.5E+3ns"), Time::ps(2'500'000));
  EXPECT_EQ(parse_time("+7 ns"), Time::ns(7));
  EXPECT_EQ(parse_time(".5ns"), Time::ps(500));
  EXPECT_EQ(parse_time("5.ns"), Time::ns(5));
  EXPECT_EQ(parse_time("0"), Time::zero());
}

// What lies between two counts goes to the nearest, halves up; but nothing becomes zero, or more
// than it is by half, on the way.
TEST(Units, FinerFiguresAreRounded) {
  EXPECT_EQ(parse_time("1.4999ps"), Time::ps(1));
  EXPECT_EQ(parse_time("1.5ps"), Time::ps(2));
  EXPECT_FALSE(parse_time("0.00000000000000000000000000000000000000000001s"));
  EXPECT_FALSE(parse_time("0.0001ps"));
  EXPECT_FALSE(parse_time("0.9ps"));
  EXPECT_FALSE(parse_speed("0.5f"));
  EXPECT_EQ(parse_time("0.00000000000000000000000000000000000000000000s"), Time::zero());
  EXPECT_EQ(parse_time("0.99999999999999999999999999s"), Time::s(1));
}

// There is no part of a byte: 1.5 KiB are 1536 bytes, but 1.5 bytes are nothing.
TEST(Units, BytesAreWhole) {
  EXPECT_EQ(parse_bytes("1.5KiB"), Bytes(1536));
  EXPECT_EQ(parse_bytes("2.0"), Bytes(2));
  EXPECT_EQ(parse_bytes("1e3"), Bytes(1000));
  EXPECT_FALSE(parse_bytes("1.5"));
  EXPECT_FALSE(parse_bytes("0.3B"));
  EXPECT_FALSE(parse_bytes("0.0001kB"));
}

// 4k could be 4000 or 4096 bytes.
TEST(Units, AmbiguousSizesAreRefused) {
  for (const char* bad : {"4k", "4K", "4M", "4kb", "4Kib"}) EXPECT_FALSE(parse_bytes(bad)) << bad;
}

// Digits that no longer fit are dropped from there on: none of them can slip in behind one that
// was dropped.
TEST(Units, DigitsBeyondTheEighteenthAreDroppedTogether) {
  EXPECT_EQ(parse_time("9.2233720368547758087s"), Time::ps(9'223'372'036'855));
  EXPECT_EQ(parse_bytes("922337203685477580.87"), Bytes(922'337'203'685'477'580));
}

TEST(Units, RejectsWhatIsNotATime) {
  for (const char* bad : {"", " ", "ns", "5", "5 parsecs", "-5ns", "5ns 3", "5n s", "1..5ns",
                          "e3ns", "5NS", "1e+-3ns", "1e200ns", "9223373s", "107d", "0x5ns"}) {
    EXPECT_FALSE(parse_time(bad)) << bad;
  }
}

// The largest value that fits is accepted, the next is not.
TEST(Units, RejectsWhatDoesNotFit) {
  EXPECT_EQ(parse_bytes("9223372036854775807"), Bytes(INT64_MAX));
  EXPECT_FALSE(parse_bytes("9223372036854775808"));
  EXPECT_FALSE(parse_bytes("99999999999999999999999999"));
  EXPECT_FALSE(parse_bytes("9223372036854775807kB"));
  EXPECT_FALSE(parse_bytes("1e50"));
}

// Zero is the code for "no limit", so it must not be written by accident.
TEST(Units, RejectsABandwidthOfZero) {
  EXPECT_FALSE(parse_bandwidth("0"));
  EXPECT_FALSE(parse_bandwidth("0Gbps"));
  EXPECT_FALSE(parse_bandwidth("0.3bps"));
  EXPECT_FALSE(parse_bandwidth("0.5bps"));
  EXPECT_FALSE(parse_bandwidth("100"));
  EXPECT_FALSE(parse_bandwidth("100Gb"));
}

// Exact text uses the largest unit that divides the value, and reads back to it.
TEST(Units, ExactTextReadsBack) {
  EXPECT_EQ(exact_time(Time::us(12)), "12us");
  EXPECT_EQ(exact_time(Time::ps(1'500)), "1500ps");
  EXPECT_EQ(exact_time(Time::zero()), "0ps");
  EXPECT_EQ(exact_bytes(Bytes(65'536)), "64KiB");
  EXPECT_EQ(exact_bytes(Bytes(0)), "0B");
  EXPECT_EQ(exact_bandwidth(Bandwidth::gbps(100)), "100Gbps");
  EXPECT_EQ(exact_bandwidth(Bandwidth::unlimited()), "unlimited");
  EXPECT_EQ(exact_time_per_byte(TimePerByte::attoseconds(80'500'000)), "80.5ps/B");
  EXPECT_EQ(exact_speed(Speed::flops(10'000'000'000)), "10Gf");
  EXPECT_EQ(exact_ratio(0.1), "0.1");
  for (std::int64_t n = 1; n > 0 && n < INT64_MAX / 7; n = n * 7 + 3) {
    EXPECT_EQ(parse_time(exact_time(Time::ps(n))), Time::ps(n));
    EXPECT_EQ(parse_bytes(exact_bytes(Bytes(n))), Bytes(n));
    EXPECT_EQ(bps(exact_bandwidth(Bandwidth::bits_per_second(n))), n);
    EXPECT_EQ(parse_time_per_byte(exact_time_per_byte(TimePerByte::attoseconds(n))),
              TimePerByte::attoseconds(n));
    EXPECT_EQ(parse_speed(exact_speed(Speed::flops(n))), Speed::flops(n));
    EXPECT_EQ(parse_ratio(exact_ratio(1.0 / static_cast<double>(n))), 1.0 / static_cast<double>(n));
  }
}

// Text for people: four significant digits at most, in the natural unit.
TEST(Units, TextForPeople) {
  EXPECT_EQ(format_time(Time::ps(999)), "999 ps");
  EXPECT_EQ(format_time(Time::ps(1'234'567)), "1.235 us");
  EXPECT_EQ(format_time(Time::ms(20)), "20 ms");
  EXPECT_EQ(format_time(Time::s(3)), "3 s");
  EXPECT_EQ(format_bytes(Bytes(1'000)), "1000 B");
  EXPECT_EQ(format_bytes(Bytes(1'536)), "1.5 KiB");
  EXPECT_EQ(format_bytes(Bytes(3LL << 30)), "3 GiB");
  EXPECT_EQ(format_bandwidth(Bandwidth::gbps(56)), "56 Gb/s");
  EXPECT_EQ(format_bandwidth(Bandwidth::gbps(838'860'800)), "838.9 Pb/s");
  EXPECT_EQ(format_bandwidth(Bandwidth::unlimited()), "unlimited");
}

}  // namespace
}  // namespace heddle
