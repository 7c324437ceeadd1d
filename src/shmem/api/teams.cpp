// Teams and contexts.
#include <fmt/core.h>

#include "shmem/api/calls.hpp"
#include "shmem/collectives.hpp"

namespace heddle::shmem {

void* direct_address(const Call& call, Pe& target, const void* address) {
  SymmetricMemory& memory = call.world().memory();
  Pe& own = call.pe();
  void* there = memory.translate(own.rank(), address, 1, target.rank());
  if (there == nullptr || &target == &own) return there;
  // Globals that are swapped have an address only while their rank runs.
  const bool reachable = memory.in_heap(own.rank(), address) || there != address;
  if (!reachable || own.rank().node() != target.rank().node()) return nullptr;
  call.world().let_store_directly();
  return there;
}

}  // namespace heddle::shmem

namespace heddle::shmem::api {
namespace {

template <class Handle>
Handle handle_of(std::size_t index) {
  return reinterpret_cast<Handle>(index + 1);
}

int contexts_of(const shmem_team_config_t* config, long mask) {
  return config != nullptr && (mask & SHMEM_TEAM_NUM_CONTEXTS) != 0 ? config->num_contexts : 0;
}

/// Makes the PE a member of a part of `parent`, if it is.
shmem_team_t join(const Call& call, const Team& parent, std::uint32_t number, int part,
                  const Members& members, int contexts) {
  Pe& pe = call.pe();
  const int mine = members.number(pe.number());
  if (mine < 0) return SHMEM_TEAM_INVALID;
  Team& team = call.world().teams().split(parent, number, part, members);
  pe.teams.push_back({&team, mine, 0, contexts});
  return handle_of<shmem_team_t>(pe.teams.size() - 1);
}

int create_context(const Call& call, Team& team, long options, shmem_ctx_t* ctx) {
  std::deque<Context>& contexts = call.pe().contexts;
  Context& context = contexts.emplace_back();
  context.team = &team;
  context.options = options;
  context.alive = true;
  *ctx = handle_of<shmem_ctx_t>(contexts.size() - 1);
  return 0;
}

}  // namespace

int team_my_pe(const Site& site, shmem_team_t team) {
  const Call call(site);
  return team == SHMEM_TEAM_INVALID ? -1 : call.team(team).number;
}

int team_n_pes(const Site& site, shmem_team_t team) {
  const Call call(site);
  return team == SHMEM_TEAM_INVALID ? -1 : call.team(team).team->members.size();
}

int team_get_config(const Site& site, shmem_team_t team, long config_mask,
                    shmem_team_config_t* config) {
  const Call call(site);
  if (team == SHMEM_TEAM_INVALID) return -1;
  if ((config_mask & SHMEM_TEAM_NUM_CONTEXTS) != 0) config->num_contexts = call.team(team).contexts;
  return 0;
}

int team_translate_pe(const Site& site, shmem_team_t src_team, int src_pe, shmem_team_t dest_team) {
  const Call call(site);
  if (src_team == SHMEM_TEAM_INVALID || dest_team == SHMEM_TEAM_INVALID) return -1;
  const Members& from = call.team(src_team).team->members;
  if (src_pe < 0 || src_pe >= from.size()) return -1;
  return call.team(dest_team).team->members.number(from.pe(src_pe));
}

int team_split_strided(const Site& site, shmem_team_t parent_team, int start, int stride, int size,
                       const shmem_team_config_t* config, long config_mask,
                       shmem_team_t* new_team) {
  const Call call(site);
  *new_team = SHMEM_TEAM_INVALID;
  if (parent_team == SHMEM_TEAM_INVALID) return -1;
  Membership& member = call.team(parent_team);
  const Members& all = member.team->members;
  const std::int64_t last = start + (std::int64_t{size} - 1) * stride;
  const bool fits = start >= 0 && start < all.size() && size >= 1 && last >= 0 &&
                    last < all.size() && (stride != 0 || size == 1);
  if (!fits) return -1;
  const std::uint32_t number = member.collectives;
  const Team& parent = *member.team;
  meet(call, member);
  *new_team = join(call, parent, number, 0, all.part(start, stride, size),
                   contexts_of(config, config_mask));
  return 0;
}

int team_split_2d(const Site& site, shmem_team_t parent_team, int xrange,
                  const shmem_team_config_t* xaxis_config, long xaxis_mask,
                  shmem_team_t* xaxis_team, const shmem_team_config_t* yaxis_config,
                  long yaxis_mask, shmem_team_t* yaxis_team) {
  const Call call(site);
  *xaxis_team = *yaxis_team = SHMEM_TEAM_INVALID;
  if (parent_team == SHMEM_TEAM_INVALID || xrange < 1) return -1;
  Membership& member = call.team(parent_team);
  const Team& parent = *member.team;
  const Members& all = parent.members;
  const int width = std::min(xrange, all.size());
  const int x = member.number % width;
  const int y = member.number / width;
  const int rows = (all.size() + width - 1) / width;
  const std::uint32_t number = member.collectives;
  meet(call, member);
  const int row_length = std::min(width, all.size() - y * width);
  const int column_length = (all.size() - x + width - 1) / width;
  *xaxis_team = join(call, parent, number, y, all.part(y * width, 1, row_length),
                     contexts_of(xaxis_config, xaxis_mask));
  *yaxis_team = join(call, parent, number, rows + x, all.part(x, width, column_length),
                     contexts_of(yaxis_config, yaxis_mask));
  return 0;
}

void team_destroy(const Site& site, shmem_team_t team) {
  const Call call(site);
  if (team == SHMEM_TEAM_INVALID) return;
  if (team == SHMEM_TEAM_WORLD || team == SHMEM_TEAM_SHARED) {
    call.refuse("predefined teams cannot be destroyed");
  }
  Membership& member = call.team(team);
  for (Context& context : call.pe().contexts) {
    if (context.alive && context.team == member.team) {
      call.engine().quiet(call.pe(), context);
      context.alive = false;
    }
  }
  member.team = nullptr;
}

void* team_ptr(const Site& site, shmem_team_t team, const void* dest, int pe) {
  const Call call(site);
  Context view;
  view.team = call.team(team).team;
  return direct_address(call, call.target(view, pe), dest);
}

int ctx_create(const Site& site, long options, shmem_ctx_t* ctx) {
  const Call call(site);
  return create_context(call, call.world().teams().world(), options, ctx);
}

int team_create_ctx(const Site& site, shmem_team_t team, long options, shmem_ctx_t* ctx) {
  const Call call(site);
  *ctx = SHMEM_CTX_INVALID;
  if (team == SHMEM_TEAM_INVALID) return -1;
  return create_context(call, *call.team(team).team, options, ctx);
}

void ctx_destroy(const Site& site, shmem_ctx_t ctx) {
  if (ctx == SHMEM_CTX_INVALID) return;
  const Call call({site.name, ctx});
  if (ctx == SHMEM_CTX_DEFAULT) call.refuse("SHMEM_CTX_DEFAULT cannot be destroyed");
  Context& context = call.context();
  call.engine().quiet(call.pe(), context);
  context.alive = false;
}

int ctx_get_team(const Site& site, shmem_ctx_t ctx, shmem_team_t* team) {
  *team = SHMEM_TEAM_INVALID;
  if (ctx == SHMEM_CTX_INVALID) return -1;
  const Call call({site.name, ctx});
  const Context& context = call.context();
  for (std::size_t i = 0; i < call.pe().teams.size(); ++i) {
    if (call.pe().teams[i].team != context.team) continue;
    *team = handle_of<shmem_team_t>(i);
    return 0;
  }
  return -1;
}

}  // namespace heddle::shmem::api
