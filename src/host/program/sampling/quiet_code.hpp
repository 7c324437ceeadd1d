// Code that concerns nobody but the thread that carries it out.
#pragma once

#include <link.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "host/program/sampling/code_loops.hpp"

namespace heddle::host {

/// The functions of an object that has been loaded and bound, as its tables for exceptions tell
/// them. A function is quiet if neither it nor what it calls has to do with the simulator, the
/// system, a clock, other threads or the allocation of memory, as far as can be seen: calls by
/// pointers cannot. Places are addresses.
class QuietCode {
 public:
  explicit QuietCode(const link_map& object);

  /// The largest loops of all functions that only do what quiet functions do.
  std::vector<CodeLoop> loops();

 private:
  enum class Answer : std::uint8_t { unknown, asked, yes, no };
  struct Function {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    Answer quiet = Answer::unknown;
  };
  void find_functions(std::uint64_t base);
  void add_functions(const std::byte* table);
  /// Empty if an instruction is not known.
  std::vector<CodeStep> steps_of(const Function& function);
  std::string_view name_called(const Flow& call) const;
  /// Where the word lies by which code at `place` leads to another object; 0: it does not.
  std::uint64_t word_at(std::uint64_t place) const;
  bool is_quiet(Function& function);
  bool is_quiet(const Flow& flow, const Function& within);
  bool is_quiet_at(std::uint64_t place);
  bool is_quiet_by_word(std::uint64_t word);

  std::vector<Function> functions_;                     ///< In the order of places.
  std::uint64_t code_end_ = 0;                          ///< Behind what may be read of code.
  std::map<std::uint64_t, std::string_view> bindings_;  ///< What the loader has put into words.
};

}  // namespace heddle::host
