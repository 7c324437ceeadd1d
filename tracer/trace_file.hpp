// Writes one rank's trace: a header, then compressed blocks of records.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace heddle_trace {

/// Numbers of seven bits per byte, low ones first; a set high bit says that more follow.
class Bytes {
 public:
  void number(std::uint64_t value) {
    while (value >= 0x80) {
      data_.push_back(static_cast<unsigned char>(value | 0x80));
      value >>= 7;
    }
    data_.push_back(static_cast<unsigned char>(value));
  }
  /// 0, -1, 1, -2, 2 ... become 0, 1, 2, 3, 4 ...
  void signed_number(std::int64_t value) {
    number((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
  }
  /// Length, then the bytes.
  void text(const std::string& text) {
    number(text.size());
    data_.insert(data_.end(), text.begin(), text.end());
  }
  /// Four bytes, low one first.
  void fixed32(std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) {
      data_.push_back(static_cast<unsigned char>(value >> shift));
    }
  }
  void append(const Bytes& other) {
    data_.insert(data_.end(), other.data_.begin(), other.data_.end());
  }
  const unsigned char* data() const { return data_.data(); }
  std::size_t size() const { return data_.size(); }
  /// Keeps the capacity.
  void clear() { data_.clear(); }

 private:
  std::vector<unsigned char> data_;
};

struct TraceHeader {
  int rank = 0;
  int size = 0;
  std::string host;
  std::string library;           ///< The MPI's own name and version.
  std::uint64_t wall_clock = 0;  ///< ns since 1970 at time 0 of the records.
};

/// Not safe for threads. Gives up silently but for one message on stderr if the disk is full.
class TraceFile {
 public:
  TraceFile() = default;
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;
  ~TraceFile() { close(); }

  bool open(const std::string& path, const TraceHeader& header);
  bool is_open() const { return file_ != nullptr; }
  /// Where the next record goes; `end_record` says when it is complete, at `now` ns.
  Bytes& record() { return block_; }
  void end_record(std::int64_t now);
  void flush();
  void close();

 private:
  bool write(const void* data, std::size_t size);
  void give_up();

  std::FILE* file_ = nullptr;
  std::string path_;
  Bytes block_;
  std::vector<unsigned char> compressed_;
  std::int64_t last_flush_ = 0;
};

}  // namespace heddle_trace
