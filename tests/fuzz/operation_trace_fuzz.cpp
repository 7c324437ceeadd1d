#include <sstream>

#include "fuzz.hpp"
#include "trace/chart.hpp"
#include "trace/reader.hpp"

/// Reads a trace and draws what it kept.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle;
  return fuzz::feed(data, size, [](std::string_view text) {
    std::istringstream input{std::string(text)};
    trace::EarliestRows rows(50);
    trace::read_rows(input, "fuzz.csv", [&rows](const trace::Row& row) { rows.add(row); });
    trace::chart(rows.rows());
  });
}
