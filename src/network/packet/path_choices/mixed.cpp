#include "network/packet/good_paths.hpp"
#include "network/packet/path_penalties.hpp"
#include "network/packet/rules.hpp"

namespace heddle::network {
namespace {

class MixedPaths final : public PathChooser {
 public:
  MixedPaths(std::uint32_t paths, std::uint64_t seed) : penalties_(paths, seed) {}
  std::uint32_t next() override {
    const auto path = good_.take();
    return path ? *path : penalties_.next();
  }
  void heard(std::uint32_t path, PathFate news, Time) override {
    penalties_.heard(path, news);
    if (news == PathFate::good) good_.add(path);
  }

 private:
  GoodPaths good_;
  PathPenalties penalties_;
};

}  // namespace

const PacketRule<PathChoice>& mixed() {
  static const PacketRule<PathChoice> rule = {"mixed", "again those that were good, else as bitmap",
                                              nullptr, make_paths<MixedPaths>};
  return rule;
}

}  // namespace heddle::network
