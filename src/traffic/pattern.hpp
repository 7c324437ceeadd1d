// Who sends to whom.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/ids.hpp"
#include "core/random.hpp"

namespace heddle::traffic {

struct TrafficConfig;

/// Chooses destinations. Immutable: what varies comes with the call.
class Pattern {
 public:
  virtual ~Pattern() = default;
  /// Whether `source` sends at all: the target of an incast does not, nor does a node that would
  /// send to itself.
  virtual bool sends(NodeId source) const = 0;
  /// Where message `number` (from 0) of `source`, which must send, goes; never to itself.
  virtual NodeId destination(NodeId source, std::uint64_t number, RandomStream& random) const = 0;
  /// Messages per node that make a whole of it in a closed loop.
  virtual std::int64_t usual_messages() const { return 100; }
};

/// One entry of the list of patterns. `make` throws InputError if the pattern does not fit the
/// number of nodes or the configuration; it is null for "file", whose messages are not chosen but
/// read.
struct PatternKind {
  std::string_view name;
  std::string_view about;
  std::unique_ptr<const Pattern> (*make)(const TrafficConfig& config, std::uint32_t nodes,
                                         RandomStream random);
};

const std::vector<PatternKind>& pattern_kinds();
/// Makes the pattern that `config` names, for `nodes` nodes; random ones use `random`.
std::unique_ptr<const Pattern> make_pattern(const TrafficConfig& config, std::uint32_t nodes,
                                            RandomStream random);

/// The nodes that send; throws InputError if none does.
std::vector<NodeId> senders_of(const Pattern& pattern, std::uint32_t nodes);

}  // namespace heddle::traffic
