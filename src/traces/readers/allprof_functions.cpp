#include "traces/readers/allprof_functions.hpp"

#include <algorithm>
#include <array>

#include "traces/readers/name_table.hpp"

namespace heddle::traces {
namespace {

// The names of the kinds are those of other functions, too: they are known in here only.
constexpr auto kFunctions = [] {
  using enum CallKind;
  using F = AllprofFunction;
  return std::array{
      F{"send", send, "bntdgc"},
      F{"ssend", send, "bntdgc", F::synchronous},
      F{"bsend", send, "bntdgc"},
      F{"rsend", send, "bntdgc"},
      F{"isend", send, "bntdgcq", F::nonblocking},
      F{"issend", send, "bntdgcq", F::nonblocking_synchronous},
      F{"ibsend", send, "bntdgcq", F::nonblocking},
      F{"irsend", send, "bntdgcq", F::nonblocking},
      F{"send_init", send, "bntdgcq", F::persistent},
      F{"ssend_init", send, "bntdgcq", F::persistent},
      F{"bsend_init", send, "bntdgcq", F::persistent},
      F{"rsend_init", send, "bntdgcq", F::persistent},
      F{"recv", recv, "bntsgcp"},
      F{"irecv", recv, "bntsgcq", F::nonblocking},
      F{"recv_init", recv, "bntsgcq", F::persistent},
      F{"mrecv", recv, "bntmp"},
      F{"imrecv", recv, "bntmq", F::nonblocking},
      F{"sendrecv", sendrecv, "bntdgBNTsGcp"},
      F{"sendrecv_replace", sendrecv, "bntdgsGcp"},
      F{"start", start, "q"},
      F{"startall", start, "kq"},
      F{"wait", wait, "qp"},
      F{"waitall", wait, "kqp"},
      F{"waitany", wait_any, "kqpp"},
      F{"waitsome", wait_some, "kqppp"},
      F{"test", test, "qpp"},
      F{"testall", test, "kqpp"},
      F{"testany", test, "kqppp"},
      F{"testsome", test, "kqppp"},
      F{"request_free", request_free, "q"},
      F{"cancel", cancel, "q"},
      F{"barrier", barrier, "c"},
      F{"bcast", bcast, "bntrc"},
      F{"reduce", reduce, "bBntorc"},
      F{"allreduce", allreduce, "bBntoc"},
      F{"gather", gather, "bntBNTrc"},
      F{"gatherv", gather, "bntBVxTrc"},
      F{"scatter", scatter, "bntBNTrc"},
      F{"scatterv", scatter, "bvxtBNTrc"},
      F{"allgather", allgather, "bntBNTc"},
      F{"allgatherv", allgather, "bntBVxTc"},
      F{"alltoall", alltoall, "bntBNTc"},
      F{"alltoallv", alltoall, "bvxtBVxTc"},
      F{"alltoallw", alltoall, "bvxpBVxpc"},
      F{"scan", scan, "bBntoc"},
      F{"exscan", exscan, "bBntoc"},
      F{"reduce_scatter", reduce_scatter, "bBVtoc"},
      F{"reduce_scatter_block", reduce_scatter, "bBntoc"},
      F{"ibarrier", barrier, "cq", F::nonblocking},
      F{"ibcast", bcast, "bntrcq", F::nonblocking},
      F{"ireduce", reduce, "bBntorcq", F::nonblocking},
      F{"iallreduce", allreduce, "bBntocq", F::nonblocking},
      F{"igather", gather, "bntBNTrcq", F::nonblocking},
      F{"igatherv", gather, "bntBVxTrcq", F::nonblocking},
      F{"iscatter", scatter, "bntBNTrcq", F::nonblocking},
      F{"iscatterv", scatter, "bvxtBNTrcq", F::nonblocking},
      F{"iallgather", allgather, "bntBNTcq", F::nonblocking},
      F{"iallgatherv", allgather, "bntBVxTcq", F::nonblocking},
      F{"ialltoall", alltoall, "bntBNTcq", F::nonblocking},
      F{"ialltoallv", alltoall, "bvxtBVxTcq", F::nonblocking},
      F{"ialltoallw", alltoall, "bvxpBVxpcq", F::nonblocking},
      F{"iscan", scan, "bBntocq", F::nonblocking},
      F{"iexscan", exscan, "bBntocq", F::nonblocking},
      F{"ireduce_scatter", reduce_scatter, "bBVtocq", F::nonblocking},
      F{"ireduce_scatter_block", reduce_scatter, "bBntocq", F::nonblocking},
      F{"comm_dup", comm_dup, "cp"},
      F{"comm_dup_with_info", comm_dup, "cpp"},
      F{"comm_idup", comm_dup, "cpq", F::nonblocking},
      F{"comm_idup_with_info", comm_dup, "cppq", F::nonblocking},
      F{"dist_graph_create", comm_dup, "c*"},
      F{"dist_graph_create_adjacent", comm_dup, "c*"},
      F{"comm_split", comm_split, "cCKp"},
      F{"comm_split_type", comm_create, "cpppp"},
      F{"comm_create", comm_create, "cpp"},
      F{"comm_create_group", comm_create_group, "cpgp"},
      F{"cart_create", comm_create, "cppppp"},
      F{"cart_sub", comm_create, "cpp"},
      F{"graph_create", comm_create, "cppppp"},
  };
}();

/// Calls that only look at things of their own rank, by their names, with blanks around each, or
/// how these begin. A probe is among them as the receive that follows waits for the same message.
constexpr std::string_view kLocal =
    " abort address alloc_mem buffer_attach buffer_detach cart_coords cart_get cart_map "
    "cart_rank cart_shift cartdim_get comm_call_errhandler comm_compare "
    "comm_create_errhandler comm_create_keyval comm_delete_attr comm_free comm_free_keyval "
    "comm_group comm_rank comm_remote_group comm_remote_size comm_size comm_test_inter "
    "dims_create dist_graph_neighbors dist_graph_neighbors_count error_class error_string "
    "finalized free_mem get_address get_count get_elements get_elements_x get_library_version "
    "get_processor_name get_version graph_get graph_map graph_neighbors graph_neighbors_count "
    "graphdims_get initialized iprobe is_thread_main pack pack_external pack_external_size "
    "pack_size pcontrol probe query_thread request_get_status sizeof status_set_cancelled "
    "status_set_elements status_set_elements_x test_cancelled topo_test unpack "
    "unpack_external wtick wtime ";
constexpr std::string_view kLocalFamilies[] = {
    "add_error_", "attr_", "comm_get_", "comm_set_", "errhandler_", "group_",  "info_",
    "keyval_",    "op_",   "t_",        "type_",     "win_get_",    "win_set_"};

}  // namespace

std::string plain_name(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  while (lower.ends_with('_')) lower.pop_back();
  if (!lower.starts_with("mpi_") && !lower.starts_with("nbc_")) return {};
  return lower.substr(4);
}

const AllprofFunction* find_function(std::string_view name) {
  static const NameTable<AllprofFunction> table(kFunctions);
  return table.find(plain_name(name));
}

bool is_local_function(std::string_view plain) {
  return kLocal.find(" " + std::string(plain) + " ") != std::string_view::npos ||
         std::any_of(std::begin(kLocalFamilies), std::end(kLocalFamilies),
                     [&](std::string_view family) { return plain.starts_with(family); });
}

}  // namespace heddle::traces
