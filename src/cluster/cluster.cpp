#include "cluster/cluster.hpp"

#ifdef HEDDLE_MPI

#include <fcntl.h>
#include <fmt/core.h>
// The machine's mpi.h, by its path: there is one of ours, too.
#include HEDDLE_MPI_HEADER
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/error.hpp"

namespace heddle::cluster {
namespace {

/// The launchers of Open MPI, MPICH, Intel's and Cray's MPI, and Slurm tell their processes of each
/// other in the environment.
bool launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

int number_of(int (*ask)(MPI_Comm, int*)) {
  int number = 0;
  ask(MPI_COMM_WORLD, &number);
  return number;
}

void fall_silent() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  std::fflush(nullptr);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

/// Counts and places as MPI takes them, in records.
struct Layout {
  explicit Layout(std::span<const std::uint64_t> records) {
    std::uint64_t at = 0;
    for (const std::uint64_t count : records) {
      counts.push_back(static_cast<int>(count));
      places.push_back(static_cast<int>(at));
      at += count;
    }
    if (at > INT_MAX) {
      throw RunError(
          fmt::format("{} records are to be exchanged at once: at most {} can be; more "
                      "processes share them",
                      at, INT_MAX));
    }
  }
  std::vector<int> counts;
  std::vector<int> places;
};

/// Records of so many bytes.
class RecordType {
 public:
  explicit RecordType(std::size_t bytes) {
    MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
  }
  ~RecordType() { MPI_Type_free(&type_); }
  RecordType(const RecordType&) = delete;
  RecordType& operator=(const RecordType&) = delete;
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

class MpiExchange final : public replay::Exchange {
 public:
  MpiExchange() : me_(number_of(MPI_Comm_rank)), size_(number_of(MPI_Comm_size)) {
    if (me_ != 0) fall_silent();
  }
  ~MpiExchange() override { MPI_Finalize(); }
  MpiExchange(const MpiExchange&) = delete;
  MpiExchange& operator=(const MpiExchange&) = delete;

  std::size_t me() const override { return static_cast<std::size_t>(me_); }
  std::size_t size() const override { return static_cast<std::size_t>(size_); }

  std::vector<std::uint64_t> numbers(std::uint64_t mine) override {
    std::vector<std::uint64_t> all(size());
    MPI_Allgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
    return all;
  }
  std::vector<std::uint64_t> swap_numbers(std::span<const std::uint64_t> mine) override {
    std::vector<std::uint64_t> theirs(size());
    MPI_Alltoall(mine.data(), 1, MPI_UINT64_T, theirs.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
    return theirs;
  }
  void gather(const void* mine, std::span<const std::uint64_t> counts, std::size_t record,
              void* all) override {
    const Layout layout(counts);
    const RecordType type(record);
    MPI_Allgatherv(mine, layout.counts[me()], type.get(), all, layout.counts.data(),
                   layout.places.data(), type.get(), MPI_COMM_WORLD);
  }
  void swap(const void* out, std::span<const std::uint64_t> out_counts, void* in,
            std::span<const std::uint64_t> in_counts, std::size_t record) override {
    const Layout to(out_counts);
    const Layout from(in_counts);
    const RecordType type(record);
    MPI_Alltoallv(out, to.counts.data(), to.places.data(), type.get(), in, from.counts.data(),
                  from.places.data(), type.get(), MPI_COMM_WORLD);
  }

 private:
  int me_;
  int size_;
};

}  // namespace

std::unique_ptr<replay::Exchange> join() {
  if (!launched()) return nullptr;
  MPI_Init(nullptr, nullptr);
  auto exchange = std::make_unique<MpiExchange>();
  if (exchange->size() == 1) return nullptr;
  return exchange;
}

}  // namespace heddle::cluster

#else

namespace heddle::cluster {

std::unique_ptr<replay::Exchange> join() {
  return nullptr;
}

}  // namespace heddle::cluster

#endif
