// A replay over LogGOPS whose ranks and memory are shared among processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "replay/options.hpp"

namespace heddle::replay {

/// What joins the members of a shared replay. All of them call the same functions in the same
/// order.
class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual std::size_t me() const = 0;
  virtual std::size_t size() const = 0;

  /// The number that each member gives.
  virtual std::vector<std::uint64_t> numbers(std::uint64_t mine) = 0;
  /// mine[p] goes to member p; the answer has what each member gave for this one.
  virtual std::vector<std::uint64_t> swap_numbers(std::span<const std::uint64_t> mine) = 0;
  /// All members' records of `record` bytes, counts[p] of member p, one after another.
  virtual void gather(const void* mine, std::span<const std::uint64_t> counts, std::size_t record,
                      void* all) = 0;
  /// From `out` out_counts[p] records go to member p; in_counts[p] come from it.
  virtual void swap(const void* out, std::span<const std::uint64_t> out_counts, void* in,
                    std::span<const std::uint64_t> in_counts, std::size_t record) = 0;
};

/// If a member has an error, `text`, all members throw that of the first of them: InputError if
/// the member's was one (`wrong_input`), else RunError.
void agree_on_error(Exchange& exchange, const std::string& text, bool wrong_input);
/// Calls `step` and agrees on what it throws.
template <class Step>
void agree_on(Exchange& exchange, Step step) {
  std::string text;
  bool wrong_input = false;
  try {
    step();
  } catch (const InputError& error) {
    text = error.what();
    wrong_input = true;
  } catch (const std::exception& error) {
    text = error.what();
  }
  agree_on_error(exchange, text, wrong_input);
}

struct SharedResult {
  ReplayResult result;  ///< Of all ranks at member 0, elsewhere of none.
  std::uint64_t operations = 0;
};

/// Each member has a schedule of all ranks of which only its own share (RankShare) is there.
/// Results are those of one process, bit by bit. Throws the same error at all members; StallError
/// becomes a RunError. About `most_logged` runs of events of all members are put in order at a
/// time, which bounds what each of them holds of the others.
SharedResult shared_replay(const goal::Schedule& schedule, const ReplayOptions& options,
                           Exchange& exchange, std::uint64_t most_logged = 1 << 18);

}  // namespace heddle::replay
