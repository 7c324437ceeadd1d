// What the actions of time-independent traces mean.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/quantity.hpp"
#include "traces/readers/fields.hpp"
#include "traces/trace.hpp"

namespace heddle::traces {

/// The fields of one line as the numbers that stand in such traces.
class ActionFields : public Fields {
 public:
  ActionFields(std::string_view line, std::uint32_t number, const std::string& file,
               std::size_t ranks)
      : Fields(line, number, file, ' '), ranks_(ranks) {}

  /// Counts and flops are written as decimals, with an exponent or without.
  double amount(std::string_view what);
  std::uint64_t count(std::string_view what);
  /// A count for every rank.
  std::vector<std::uint64_t> counts();
  /// The bytes of a datatype.
  std::uint8_t datatype();
  /// The same of the one that comes next, if one does; it is left there.
  std::optional<std::uint8_t> datatype_ahead() const;
  /// `elements` of `size` bytes.
  std::uint64_t bytes(std::uint64_t elements, std::uint64_t size) const;
  std::int32_t rank(std::string_view what, std::int32_t least = 0);
  std::int32_t tag();
  std::size_t ranks() const { return ranks_; }

 private:
  std::size_t ranks_;
};

/// One rank's actions so far.
struct RankActions {
  struct Pending {
    std::uint64_t request;
    std::int64_t source;
    std::int64_t destination;
    std::int64_t tag;
  };
  RankTrace trace;
  std::vector<Pending> pending;
  std::int64_t clock = 0;
  bool doubles = false;  ///< Sizes without a datatype count doubles, not bytes.
  std::uint64_t requests = 0;
  std::map<std::string, std::uint32_t, std::less<>> groups;  ///< By text.
  bool synchronous = false;  ///< The next action is a send that waits for its receive.
  bool buffered = false;     ///< The next action is an isend that stands for MPI_Bsend.
  bool among = false;        ///< The messages of a collective of some ranks go on.
};

/// One action of one rank.
struct Action {
  ActionFields& fields;  ///< Its arguments.
  RankActions& rank;
  std::int32_t number;  ///< The rank's.
  Speed speed;
  Call call = kNoCall;
  bool rest_ignored = false;

  /// The datatype at the end of the line, or what stands for it.
  std::uint64_t element();
  void add();
  void advance(double seconds);
  void advance_flops(double flops) { advance(flops / static_cast<double>(speed.flops())); }
  /// The place of a list in the trace.
  std::uint32_t keep(std::vector<std::uint64_t> list);
  std::uint32_t keep_bytes(std::vector<std::uint64_t> list, std::uint64_t size);
};

/// Reads the arguments of the action called `name` and adds it to the rank.
void carry_out(std::string_view name, Action& action);

}  // namespace heddle::traces
