#include <cstdlib>

#include "fuzz.hpp"
#include "study/study.hpp"

namespace {

/// What is read has points, and each of them a value of every parameter that it sets.
void read_study(std::string_view text) {
  const auto study = heddle::study::read_study_text(text, "fuzz.yaml");
  if (study.points.empty()) std::abort();
  for (const auto& point : study.points) {
    for (std::size_t p = 0; p < study.parameters.size(); ++p) {
      const auto* value = study.value(point, p);
      if (value != nullptr && value->where.file != "fuzz.yaml") std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return heddle::fuzz::feed(data, size, read_study);
}
