#include "traces/convert/config.hpp"

namespace heddle::traces {
namespace {

using Choices = std::vector<std::pair<std::string, Algorithm>>;

constexpr std::string_view kNames[] = {"binary", "binomial", "bruck",        "dissemination",
                                       "linear", "pairwise", "rabenseifner", "recursive-doubling",
                                       "ring"};

template <class... A>
Choices choices(A... algorithms) {
  return {{std::string(kNames[static_cast<std::size_t>(algorithms)]), algorithms}...};
}

void add_algorithms(ParamTable<ConvertConfig>& t) {
  using C = ConvertConfig;
  using enum Algorithm;
  t.add_choice("barrier", &C::barrier, "dissemination", choices(dissemination, linear),
               "how MPI_Barrier is carried out");
  t.add_choice("bcast", &C::bcast, "binomial", choices(binomial, binary, linear),
               "how MPI_Bcast is carried out");
  t.add_choice("reduce", &C::reduce, "binomial", choices(binomial, binary, linear),
               "how MPI_Reduce is carried out");
  t.add_choice("allreduce", &C::allreduce, "recursive-doubling",
               choices(recursive_doubling, dissemination, rabenseifner, ring),
               "how MPI_Allreduce is carried out");
  t.add_choice("gather", &C::gather, "binomial", choices(binomial, linear),
               "how MPI_Gather is carried out");
  t.add_choice("gatherv", &C::gatherv, "linear", choices(linear, binomial),
               "how MPI_Gatherv is carried out");
  t.add_choice("scatter", &C::scatter, "binomial", choices(binomial, linear),
               "how MPI_Scatter is carried out");
  t.add_choice("scatterv", &C::scatterv, "linear", choices(linear, binomial),
               "how MPI_Scatterv is carried out");
  t.add_choice("allgather", &C::allgather, "bruck", choices(bruck, ring, linear),
               "how MPI_Allgather and MPI_Allgatherv are carried out");
  t.add_choice("alltoall", &C::alltoall, "linear", choices(linear, pairwise),
               "how MPI_Alltoall, MPI_Alltoallv and MPI_Alltoallw are carried out");
  t.add_choice("scan", &C::scan, "recursive-doubling", choices(recursive_doubling, linear),
               "how MPI_Scan and MPI_Exscan are carried out");
  t.add_choice("reduce_scatter", &C::reduce_scatter, "pairwise", choices(pairwise, linear),
               "how MPI_Reduce_scatter and MPI_Reduce_scatter_block are carried out");
}

}  // namespace

const ParamTable<ConvertConfig>& convert_table() {
  static const auto table = [] {
    using C = ConvertConfig;
    ParamTable<C> t("convert", "MPI traces made into schedules");
    t.add("time_unit", &C::unit, "1ns", {"1ps", "1h"},
          "what 1 means in the schedule's calc; replay.time_unit must be the same");
    t.add("compute_scale", &C::compute_scale, "1", {"0", "1000000"},
          "factor on the time between calls");
    t.add("speed", &C::speed, "1Gf", {"1f", "1000Pf"},
          "speed of a rank, for traces that count flops");
    t.add("memory_bandwidth", &C::memory_bandwidth, "unlimited", {"", "1000000Tbps"},
          "of a GPU, for Chakra traces that count flops and bytes: what takes longer counts");
    t.add("pinning", &C::pinning, "no", {},
          "the first use of a buffer in a call costs pin_fixed and pin_per_byte");
    t.add("pin_fixed", &C::pin_fixed, "165.894us", {"", "1000s"},
          "cost of pinning a buffer, whatever its size");
    t.add("pin_per_byte", &C::pin_per_byte, "3.01695ns/B", {"", "1s/B"},
          "cost of pinning a byte that was not in an earlier buffer");
    t.add("durations", &C::durations, "no", {},
          "keep the time inside calls as compute, with the messages where the calls of sender and "
          "receiver overlap");
    t.add(
        "message_cost", &C::message_cost, "0ns", {"", "1000s"},
        "durations: what the replay itself charges per message, taken off the time inside a call");
    t.add("byte_cost", &C::byte_cost, "0ns/B", {"", "1s/B"}, "durations: the same, per byte");
    t.add("reduce_cost", &C::reduce_cost, "0ns/B", {"", "1s/B"},
          "time to reduce a byte in collectives");
    t.add("buffer", &C::buffer, "1MiB", {"1", "1TiB"},
          "bytes of a GPU's data where a file says how they are moved only (MSCCL)");
    t.add("ranks", &C::ranks, "auto", {"1", "1000000"},
          "number of ranks where a file may leave it open (SimAI); auto: what the file says");
    t.add("element", &C::element, "auto", {"", "1TiB"},
          "size of an element where the trace does not say (MPI_Alltoallw); auto: an error");
    add_algorithms(t);
    return t;
  }();
  return table;
}

}  // namespace heddle::traces
