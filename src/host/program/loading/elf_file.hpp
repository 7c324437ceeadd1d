// A program's file as it is on disk, made ready to be loaded into the simulator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/program/loading/elf_image.hpp"
#include "host/program/loading/elf_memory.hpp"

namespace heddle::host {

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

/// A position-independent executable, or a shared object, in memory. Once prepared, the system's
/// loader takes it as a library that runs nothing of its own accord.
class ElfFile {
 public:
  /// Throws InputError if there is no such file or it is not for this machine.
  explicit ElfFile(const std::string& path);

  const std::string& path() const { return image_.path(); }
  /// Where it is, whatever the working folder.
  const std::string& absolute_path() const { return absolute_path_; }
  const std::vector<std::byte>& bytes() const { return image_.bytes(); }
  /// What of it is where, once it is loaded.
  ElfMemory memory() const { return ElfMemory(image_); }

  /// Whether it defines `name` for others to find.
  bool defines(std::string_view name) const;
  /// Whether it uses or defines `name`.
  bool mentions(std::string_view name) const;
  std::vector<CopiedVariable> copied_variables() const;
  /// Where a program has its main function, by what its start code does with it.
  std::optional<std::uint64_t> main_function() const;
  bool position_independent() const;
  /// Whether it asks for no libraries at all.
  bool is_static() const { return image_.find_segment(PT_DYNAMIC) == nullptr || needed().empty(); }
  /// Whether it was linked as an executable, rather than as a shared object.
  bool is_executable() const { return (image_.dynamic_value(DT_FLAGS_1) & DF_1_PIE) != 0; }

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
  std::string early_path() const;
  std::string late_path() const;
  /// Names a needed library otherwise; the new name must not be longer.
  void rename_needed(std::string_view old, std::string_view name);

  /// Puts one instruction in the place of another, where all are words.
  void replace_instruction(std::uint32_t old, std::uint32_t instruction);
  /// Whether its code puts code on stacks; once it is prepared, for then the loader is not to know.
  bool wants_executable_stack() const { return executable_stack_; }

 private:
  void take_executable_stack();

  ElfImage image_;
  std::string absolute_path_;
  StartCode start_;
  StartCode finish_;
  bool executable_stack_ = false;
};

}  // namespace heddle::host
