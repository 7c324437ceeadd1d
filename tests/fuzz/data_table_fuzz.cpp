#include "fuzz.hpp"
#include "report/data_table.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle;
  return fuzz::feed(data, size, [](std::string_view text) {
    const report::DataTable table = report::read_table_text(text, "fuzz.txt");
    for (const auto& row : table.rows) table.number(row, table.columns.size() - 1);
  });
}
