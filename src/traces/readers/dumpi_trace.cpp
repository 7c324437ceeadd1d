// The binary files. Layout: "\xff\xaa\xddDUMPI", the calls, then sections that an index at the very
// end has the offsets of, and before that index the same eight bytes again.
#include "traces/readers/dumpi_trace.hpp"

#include <bit>
#include <cstring>
#include <type_traits>

#include <fmt/core.h>

#include "core/error.hpp"
#include "traces/readers/dumpi_functions.hpp"

namespace heddle::traces {
namespace {

constexpr std::string_view kDumpiMagic =
    "\xff\xaa\xdd"
    "DUMPI";
constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;

/// What calls are recorded with.
enum DumpiMask : std::uint8_t {
  statuses_mask = 3,
  cpu_time_mask = 4,
  wall_time_mask = 8,
  thread_mask = 64,
  counters_mask = 128
};

/// Big-endian numbers one after another.
class DumpiBytes {
 public:
  DumpiBytes(std::string_view bytes, const std::string& file, std::size_t at, std::size_t end)
      : bytes_(bytes.substr(0, end)), file_(&file), at_(at) {}

  std::size_t offset() const { return at_; }
  std::size_t left() const { return bytes_.size() - at_; }

  template <class T>
  T take(std::string_view what) {
    need(sizeof(T), what);
    std::make_unsigned_t<T> value;
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return static_cast<T>(turned(value));
  }
  void skip(std::uint64_t size, std::string_view what) {
    need(size, what);
    at_ += size;
  }
  /// A number of things of that size each.
  std::uint32_t length(std::size_t size, std::string_view what) {
    const auto count = take<std::uint32_t>(what);
    if (count > left() / size) {
      at_ -= sizeof count;
      fail(fmt::format("{} with {} elements is expected, and {} bytes are left", what, count,
                       left()));
    }
    return count;
  }
  [[noreturn]] void fail(std::string_view problem) const {
    throw InputError({*file_}, fmt::format("at byte {}: {}", at_, problem));
  }

 private:
  /// From the order of bytes in files to that of the machine.
  template <class Unsigned>
  static Unsigned turned(Unsigned value) {
    if constexpr (sizeof value == 1 || std::endian::native == std::endian::big) return value;
    if constexpr (sizeof value == 2) return __builtin_bswap16(value);
    if constexpr (sizeof value == 4) return __builtin_bswap32(value);
    if constexpr (sizeof value == 8) return __builtin_bswap64(value);
  }
  void need(std::uint64_t size, std::string_view what) const {
    if (size > left()) fail(fmt::format("{} is expected, and {} bytes are left", what, left()));
  }

  std::string_view bytes_;
  const std::string* file_;
  std::size_t at_;
};

/// Where the sections begin; 0: there is none.
struct DumpiIndex {
  std::uint64_t sizes = 0;
  std::uint64_t header = 0;
  std::uint64_t body = 0;
  std::size_t begin = 0;  ///< Of the index itself.
};

/// Files of today have 7 offsets; older ones lack some of the first.
DumpiIndex read_index(std::string_view bytes, const std::string& file) {
  constexpr std::size_t kMost = 7;
  constexpr std::size_t kFewest = 4;
  for (std::size_t offsets = kMost; offsets >= kFewest; --offsets) {
    const std::size_t size = 8 * (offsets + 1);
    if (bytes.size() < size + kDumpiMagic.size()) continue;
    DumpiIndex index;
    index.begin = bytes.size() - size;
    if (bytes.substr(index.begin, kDumpiMagic.size()) != kDumpiMagic) continue;
    DumpiBytes in(bytes, file, index.begin + kDumpiMagic.size(), bytes.size());
    for (std::size_t i = offsets; i > kFewest; --i) {
      const auto section = in.take<std::uint64_t>("an offset");
      if (i == kMost) index.sizes = section;
    }
    index.header = in.take<std::uint64_t>("the offset of the header");
    index.body = in.take<std::uint64_t>("the offset of the calls");
    return index;
  }
  throw InputError({file}, fmt::format("at byte {}: the index that ends a DUMPI file is expected: "
                                       "the file is cut off, or its program was stopped",
                                       bytes.size()));
}

class DumpiFile final : public DumpiTrace {
 public:
  DumpiFile(std::string_view bytes, const std::string& name)
      : DumpiTrace(name), index_(read_index(bytes, file())), in_(section(bytes, index_.body)) {
    if (index_.header != 0) read_version(section(bytes, index_.header));
    if (index_.sizes != 0) read_sizes(section(bytes, index_.sizes));
    in_.skip(2 * sizeof(std::uint32_t), "the seconds that times count from");
  }

