#include "fuzz.hpp"
#include "platform/machine_files/edge_list.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle;
  return fuzz::feed(data, size, [](std::string_view text) {
    platform::read_edge_list_notes(text, {"fuzz.edges", 1, 1});
    const platform::LinkParams link = platform::link_table().defaults();
    platform::graph_of(platform::read_edge_list(text, {"fuzz.edges", 1, 1}), link);
  });
}
