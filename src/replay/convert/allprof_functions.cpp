#include "replay/convert/allprof_functions.hpp"

#include <algorithm>
#include <array>

namespace heddle::replay {
namespace {

using enum CallKind;
using F = AllprofFunction;

constexpr std::array kFunctions = {
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
    F{"comm_split", comm_split, "cCKp"},
    F{"comm_create", comm_create, "cpp"},
    F{"cart_create", comm_create, "cppppp"},
    F{"cart_sub", comm_create, "cpp"},
    F{"graph_create", comm_create, "cppppp"},
};

constexpr std::array<std::string_view, 10> kMovesData = {"put",
                                                         "get",
                                                         "accumulate",
                                                         "intercomm_create",
                                                         "intercomm_merge",
                                                         "comm_spawn",
                                                         "comm_spawn_multiple",
                                                         "comm_accept",
                                                         "comm_connect",
                                                         "comm_disconnect"};

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
  const std::string plain = plain_name(name);
  const auto* found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                   [&](const F& f) { return f.name == plain; });
  return found == kFunctions.end() ? nullptr : found;
}

bool moves_data(std::string_view plain) {
  return plain.starts_with("win_") || plain.starts_with("file_") || plain.starts_with("rget") ||
         plain.starts_with("rput") || plain.starts_with("neighbor") ||
         plain.starts_with("ineighbor") || plain == "mrecv" || plain == "imrecv" ||
         std::find(kMovesData.begin(), kMovesData.end(), plain) != kMovesData.end();
}

}  // namespace heddle::replay
