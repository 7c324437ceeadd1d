#include "record/chunk_store.hpp"

#include <unistd.h>
#include <zstd.h>

#include <cerrno>
#include <cstring>

#include "core/error.hpp"

namespace heddle::record {
namespace {

/// Fast rather than small: it is paid while the simulation runs.
constexpr int kLevel = -3;

[[noreturn]] void fail(const char* what) {
  throw RunError(std::string("the recording of the run cannot be ") + what + ": " +
                 std::strerror(errno) + " (its file is in the folder that TMPDIR names, or /tmp)");
}

std::FILE* nameless_file() {
  const char* folder = std::getenv("TMPDIR");
  std::string name = std::string(folder == nullptr ? "/tmp" : folder) + "/heddle-recording-XXXXXX";
  const int number = mkstemp(name.data());
  if (number < 0) fail("kept");
  unlink(name.c_str());
  std::FILE* const file = fdopen(number, "w+b");
  if (file == nullptr) fail("kept");
  return file;
}

}  // namespace

/// What the library needs at work, made once.
struct ChunkStore::Context {
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  std::unique_ptr<ZSTD_CCtx, Free> compress{ZSTD_createCCtx()};
  std::unique_ptr<ZSTD_DCtx, Free> decompress{ZSTD_createDCtx()};
};

ChunkStore::ChunkStore(Room room) : room_(room), context_(std::make_unique<Context>()) {}

ChunkStore::~ChunkStore() = default;

void ChunkStore::append(std::span<const std::byte> chunk) {
  Place& place = places_.emplace_back();
  place.original = chunk.size();
  place.plain = compressed_ == 0 && plain_ + chunk.size() <= room_.plain;
  if (place.plain) {
    plain_ += chunk.size();
  } else {
    chunk = compress(chunk);
    compressed_ += chunk.size();
  }
  place.size = chunk.size();
  if (compressed_ <= room_.compressed) {
    place.bytes.assign(chunk.begin(), chunk.end());
  } else {
    place.offset = file_size_;
    write(chunk);
  }
}

std::span<const std::byte> ChunkStore::compress(std::span<const std::byte> chunk) {
  buffer_.resize(ZSTD_compressBound(chunk.size()));
  const std::size_t size = ZSTD_compressCCtx(context_->compress.get(), buffer_.data(),
                                             buffer_.size(), chunk.data(), chunk.size(), kLevel);
  if (ZSTD_isError(size) != 0) throw RunError("the recording of the run cannot be compressed");
  return {buffer_.data(), size};
}

void ChunkStore::write(std::span<const std::byte> compressed) {
  if (file_ == nullptr) file_.reset(nameless_file());
  if (std::fwrite(compressed.data(), 1, compressed.size(), file_.get()) != compressed.size()) {
    fail("written");
  }
  file_size_ += compressed.size();
}

std::span<const std::byte> ChunkStore::read(std::size_t number,
                                            std::vector<std::byte>& buffer) const {
  const Place& place = places_[number];
  if (place.plain) return place.bytes;
  std::vector<std::byte> compressed;
  std::span<const std::byte> from = place.bytes;
  if (from.empty()) {
    compressed.resize(place.size);
    from = compressed;
    if (std::fflush(file_.get()) != 0 ||
        pread(fileno(file_.get()), compressed.data(), place.size,
              static_cast<off_t>(place.offset)) != static_cast<ssize_t>(place.size)) {
      fail("read");
    }
  }
  buffer.resize(place.original);
  const std::size_t size = ZSTD_decompressDCtx(context_->decompress.get(), buffer.data(),
                                               buffer.size(), from.data(), from.size());
  if (size != place.original) throw RunError("the recording of the run is damaged");
  return buffer;
}

}  // namespace heddle::record
