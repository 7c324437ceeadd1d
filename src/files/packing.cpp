#include "files/packing.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <vector>

namespace heddle::files {
namespace {

constexpr std::string_view kGzipMagic = "\x1f\x8b";
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";
constexpr std::string_view kGzipEnding = ".gz";
constexpr std::string_view kZstdEnding = ".zst";
/// The largest window of deflate, in zlib's code for "with the header of gzip".
constexpr int kGzipWindow = 15 + 16;
constexpr std::size_t kPiece = std::size_t{1} << 16;

/// zlib counts in 32 bits, and would write to what it reads.
uInt count_of(std::size_t size) {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}
Bytef* bytes_of(std::string_view text) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
}

class GzipUnpacker final : public Unpacker {
 public:
  GzipUnpacker() {
    if (inflateInit2(&stream_, kGzipWindow) != Z_OK) throw std::bad_alloc();
  }
  ~GzipUnpacker() override { inflateEnd(&stream_); }
  GzipUnpacker(const GzipUnpacker&) = delete;
  GzipUnpacker& operator=(const GzipUnpacker&) = delete;

  std::size_t unpack(std::string_view& in, char* out, std::size_t size) override {
    if (complete_) begin_next(in);
    if (complete_) return 0;
    stream_.next_in = bytes_of(in);
    stream_.avail_in = count_of(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = count_of(size);
    const uInt before = stream_.avail_in;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    in.remove_prefix(before - stream_.avail_in);
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    complete_ = result == Z_STREAM_END;
    if (!complete_ && result != Z_OK && result != Z_BUF_ERROR) {
      throw Damaged(stream_.msg == nullptr ? "wrong bytes" : stream_.msg);
    }
    return size - stream_.avail_out;
  }
  bool complete() const override { return complete_; }

 private:
  /// Behind one packed file may stand another, or zeros that fill up a block of a tape.
  void begin_next(std::string_view& in) {
    in.remove_prefix(std::min(in.find_first_not_of('\0'), in.size()));
    if (in.empty()) return;
    if (!kGzipMagic.starts_with(in.substr(0, kGzipMagic.size()))) {
      throw Damaged("something else stands behind the packed bytes");
    }
    inflateReset(&stream_);
    complete_ = false;
  }

  z_stream stream_{};
  bool complete_ = false;
};

class ZstdUnpacker final : public Unpacker {
 public:
  ZstdUnpacker() : stream_(ZSTD_createDCtx()) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }

  std::size_t unpack(std::string_view& in, char* out, std::size_t size) override {
    // What was written is asked for also when nothing is left to read.
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out, size, 0};
    if (complete_ && in.empty()) return 0;
    const std::size_t left = ZSTD_decompressStream(stream_.get(), &to, &from);
    if (ZSTD_isError(left) != 0) throw Damaged(ZSTD_getErrorName(left));
    in.remove_prefix(from.pos);
    complete_ = left == 0;
    return to.pos;
  }
  bool complete() const override { return complete_; }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  std::unique_ptr<ZSTD_DCtx, Free> stream_;
  bool complete_ = false;
};

class GzipPacker final : public Packer {
 public:
  GzipPacker() {
    constexpr int kMemory = 8;  // zlib's own default.
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemory,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~GzipPacker() override { deflateEnd(&stream_); }
  GzipPacker(const GzipPacker&) = delete;
  GzipPacker& operator=(const GzipPacker&) = delete;

  void pack(std::string_view text, const Sink& sink) override {
    while (!text.empty()) {
      const uInt count = count_of(text.size());
      stream_.next_in = bytes_of(text);
      stream_.avail_in = count;
      deflate_all(Z_NO_FLUSH, sink);
      text.remove_prefix(count);
    }
  }
  void finish(const Sink& sink) override { deflate_all(Z_FINISH, sink); }

 private:
  void deflate_all(int how, const Sink& sink) {
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(piece_.data());
      stream_.avail_out = static_cast<uInt>(piece_.size());
      deflate(&stream_, how);
      sink({piece_.data(), piece_.size() - stream_.avail_out});
    } while (stream_.avail_out == 0);
  }

  z_stream stream_{};
  std::vector<char> piece_ = std::vector<char>(kPiece);
};

class ZstdPacker final : public Packer {
 public:
  ZstdPacker() : stream_(ZSTD_createCCtx()) {
    if (stream_ == nullptr) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_checksumFlag, 1);
  }
  void pack(std::string_view text, const Sink& sink) override {
    compress(text, ZSTD_e_continue, sink);
  }
  void finish(const Sink& sink) override { compress({}, ZSTD_e_end, sink); }

 private:
  void compress(std::string_view text, ZSTD_EndDirective how, const Sink& sink) {
    ZSTD_inBuffer from{text.data(), text.size(), 0};
    for (bool done = false; !done;) {
      ZSTD_outBuffer to{piece_.data(), piece_.size(), 0};
      const std::size_t left = ZSTD_compressStream2(stream_.get(), &to, &from, how);
      if (ZSTD_isError(left) != 0) throw std::bad_alloc();  // There is no other reason.
      sink({piece_.data(), to.pos});
      done = how == ZSTD_e_end ? left == 0 : from.pos == from.size;
    }
  }

  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };
  std::unique_ptr<ZSTD_CCtx, Free> stream_;
  std::vector<char> piece_ = std::vector<char>(kPiece);
};

}  // namespace

Packing packing_in(std::string_view beginning) {
  if (beginning.starts_with(kGzipMagic)) return Packing::gzip;
  return beginning.starts_with(kZstdMagic) ? Packing::zstd : Packing::none;
}

Packing packing_for(std::string_view path) {
  if (path.ends_with(kGzipEnding)) return Packing::gzip;
  return path.ends_with(kZstdEnding) ? Packing::zstd : Packing::none;
}

std::string_view without_packing(std::string_view path) {
  constexpr std::array<std::size_t, 3> kEndings = {0, kGzipEnding.size(), kZstdEnding.size()};
  path.remove_suffix(kEndings[static_cast<std::size_t>(packing_for(path))]);
  return path;
}

std::string_view name_of(Packing packing) {
  constexpr std::array<std::string_view, 3> kNames = {"none", "gzip", "zstd"};
  return kNames[static_cast<std::size_t>(packing)];
}

std::unique_ptr<Unpacker> Unpacker::of(Packing packing) {
  if (packing == Packing::gzip) return std::make_unique<GzipUnpacker>();
  if (packing == Packing::zstd) return std::make_unique<ZstdUnpacker>();
  return nullptr;
}

std::unique_ptr<Packer> Packer::of(Packing packing) {
  if (packing == Packing::gzip) return std::make_unique<GzipPacker>();
  if (packing == Packing::zstd) return std::make_unique<ZstdPacker>();
  return nullptr;
}

}  // namespace heddle::files
