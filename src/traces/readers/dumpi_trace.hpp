// One rank's calls as DUMPI (of SST) has written them: binary files, or what dumpi2ascii makes of
// them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::traces {

/// Handles that are the same in all files.
inline constexpr std::int64_t kDumpiNoType = 1;
inline constexpr std::int64_t kDumpiNoComm = 1;
inline constexpr std::int64_t kDumpiWorld = 2;
inline constexpr std::int64_t kDumpiSelf = 3;

struct DumpiStatus {
  std::int32_t bytes = 0;
  std::int32_t source = 0;
  std::int32_t tag = -1;  ///< Versions before 0.6.3 do not have it.
};

/// One call. Arguments are known by the letters of DumpiFunction::layout.
struct DumpiCall {
  std::uint32_t function =
      0;                     ///< Its number; that of all functions and more: one of the program's.
  std::uint32_t number = 0;  ///< Of the record, or of the line where it begins, from 1.
  std::uint16_t thread = 0;
  bool timed = false;
  std::int64_t start = 0;  ///< ns, by the wall clock if it is there.
  std::int64_t end = 0;
  std::vector<DumpiStatus> statuses;

  std::int64_t number_of(char letter) const { return numbers_[place(letter)]; }
  const std::vector<std::int64_t>& list_of(char letter) const { return lists_[place(letter)]; }
  void set(char letter, std::int64_t number) { numbers_[place(letter)] = number; }
  std::vector<std::int64_t>& list_to_fill(char letter) {
    used_.push_back(letter);
    return lists_[place(letter)];
  }
  /// Forgets the arguments of the call before.
  void clear();

 private:
  static constexpr std::size_t kLetters = 'z' - 'A' + 1;
  static constexpr std::size_t place(char letter) { return static_cast<std::size_t>(letter - 'A'); }

  std::array<std::int64_t, kLetters> numbers_ = {};
  std::array<std::vector<std::int64_t>, kLetters> lists_;
  std::string used_;  ///< Letters of lists that are not empty.
};

/// Gives calls one by one.
class DumpiTrace {
 public:
  virtual ~DumpiTrace() = default;
  /// Reads the next call; false at the end. Throws InputError with the place.
  virtual bool next(DumpiCall& call) = 0;
  /// Bytes of a datatype; predefined ones have their usual size where the file says none. Throws
  /// InputError for others.
  std::uint64_t size_of(std::int64_t datatype) const;
  const std::string& file() const { return file_; }

 protected:
  explicit DumpiTrace(std::string file) : file_(std::move(file)) {}
  std::vector<std::int64_t> sizes_;  ///< By the number of the datatype.

 private:
  std::string file_;
};

bool begins_like_dumpi(std::string_view beginning);
bool begins_like_dumpi_text(std::string_view beginning);
/// Whichever of both it is. `bytes` must outlive it.
std::unique_ptr<DumpiTrace> open_dumpi(std::string_view bytes, const std::string& file);
/// The one that is text.
std::unique_ptr<DumpiTrace> open_dumpi_text(std::string_view text, const std::string& file);

}  // namespace heddle::traces
