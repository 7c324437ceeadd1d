// What MPI costs: section `mpi` of the parameters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/params.hpp"

namespace heddle::mpi {

enum class Preset : std::uint8_t { none, smpi };

struct MpiConfig {
  Preset preset = Preset::none;
  std::optional<Bytes> eager_limit;
  std::optional<Bytes> detached_limit;
};

const ParamTable<MpiConfig>& mpi_table();

}  // namespace heddle::mpi
