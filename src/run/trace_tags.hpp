// Tags that keep apart in a trace what communicators keep apart in a program.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

namespace heddle::run {

class TraceTags {
 public:
  /// The tag in the trace of a message with `tag` in the context of a communicator.
  std::int32_t of(std::uint32_t context, int tag);

 private:
  std::map<std::pair<std::uint32_t, int>, std::int32_t> others_;
};

}  // namespace heddle::run
