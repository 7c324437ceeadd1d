#include <cstdlib>

#include "fuzz.hpp"
#include "report/run_document.hpp"

namespace {

/// What is read can be shown and compared: it has a title, a length and sentences, and can be
/// written again.
void read_run_document(std::string_view text) {
  const heddle::report::Json data = heddle::report::data_of_run(text, "fuzz.json");
  const heddle::report::Json& summary = data.at("summary");
  if (!summary.at("title").is_string() || !summary.at("time_ps").is_number()) std::abort();
  for (const auto& line : summary.at("verdict")) {
    if (!line.is_string()) std::abort();
  }
  const auto keep = heddle::report::Json::error_handler_t::replace;
  if (data.dump(-1, ' ', false, keep).empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return heddle::fuzz::feed(data, size, read_run_document);
}
