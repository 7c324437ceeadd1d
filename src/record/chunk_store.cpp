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

void ChunkStore::append(std::span<const std::byte> chunk) {
  buffer_.resize(ZSTD_compressBound(chunk.size()));
  const std::size_t size =
      ZSTD_compress(buffer_.data(), buffer_.size(), chunk.data(), chunk.size(), kLevel);
  if (ZSTD_isError(size) != 0) throw RunError("the recording of the run cannot be compressed");
  keep({buffer_.data(), size}, chunk.size());
}

void ChunkStore::keep(std::span<const std::byte> compressed, std::size_t original) {
  const auto size = static_cast<std::uint32_t>(compressed.size());
  compressed_ += size;
  if (file_ == nullptr && memory_.size() + size <= in_memory_) {
    places_.push_back({false, memory_.size(), size, static_cast<std::uint32_t>(original)});
    memory_.insert(memory_.end(), compressed.begin(), compressed.end());
    return;
  }
  places_.push_back({true, file_size_, size, static_cast<std::uint32_t>(original)});
  write(compressed);
}

void ChunkStore::write(std::span<const std::byte> compressed) {
  if (file_ == nullptr) file_.reset(nameless_file());
  if (std::fwrite(compressed.data(), 1, compressed.size(), file_.get()) != compressed.size()) {
    fail("written");
  }
  file_size_ += compressed.size();
}

void ChunkStore::read(std::size_t number, std::vector<std::byte>& chunk) const {
  const Place& place = places_[number];
  std::vector<std::byte> compressed;
  const std::byte* from = memory_.data() + place.offset;
  if (place.in_file) {
    compressed.resize(place.size);
    from = compressed.data();
    if (std::fflush(file_.get()) != 0 ||
        pread(fileno(file_.get()), compressed.data(), place.size,
              static_cast<off_t>(place.offset)) != static_cast<ssize_t>(place.size)) {
      fail("read");
    }
  }
  chunk.resize(place.original);
  const std::size_t size = ZSTD_decompress(chunk.data(), chunk.size(), from, place.size);
  if (size != place.original) throw RunError("the recording of the run is damaged");
}

}  // namespace heddle::record
