// Any bytes given as a list of jobs are refused or become jobs.
#include "fuzz.hpp"
#include "run/jobs/job_list.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return heddle::fuzz::feed(data, size, [](std::string_view bytes) {
    heddle::run::read_job_list_text(bytes, "fuzz.jobs");
  });
}
