// What tests of OpenSHMEM share: a job on a small machine whose PEs are functions of the test.
#pragma once

#include <gmock/gmock.h>

#include <functional>
#include <string>
#include <vector>

#include "job_bed.hpp"
#include "portals/machine.hpp"
#include "shmem/api/calls.hpp"
#include "shmem/setup.hpp"

namespace heddle::shmem {

/// PEs with adapters behind PCIe.
class Bed : public JobBed {
 public:
  explicit Bed(std::uint32_t pes, const std::vector<std::string>& sets = {},
               std::uint32_t pes_per_node = 1)
      : JobBed({pes, pes_per_node, kMachineWithPcie}, {&portals::portals_table(), &shmem_table()},
               with_small_heap(sets)),
        portals_(job(), network(), settings().get(portals::portals_table())),
        shmem_(job(), network(), settings().get(shmem_table()), &portals_) {}
  ~Bed() { unwind(); }

  /// Every PE runs `body(pe)` between shmem_init and shmem_finalize, as in run_plain().
  void run(std::function<void(int)> body) {
    run_plain([body = std::move(body)](int pe) {
      pshmem_init();
      body(pe);
      pshmem_finalize();
    });
  }
  World& world() { return shmem_.world(); }

 private:
  static std::vector<std::string> with_small_heap(std::vector<std::string> sets) {
    sets.insert(sets.begin(), "shmem.heap=1MiB");
    return sets;
  }

  portals::Machine portals_;
  Setup shmem_;
};

inline std::string by(const std::string& transport) {
  return "shmem.transport=" + transport;
}

/// What a run of `body` on so many PEs fails with, or "".
inline std::string failure(std::uint32_t pes, const std::function<void(int)>& body,
                           const std::vector<std::string>& sets = {}) {
  Bed bed(pes, sets);
  return failure_of(bed, body);
}

/// What a way of carrying out collectives is set by: "hybrid", "portals" (by triggered operations)
/// or "software" (over Portals, by the PEs' processors).
inline std::vector<std::string> in_the_way(const std::string& way) {
  if (way == "software") return {by("portals"), "shmem.collectives=software"};
  return {by(way)};
}

/// Each test of a family runs on both transports, and on numbers of PEs from 1 to 33.
class OnPes : public ::testing::TestWithParam<const char*> {
 protected:
  /// Every PE runs `body(pe, number of PEs)`.
  void run(const std::function<void(int, int)>& body) {
    for (const int pes : {1, 2, 3, 5, 8, 16, 33}) {
      SCOPED_TRACE(std::to_string(pes) + " PEs");
      Bed bed(static_cast<std::uint32_t>(pes), in_the_way(GetParam()));
      bed.run([&](int me) { body(me, pes); });
      EXPECT_EQ(bed.job().ends().abort().problem, "");
    }
  }
};
#define HEDDLE_ON_BOTH_TRANSPORTS(SUITE)                                    \
  class SUITE : public OnPes {};                                            \
  INSTANTIATE_TEST_SUITE_P(, SUITE, ::testing::Values("hybrid", "portals"), \
                           [](const auto& values) { return std::string(values.param); })
/// Those of collectives in every way that these may be carried out.
#define HEDDLE_IN_EVERY_WAY(SUITE)                                                      \
  class SUITE : public OnPes {};                                                        \
  INSTANTIATE_TEST_SUITE_P(, SUITE, ::testing::Values("hybrid", "portals", "software"), \
                           [](const auto& values) { return std::string(values.param); })

inline Time now() {
  return host::current_rank()->now();
}
inline void sleep_us(std::int64_t us) {
  host::current_rank()->thread().waits().sleep(Time::us(us));
}
template <class T>
T* allocate(std::size_t count) {
  T* memory = static_cast<T*>(pshmem_malloc(count * sizeof(T)));
  std::fill_n(memory, count, T{});
  pshmem_barrier_all();
  return memory;
}

}  // namespace heddle::shmem
