// The topology flattened-butterfly.
#include "platform/topology/hyperx.hpp"
#include "platform/topology_kinds.hpp"

namespace heddle::platform {
namespace {

struct FlatConfig {
  std::int64_t arity;
  std::int64_t levels;
};

const ParamTable<FlatConfig>& flattened_butterfly_table() {
  static const auto table = [] {
    ParamTable<FlatConfig> t("flattened-butterfly",
                             "k-ary n-flat: n-1 dimensions of k switches with k nodes each");
    t.add("arity", &FlatConfig::arity, "4", {"1", "1M"},
          "k: nodes on each switch and switches along each dimension");
    t.add("levels", &FlatConfig::levels, "3", {"2", "32"}, "n: one more than the dimensions");
    return t;
  }();
  return table;
}

std::unique_ptr<const Topology> make_flattened_butterfly(const Settings& settings) {
  const FlatConfig config = settings.get(flattened_butterfly_table());
  const std::vector<std::int64_t> dims(static_cast<std::size_t>(config.levels - 1), config.arity);
  return std::make_unique<HyperX>(dims, config.arity);
}

}  // namespace

const TopologyKind& flattened_butterfly_kind() {
  static const TopologyKind kind =
      topology_kind(8, flattened_butterfly_table(), make_flattened_butterfly);
  return kind;
}

}  // namespace heddle::platform
