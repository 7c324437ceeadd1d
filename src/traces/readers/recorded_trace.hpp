// Decodes what the tracing library recorded (docs/trace-format.md): one rank's calls as they were.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::traces {

/// Opens every recorded trace.
inline constexpr std::string_view kRecordedMagic = "HEDDLETR";
inline constexpr std::uint32_t kRecordedVersion = 1;

/// Communicators with fixed names.
inline constexpr std::uint64_t kRecordedWorld = 0;
inline constexpr std::uint64_t kRecordedSelf = 1;
inline constexpr std::uint64_t kRecordedUnknown = 2;
/// Stands for MPI_IN_PLACE among addresses.
inline constexpr std::uint64_t kRecordedInPlace = 1;

struct RecordedFunction {
  std::string name;     ///< Without MPI_: "Send", "Allreduce_c".
  std::string letters;  ///< The fields of its records.
};

struct RecordedHeader {
  std::uint32_t rank = 0;
  std::uint32_t size = 0;
  std::uint64_t wall_clock = 0;  ///< ns since 1970 at time 0.
  std::string host;
  std::string library;
  std::vector<RecordedFunction> functions;
};

/// Ranks are those of the communicator; -1 stands for any source or tag, -2 for MPI_PROC_NULL, -3
/// for MPI_ROOT.
struct RecordedStatus {
  std::int64_t source = 0;
  std::int64_t tag = 0;
  std::uint64_t bytes = 0;
};

struct RecordedCompletion {
  std::uint64_t position = 0;  ///< Among the requests of the call.
  std::optional<RecordedStatus> status;
};

struct RecordedComm {
  std::uint64_t id = kRecordedUnknown;  ///< Unknown: it joins two groups.
  std::uint64_t rank = 0;
  std::uint64_t size = 0;
  std::vector<std::int64_t> members;  ///< World ranks; only the first member's trace says them.
};

/// One call; fields that its function does not have are 0 or empty.
struct RecordedCall {
  std::uint32_t function = 0;  ///< Index in RecordedHeader::functions.
  std::uint32_t number = 0;    ///< Of the record, from 1.
  std::int64_t start = 0;      ///< ns on the rank's own clock, which starts at 0.
  std::int64_t end = 0;
  std::uint64_t buffer = 0;
  std::uint64_t recv_buffer = 0;
  std::int64_t count = 0;
  std::int64_t recv_count = 0;
  std::uint64_t size = 0;  ///< Bytes of the datatype.
  std::uint64_t recv_size = 0;
  std::vector<std::int64_t> counts;
  std::vector<std::int64_t> recv_counts;
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> recv_sizes;
  std::int64_t peer = 0;  ///< Destination or root.
  std::int64_t source = 0;
  std::int64_t tag = 0;
  std::int64_t recv_tag = 0;
  std::int64_t colour = 0;
  std::int64_t key = 0;
  std::uint64_t comm = 0;  ///< Also that of a window or of a matched message.
  std::uint64_t request = 0;
  std::vector<std::uint64_t> requests;  ///< 0 stands for MPI_REQUEST_NULL.
  std::vector<RecordedCompletion> completed;
  bool flag = true;
  std::optional<RecordedStatus> status;
  std::optional<RecordedComm> made;
  std::uint64_t failed = 0;  ///< Function that returned an error.

  /// Forgets the call before, but not the room that its lists had.
  void clear();
};

/// Gives the calls of a trace one by one, one block in memory at a time.
class RecordedTrace {
 public:
  /// `bytes` must outlive this; `file` stands for it in errors. Throws InputError if the header is
  /// bad.
  RecordedTrace(std::string_view bytes, std::string file);

  const RecordedHeader& header() const { return header_; }
  const RecordedFunction& function(const RecordedCall& call) const {
    return header_.functions[call.function];
  }
  /// Reads the next call; false at the end. Throws InputError with the block and the byte in it.
  bool next(RecordedCall& call);

 private:
  void read_header();
  bool next_block();
  void read_field(char letter, RecordedCall& call);
  void read_special(char letter, RecordedCall& call);
  void read_requests(RecordedCall& call);
  std::optional<RecordedComm> read_comm();
  RecordedStatus read_status();
  std::vector<std::int64_t> read_list(bool with_sign);

  std::uint32_t fixed32();
  std::uint64_t number(std::uint64_t most = UINT64_MAX);
  std::int64_t signed_number();
  std::string text();
  /// A number of things that take at least a byte each.
  std::uint64_t length();
  [[noreturn]] void fail(std::string_view problem) const;

  std::string_view file_bytes_;
  std::string file_;
  RecordedHeader header_;
  std::size_t file_at_ = 0;  ///< Of the next block.
  std::string block_;        ///< Uncompressed.
  std::string_view piece_;   ///< Being read: the header, or the block.
  std::size_t at_ = 0;       ///< In it.
  std::uint32_t blocks_ = 0;
  std::uint32_t records_ = 0;
  std::int64_t last_ = 0;  ///< Where the record before ended.
};

}  // namespace heddle::traces
