// Collective calls that give everybody something of everybody's.
#include "host/memory/populate.hpp"
#include "mpi/collectives/call_arguments.hpp"
#include "mpi/collectives/inter.hpp"

namespace heddle::mpi::collectives {
namespace {

/// A copy of blocks that will be overwritten, byte by byte.
Blocks copied(Steps& s, const Blocks& blocks) {
  std::vector<std::int64_t> sizes;
  std::int64_t total = 0;
  for (int i = 0; i < s.size(); ++i) {
    sizes.push_back(bytes(blocks[i]));
    total += sizes.back();
  }
  const Buffer memory = s.scratch(total, byte_type());
  Blocks copy = Blocks::packed(memory.address, sizes, byte_type());
  for (int i = 0; i < s.size(); ++i) s.copy(blocks[i], copy[i]);
  return copy;
}

/// Puts this rank's own block in its place.
void keep_own(Steps& s, const Given& send, const Buffer& own, const Buffer& place) {
  if (!send.in_place()) s.copy(own, place);
}

/// Blocks of which several share a page, all of which are going to be used: without it every page
/// that is new would interrupt a message.
void provide_pages(Communicator& comm, const Blocks& blocks, host::PageUse use) {
  constexpr std::int64_t kLargestBlock = 2048;
  constexpr std::int64_t kLeast = 64 * 1024;
  const Buffer all = blocks.range(0, comm.size());
  const std::int64_t size = bytes(all);
  const Process& process = comm.process();
  if (size < kLeast || size > kLargestBlock * comm.size() || !all.type->contiguous() ||
      !process.world().config().carries(bytes(blocks[0]))) {
    return;
  }
  if (std::byte* memory =
          process.memory().direct_to_change(all.address, static_cast<std::size_t>(size))) {
    host::populate(memory, static_cast<std::size_t>(size), use);
  }
}

}  // namespace

void allgather(Communicator& comm, const How& how, const Given& send, const Given& receive) {
  if (comm.inter()) return inter_allgather(comm, how, send, receive);
  const Blocks blocks = blocks_of(comm, receive, "recvbuf");
  const Buffer own = send.in_place() ? Buffer{} : data_of(comm, send, "sendbuf");
  refuse_same(own, blocks[0]);
  refuse_same(own, blocks[comm.rank()]);
  const Uses uses{.types = {own.type, blocks.type()}, .common = {.data = {blocks[0], own}}};
  perform(comm, Collective::allgather, how, uses, [&](Steps& s) {
    keep_own(s, send, own, blocks[comm.rank()]);
    run_chosen(s, comm.process(), Collective::allgather, allgather_algorithms(), Allgather{blocks},
               bytes(blocks[0]));
  });
}

void allgatherv(Communicator& comm, const How& how, const Given& send, const GivenBlocks& receive) {
  if (comm.inter()) return inter_allgatherv(comm, how, send, receive);
  const Blocks blocks = blocks_of(comm, receive, comm.size(), "recvbuf");
  const Buffer own = send.in_place() ? Buffer{} : data_of(comm, send, "sendbuf");
  refuse_same(own, blocks[0]);
  refuse_same(own, blocks[comm.rank()]);
  std::int64_t total = 0;
  for (int i = 0; i < comm.size(); ++i) total += bytes(blocks[i]);
  perform(comm, Collective::allgatherv, how, {{own.type, blocks.type()}}, [&](Steps& s) {
    keep_own(s, send, own, blocks[comm.rank()]);
    run_chosen(s, comm.process(), Collective::allgatherv, allgather_algorithms(), Allgather{blocks},
               total / comm.size());
  });
}

void alltoall(Communicator& comm, const How& how, const Given& send, const Given& receive) {
  if (comm.inter()) return inter_alltoall(comm, how, send, receive);
  const Blocks in = blocks_of(comm, receive, "recvbuf");
  const Blocks out = send.in_place() ? Blocks{} : blocks_of(comm, send, "sendbuf");
  if (!send.in_place()) refuse_same(out[0], in[0]);
  if (how.mode == How::Mode::blocking) {
    provide_pages(comm, in, host::PageUse::write);
    if (!send.in_place()) provide_pages(comm, out, host::PageUse::read);
  }
  const Buffer sent = send.in_place() ? Buffer{} : out[0];
  const Uses uses{.types = {in.type(), out.type()}, .common = {.data = {in[0], sent}}};
  perform(comm, Collective::alltoall, how, uses, [&](Steps& s) {
    run_chosen(s, comm.process(), Collective::alltoall, alltoall_algorithms(),
               Alltoall{send.in_place() ? copied(s, in) : out, in}, bytes(in[0]));
  });
}

void alltoallv(Communicator& comm, const How& how, const GivenBlocks& send,
               const GivenBlocks& receive) {
  const int members = comm.peers().size();
  const Blocks in = blocks_of(comm, receive, members, "recvbuf");
  const Blocks out = send.in_place() ? Blocks{} : blocks_of(comm, send, members, "sendbuf");
  if (!send.in_place()) refuse_same(out[0], in[0]);
  if (comm.inter()) {
    return inter_exchange(comm, how, Collective::alltoallv, {{in.type(), out.type()}}, out, in);
  }
  perform(comm, Collective::alltoallv, how, {{in.type(), out.type()}}, [&](Steps& s) {
    run_chosen(s, comm.process(), Collective::alltoallv, alltoallv_algorithms(),
               Alltoall{send.in_place() ? copied(s, in) : out, in});
  });
}

void alltoallw(Communicator& comm, const How& how, const GivenMixed& send,
               const GivenMixed& receive) {
  const int members = comm.peers().size();
  const MixedBlocks in(comm, receive, members, "recvbuf");
  const MixedBlocks out =
      send.in_place() ? MixedBlocks() : MixedBlocks(comm, send, members, "sendbuf");
  if (!send.in_place()) refuse_same(out.blocks()[0], in.blocks()[0]);
  const Uses uses{{}, nullptr, {&in.types(), &out.types()}};
  if (comm.inter()) {
    return inter_exchange(comm, how, Collective::alltoallw, uses, out.blocks(), in.blocks());
  }
  perform(comm, Collective::alltoallw, how, uses, [&](Steps& s) {
    run_chosen(s, comm.process(), Collective::alltoallw, alltoallv_algorithms(),
               Alltoall{send.in_place() ? copied(s, in.blocks()) : out.blocks(), in.blocks()});
  });
}

}  // namespace heddle::mpi::collectives
