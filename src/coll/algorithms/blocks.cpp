#include "coll/algorithms/blocks.hpp"

namespace heddle::coll {

const Datatype& byte_type() {
  static const Datatype& type = *Datatype::predefined(byte_basic().handle);
  return type;
}

Blocks Blocks::equal(void* address, std::int64_t count, const Datatype& type) {
  Blocks blocks;
  blocks.address_ = address;
  blocks.type_ = &type;
  blocks.count_ = count;
  return blocks;
}

Blocks Blocks::split(const Buffer& buffer, int parts) {
  Blocks blocks = equal(buffer.address, buffer.count / parts, *buffer.type);
  blocks.shape_ = Shape::split;
  blocks.longer_ = static_cast<int>(buffer.count % parts);
  return blocks;
}

Blocks Blocks::packed(void* address, std::span<const std::int64_t> counts, const Datatype& type) {
  Blocks blocks = equal(address, 0, type);
  blocks.shape_ = Shape::packed;
  blocks.starts_.reserve(counts.size() + 1);
  blocks.starts_.push_back(0);
  for (const std::int64_t count : counts) blocks.starts_.push_back(blocks.starts_.back() + count);
  return blocks;
}

Blocks Blocks::scattered(void* address, const PerRank& counts, const PerRank& displacements,
                         const Datatype& type) {
  Blocks blocks = equal(address, 0, type);
  blocks.shape_ = Shape::scattered;
  blocks.counts_ = counts;
  blocks.displacements_ = displacements;
  return blocks;
}

Blocks Blocks::mixed(void* address, const PerRank& counts, const PerRank& displacements,
                     const Datatype* const* types) {
  Blocks blocks;
  blocks.address_ = address;
  blocks.shape_ = Shape::scattered;
  blocks.counts_ = counts;
  blocks.displacements_ = displacements;
  blocks.types_ = types;
  return blocks;
}

Blocks Blocks::moved_to(const Buffer& memory) const {
  Blocks blocks = *this;
  blocks.address_ = memory.address;
  blocks.type_ = memory.type;
  return blocks;
}

Buffer Blocks::scattered_block(int i) const {
  const std::int64_t displacement = displacements_[i];
  if (!types_) return at(displacement, counts_[i]);
  return {static_cast<std::byte*>(address_) + displacement, counts_[i],
          types_[static_cast<std::size_t>(i)]};
}

}  // namespace heddle::coll
