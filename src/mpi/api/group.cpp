// Groups.
#include <fmt/core.h>

#include <unordered_set>

#include "mpi/api/call.hpp"
#include "mpi/comm/objects.hpp"

namespace heddle::mpi {
namespace {

void check_rank(const Group& group, int rank, const char* argument) {
  if (rank >= 0 && rank < group.size()) return;
  bad_argument(
      MPI_ERR_RANK, argument,
      fmt::format("{} is no rank of the group: accepted are 0 to {}", rank, group.size() - 1));
}

/// The ranks that triples of first, last and stride name.
std::vector<int> ranks_of(const Group& group, int count, int ranges[][3]) {
  std::vector<int> ranks;
  for (int i = 0; i < count; ++i) {
    const auto [first, last, stride] = std::to_array(ranges[i]);
    if (stride == 0) bad_argument(MPI_ERR_ARG, "ranges", "a stride is zero");
    for (std::int64_t r = first; stride > 0 ? r <= last : r >= last; r += stride) {
      check_rank(group, static_cast<int>(r), "ranges");
      ranks.push_back(static_cast<int>(r));
    }
  }
  return ranks;
}

GroupRef included(const Group& group, std::span<const int> ranks) {
  std::vector<std::uint32_t> members;
  std::unordered_set<int> seen;
  for (const int rank : ranks) {
    check_rank(group, rank, "ranks");
    if (!seen.insert(rank).second) {
      bad_argument(MPI_ERR_RANK, "ranks", fmt::format("{} is there twice", rank));
    }
    members.push_back(group.process(rank));
  }
  return Group::of(std::move(members));
}

GroupRef without(const Group& group, std::span<const int> ranks) {
  std::unordered_set<int> out;
  for (const int rank : ranks) {
    check_rank(group, rank, "ranks");
    if (!out.insert(rank).second) {
      bad_argument(MPI_ERR_RANK, "ranks", fmt::format("{} is there twice", rank));
    }
  }
  std::vector<std::uint32_t> members;
  for (int i = 0; i < group.size(); ++i) {
    if (!out.contains(i)) members.push_back(group.process(i));
  }
  return Group::of(std::move(members));
}

/// Those of `a` that are in `b`, or that are not.
std::vector<std::uint32_t> filtered(const Group& a, const Group& b, bool in) {
  std::vector<std::uint32_t> members;
  for (int i = 0; i < a.size(); ++i) {
    if ((b.rank(a.process(i)) != MPI_UNDEFINED) == in) members.push_back(a.process(i));
  }
  return members;
}

GroupRef united(const Group& a, const Group& b) {
  std::vector<std::uint32_t> members;
  for (int i = 0; i < a.size(); ++i) members.push_back(a.process(i));
  for (const std::uint32_t process : filtered(b, a, false)) members.push_back(process);
  return Group::of(std::move(members));
}

/// A call that makes a group of two.
template <class Make>
int combine(const char* name, MPI_Group a, MPI_Group b, MPI_Group* result, const Make& make) {
  return call(name, [&](Process& process) {
    need(result, "result");
    const GroupRef first = group(process, a, "group1");
    *result = new_group(process, make(*first, *group(process, b, "group2")));
  });
}

std::span<const int> list(int count, const int* ranks) {
  if (count < 0) bad_argument(MPI_ERR_ARG, "n", fmt::format("{} is negative", count));
  return {ranks, static_cast<std::size_t>(count)};
}

}  // namespace
}  // namespace heddle::mpi

using namespace heddle::mpi;

extern "C" {

int PMPI_Group_size(MPI_Group handle, int* size) {
  return call("MPI_Group_size", [&](Process& process) {
    need(size, "size");
    *size = group(process, handle)->size();
  });
}

int PMPI_Group_rank(MPI_Group handle, int* rank) {
  return call("MPI_Group_rank", [&](Process& process) {
    need(rank, "rank");
    *rank = group(process, handle)->rank(process.id());
  });
}

int PMPI_Group_translate_ranks(MPI_Group group1, int n, const int ranks1[], MPI_Group group2,
                               int ranks2[]) {
  return call("MPI_Group_translate_ranks", [&](Process& process) {
    const GroupRef from = group(process, group1, "group1");
    const GroupRef to = group(process, group2, "group2");
    if (n > 0) need(ranks2, "ranks2");
    for (int i = 0; i < n; ++i) {
      if (ranks1[i] != MPI_PROC_NULL) check_rank(*from, ranks1[i], "ranks1");
      ranks2[i] = ranks1[i] == MPI_PROC_NULL ? MPI_PROC_NULL : to->rank(from->process(ranks1[i]));
    }
  });
}

int PMPI_Group_compare(MPI_Group group1, MPI_Group group2, int* result) {
  return call("MPI_Group_compare", [&](Process& process) {
    need(result, "result");
    const GroupRef first = group(process, group1, "group1");
    *result = compare(*first, *group(process, group2, "group2"));
  });
}

int PMPI_Group_union(MPI_Group group1, MPI_Group group2, MPI_Group* newgroup) {
  return combine("MPI_Group_union", group1, group2, newgroup, united);
}

int PMPI_Group_intersection(MPI_Group group1, MPI_Group group2, MPI_Group* newgroup) {
  return combine("MPI_Group_intersection", group1, group2, newgroup,
                 [](const Group& a, const Group& b) { return Group::of(filtered(a, b, true)); });
}

int PMPI_Group_difference(MPI_Group group1, MPI_Group group2, MPI_Group* newgroup) {
  return combine("MPI_Group_difference", group1, group2, newgroup,
                 [](const Group& a, const Group& b) { return Group::of(filtered(a, b, false)); });
}

int PMPI_Group_incl(MPI_Group handle, int n, const int ranks[], MPI_Group* newgroup) {
  return call("MPI_Group_incl", [&](Process& process) {
    need(newgroup, "newgroup");
    *newgroup = new_group(process, included(*group(process, handle), list(n, ranks)));
  });
}

int PMPI_Group_excl(MPI_Group handle, int n, const int ranks[], MPI_Group* newgroup) {
  return call("MPI_Group_excl", [&](Process& process) {
    need(newgroup, "newgroup");
    *newgroup = new_group(process, without(*group(process, handle), list(n, ranks)));
  });
}

int PMPI_Group_range_incl(MPI_Group handle, int n, int ranges[][3], MPI_Group* newgroup) {
  return call("MPI_Group_range_incl", [&](Process& process) {
    need(newgroup, "newgroup");
    const GroupRef from = group(process, handle);
    *newgroup = new_group(process, included(*from, ranks_of(*from, n, ranges)));
  });
}

int PMPI_Group_range_excl(MPI_Group handle, int n, int ranges[][3], MPI_Group* newgroup) {
  return call("MPI_Group_range_excl", [&](Process& process) {
    need(newgroup, "newgroup");
    const GroupRef from = group(process, handle);
    *newgroup = new_group(process, without(*from, ranks_of(*from, n, ranges)));
  });
}

int PMPI_Group_free(MPI_Group* handle) {
  return call("MPI_Group_free", [&](Process& process) {
    need(handle, "group");
    group(process, *handle);
    if (!is_built_in(*handle)) process.part<Objects>().groups.remove(*handle);
    *handle = MPI_GROUP_NULL;
  });
}

}  // extern "C"
