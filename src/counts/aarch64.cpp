#include <array>
#include <string>

#include "counts/dialect.hpp"

namespace heddle::counts {
namespace {

/// Counts in x15; x13 and x14 are free as well.
class Aarch64 final : public Dialect {
 public:
  Flow flow(const Instruction& i) const override {
    if (i.name == "bl" || i.name == "blr") return Flow::call;
    if (i.name == "ret" || i.name == "br" || i.name == "retaa" || i.name == "eret") {
      return Flow::leave;
    }
    if (i.name == "b") return is_code_label(i.operands) ? Flow::jump : Flow::leave;
    const bool conditional = i.name.starts_with("b.") || i.name.starts_with("cb") ||
                             i.name.starts_with("tbz") || i.name.starts_with("tbnz") ||
                             kShort.find(" " + std::string(i.name) + " ") != kShort.npos;
    if (!conditional) return Flow::next;
    const std::size_t comma = i.operands.find_last_of(", \t");
    const auto target = comma == i.operands.npos ? i.operands : i.operands.substr(comma + 1);
    return is_code_label(target) ? Flow::branch : Flow::leave_if;
  }

  bool comes_first(const Instruction& i) const override {
    return i.name == "bti" || i.name == "paciasp" ||
           (i.name == "hint" && (i.operands.starts_with("34") || i.operands.starts_with("25")));
  }

  std::uint64_t weight(const Instruction& i) const override {
    static constexpr std::array<std::string_view, 4> slow = {"fdiv", "fsqrt", "sdiv", "udiv"};
    return starts_with_any(i.name, slow) ? 10 : 1;
  }

  bool disturbs(std::string_view line) const override {
    return line.find("x15") != line.npos || line.find("w15") != line.npos;
  }

  std::string set(std::uint64_t count) const override {
    if (count < 65536) return "\tmov\tx15, " + std::to_string(count) + "\n";
    return "\tmov\tx15, 0\n" + add(count);
  }

  std::string add(std::uint64_t count) const override {
    const std::uint64_t high = count >> 12, low = count & 4095;
    std::string text;
    if (high > 0) text = "\tadd\tx15, x15, " + std::to_string(high & 4095) + ", lsl 12\n";
    if (low > 0) text += "\tadd\tx15, x15, " + std::to_string(low) + "\n";
    return text;
  }

  std::string spill(bool bytes) const override {
    const std::string moved = bytes ? "\tadd\tx15, x15, x2, lsr 4\n" : "";
    return moved +
           "\tadrp\tx14, :got:heddle_counted\n"
           "\tldr\tx14, [x14, :got_lo12:heddle_counted]\n"
           "\tldr\tx13, [x14]\n"
           "\tadd\tx13, x13, x15\n"
           "\tstr\tx13, [x14]\n";
  }

  std::string spill_between() const override { return spill(false); }

  /// A test of a bit reaches 32 KiB.
  std::string reaching_far(const Instruction& i) const override {
    if (i.name != "tbz" && i.name != "tbnz") return "";
    const std::size_t comma = i.operands.rfind(',');
    const std::string opposite = i.name == "tbz" ? "tbnz" : "tbz";
    return "\t" + opposite + "\t" + std::string(i.operands.substr(0, comma)) + ", . + 8\n\tb\t" +
           std::string(i.operands.substr(i.operands.find_first_not_of(" \t", comma + 1))) + "\n";
  }

  bool begins_sequence(std::string_view line) const override {
    return line.find(".tlsdesccall") != line.npos;
  }
  bool sequence_is_call() const override { return false; }

 private:
  static constexpr std::string_view kShort =
      " beq bne bcs bhs bcc blo bmi bpl bvs bvc bhi bls bge blt bgt ble ";
};

}  // namespace

const Dialect& aarch64() {
  static const Aarch64 dialect;
  return dialect;
}

}  // namespace heddle::counts
