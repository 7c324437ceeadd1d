#include "mpi/config.hpp"

namespace heddle::mpi {

const ParamTable<MpiConfig>& mpi_table() {
  static const ParamTable<MpiConfig> table = [] {
    ParamTable<MpiConfig> t("mpi", "MPI: what messages cost, and how they are sent");
    t.add_choice("preset", &MpiConfig::preset, "none",
                 {{"none", Preset::none}, {"smpi", Preset::smpi}},
                 "whose costs parameters that are auto take: our own, or SMPI's");
    t.add("eager_limit", &MpiConfig::eager_limit, "auto", {"0", "1TiB"},
          "messages shorter than this travel at once, whether or not a receive is posted");
    t.add("detached_limit", &MpiConfig::detached_limit, "auto", {"0", "1TiB"},
          "sends of messages shorter than this end without their receive");
    return t;
  }();
  return table;
}

}  // namespace heddle::mpi
