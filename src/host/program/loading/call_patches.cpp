#include "host/program/loading/call_patches.hpp"

#include "host/program/loading/elf_file.hpp"
#include "host/program/loading/turn_stubs.hpp"
#include "host/program/sampling/loop_sampler.hpp"
#include "host/program/sampling/sampled_functions.hpp"

namespace heddle::host {

void CallPatches::patch(const link_map& object, const ElfFile& file) const {
  if (sampled != nullptr) sampled->patch(object);
  if (turns != nullptr) turns->patch(object);
  if (loops != nullptr) loops->take(object, file.absolute_path(), file.memory().code());
}

}  // namespace heddle::host
