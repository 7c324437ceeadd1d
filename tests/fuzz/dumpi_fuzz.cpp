// Any bytes given as a DUMPI trace, binary or text, are refused or become a schedule that can be
// checked. Both ranks have the same.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "fuzz.hpp"
#include "goal/check.hpp"
#include "traces/readers/trace_reader.hpp"

namespace {

using namespace heddle;

class DumpiFuzzFile {
 public:
  explicit DumpiFuzzFile(std::string_view bytes) {
    const int descriptor = mkstemp(path_);
    const bool written =
        write(descriptor, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
    close(descriptor);
    if (!written) std::abort();
  }
  ~DumpiFuzzFile() { std::remove(path_); }
  DumpiFuzzFile(const DumpiFuzzFile&) = delete;
  DumpiFuzzFile& operator=(const DumpiFuzzFile&) = delete;
  const char* path() const { return path_; }

 private:
  char path_[32] = "/tmp/heddle-fuzz-3.XXXXXX";
};

void convert_dumpi(std::string_view bytes) {
  const traces::TraceReader* const reader = traces::reader_for(bytes);
  if (reader == nullptr || reader->called != "DUMPI") return;
  const DumpiFuzzFile file(bytes);
  goal::check(
      convert(reader->read({file.path(), file.path()}, {}), traces::convert_table().defaults())
          .schedule);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::feed(data, size, convert_dumpi);
}
