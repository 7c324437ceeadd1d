// A program's file as it is on disk, made ready to be loaded into the simulator.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::host {

/// Part of a loaded object's memory, relative to where it is loaded.
struct AddressRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// What runs at a loaded object's beginning or end: a function and an array of functions, as
/// offsets from where it is loaded; zero for none.
struct StartCode {
  std::uint64_t function = 0;
  std::uint64_t array = 0;
  std::size_t count = 0;  ///< Of the array.
};

/// A variable of a library of which the program has a copy, since parts of it were compiled for a
/// fixed place.
struct CopiedVariable {
  std::string name;
  std::uint64_t place = 0;  ///< Relative to where the program is loaded.
  std::size_t size = 0;
};

/// An ELF file in memory: a position-independent executable, or a shared object. Once prepared,
/// the system's loader takes it as a library that runs nothing of its own accord.
class ElfFile {
 public:
  /// Throws InputError if there is no such file or it is not for this machine.
  explicit ElfFile(const std::string& path);

  const std::string& path() const { return path_; }
  /// Where it is, whatever the working folder.
  const std::string& absolute_path() const { return absolute_path_; }
  const std::vector<std::byte>& bytes() const { return bytes_; }

  /// Whether it defines `name` for others to find.
  bool defines(std::string_view name) const;
  /// Whether it uses or defines `name`.
  bool mentions(std::string_view name) const;
  std::vector<CopiedVariable> copied_variables() const;
  /// Where a program has its main function, by what its start code does with it.
  std::optional<std::uint64_t> main_function() const;
  bool position_independent() const;
  /// Whether it asks for no libraries at all.
  bool is_static() const { return find_segment(PT_DYNAMIC) == nullptr || needed().empty(); }
  /// Whether it was linked as an executable, rather than as a shared object.
  bool is_executable() const { return (dynamic_value(DT_FLAGS_1) & DF_1_PIE) != 0; }

  /// Lets the loader accept an executable, takes the start code away from it (see start and
  /// finish), makes what C++ would share between copies private, and strikes out the library
  /// called `without`.
  void prepare(std::string_view without);
  /// Whether it uses anything that it does not define and `holds` holds for.
  bool uses(const std::function<bool(const char* name)>& holds) const;
  /// Binds its uses of what it defines itself to that, where `elsewhere` says that the loader would
  /// find another first.
  void keep_own(const std::function<bool(const char* name)>& elsewhere);
  /// Binds what it uses and does not define to what `find` finds, unless that is null.
  void bind(const std::function<const void*(const char* name)>& find);
  const StartCode& start() const { return start_; }
  const StartCode& finish() const { return finish_; }

  /// The libraries that it names, and the folders it wants them looked for in, as it spells them:
  /// before those of the environment, and after.
  std::vector<std::string> needed() const;
  std::string early_path() const { return path_of(DT_RUNPATH).empty() ? path_of(DT_RPATH) : ""; }
  std::string late_path() const { return path_of(DT_RUNPATH); }
  /// Names a needed library otherwise; the new name must not be longer.
  void rename_needed(std::string_view old, std::string_view name);

  /// Puts one instruction in the place of another, where all are words.
  void replace_instruction(std::uint32_t old, std::uint32_t instruction);
  /// Whether bytes in its code look like an instruction that reads the processor's counter.
  bool may_read_counter() const;
  /// The code, once it is loaded.
  std::vector<AddressRange> code() const;
  /// All of it.
  AddressRange whole() const;
  /// What the program can write once it is loaded.
  std::vector<AddressRange> writable() const;
  bool has_thread_locals() const;
  /// Whether its code finds them without asking the loader.
  bool wants_static_thread_locals() const;
  /// Whether its code puts code on stacks; once it is prepared, for then the loader is not to know.
  bool wants_executable_stack() const { return executable_stack_; }
  /// Bytes of a thread's variables.
  std::size_t thread_local_size() const;

 private:
  const Elf64_Ehdr& header() const;
  std::vector<Elf64_Phdr> segments() const;
  const Elf64_Phdr* find_segment(std::uint32_t type) const;
  /// `count` objects at an offset of the file. Throws InputError if they are not inside of it.
  template <class T>
  const T* at(std::uint64_t offset, std::uint64_t count) const;
  template <class T>
  T* at(std::uint64_t offset, std::uint64_t count) {
    return const_cast<T*>(static_cast<const ElfFile*>(this)->at<T>(offset, count));
  }
  std::uint64_t offset_of(std::uint64_t address) const;
  const Elf64_Dyn* dynamic(std::int64_t tag) const;
  std::uint64_t dynamic_value(std::int64_t tag) const;
  const char* string(std::uint64_t offset) const;
  std::string path_of(std::int64_t tag) const;
  std::span<const Elf64_Dyn> entries() const;
  void check() const;
  void strike(Elf64_Dyn& entry, std::string_view without);
  void make_private_symbols();
  void take_executable_stack();
  std::uint64_t symbol_count() const;
  std::span<const Elf64_Rela> relocations() const;
  std::span<const Elf64_Sym> symbols() const;
  std::span<Elf64_Sym> symbols();
  [[noreturn]] void refuse(const std::string& problem) const;

  std::string path_;
  std::string absolute_path_;
  std::vector<std::byte> bytes_;
  StartCode start_;
  StartCode finish_;
  bool executable_stack_ = false;
};

}  // namespace heddle::host
