#include <array>
#include <string>

#include "counts/dialect.hpp"

namespace heddle::counts {
namespace {

/// Counts in r11. Below the stack nothing is kept.
class X86 final : public Dialect {
 public:
  Flow flow(const Instruction& i) const override {
    if (i.name == "call" || i.name == "callq") return Flow::call;
    if (i.name.starts_with("ret") || (i.name == "rep" && i.operands.starts_with("ret"))) {
      return Flow::leave;
    }
    if (i.name == "notrack") return Flow::leave;
    if (!i.name.starts_with("j") && !i.name.starts_with("loop")) return Flow::next;
    const bool inside = is_code_label(i.operands);
    if (i.name == "jmp" || i.name == "jmpq") return inside ? Flow::jump : Flow::leave;
    // Loops of the compiler's own that touch every page of a stack have labels of their own.
    return inside || i.operands.starts_with(".L") ? Flow::branch : Flow::leave_if;
  }

  bool comes_first(const Instruction& i) const override { return i.name == "endbr64"; }

  std::uint64_t weight(const Instruction& i) const override {
    static constexpr std::array<std::string_view, 6> slow = {"div",  "idiv",  "vdiv",
                                                             "sqrt", "vsqrt", "fdiv"};
    return starts_with_any(i.name, slow) ? 10 : 1;
  }

  bool disturbs(std::string_view line) const override {
    return line.find("r11") != line.npos || line.find("syscall") != line.npos;
  }

  std::string set(std::uint64_t count) const override {
    return "\tmovl\t$" + std::to_string(count) + ", %r11d\n";
  }

  std::string add(std::uint64_t count) const override {
    return count == 0 ? "" : "\tleaq\t" + std::to_string(count) + "(%r11), %r11\n";
  }

  std::string spill(bool bytes) const override {
    const std::string moved =
        bytes ? "\tmovq\t%rdx, %r10\n\tshrq\t$4, %r10\n\taddq\t%r10, %r11\n" : "";
    return "\tpushq\t%r10\n" + moved +
           "\tmovq\theddle_counted@GOTPCREL(%rip), %r10\n"
           "\taddq\t%r11, (%r10)\n"
           "\tpopq\t%r10\n";
  }

  std::string spill_between() const override { return "\tpushfq\n" + spill(false) + "\tpopfq\n"; }

  std::string reaching_far(const Instruction&) const override { return ""; }

  bool begins_sequence(std::string_view line) const override {
    return line.find("@tlsgd") != line.npos || line.find("@tlsld") != line.npos;
  }
  bool sequence_is_call() const override { return true; }
};

}  // namespace

const Dialect& x86_64() {
  static const X86 dialect;
  return dialect;
}

}  // namespace heddle::counts
