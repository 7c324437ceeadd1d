#include "trace_file.hpp"

#include <zstd.h>

#include <cerrno>
#include <cstring>

#include "calls.hpp"

namespace heddle_trace {
namespace {

constexpr char kMagic[] = "HEDDLETR";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kBlockBytes = 256 * 1024;
/// What a program that is killed can lose.
constexpr std::int64_t kFlushNanoseconds = 2'000'000'000;
constexpr int kCompressionLevel = 1;

/// The letters that are written.
std::string recorded_letters(const char* letters) {
  std::string recorded;
  for (const char* l = letters; *l; ++l) {
    if (!std::strchr("kFimI1*HE_", *l)) recorded += *l;
  }
  return recorded;
}

Bytes encode(const TraceHeader& header) {
  Bytes bytes;
  bytes.number(static_cast<std::uint64_t>(header.rank));
  bytes.number(static_cast<std::uint64_t>(header.size));
  bytes.number(header.wall_clock);
  bytes.text(header.host);
  bytes.text(header.library);
  bytes.number(kCallCount + 1);
  for (const CallInfo& call : kCalls) {
    bytes.text(call.name);
    bytes.text(recorded_letters(call.letters));
  }
  bytes.text("(failed)");
  bytes.text("#");
  return bytes;
}

}  // namespace

bool TraceFile::open(const std::string& path, const TraceHeader& header) {
  path_ = path;
  file_ = std::fopen(path.c_str(), "wb");
  if (!file_) {
    std::fprintf(stderr, "heddle: cannot write the trace %s: %s\n", path.c_str(),
                 std::strerror(errno));
    return false;
  }
  const Bytes encoded = encode(header);
  Bytes head;
  head.fixed32(kVersion);
  head.fixed32(static_cast<std::uint32_t>(encoded.size()));
  compressed_.resize(ZSTD_compressBound(kBlockBytes));
  return write(kMagic, 8) && write(head.data(), head.size()) &&
         write(encoded.data(), encoded.size());
}

void TraceFile::end_record(std::int64_t now) {
  if (block_.size() < kBlockBytes && now - last_flush_ < kFlushNanoseconds) return;
  last_flush_ = now;
  flush();
}

void TraceFile::flush() {
  if (!file_ || block_.size() == 0) return;
  compressed_.resize(ZSTD_compressBound(block_.size()));
  const std::size_t size = ZSTD_compress(compressed_.data(), compressed_.size(), block_.data(),
                                         block_.size(), kCompressionLevel);
  if (ZSTD_isError(size)) return give_up();
  Bytes head;
  head.fixed32(static_cast<std::uint32_t>(block_.size()));
  head.fixed32(static_cast<std::uint32_t>(size));
  block_.clear();
  if (write(head.data(), head.size()) && write(compressed_.data(), size) &&
      std::fflush(file_) != 0) {
    give_up();
  }
}

void TraceFile::close() {
  flush();
  if (file_ && std::fclose(file_) != 0) {
    std::fprintf(stderr, "heddle: the trace %s is incomplete: %s\n", path_.c_str(),
                 std::strerror(errno));
  }
  file_ = nullptr;
}

bool TraceFile::write(const void* data, std::size_t size) {
  if (std::fwrite(data, 1, size, file_) == size) return true;
  give_up();
  return false;
}

void TraceFile::give_up() {
  std::fprintf(stderr, "heddle: the trace %s ends early: %s\n", path_.c_str(),
               std::strerror(errno));
  std::fclose(file_);
  file_ = nullptr;
}

}  // namespace heddle_trace
