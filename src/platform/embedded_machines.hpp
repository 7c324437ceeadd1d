// The texts of src/platform/machines, which the build writes into the program.
#pragma once

#include <string_view>
#include <vector>

namespace heddle::platform {

struct EmbeddedMachine {
  std::string_view name;  ///< Of the file, without its extension.
  std::string_view text;
};

/// In the order of the files.
const std::vector<EmbeddedMachine>& embedded_machines();

}  // namespace heddle::platform
