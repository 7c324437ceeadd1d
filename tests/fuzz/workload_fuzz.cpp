// Any bytes given as a Chakra trace, an MSCCL algorithm or a text workload are refused or become a
// schedule that can be checked.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "fuzz.hpp"
#include "goal/check.hpp"
#include "traces/readers/trace_reader.hpp"

namespace {

using namespace heddle;

/// A file of its own, by a name that is no other rank's.
class FuzzedFile {
 public:
  explicit FuzzedFile(std::string_view bytes) {
    const int descriptor = mkstemp(path_);
    const bool written =
        write(descriptor, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
    close(descriptor);
    if (!written) std::abort();
  }
  ~FuzzedFile() { std::remove(path_); }
  FuzzedFile(const FuzzedFile&) = delete;
  FuzzedFile& operator=(const FuzzedFile&) = delete;
  const char* path() const { return path_; }

 private:
  char path_[32] = "/tmp/heddle-fuzz-2.XXXXXX";
};

void convert_bytes(std::string_view bytes) {
  const traces::TraceReader* const reader = traces::reader_for(bytes);
  if (reader == nullptr || reader->schedule == nullptr) return;
  const FuzzedFile file(bytes);
  traces::ConvertConfig config = traces::convert_table().defaults();
  config.ranks = 4;
  goal::check(reader->schedule({file.path()}, config).schedule);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::feed(data, size, convert_bytes);
}
