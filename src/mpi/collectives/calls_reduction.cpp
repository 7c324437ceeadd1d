// Collective calls that reduce.
#include "mpi/collectives/call_arguments.hpp"
#include "mpi/collectives/inter.hpp"
#include "mpi/datatypes.hpp"
#include "mpi/error.hpp"

namespace heddle::mpi::collectives {
namespace {

Uses uses_of(const Reduction& r, int root = CommonTerms::kNoRoot) {
  return {.types = {r.type}, .op = r.op, .common = {root, {r.own}}};
}

/// The result's memory has this rank's data.
void fill_result(Steps& s, const Reduction& r) {
  if (r.own.address != r.result.address) s.copy(r.own, r.result);
}

void reduce_blocks(Communicator& comm, const How& how, Collective collective,
                   const GivenReduction& given, std::span<const std::int64_t> counts) {
  std::int64_t total = 0;
  for (const std::int64_t count : counts) total = checked_size(Wide{total} + count, MPI_ERR_COUNT);
  GivenReduction whole = given;
  whole.count = total;
  // Only the rank's own block is received, unless it lies in place.
  Reduction r(comm, whole);
  r.result.count = counts[static_cast<std::size_t>(comm.rank())];
  perform(comm, collective, how, uses_of(r), [&](Steps& s) {
    const ReduceScatter work{Blocks::packed(r.own.address, counts, *r.type), r.result,
                             r.op->commutative()};
    // Where all blocks are alike, libraries look at one of them.
    const bool alike = collective == Collective::reduce_scatter_block;
    run_chosen(s, comm.process(), collective, reduce_scatter_algorithms(), work,
               bytes(alike ? r.result : r.own));
  });
}

void prefix(Communicator& comm, const How& how, Collective collective,
            const GivenReduction& given) {
  if (comm.inter()) refuse_inter(comm);
  const Reduction r(comm, given);
  const bool exclusive = collective == Collective::exscan;
  perform(comm, collective, how, uses_of(r), [&](Steps& s) {
    Buffer data = r.result;
    // The first rank's result is not to be touched by an exclusive one.
    const bool aside = exclusive && s.rank() == 0;
    if (aside) data = s.scratch(r.own);
    if (r.own.address != data.address) s.copy(r.own, data);
    run_chosen(s, comm.process(), collective, scan_algorithms(), Scan{data, exclusive},
               bytes(r.own));
  });
}

}  // namespace

void reduce(Communicator& comm, const How& how, const GivenReduction& given, int root) {
  if (comm.inter()) return inter_reduce(comm, how, given, root);
  check_root(comm, root);
  const Reduction r(comm, given, comm.rank() == root);
  perform(comm, Collective::reduce, how, uses_of(r, root), [&](Steps& s) {
    run_chosen(s, comm.process(), Collective::reduce, reduce_algorithms(),
               Reduce{r.own, r.result, root, r.op->commutative()}, bytes(r.own));
  });
}

void allreduce(Communicator& comm, const How& how, const GivenReduction& given) {
  if (comm.inter()) return inter_allreduce(comm, how, given);
  const Reduction r(comm, given);
  perform(comm, Collective::allreduce, how, uses_of(r), [&](Steps& s) {
    fill_result(s, r);
    run_chosen(s, comm.process(), Collective::allreduce, allreduce_algorithms(),
               Allreduce{r.result, r.op->commutative()}, bytes(r.own));
  });
}

void reduce_scatter(Communicator& comm, const How& how, const GivenReduction& given,
                    const PerRank& counts) {
  std::vector<std::int64_t> all;
  for (int i = 0; i < comm.size(); ++i) {
    all.push_back(counts[i]);
    if (all.back() < 0) bad_argument(MPI_ERR_COUNT, "recvcounts", "a count is negative");
  }
  if (comm.inter()) return inter_reduce_scatter(comm, how, Collective::reduce_scatter, given, all);
  reduce_blocks(comm, how, Collective::reduce_scatter, given, all);
}

void reduce_scatter_block(Communicator& comm, const How& how, const GivenReduction& given) {
  const std::vector<std::int64_t> all(static_cast<std::size_t>(comm.size()), given.count);
  if (given.count < 0) bad_argument(MPI_ERR_COUNT, "recvcount", "it is negative");
  if (comm.inter()) {
    return inter_reduce_scatter(comm, how, Collective::reduce_scatter_block, given, all);
  }
  reduce_blocks(comm, how, Collective::reduce_scatter_block, given, all);
}

void scan(Communicator& comm, const How& how, const GivenReduction& given) {
  prefix(comm, how, Collective::scan, given);
}
void exscan(Communicator& comm, const How& how, const GivenReduction& given) {
  prefix(comm, how, Collective::exscan, given);
}

}  // namespace heddle::mpi::collectives
