// Code that calls of sampled functions come to, whatever their arguments and results are.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::host {

inline constexpr std::size_t kSampleStubs = 16;

/// Where calls of a function are led, by its number in its run: it asks the SampledFunctions of the
/// rank's run whether the call begins(), and runs the function if so.
void* sample_stub(std::size_t function);
/// Has an object that is loaded there come to the stub from a slot that the loader has filled.
void lead_to_sample_stub(std::size_t function, std::uintptr_t object, void** slot);
/// Where a function that is run returns to: it asks SampledFunctions where that was.
void* sample_return();

}  // namespace heddle::host
