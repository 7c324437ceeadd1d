// Packed files: what was packed is unpacked, and what is damaged is said to be.
#include "files/packing.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"
#include "files/input_stream.hpp"

namespace heddle::files {
namespace {

using testing::HasSubstr;

std::string packed(const std::string& text, Packing packing) {
  std::string bytes;
  const auto sink = [&](std::string_view piece) { bytes += piece; };
  const auto packer = Packer::of(packing);
  // In pieces, as results are written.
  for (std::size_t at = 0; at < text.size(); at += 1000) packer->pack(text.substr(at, 1000), sink);
  packer->finish(sink);
  return bytes;
}

std::string read(std::string_view bytes) {
  InputBuffer buffer(from_bytes(bytes), "file");
  std::istream in(&buffer);
  in.exceptions(std::ios::badbit);
  return read_at_most(in, SIZE_MAX - 1);
}

std::string problem(std::string_view bytes) {
  try {
    read(bytes);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// 600,000 bytes that are not all alike: more than any buffer on the way.
std::string long_text() {
  std::string text;
  for (int i = 0; text.size() < 600'000; ++i) text += std::to_string(i * 2654435761U) + "\n";
  return text;
}

class Packings : public testing::TestWithParam<Packing> {};

TEST_P(Packings, GiveBackWhatTheyGot) {
  for (const std::string& text :
       {std::string(), std::string("a"), std::string(70'000, '\0'), long_text()}) {
    const std::string bytes = packed(text, GetParam());
    EXPECT_EQ(packing_in(bytes), GetParam());
    EXPECT_EQ(read(bytes), text);
  }
  EXPECT_LT(packed(long_text(), GetParam()).size(), long_text().size());
}

// Two packed files in a row are one, as `cat a.gz b.gz` makes them.
TEST_P(Packings, CanStandInARow) {
  EXPECT_EQ(read(packed("one\n", GetParam()) + packed("two\n", GetParam())), "one\ntwo\n");
}

TEST_P(Packings, SayWhereTheyAreCut) {
  const std::string bytes = packed(long_text(), GetParam());
  for (const std::size_t size : {bytes.size() - 1, bytes.size() / 2, std::size_t{12}}) {
    EXPECT_THAT(problem(bytes.substr(0, size)), HasSubstr("it ends before its packed bytes do"))
        << size;
  }
}

TEST_P(Packings, SayThatTheyAreDamaged) {
  std::string bytes = packed(long_text(), GetParam());
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
  EXPECT_THAT(problem(bytes), HasSubstr("and damaged: "));
  EXPECT_THAT(problem(packed("one\n", GetParam()) + "something else"), HasSubstr("damaged"));
}

// The same text gives the same bytes, whenever it is packed.
TEST_P(Packings, AreReproducible) {
  EXPECT_EQ(packed(long_text(), GetParam()), packed(long_text(), GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Both, Packings, testing::Values(Packing::gzip, Packing::zstd),
                         [](const auto& one) { return std::string(name_of(one.param)); });

// A bomb: 1 GiB of zeros in about 1 MiB. Of what it unpacks to, only so much is taken as is wanted.
TEST(Packing, NoMoreIsUnpackedThanIsWanted) {
  std::string bytes;
  const auto sink = [&](std::string_view piece) { bytes += piece; };
  const auto packer = Packer::of(Packing::zstd);
  const std::string zeros(1 << 20, '\0');
  for (int i = 0; i < 1024; ++i) packer->pack(zeros, sink);
  packer->finish(sink);
  EXPECT_LT(bytes.size(), std::size_t{1} << 20);
  InputBuffer buffer(from_bytes(bytes), "bomb");
  std::istream in(&buffer);
  const std::string text = read_at_most(in, 100'000);
  EXPECT_GT(text.size(), 100'000U);
  EXPECT_LT(text.size(), 200'000U);
}

TEST(Packing, GoesByEndingsOfNames) {
  EXPECT_EQ(packing_for("a.csv.gz"), Packing::gzip);
  EXPECT_EQ(packing_for("a.zst"), Packing::zstd);
  EXPECT_EQ(packing_for("gz"), Packing::none);
  EXPECT_EQ(without_packing("a.bin.gz"), "a.bin");
  EXPECT_EQ(without_packing("a.hgs.zst"), "a.hgs");
  EXPECT_EQ(without_packing("a.goal"), "a.goal");
}

}  // namespace
}  // namespace heddle::files
