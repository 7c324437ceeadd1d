// What every fuzz target does: feed a reader, and accept either an answer or a proper complaint.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/error.hpp"

/// The entry point of a fuzz target; the driver (libFuzzer or mutations_main.cpp) calls it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace heddle::fuzz {

/// Calls `read` with the input as text. InputError is an answer; anything else that is thrown, or a
/// sanitizer's complaint, is a finding.
template <class Read>
int feed(const std::uint8_t* data, std::size_t size, Read read) {
  try {
    read(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const InputError&) {
  }
  return 0;
}

}  // namespace heddle::fuzz
