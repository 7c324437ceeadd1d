#include "network/packet/path_penalties.hpp"
#include "network/packet/rules.hpp"

namespace heddle::network {
namespace {

class BitmapPaths final : public PathChooser {
 public:
  BitmapPaths(std::uint32_t paths, std::uint64_t seed) : penalties_(paths, seed) {}
  std::uint32_t next() override { return penalties_.next(); }
  void heard(std::uint32_t path, PathFate news, Time) override { penalties_.heard(path, news); }

 private:
  PathPenalties penalties_;
};

}  // namespace

const PacketRule<PathChoice>& bitmap() {
  static const PacketRule<PathChoice> rule = {
      "bitmap", "the same, without those that were marked or lost packets", nullptr,
      make_paths<BitmapPaths>};
  return rule;
}

}  // namespace heddle::network
