// Any bytes given as a recorded trace are refused or become a trace.
#include <zstd.h>

#include <cstring>

#include "fuzz.hpp"
#include "traces/readers/recorded_reader.hpp"
#include "traces/readers/recorded_trace.hpp"

namespace {

using namespace heddle;

void read(std::string_view bytes) {
  const traces::RecordedHeader header = traces::RecordedTrace(bytes, "fuzz").header();
  traces::parse_recorded(bytes, "fuzz", header.rank, header.size);
}

/// The bytes behind the header, which stand for themselves, as a block: few changes to compressed
/// bytes leave something that can be read.
std::string packed(std::string_view bytes) {
  std::uint32_t header = 0;
  std::memcpy(&header, bytes.data() + 12, 4);
  const std::string_view records = bytes.substr(std::min<std::size_t>(16 + header, bytes.size()));
  std::string block(ZSTD_compressBound(records.size()), '\0');
  block.resize(ZSTD_compress(block.data(), block.size(), records.data(), records.size(), 1));
  std::string sizes(8, '\0');
  const auto from = static_cast<std::uint32_t>(records.size());
  const auto to = static_cast<std::uint32_t>(block.size());
  std::memcpy(sizes.data(), &from, 4);
  std::memcpy(sizes.data() + 4, &to, 4);
  return std::string(bytes.substr(0, bytes.size() - records.size())) + sizes + block;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::feed(data, size, read);
  if (size < 16) return 0;
  const std::string whole = packed({reinterpret_cast<const char*>(data), size});
  return fuzz::feed(reinterpret_cast<const std::uint8_t*>(whole.data()), whole.size(), read);
}
