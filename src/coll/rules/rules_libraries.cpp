// The decisions of MPI libraries, as figures.
#include "coll/rules/rules.hpp"

namespace heddle::coll {
namespace {

constexpr std::int64_t kKiB = 1024;

// MPICH 4.0: what its tables of choices say.
namespace mpich {
constexpr Rule kBarrier[] = {{1, 0, "smp"}};
constexpr Rule kBcast[] = {
    {1, 0, "binomial_tree"},
    {8, 0, "binomial_tree"},
    {8, 12 * kKiB + 1, "scatter_rdb_allgather"},
    {8, 512 * kKiB + 1, "scatter_LR_allgather"},
};
constexpr Rule kGather[] = {{1, 0, "binomial"}};
constexpr Rule kAllgather[] = {
    {1, 0, "rdb", 0, 0, "bruck"},
    {1, 80 * kKiB, "rdb", 0, 0, "NTSLR"},
    {1, 512 * kKiB, "NTSLR"},
};
constexpr Rule kAllgatherv[] = {
    {1, 0, "rdb", 0, 0, "bruck"},
    {1, 80 * kKiB, "rdb", 0, 0, "ring_pieces"},
    {1, 512 * kKiB, "ring_pieces"},
};
constexpr Rule kAlltoall[] = {
    {1, 0, "scatter_dest"},   {1, 32 * kKiB + 1, "pair"}, {9, 0, "bruck"},
    {9, 257, "scatter_dest"}, {9, 32 * kKiB + 1, "pair"},
};
constexpr Rule kAlltoallv[] = {{1, 0, "scatter_dest"}};
constexpr Rule kReduce[] = {{1, 0, "binomial"}, {1, 2 * kKiB + 1, "scatter_gather"}};
constexpr Rule kAllreduce[] = {{1, 0, "rdb"}, {1, 9, "rab"}};
constexpr Rule kReduceScatter[] = {{1, 0, "basic_recursivehalving"}, {1, 512 * kKiB, "pair"}};
constexpr Rule kReduceScatterInOrder[] = {{1, 0, "noncomm", 0, 0, "rdb"}};
constexpr Rule kScan[] = {{1, 0, "recursivedoubling"}};
constexpr CollectiveRules kAll[] = {
    {Collective::barrier, Measure::block, kBarrier},
    {Collective::bcast, Measure::block, kBcast},
    {Collective::gather, Measure::block, kGather},
    {Collective::scatter, Measure::block, kGather},
    {Collective::allgather, Measure::total, kAllgather},
    {Collective::allgatherv, Measure::total, kAllgatherv},
    {Collective::alltoall, Measure::block, kAlltoall},
    {Collective::alltoallv, Measure::block, kAlltoallv},
    {Collective::alltoallw, Measure::block, kAlltoallv},
    {Collective::reduce, Measure::block, kReduce},
    {Collective::allreduce, Measure::block, kAllreduce},
    {Collective::reduce_scatter, Measure::block, kReduceScatter, kReduceScatterInOrder},
    {Collective::reduce_scatter_block, Measure::total, kReduceScatter, kReduceScatterInOrder},
    {Collective::scan, Measure::block, kScan},
    {Collective::exscan, Measure::block, kScan},
};
}  // namespace mpich

// MVAPICH2: between nodes as MPICH with trees of higher radix, and in two levels where ranks share
// nodes.
namespace mvapich2 {
constexpr Rule kBarrier[] = {{1, 0, "pair"}};
constexpr Rule kBcast[] = {
    {1, 0, "knomial", kWhole, 4},
    {1, 8 * kKiB, "scatter_rdb_allgather"},
    {1, 512 * kKiB, "scatter_LR_allgather"},
};
constexpr Rule kGather[] = {{1, 0, "binomial"}, {1, 32 * kKiB, "basic_linear"}};
constexpr Rule kScatter[] = {{1, 0, "binomial"}, {1, 16 * kKiB, "basic_linear"}};
constexpr Rule kAllgather[] = {{1, 0, "rdb", 0, 0, "bruck"}, {1, 8 * kKiB, "NTSLR"}};
constexpr Rule kAlltoall[] = {
    {1, 0, "scatter_dest"},    {1, 16 * kKiB, "pair"},  {16, 0, "bruck"},
    {16, 512, "scatter_dest"}, {16, 16 * kKiB, "pair"},
};
constexpr Rule kAlltoallv[] = {{1, 0, "scatter_dest"}};
constexpr Rule kReduce[] = {{1, 0, "knomial", kWhole, 4}, {1, 16 * kKiB, "scatter_gather"}};
constexpr Rule kAllreduce[] = {{1, 0, "rdb"}, {1, 4 * kKiB, "rs"}};
constexpr Rule kReduceScatter[] = {
    {1, 0, "noncomm", 0, 0, "rdb"},
    {1, 4 * kKiB, "basic_recursivehalving"},
    {1, 512 * kKiB, "pair"},
};
constexpr CollectiveRules kAll[] = {
    {Collective::barrier, Measure::block, kBarrier},
    {Collective::bcast, Measure::block, kBcast},
    {Collective::gather, Measure::block, kGather},
    {Collective::scatter, Measure::block, kScatter},
    {Collective::allgather, Measure::block, kAllgather},
    {Collective::allgatherv, Measure::block, kAllgather},
    {Collective::alltoall, Measure::block, kAlltoall},
    {Collective::alltoallv, Measure::block, kAlltoallv},
    {Collective::alltoallw, Measure::block, kAlltoallv},
    {Collective::reduce, Measure::block, kReduce},
    {Collective::allreduce, Measure::block, kAllreduce},
    {Collective::reduce_scatter, Measure::block, kReduceScatter},
    {Collective::reduce_scatter_block, Measure::total, kReduceScatter},
};
constexpr Rule kNodeBarrier[] = {{1, 0, "smp"}};
constexpr Rule kNodeBcast[] = {
    {1, 0, "knomial_intra_node", kWhole, 4},
    {1, 8 * kKiB, "inter_node"},
    {1, 512 * kKiB, "scatter_LR_allgather"},
};
constexpr Rule kNodeGather[] = {{1, 0, "two_level"}, {1, 32 * kKiB, "basic_linear"}};
constexpr Rule kNodeScatter[] = {{1, 0, "two_level_binomial"},
                                 {1, 1 * kKiB, "two_level_direct"},
                                 {1, 16 * kKiB, "basic_linear"}};
constexpr Rule kNodeAllgather[] = {{1, 0, "smp"}, {1, 8 * kKiB, "NTSLR"}};
constexpr Rule kNodeReduce[] = {{1, 0, "two_level"}, {1, 16 * kKiB, "scatter_gather"}};
constexpr Rule kNodeAllreduce[] = {{1, 0, "two_level"}, {1, 256 * kKiB, "rs"}};
constexpr CollectiveRules kNodes[] = {
    {Collective::barrier, Measure::block, kNodeBarrier},
    {Collective::bcast, Measure::block, kNodeBcast},
    {Collective::gather, Measure::block, kNodeGather},
    {Collective::scatter, Measure::block, kNodeScatter},
    {Collective::allgather, Measure::block, kNodeAllgather},
    {Collective::reduce, Measure::block, kNodeReduce},
    {Collective::allreduce, Measure::block, kNodeAllreduce},
};
}  // namespace mvapich2

// Open MPI 5: its component `han` takes operations in two levels where ranks share nodes, the
// component `tuned` the others as in 4.1.
namespace openmpi5 {
constexpr Rule kBarrier[] = {{1, 0, "smp"}};
constexpr Rule kBcast[] = {{1, 0, "SMP_binomial", kWhole},
                           {1, 512 * kKiB, "SMP_linear", 512 * kKiB}};
constexpr Rule kGather[] = {{1, 0, "two_level"}};
constexpr Rule kScatter[] = {{1, 0, "two_level_binomial"}};
constexpr Rule kAllgather[] = {{1, 0, "smp"}};
constexpr Rule kReduce[] = {{1, 0, "two_level"}};
constexpr Rule kAllreduce[] = {
    {1, 0, "smp_rdb"}, {1, 32 * kKiB, "smp_rsag_rab"}, {1, 1024 * kKiB, "smp_rsag_lr"}};
constexpr CollectiveRules kNodes[] = {
    {Collective::barrier, Measure::block, kBarrier},
    {Collective::bcast, Measure::block, kBcast},
    {Collective::gather, Measure::block, kGather},
    {Collective::scatter, Measure::block, kScatter},
    {Collective::allgather, Measure::block, kAllgather},
    {Collective::reduce, Measure::block, kReduce},
    {Collective::allreduce, Measure::block, kAllreduce},
};
}  // namespace openmpi5

// Intel MPI 4.1 on a cluster of InfiniBand, one rank per node: where it changes its mind.
namespace impi {
constexpr Rule kBarrier[] = {{1, 0, "bruck"}, {64, 0, "recursivedoubling"}};
constexpr Rule kBcast[] = {
    {1, 0, "binomial_tree", kWhole},
    {1, 32 * kKiB, "scatter_rdb_allgather"},
    {1, 512 * kKiB, "scatter_LR_allgather"},
};
constexpr Rule kGather[] = {{1, 0, "binomial"}};
constexpr Rule kAllgather[] = {
    {1, 0, "rdb", 0, 0, "bruck"}, {1, 2 * kKiB, "bruck"}, {1, 32 * kKiB, "NTSLR"}};
constexpr Rule kAlltoall[] = {{1, 0, "bruck"}, {1, 256, "basic_linear"}, {1, 32 * kKiB, "pair"}};
constexpr Rule kAlltoallv[] = {{1, 0, "basic_linear"}, {64, 0, "scatter_dest"}};
constexpr Rule kReduce[] = {{1, 0, "binomial"}, {1, 16 * kKiB, "rab"}};
constexpr Rule kAllreduce[] = {{1, 0, "rdb"}, {1, 4 * kKiB, "rab"}, {1, 1024 * kKiB, "lr"}};
constexpr Rule kReduceScatter[] = {{1, 0, "basic_recursivehalving"}, {1, 64 * kKiB, "pair"}};
constexpr CollectiveRules kAll[] = {
    {Collective::barrier, Measure::block, kBarrier},
    {Collective::bcast, Measure::block, kBcast},
    {Collective::gather, Measure::block, kGather},
    {Collective::scatter, Measure::block, kGather},
    {Collective::allgather, Measure::block, kAllgather},
    {Collective::allgatherv, Measure::block, kAllgather},
    {Collective::alltoall, Measure::block, kAlltoall},
    {Collective::alltoallv, Measure::block, kAlltoallv},
    {Collective::reduce, Measure::block, kReduce},
    {Collective::allreduce, Measure::block, kAllreduce},
    {Collective::reduce_scatter, Measure::block, kReduceScatter},
};
constexpr Rule kNodeBcast[] = {{1, 0, "knomial_intra_node", kWhole}, {1, 32 * kKiB, "inter_node"}};
constexpr Rule kNodeReduce[] = {{1, 0, "two_level"}};
constexpr Rule kNodeAllreduce[] = {{1, 0, "two_level"}, {1, 256 * kKiB, "rab"}};
constexpr CollectiveRules kNodes[] = {
    {Collective::bcast, Measure::block, kNodeBcast},
    {Collective::reduce, Measure::block, kNodeReduce},
    {Collective::allreduce, Measure::block, kNodeAllreduce},
};
}  // namespace impi

}  // namespace

std::span<const Library> libraries() {
  static const Library kAll[] = {
      {"openmpi", "Open MPI 4.1: the fixed decisions of its component tuned", openmpi_rules()},
      {"openmpi5", "Open MPI 5: in two levels where ranks share nodes, else as 4.1",
       openmpi_rules(), openmpi5::kNodes},
      {"mpich", "MPICH 4.0: its tables of choices", mpich::kAll},
      {"mvapich2", "MVAPICH2: as MPICH, in two levels where ranks share nodes", mvapich2::kAll,
       mvapich2::kNodes},
      {"impi", "Intel MPI: in outline, for its tables are not published", impi::kAll, impi::kNodes},
  };
  return kAll;
}

}  // namespace heddle::coll
