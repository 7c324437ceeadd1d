// Collectives that the adapters carry out: operations triggered by what comes, along a tree.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "coll/op/op.hpp"
#include "coll/rules/operation.hpp"
#include "shmem/call.hpp"
#include "shmem/knot.hpp"

namespace heddle::shmem {

/// Each member arms its part of the tree when it comes; from then on its processor is not needed.
/// Contributions go up as atomic operations, or as puts of nothing where members just meet, and
/// each is counted. The last one triggers that of the member itself to the one above it, or at the
/// root the puts down, whose arrival triggers those further down.
class Trees {
 public:
  /// `largest_atomic`: bytes of the adapters' longest atomic operation; none: nothing goes along
  /// trees.
  Trees(World& world, std::optional<std::size_t> largest_atomic);

  /// Whether a barrier or broadcast goes along a tree.
  bool take(coll::Collective collective, std::size_t bytes) const;
  /// What combines in the adapters, if a reduction goes along a tree.
  struct Combination {
    ptl_op_t operation{};
    ptl_datatype_t type{};
  };
  std::optional<Combination> take(coll::Operation operation, Type type, std::size_t bytes) const;

  /// A member's part of a collective, from its coming to its end.
  void run(const Call& call, Membership& member, coll::Collective collective, const TreeWork& work);
  /// A message is with its target's adapter.
  void arrived(Operation& message);

 private:
  /// A member, and where it stands in the tree.
  struct Part {
    Pe& pe;
    Team& team;
    int member;
    Knot& knot;
    bool is_root() const { return member == knot.work.root; }
  };
  enum class By : std::uint8_t { processor, adapter };

  /// The number of a member that is so many behind the root, around the team.
  static int behind_root(const Part& part, int places);
  static int place_of(const Part& part);
  int above(const Part& part) const { return behind_root(part, (place_of(part) - 1) / radix_); }
  int count_below(const Part& part) const;

  void prepare(const Part& part, const TreeWork& work, std::uint32_t number) const;
  void start(const Part& part);
  void take_early(const Part& part);
  void accept(const Part& part, const Operation& message);
  void all_reported(const Part& part);
  void report(const Part& part, By by);
  void spread(const Part& part, const std::byte* data, By by);
  void send(const Part& part, int to, Operation::Kind kind, const std::byte* data, By by);
  static void store(const Part& part, const std::byte* data);
  static void finish(const Part& part);
  std::string waiting_text(const Part& part) const;

  World& world_;
  std::optional<std::size_t> largest_atomic_;
  int radix_;
  std::size_t limit_;
  std::array<bool, coll::kCollectives> by_hand_{};  ///< Whose algorithm somebody has chosen.
};

}  // namespace heddle::shmem
