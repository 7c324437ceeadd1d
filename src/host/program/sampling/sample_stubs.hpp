// Code that calls of sampled functions come to, whatever their arguments and results are.
#pragma once

#include <cstddef>

namespace heddle::host {

inline constexpr std::size_t kSampleStubs = 16;

/// Where calls of a function are led, by its number: it asks SampledFunctions::begins(), and runs
/// the function if that says so.
void* sample_stub(std::size_t function);
/// Where a function that is run returns to: it asks SampledFunctions::ends() where that was.
void* sample_return();

}  // namespace heddle::host
