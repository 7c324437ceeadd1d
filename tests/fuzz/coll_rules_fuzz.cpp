#include <cstdlib>

#include "coll/rules/rules_file.hpp"
#include "fuzz.hpp"

// Whatever the file, it is refused or every situation has a rule of its collective, or none.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle;
  return fuzz::feed(data, size, [](std::string_view text) {
    const coll::RulesFile file("fuzz.txt", text);
    for (int i = 0; i < coll::kCollectives; ++i) {
      for (const int ranks : {1, 7, 4096}) {
        const coll::Rule* rule = file.find(static_cast<coll::Collective>(i), ranks, 1000);
        if (rule != nullptr && (rule->ranks > ranks || rule->bytes > 1000)) std::abort();
      }
    }
  });
}
