// Random datatypes against what the standard's list of basic types and displacements says.
#include <gtest/gtest.h>

#include "coll/typemap.hpp"
#include "host/memory/guarded_memory.hpp"

namespace heddle::coll {
namespace {

/// Memory that holds `count` of a type wherever its bytes lie, filled with a pattern.
class Arena {
 public:
  Arena(const TypeMap& map, std::int64_t count, unsigned seed) {
    const std::int64_t last = (count - 1) * map.extent();
    const std::int64_t low = std::min<std::int64_t>(last, 0) + map.true_lower();
    const std::int64_t high = std::max<std::int64_t>(last, 0) + map.true_upper();
    origin_ = -low + kMargin;
    bytes_.resize(static_cast<std::size_t>(high - low + 2 * kMargin));
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
      bytes_[i] = static_cast<std::byte>((i * 31 + seed) * 7 >> 3);
    }
  }
  std::byte* base() { return bytes_.data() + origin_; }
  std::vector<std::byte>& bytes() { return bytes_; }

 private:
  static constexpr std::int64_t kMargin = 8;
  std::vector<std::byte> bytes_;
  std::int64_t origin_ = 0;
};

/// Memory that cannot be reached directly: everything goes through read and write.
class FarMemory final : public AddressSpace {
 public:
  bool read(void* to, const void* address, std::size_t size) const override {
    std::memcpy(to, address, size);
    return true;
  }
  bool store(void* address, const void* from, std::size_t size) override {
    std::memcpy(address, from, size);
    return true;
  }
  const std::byte* direct(const void* /*address*/, std::size_t /*size*/) const override {
    return nullptr;
  }
};

class DatatypeRandomTest : public testing::TestWithParam<bool> {
 protected:
  AddressSpace& space() {
    if (GetParam()) return far_;
    return near_;
  }
  FarMemory far_;
  host::GuardedMemory near_;
};

// Size, bounds and true bounds are those of the list.
TEST_P(DatatypeRandomTest, HasTheBoundsOfItsTypeMap) {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    const Twin twin = RandomTypes(seed).make(static_cast<int>(seed % 4));
    SCOPED_TRACE(seed);
    ASSERT_EQ(twin.type->size(), twin.map.size());
    ASSERT_EQ(twin.type->signature().elements, std::ssize(twin.map.entries));
    ASSERT_EQ(twin.type->bounds().lower, twin.map.lower());
    ASSERT_EQ(twin.type->bounds().upper, twin.map.upper());
    ASSERT_EQ(twin.type->true_bounds().lower, twin.map.true_lower());
    ASSERT_EQ(twin.type->true_bounds().upper, twin.map.true_upper());
  }
}

// Packing all, and packing any part, gives the bytes in the order of the list.
TEST_P(DatatypeRandomTest, PacksWholeAndInParts) {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    RandomTypes random(seed);
    const Twin twin = random.make(static_cast<int>(seed % 4));
    const std::int64_t count = random.upto(3);
    SCOPED_TRACE(seed);
    Arena arena(twin.map, count, seed);
    const std::vector<std::byte> expected = twin.map.pack(arena.base(), count);
    const Buffer buffer{arena.base(), count, twin.type.get()};
    std::vector<std::byte> packed(expected.size());
    pack(space(), buffer, packed.data());
    ASSERT_EQ(packed, expected);
    const int size = static_cast<int>(expected.size());
    const int begin = random.upto(size);
    const int end = begin + random.upto(size - begin);
    std::vector<std::byte> part(static_cast<std::size_t>(end - begin));
    pack(space(), buffer, begin, end, part.data());
    ASSERT_EQ(part, std::vector(expected.begin() + begin, expected.begin() + end));
  }
}

// Unpacking in two parts that meet anywhere writes the bytes of the list, and no others.
TEST_P(DatatypeRandomTest, UnpacksInParts) {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    RandomTypes random(seed);
    const Twin twin = random.make(static_cast<int>(seed % 4));
    const std::int64_t count = random.upto(3);
    SCOPED_TRACE(seed);
    Arena arena(twin.map, count, seed);
    Arena expected(twin.map, count, seed);
    std::vector<std::byte> packed(static_cast<std::size_t>(count * twin.map.size()));
    for (std::size_t i = 0; i < packed.size(); ++i) packed[i] = static_cast<std::byte>(i * 13 + 1);
    twin.map.unpack(expected.base(), count, packed);
    const Buffer buffer{arena.base(), count, twin.type.get()};
    const int middle = random.upto(static_cast<int>(packed.size()));
    unpack(space(), buffer, 0, packed.data(), middle);
    unpack(space(), buffer, middle, packed.data() + middle, std::ssize(packed) - middle);
    ASSERT_EQ(arena.bytes(), expected.bytes());
  }
}

// A move is a pack with the one type and an unpack with the other, cut to what fits.
TEST_P(DatatypeRandomTest, MovesBetweenTypes) {
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    RandomTypes random(seed);
    const Twin from = random.make(static_cast<int>(seed % 4));
    const Twin to = seed % 3 == 0 ? from : random.make(static_cast<int>(seed / 4 % 4));
    const std::int64_t from_count = random.upto(6);
    const std::int64_t to_count = random.upto(6);
    SCOPED_TRACE(seed);
    Arena source(from.map, from_count, seed);
    Arena target(to.map, to_count, seed + 1);
    Arena expected(to.map, to_count, seed + 1);
    std::vector<std::byte> packed = from.map.pack(source.base(), from_count);
    packed.resize(std::min(packed.size(), static_cast<std::size_t>(to_count * to.map.size())));
    to.map.unpack(expected.base(), to_count, packed);
    const std::int64_t moved = move(space(), {target.base(), to_count, to.type.get()}, space(),
                                    {source.base(), from_count, from.type.get()});
    ASSERT_EQ(moved, std::ssize(packed));
    ASSERT_EQ(target.bytes(), expected.bytes());
  }
}

// The signature of a part of a message is that of its list of basic types.
TEST_P(DatatypeRandomTest, HasTheSignatureOfItsTypeMap) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const Twin twin = RandomTypes(seed).make(static_cast<int>(seed % 4));
    SCOPED_TRACE(seed);
    Signature expected;
    std::int64_t size = 0;
    for (const TypeMap::Entry& entry : twin.map.entries) {
      const Signature got = signature(*twin.type, size);
      ASSERT_EQ(got.hash, expected.hash);
      ASSERT_EQ(got.elements, expected.elements);
      expected = expected.followed_by(Datatype::predefined(entry.basic->handle)->signature());
      size += entry.basic->size;
    }
    ASSERT_EQ(twin.type->signature().hash, expected.hash);
  }
}

INSTANTIATE_TEST_SUITE_P(Memory, DatatypeRandomTest, testing::Values(false, true),
                         [](const auto& memory) { return memory.param ? "Far" : "Near"; });

}  // namespace
}  // namespace heddle::coll
