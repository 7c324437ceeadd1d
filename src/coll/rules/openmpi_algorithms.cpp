// The numbers that Open MPI gives algorithms.
#include <algorithm>

#include "coll/rules/rules_file.hpp"

namespace heddle::coll {
namespace openmpi_numbers {
namespace {

constexpr NumberedAlgorithm kAllgather[] = {{"linear", "GB"},
                                            {"bruck", "bruck"},
                                            {"recursive_doubling", "rdb"},
                                            {"ring", "NTSLR"},
                                            {"neighbor", "neighborexchange"},
                                            {"two_proc", "two_procs"},
                                            {"sparbit", "sparbit", OpenMpi::v5},
                                            {"direct-messaging", "spreading_simple", OpenMpi::v5}};
constexpr NumberedAlgorithm kAllgatherv[] = {{"default", "gatherv_bcast"},
                                             {"bruck", "bruck"},
                                             {"ring", "NTSLR"},
                                             {"neighbor", "neighborexchange"},
                                             {"two_proc", "two_procs"},
                                             {"sparbit", "sparbit", OpenMpi::v5}};
constexpr NumberedAlgorithm kAllreduce[] = {{"basic_linear", "basic_linear"},
                                            {"nonoverlapping", "redbcast"},
                                            {"recursive_doubling", "rdb"},
                                            {"ring", "lr"},
                                            {"segmented_ring", "ring_segmented"},
                                            {"rabenseifner", "rab_halves"},
                                            {"allgather_reduce", "allgather_reduce", OpenMpi::v5}};
constexpr NumberedAlgorithm kAlltoall[] = {{"linear", "basic_linear"},
                                           {"pairwise", "ring"},
                                           {"modified_bruck", "bruck"},
                                           {"linear_sync", "linear_sync"},
                                           {"two_proc", "two_procs"}};
constexpr NumberedAlgorithm kAlltoallv[] = {{"basic_linear", "ompi_basic_linear"},
                                            {"pairwise", "ring"}};
constexpr NumberedAlgorithm kBarrier[] = {{"linear", "basic_linear"},
                                          {"double_ring", "doublering"},
                                          {"recursive_doubling", "recursivedoubling"},
                                          {"bruck", "bruck"},
                                          {"two_proc", "two_procs"},
                                          {"tree", "tree"}};
constexpr NumberedAlgorithm kBcast[] = {{"basic_linear", "flattree"},
                                        {"chain", "chain"},
                                        {"pipeline", "pipeline"},
                                        {"split_binary_tree", "split_bintree"},
                                        {"binary_tree", "binary"},
                                        {"binomial", "binomial_tree"},
                                        {"knomial", "knomial"},
                                        {"scatter_allgather", "scatter_allgather"},
                                        {"scatter_allgather_ring", "scatter_LR_allgather"}};
constexpr NumberedAlgorithm kScan[] = {{"linear", "linear"},
                                       {"recursive_doubling", "recursivedoubling"}};
constexpr NumberedAlgorithm kGather[] = {
    {"basic_linear", "basic_linear"}, {"binomial", "binomial"}, {"linear_sync", "linear_sync"}};
constexpr NumberedAlgorithm kReduce[] = {{"linear", "basic_linear"},
                                         {"chain", "chain"},
                                         {"pipeline", "pipeline"},
                                         {"binary", "binary"},
                                         {"binomial", "binomial"},
                                         {"in-order_binary", "in_order_binary"},
                                         {"rabenseifner", "scatter_gather_halves"},
                                         {"knomial", "knomial", OpenMpi::v5}};
constexpr NumberedAlgorithm kReduceScatter[] = {{"non-overlapping", "nonoverlapping"},
                                                {"recursive_halving", "basic_recursivehalving"},
                                                {"ring", "ring"},
                                                {"butterfly", "butterfly"}};
constexpr NumberedAlgorithm kReduceScatterBlock[] = {
    {"basic_linear", "basic_linear"},
    {"recursive_doubling", "rdb"},
    {"recursive_halving", "basic_recursivehalving"},
    {"butterfly", "butterfly_block"}};
constexpr NumberedAlgorithm kScatter[] = {
    {"basic_linear", "basic_linear"}, {"binomial", "binomial"}, {"linear_nb", "linear_nb"}};

}  // namespace
}  // namespace openmpi_numbers

namespace {

std::span<const NumberedAlgorithm> all_of(Collective collective) {
  using namespace openmpi_numbers;
  switch (collective) {
    case Collective::allgather:
      return kAllgather;
    case Collective::allgatherv:
      return kAllgatherv;
    case Collective::allreduce:
      return kAllreduce;
    case Collective::alltoall:
      return kAlltoall;
    case Collective::alltoallv:
      return kAlltoallv;
    case Collective::barrier:
      return kBarrier;
    case Collective::bcast:
      return kBcast;
    case Collective::exscan:
    case Collective::scan:
      return kScan;
    case Collective::gather:
      return kGather;
    case Collective::reduce:
      return kReduce;
    case Collective::reduce_scatter:
      return kReduceScatter;
    case Collective::reduce_scatter_block:
      return kReduceScatterBlock;
    case Collective::scatter:
      return kScatter;
    default:
      return {};
  }
}

}  // namespace

std::string_view text_of(OpenMpi version) {
  return version == OpenMpi::v4_1 ? "4.1" : "5";
}

std::span<const NumberedAlgorithm> openmpi_algorithms(Collective collective, OpenMpi version) {
  const auto all = all_of(collective);
  // New ones have got the next numbers.
  const auto newer = std::ranges::find_if(
      all, [version](const NumberedAlgorithm& one) { return one.since > version; });
  return all.first(static_cast<std::size_t>(newer - all.begin()));
}

}  // namespace heddle::coll