  bool next(DumpiCall& call) override {
    const std::size_t known = dumpi_functions().size();
    const auto function = in_.take<std::uint16_t>("the number of a function");
    if (function == known + 3) return false;
    call.clear();
    call.function = function;
    call.number = ++records_;
    const auto mask = in_.take<std::uint8_t>("what a call is recorded with");
    read_times(mask, call);
    if (function == known + 1 || function == known + 2) {
      in_.skip(sizeof(std::uint64_t), "the address of a function");
      return true;
    }
    if (function >= known || dumpi_functions()[function].layout == "?") {
      in_.fail(
          fmt::format("a call of function {} is no call that DUMPI writes: accepted are 0 to "
                      "{}, and {} at the end",
                      function, known + 2, known + 3));
    }
    read_arguments(dumpi_functions()[function].layout, mask, call);
    return true;
  }

 private:
  DumpiBytes section(std::string_view bytes, std::uint64_t begin) const {
    DumpiBytes whole(bytes, file(), index_.begin, bytes.size());
    if (begin > index_.begin) {
      whole.fail(fmt::format("{} is no offset of a section: the index begins here", begin));
    }
    return {bytes, file(), begin, index_.begin};
  }

  void read_version(DumpiBytes in) {
    version_ = 0;
    for (int i = 0; i < 3; ++i) version_ = version_ << 8 | in.take<std::uint8_t>("a version");
  }
  bool at_least(unsigned minor, unsigned patch) const { return version_ >= (minor << 8 | patch); }

  void read_sizes(DumpiBytes in) {
    const std::uint32_t count = in.length(sizeof(std::int32_t), "a list of sizes of datatypes");
    for (std::uint32_t i = 0; i < count; ++i) sizes_.push_back(in.take<std::int32_t>("a size"));
  }

  std::int64_t read_time() {
    const auto seconds = in_.take<std::uint16_t>("the seconds of a time");
    return seconds * kNanosecondsPerSecond + in_.take<std::uint32_t>("the nanoseconds of a time");
  }
  void read_times(std::uint8_t mask, DumpiCall& call) {
    if (mask & thread_mask) call.thread = in_.take<std::uint16_t>("the number of a thread");
    for (const std::uint8_t clock : {cpu_time_mask, wall_time_mask}) {
      if (!(mask & clock)) continue;
      call.timed = true;
      call.start = read_time();
      call.end = read_time();
    }
    if (mask & counters_mask) {
      in_.skip(2ULL * sizeof(std::uint64_t) * in_.take<std::uint8_t>("a number of counters"),
               "counters");
    }
  }

  void read_arguments(std::string_view layout, std::uint8_t mask, DumpiCall& call) {
    for (std::size_t i = 0; i < layout.size(); ++i) {
      const char letter = layout[i];
      if (letter == '(') {
        if (call.number_of('a') != call.number_of('r')) i = layout.find(')', i);
      } else if (letter == 'S') {
        if (mask & statuses_mask) read_statuses(call);
      } else if (letter != ')') {
        read_argument(letter, call);
      }
    }
  }

