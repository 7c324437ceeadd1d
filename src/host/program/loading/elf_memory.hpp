// What of an ELF file is where, once it is loaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/program/loading/elf_image.hpp"

namespace heddle::host {

/// Part of a loaded object's memory, relative to where it is loaded.
struct AddressRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

class ElfMemory {
 public:
  /// The image must outlive this.
  explicit ElfMemory(const ElfImage& image) : image_(image) {}

  std::vector<Elf64_Phdr> segments() const { return image_.segments(); }
  /// The code.
  std::vector<AddressRange> code() const;
  /// All of it.
  AddressRange whole() const;
  /// What the program can write.
  std::vector<AddressRange> writable() const;
  bool has_thread_locals() const { return thread_local_size() > 0; }
  /// Whether its code finds them without asking the loader.
  bool wants_static_thread_locals() const;
  /// Bytes of a thread's variables.
  std::size_t thread_local_size() const;
  /// Whether bytes in its code look like an instruction that reads the processor's counter.
  bool may_read_counter() const;

 private:
  const ElfImage& image_;
};

}  // namespace heddle::host
