// Files packed by gzip or zstd: known by how they begin when they are read, by the ending of their
// name when they are written.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace heddle::files {

enum class Packing : std::uint8_t { none, gzip, zstd };

/// How bytes are packed that begin so; four of them suffice.
Packing packing_in(std::string_view beginning);
/// How a file of that name is to be packed: ".gz", ".zst", or not at all.
Packing packing_for(std::string_view path);
/// The path without that ending: "a.bin" of "a.bin.gz".
std::string_view without_packing(std::string_view path);
/// "gzip"
std::string_view name_of(Packing packing);

/// Packed bytes are not what they should be; what() says how.
class Damaged : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Unpacks piece by piece. Several packed files in a row are one, as gzip and zstd have it.
class Unpacker {
 public:
  virtual ~Unpacker() = default;
  /// Null for Packing::none.
  static std::unique_ptr<Unpacker> of(Packing packing);
  /// Takes bytes from the front of `in` and puts at most `size` at `out`; answers how many. 0 asks
  /// for more bytes. Throws Damaged.
  virtual std::size_t unpack(std::string_view& in, char* out, std::size_t size) = 0;
  /// Whether nothing is missing of what was begun.
  virtual bool complete() const = 0;
};

/// Packs piece by piece.
class Packer {
 public:
  using Sink = std::function<void(std::string_view packed)>;
  virtual ~Packer() = default;
  /// Null for Packing::none.
  static std::unique_ptr<Packer> of(Packing packing);
  virtual void pack(std::string_view text, const Sink& sink) = 0;
  /// Nothing follows.
  virtual void finish(const Sink& sink) = 0;
};

}  // namespace heddle::files
