// What counting has to know of a machine's instructions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace heddle::counts {

/// Where an instruction goes on.
enum class Flow : std::uint8_t {
  next,
  call,      ///< Somewhere else, and then behind it.
  branch,    ///< At a label of the function, or behind it.
  jump,      ///< At a label of the function.
  leave,     ///< In another function, or where a table says.
  leave_if,  ///< The same, or behind it.
};

/// An instruction, as text.
struct Instruction {
  std::string_view name;
  std::string_view operands;
};

/// How a machine counts: in a register that is the function's own, and in memory.
class Dialect {
 public:
  virtual ~Dialect() = default;
  virtual Flow flow(const Instruction& instruction) const = 0;
  /// Whether it has to be the first of a function, as marks of valid targets have.
  virtual bool comes_first(const Instruction& instruction) const = 0;
  virtual std::uint64_t weight(const Instruction& instruction) const = 0;
  /// Whether an instruction, of the compiler's or a programmer's own, changes what is counted in.
  virtual bool disturbs(std::string_view line) const = 0;
  /// The register becomes `count`, or grows by it.
  virtual std::string set(std::uint64_t count) const = 0;
  virtual std::string add(std::uint64_t count) const = 0;
  /// Adds the register to memory, and `bytes`, if a call moves so many as its third argument says.
  virtual std::string spill(bool bytes) const = 0;
  /// The same where flags are needed afterwards.
  virtual std::string spill_between() const = 0;
  /// The same instruction for functions that are longer than it reaches; empty if it needs no
  /// other.
  virtual std::string reaching_far(const Instruction& instruction) const = 0;
  /// Whether the next call belongs to this line, and nothing may come between them: it finds a
  /// variable of the thread's.
  virtual bool begins_sequence(std::string_view line) const = 0;
  /// Whether that call changes registers as any other does.
  virtual bool sequence_is_call() const = 0;
};

const Dialect& aarch64();
const Dialect& x86_64();

/// What a label of a function looks like that code may go on at.
bool is_code_label(std::string_view name);
/// What functions of libraries cost that are not counted themselves; zero for all others.
std::uint64_t library_weight(std::string_view function);
/// Whether its third argument says how many bytes it touches.
bool moves_bytes(std::string_view function);
/// A function's name without what linkers want to know.
std::string_view plain_name(std::string_view operand);
bool starts_with_any(std::string_view text, std::span<const std::string_view> beginnings);

}  // namespace heddle::counts
