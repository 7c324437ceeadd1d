// The state of the C++ standard streams, which each rank has for itself.
#pragma once

#include <array>
#include <cstddef>
#include <ios>
#include <memory>
#include <streambuf>

namespace heddle::host {

/// The standard streams of C++, narrow and wide, by the order of their names below.
inline constexpr std::array kStandardStreams = {"_ZSt3cin",   "_ZSt4cout", "_ZSt4cerr",
                                                "_ZSt4clog",  "_ZSt4wcin", "_ZSt5wcout",
                                                "_ZSt5wcerr", "_ZSt5wclog"};
inline constexpr std::size_t kNarrowStreams = 4;

/// Which of them a program may use, as a bit each.
using StreamSet = unsigned int;

/// How a rank has set the streams: formats, locales, buffers, errors. There is something in it only
/// if the rank has changed one.
class StreamFormats {
 public:
  /// What the streams have at the beginning of a run: normal for its ranks.
  class Normal {
   public:
    Normal();
    ~Normal();
    /// Whether one of the streams has something that is not.
    bool changed(StreamSet set) const;

   private:
    friend class StreamFormats;
    struct State;
    std::unique_ptr<State> state_;
  };

  StreamFormats();
  ~StreamFormats();

  /// Keeps what the streams of `set` have that is not normal, and makes them normal again; false if
  /// there was nothing.
  bool take(StreamSet set, const Normal& normal);
  /// Gives the streams back what was kept.
  void give(StreamSet set) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::host
