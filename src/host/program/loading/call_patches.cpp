#include "host/program/loading/call_patches.hpp"

#include "host/program/loading/turn_stubs.hpp"
#include "host/program/sampling/sampled_functions.hpp"

namespace heddle::host {

void CallPatches::patch(const link_map& object) const {
  if (sampled != nullptr) sampled->patch(object);
  if (turns != nullptr) turns->patch(object);
}

}  // namespace heddle::host
