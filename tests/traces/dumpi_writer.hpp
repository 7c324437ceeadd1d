// Writes DUMPI files byte by byte, as the layout of the format says.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::traces {

inline const std::string kDumpiBegin =
    "\xff\xaa\xdd"
    "DUMPI";
/// Numbers of functions.
enum DumpiNumber : std::uint16_t {
  dumpi_send = 0,
  dumpi_recv = 1,
  dumpi_isend = 8,
  dumpi_irecv = 12,
  dumpi_wait = 13,
  dumpi_waitany = 16,
  dumpi_waitall = 18,
  dumpi_recv_init = 30,
  dumpi_start = 31,
  dumpi_barrier = 52,
  dumpi_gather = 54,
  dumpi_allgatherv = 59,
  dumpi_allreduce = 65,
  dumpi_comm_group = 72,
  dumpi_group_incl = 76,
  dumpi_comm_create = 85,
  dumpi_comm_split = 86,
  dumpi_cart_create = 99,
  dumpi_cart_sub = 111,
  dumpi_init = 124,
  dumpi_finalize = 125,
  dumpi_file_write = 250,
};

/// One rank's file.
class DumpiWriter {
 public:
  explicit DumpiWriter(std::string_view version = std::string_view("\1\0\0", 3))
      : version_(version) {
    bytes_ = kDumpiBegin;
    u32(0).u32(1000);  // seconds that CPU and wall clock count from
  }

  DumpiWriter& u8(std::uint64_t n) { return number(n, 1); }
  DumpiWriter& u16(std::uint64_t n) { return number(n, 2); }
  DumpiWriter& u32(std::uint64_t n) { return number(n, 4); }
  DumpiWriter& u64(std::uint64_t n) { return number(n, 8); }
  DumpiWriter& list(const std::vector<std::int64_t>& numbers) {
    u32(numbers.size());
    for (const std::int64_t n : numbers) u32(static_cast<std::uint64_t>(n));
    return *this;
  }
  DumpiWriter& text(std::string_view text) {
    u32(text.size());
    bytes_ += text;
    return *this;
  }
  DumpiWriter& status(std::int64_t bytes, std::int64_t source, std::int64_t tag) {
    u32(static_cast<std::uint64_t>(bytes)).u32(static_cast<std::uint64_t>(source)).u8(0).u8(0);
    return version_ < std::string_view("\0\6\3", 3) ? *this : u32(static_cast<std::uint64_t>(tag));
  }

  /// Begins a call that takes 1 us, 10 us behind the beginning of the one before; its arguments
  /// follow. With thread, wall and CPU time, and statuses if `statuses`.
  DumpiWriter& call(std::uint16_t function, bool statuses = false) {
    u16(function).u8(0x40 | 8 | 4 | (statuses ? 3 : 0)).u16(0);
    u16(0).u32(nanoseconds_ / 2).u16(0).u32(nanoseconds_ / 2 + 1000);
    u16(5).u32(nanoseconds_).u16(5).u32(nanoseconds_ + 1000);
    nanoseconds_ += 10'000;
    return *this;
  }
  DumpiWriter& init() { return call(dumpi_init).u32(1).text("./app"); }
  /// Arguments of a message: 4-byte integers in the world communicator unless it says otherwise.
  DumpiWriter& message(std::uint32_t count, std::int64_t peer, std::int64_t tag,
                       std::uint16_t comm = 2) {
    return u32(count)
        .u16(9)
        .u32(static_cast<std::uint64_t>(peer))
        .u32(static_cast<std::uint64_t>(tag))
        .u16(comm);
  }

  /// Everything up to the end; sizes of datatypes 0 to 28, of which the last is of 24 bytes.
  std::string finish() {
    call(dumpi_finalize);
    u16(293);
    const std::size_t header = bytes_.size();
    bytes_ += version_;
    u64(1'300'000'000).u16(4);
    bytes_ += "host";
    u16(4);
    bytes_ += "user";
    u32(0).u32(0);
    const std::size_t footer = bytes_.size();
    u64(0xf007fee7);
    for (int i = 0; i < 2 * 291; ++i) u32(0);
    const std::size_t sizes = bytes_.size();
    list({0,  0, 1, 1, 1, 1, 4, 2, 2,  4,  4, 8, 8,  4, 8,
          16, 0, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20, 24});
    bytes_ += kDumpiBegin;
    u64(sizes).u64(0).u64(0).u64(header).u64(8).u64(footer).u64(0);
    return bytes_;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  DumpiWriter& number(std::uint64_t n, int size) {
    for (int shift = 8 * size - 8; shift >= 0; shift -= 8) {
      bytes_ += static_cast<char>(n >> shift & 0xff);
    }
    return *this;
  }

  std::string version_;
  std::string bytes_;
  std::uint32_t nanoseconds_ = 1000;
};

}  // namespace heddle::traces
