#include "network/packet/good_paths.hpp"
#include "network/packet/path_walk.hpp"
#include "network/packet/rules.hpp"

namespace heddle::network {
namespace {

/// After a loss that only a time-out told of, only ways that were good before are taken for a
/// while; then some are tried anew.
class RecycledPaths final : public PathChooser {
 public:
  RecycledPaths(std::uint32_t paths, std::uint64_t seed) : walk_(paths, seed) {}

  std::uint32_t next() override {
    if (explorations_ > 0) {
      --explorations_;
      return walk_.any();
    }
    const auto path = frozen_ ? good_.again() : good_.take();
    return path ? *path : walk_.any();
  }
  void heard(std::uint32_t path, PathFate news, Time now) override {
    if (news == PathFate::lost && !frozen_ && explorations_ == 0) {
      frozen_ = true;
      thaws_ = now + kFreeze;
    }
    if (news != PathFate::good) return;
    if (frozen_) {
      if (now <= thaws_) return;
      frozen_ = false;
      good_.forget();
      explorations_ = kExplorations;
    }
    good_.add(path);
  }

 private:
  static constexpr Time kFreeze = Time::ms(10);
  static constexpr int kExplorations = 16;

  PathWalk walk_;
  GoodPaths good_;
  bool frozen_ = false;
  Time thaws_;
  int explorations_ = 0;
};

}  // namespace

const PacketRule<PathChoice>& reps() {
  static const PacketRule<PathChoice> rule = {
      "reps", "again those that were good, else random ones", nullptr, make_paths<RecycledPaths>};
  return rule;
}

}  // namespace heddle::network
