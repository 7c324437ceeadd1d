#include "host/libc/stream_formats.hpp"

#include <cstring>
#include <iostream>
#include <type_traits>

namespace heddle::host {
namespace {

/// What a stream has besides its format. The library has no way to set an error without the
/// exception that a program may want for it.
template <class Char>
struct Access : std::basic_ios<Char> {
  static std::ios_base::iostate& errors(std::basic_ios<Char>& stream) {
    return stream.*(&Access::_M_streambuf_state);
  }
};

/// One stream's state.
template <class Char>
struct Kept {
  std::basic_ios<Char> format{nullptr};
  std::ios_base::iostate errors{};
  std::ios_base::iostate throwing{};  ///< Errors that the program wants exceptions for.
  std::basic_streambuf<Char>* buffer = nullptr;

  void take(std::basic_ios<Char>& stream) {
    errors = stream.rdstate();
    throwing = stream.exceptions();
    buffer = stream.rdbuf();
    Access<Char>::errors(stream) = std::ios_base::goodbit;
    stream.exceptions(std::ios_base::goodbit);
    format.copyfmt(stream);
  }
  void give(std::basic_ios<Char>& stream) const {
    Access<Char>::errors(stream) = std::ios_base::goodbit;
    stream.exceptions(std::ios_base::goodbit);
    stream.rdbuf(buffer);
    stream.copyfmt(format);
    stream.exceptions(throwing);
    Access<Char>::errors(stream) = errors;
  }
};

std::array<std::ios*, kNarrowStreams> narrow() {
  return {&std::cin, &std::cout, &std::cerr, &std::clog};
}
std::array<std::wios*, kNarrowStreams> wide() {
  return {&std::wcin, &std::wcout, &std::wcerr, &std::wclog};
}

bool wanted(StreamSet set, std::size_t stream) {
  return (set >> stream & 1) != 0;
}

template <class Stream, class Bytes>
void note(Stream& stream, Kept<typename Stream::char_type>& kept, Bytes& bytes) {
  stream.fill();  // Made when it is first asked for.
  kept.take(stream);
  kept.give(stream);
  std::memcpy(bytes.data(), static_cast<const void*>(&stream), bytes.size());
}

template <class Stream, class Bytes>
bool differs(const Stream& stream, const Bytes& bytes) {
  return std::memcmp(static_cast<const void*>(&stream), bytes.data(), bytes.size()) != 0;
}

}  // namespace

/// Each stream as it is when nobody has changed it.
struct StreamFormats::Normal::State {
  std::array<Kept<char>, kNarrowStreams> narrow;
  std::array<Kept<wchar_t>, kNarrowStreams> wide;
  std::array<std::array<std::byte, sizeof(std::ios)>, kNarrowStreams> narrow_bytes;
  std::array<std::array<std::byte, sizeof(std::wios)>, kNarrowStreams> wide_bytes;
};

StreamFormats::Normal::Normal() : state_(std::make_unique<State>()) {
  for (std::size_t i = 0; i < kNarrowStreams; ++i) {
    note(*host::narrow()[i], state_->narrow[i], state_->narrow_bytes[i]);
    note(*host::wide()[i], state_->wide[i], state_->wide_bytes[i]);
  }
}
StreamFormats::Normal::~Normal() = default;

bool StreamFormats::Normal::changed(StreamSet set) const {
  for (std::size_t i = 0; i < kNarrowStreams; ++i) {
    if (wanted(set, i) && differs(*host::narrow()[i], state_->narrow_bytes[i])) return true;
    if (wanted(set, i + kNarrowStreams) && differs(*host::wide()[i], state_->wide_bytes[i])) {
      return true;
    }
  }
  return false;
}

struct StreamFormats::State {
  std::array<std::unique_ptr<Kept<char>>, kNarrowStreams> narrow;
  std::array<std::unique_ptr<Kept<wchar_t>>, kNarrowStreams> wide;
};

StreamFormats::StreamFormats() : state_(std::make_unique<State>()) {}
StreamFormats::~StreamFormats() = default;

bool StreamFormats::take(StreamSet set, const Normal& normal) {
  const Normal::State& as_usual = *normal.state_;
  bool any = false;
  const auto keep = [&](auto& stream, auto& kept, const auto& usual, const auto& bytes) {
    kept.reset();
    if (!differs(stream, bytes)) return;
    kept = std::make_unique<std::remove_cvref_t<decltype(usual)>>();
    kept->take(stream);
    usual.give(stream);
    any = true;
  };
  for (std::size_t i = 0; i < kNarrowStreams; ++i) {
    if (wanted(set, i)) {
      keep(*host::narrow()[i], state_->narrow[i], as_usual.narrow[i], as_usual.narrow_bytes[i]);
    }
    if (wanted(set, i + kNarrowStreams)) {
      keep(*host::wide()[i], state_->wide[i], as_usual.wide[i], as_usual.wide_bytes[i]);
    }
  }
  return any;
}

void StreamFormats::give(StreamSet set) const {
  for (std::size_t i = 0; i < kNarrowStreams; ++i) {
    if (wanted(set, i) && state_->narrow[i]) state_->narrow[i]->give(*host::narrow()[i]);
    if (wanted(set, i + kNarrowStreams) && state_->wide[i]) state_->wide[i]->give(*host::wide()[i]);
  }
}

}  // namespace heddle::host
