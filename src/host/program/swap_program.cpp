#include "host/program/swap_program.hpp"

#include <cstring>
#include <deque>

#include "host/memory/guarded_memory.hpp"

namespace heddle::host {
namespace {

/// The globals of one program, where they are in memory and as images.
class Globals {
 public:
  using Image = std::unique_ptr<std::byte[]>;

  explicit Globals(const std::vector<std::span<std::byte>>& places) : places_(places) {
    for (const auto& place : places_) size_ += place.size();
    pristine_ = new_image();
    save(pristine_.get());
  }
  Image new_image() const { return std::make_unique_for_overwrite<std::byte[]>(size_); }
  void save(std::byte* image) const {
    for (const auto& place : places_) {
      std::memcpy(image, place.data(), place.size());
      image += place.size();
    }
  }
  void load(const std::byte* image) const {
    for (const auto& place : places_) {
      std::memcpy(place.data(), image, place.size());
      image += place.size();
    }
  }
  const std::byte* pristine() const { return pristine_.get(); }

  /// A stretch of memory from `address`, at most `size` long, that is wholly inside of a place or
  /// wholly outside of all, and where it is in an image (nowhere if outside).
  struct Stretch {
    std::size_t size;
    bool inside;
    std::size_t offset;
  };
  Stretch stretch(const std::byte* address, std::size_t size) const {
    std::size_t offset = 0;
    for (const auto& place : places_) {
      const std::byte* end = place.data() + place.size();
      if (address >= place.data() && address < end) {
        const auto left = static_cast<std::size_t>(end - address);
        const auto into = static_cast<std::size_t>(address - place.data());
        return {std::min(size, left), true, offset + into};
      }
      if (address < place.data() && address + size > place.data()) {
        size = static_cast<std::size_t>(place.data() - address);
      }
      offset += place.size();
    }
    return {size, false, 0};
  }

 private:
  std::vector<std::span<std::byte>> places_;
  std::size_t size_ = 0;
  Image pristine_;
};

/// The memory of one rank: its globals are in their place or in its image.
class SwappedMemory final : public AddressSpace {
 public:
  explicit SwappedMemory(const Globals& globals) : globals_(globals) {}

  bool read(void* to, const void* address, std::size_t size) const override {
    return each(address, size, [&](std::byte* here, std::size_t done, std::size_t part) {
      return guarded_copy(static_cast<std::byte*>(to) + done, here, part);
    });
  }
  const std::byte* direct(const void* address, std::size_t size) const override {
    auto* bytes = static_cast<std::byte*>(const_cast<void*>(address));
    if (!away_) return bytes;
    const Globals::Stretch part = globals_.stretch(bytes, size);
    if (part.size < size) return nullptr;
    return part.inside ? image_.get() + part.offset : bytes;
  }

  /// The globals leave their place, and come back to it.
  void leave() {
    if (image_ == nullptr) image_ = globals_.new_image();
    globals_.save(image_.get());
    away_ = true;
  }
  void enter() {
    globals_.load(image_ == nullptr ? globals_.pristine() : image_.get());
    away_ = false;
  }
  /// The rank has ended.
  void drop() {
    image_.reset();
    away_ = false;
  }

 private:
  bool store(void* address, const void* from, std::size_t size) override {
    return each(address, size, [&](std::byte* here, std::size_t done, std::size_t part) {
      return guarded_copy(here, static_cast<const std::byte*>(from) + done, part);
    });
  }
  /// Does `action(where, done, size)` for each stretch of the memory; false as soon as it fails.
  template <class Action>
  bool each(const void* address, std::size_t size, Action&& action) const {
    auto* bytes = static_cast<std::byte*>(const_cast<void*>(address));
    for (std::size_t done = 0; done < size;) {
      const auto part = !away_ ? Globals::Stretch{size - done, false, 0}
                               : globals_.stretch(bytes + done, size - done);
      std::byte* here = part.inside ? image_.get() + part.offset : bytes + done;
      if (!action(here, done, part.size)) return false;
      done += part.size;
    }
    return true;
  }

  const Globals& globals_;
  Globals::Image image_;  ///< From the first time that the rank stops.
  bool away_ = false;     ///< The globals are in the image.
};

class SwapProgram final : public HostedProgram {
 public:
  SwapProgram(const ProgramConfig& config, const ProgramFiles& files)
      : HostedProgram(config, files),
        loaded_(files, config.patches),
        globals_(loaded_.writable()) {}

  const LoadedProgram& loaded(const Rank&) const override { return loaded_; }
  Privatization privatization() const override { return Privatization::swap; }
  bool swaps(const void* address) const override {
    return globals_.stretch(static_cast<const std::byte*>(address), 1).inside;
  }
  AddressSpace& memory(Rank&) override { return memories_.emplace_back(globals_); }
  void leave(Rank& rank) override {
    memories_[place(rank)].leave();
    HostedProgram::leave(rank);
  }
  void enter(Rank& rank) override { memories_[place(rank)].enter(); }
  void ended(Rank& rank) override { memories_[place(rank)].drop(); }

 private:
  LoadedProgram loaded_;
  Globals globals_;
  std::deque<SwappedMemory> memories_;  ///< By rank.
};

}  // namespace

std::unique_ptr<HostedProgram> make_swap_program(const ProgramConfig& config,
                                                 const ProgramFiles& files) {
  return std::make_unique<SwapProgram>(config, files);
}

}  // namespace heddle::host