  void read_argument(char letter, DumpiCall& call) {
    switch (letter) {
      case 't':
      case 'T':
      case 'c':
      case 'm':
      case 'u':
      case 'w':
      case 'U':
      case 'h':
        call.set(letter, in_.take<std::uint16_t>("a handle"));
        break;
      case 'b':
        in_.skip(1, "an argument of 1 byte");
        break;
      case 'l':
        in_.skip(8, "an argument of 8 bytes");
        break;
      case '$':
        in_.skip(in_.length(1, "a text"), "a text");
        break;
      case 'x':
      case 'B':
      case 'j':
      case '&':
      case '!':
      case '@':
      case '#':
      case '%':
        skip_list(letter);
        break;
      case 'v':
      case 'V':
      case 'Q':
      case 'I':
      case 'R':
      case 'D':
        read_list<std::int32_t>(call.list_to_fill(letter));
        break;
      case 'y':
      case 'Y':
        read_list<std::uint16_t>(call.list_to_fill(letter));
        break;
      case 'X':
        for (auto lists = in_.length(4, "a list of lists"); lists > 0; --lists) {
          read_list<std::int32_t>(call.list_to_fill('X'));
        }
        break;
      default:
        call.set(letter, in_.take<std::int32_t>("an argument"));
    }
  }

  void skip_list(char letter) {
    if ((letter == '&' && !at_least(6, 8)) || (letter == '!' && !at_least(6, 9))) {
      return in_.skip(4, "an argument");
    }
    const std::size_t size = letter == 'B' ? 1 : letter == 'j' ? 2 : 4;
    const std::uint32_t count = in_.length(size, "a list");
    if (letter == '%' && !at_least(6, 2)) in_.skip(4, "the number of arguments again");
    if (letter != '@' && letter != '#' && letter != '%') return in_.skip(count * size, "a list");
    for (std::uint32_t i = 0; i < count; ++i) {
      if (letter == '#') {
        skip_list('@');
      } else {
        in_.skip(in_.length(1, "a text"), "a text");
      }
    }
  }

  template <class T>
  void read_list(std::vector<std::int64_t>& list) {
    const std::uint32_t count = in_.length(sizeof(T), "a list");
    for (std::uint32_t i = 0; i < count; ++i) list.push_back(in_.take<T>("an element of a list"));
  }

  void read_statuses(DumpiCall& call) {
    const bool tags = at_least(6, 3);
    const std::uint32_t count = in_.length(tags ? 14 : 10, "a list of statuses");
    for (std::uint32_t i = 0; i < count; ++i) {
      DumpiStatus& status = call.statuses.emplace_back();
      status.bytes = in_.take<std::int32_t>("the bytes of a status");
      status.source = in_.take<std::int32_t>("the source of a status");
      in_.skip(2, "the flags of a status");
      if (tags) status.tag = in_.take<std::int32_t>("the tag of a status");
    }
  }

  DumpiIndex index_;
  DumpiBytes in_;
  std::uint32_t version_ = 1 << 16;
  std::uint32_t records_ = 0;
};

/// Of predefined datatypes, by their numbers: what C compilers for machines of 64 bits have.
constexpr std::uint8_t kUsualSizes[] = {0, 0,  1, 1, 1, 1, 4, 2, 2, 4,  4,  8, 8, 4,
                                        8, 16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20};

}  // namespace

void DumpiCall::clear() {
  numbers_.fill(0);
  for (const char letter : used_) lists_[place(letter)].clear();
  used_.clear();
  statuses.clear();
  thread = 0;
  timed = false;
  start = end = 0;
}

std::uint64_t DumpiTrace::size_of(std::int64_t datatype) const {
  const auto number = static_cast<std::size_t>(datatype);
  if (number < sizes_.size() && sizes_[number] > 0) {
    return static_cast<std::uint64_t>(sizes_[number]);
  }
  if (number < std::size(kUsualSizes)) return kUsualSizes[number];
  if (number < sizes_.size() && sizes_[number] == 0) return 0;
  throw InputError({file_}, fmt::format("the size of datatype {} is expected among those of its "
                                        "{} datatypes{}",
                                        datatype, sizes_.size(),
                                        sizes_.empty() ? " (dumpi2ascii -a writes them)" : ""));
}

bool begins_like_dumpi(std::string_view beginning) {
  return beginning.starts_with(kDumpiMagic);
}

std::unique_ptr<DumpiTrace> open_dumpi(std::string_view bytes, const std::string& file) {
  if (!begins_like_dumpi(bytes)) return open_dumpi_text(bytes, file);
  return std::make_unique<DumpiFile>(bytes, file);
}

}  // namespace heddle::traces
