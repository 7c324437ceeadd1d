#include "host/outlook.hpp"

#include "host/arm_code.hpp"
#include "host/walk.hpp"

namespace heddle::host {

#if defined(__aarch64__)
Outlook outlook(const void* context, const AddressSpace& memory, std::uint32_t most) {
  // Large for a stack; there is one thread that asks.
  static Walk walk;
  walk.begin(memory, most);
  ArmCode(walk, context).follow();
  return walk.outlook();
}
#else
Outlook outlook(const void*, const AddressSpace&, std::uint32_t) {
  return {};
}
#endif

}  // namespace heddle::host
