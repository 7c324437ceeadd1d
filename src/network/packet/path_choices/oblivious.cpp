#include "network/packet/path_walk.hpp"
#include "network/packet/rules.hpp"

namespace heddle::network {
namespace {

class ObliviousPaths final : public PathChooser {
 public:
  ObliviousPaths(std::uint32_t paths, std::uint64_t seed) : walk_(paths, seed) {}
  std::uint32_t next() override { return walk_.next(); }

 private:
  PathWalk walk_;
};

}  // namespace

const PacketRule<PathChoice>& oblivious() {
  static const PacketRule<PathChoice> rule = {"oblivious", "one after another, in random order",
                                              nullptr, make_paths<ObliviousPaths>};
  return rule;
}

}  // namespace heddle::network
