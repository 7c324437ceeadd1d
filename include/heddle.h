/* What a program can ask of the machine it is simulated on. For C and C++.
 *
 * Compile with heddlecc or heddlecxx and start with `heddle run`. Nothing here uses the simulated
 * network: a program can find its peers with it before it communicates, with Portals or anything
 * else. */
#ifndef HEDDLE_H
#define HEDDLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Who and where this rank is. Ranks and nodes count from 0. */
int heddle_rank(void);
int heddle_size(void);         /* How many ranks there are. */
int heddle_node(void);         /* The number of this rank's node. */
int heddle_local_rank(void);   /* This rank's number among those of its node, */
int heddle_local_size(void);   /* and how many these are. */
int heddle_local_peer(int n);  /* The rank that has number n among them; -1 if there is none. */
uint32_t heddle_nid(int rank); /* A rank's Portals address: its node, */
uint32_t heddle_pid(int rank); /* and its process on it. */

/* Waits until all ranks have called it. That costs `host.barrier_step` (1 us) for each doubling of
 * the ranks, from the arrival of the last. */
void heddle_barrier(void);

/* Values under names: put some, fence (which all ranks call, and which costs what a barrier costs),
 * then get what others put. A later value under the same name replaces the earlier one. */
/* Answers 0, or -1 without a name or a value. */
int heddle_put(const char* key, const void* value, size_t size);
void heddle_fence(void);
/* The same as heddle_put, but others see it at once, with all that this rank has put before. */
int heddle_show(const char* key, const void* value, size_t size);
/* Copies at most `size` bytes of the value; answers its whole size, or -1 if there is none. */
long heddle_get(int rank, const char* key, void* value, size_t size);
/* The same for whoever was the last to show a value under this name, in the whole job. */
long heddle_find(const char* key, void* value, size_t size);

/* Simulated time since the start of the job. Reading it costs nothing. */
double heddle_time(void);      /* In seconds. */
uint64_t heddle_time_ps(void); /* In picoseconds. */

/* Lets the rank's core work for so long, or for so many floating-point operations at `node.speed`.
 */
void heddle_compute(double seconds);
void heddle_compute_flops(double operations);

/* Code that need not run every time. What is between begin and end is run and measured the first
 * times; after that its mean cost is charged instead, as `--compute` says what computation costs.
 * `place` names the code; with `everywhere` all ranks measure it together, else each for itself.
 *
 * Answers 1 if the code is to be run, followed by a call of the second function; else `times` times
 * what it costs on average has been charged. It is run at most `most` times and, unless `error` is
 * negative, only until the standard error of the mean is below that part of it. */
int heddle_sample_begin(const char* place, int everywhere, int most, double error, int times);
void heddle_sample_end(const char* place, int everywhere);

/* Memory for data that nobody looks at: all ranks have the same, and it takes the space of the
 * largest piece only. Of the second kind only the ranges from offsets[2i] to offsets[2i+1] are so,
 * as far as they are whole pages, and the rest is the rank's own. Null if there is none. */
void* heddle_folded_alloc(size_t size);
void* heddle_folded_alloc_partly(size_t size, const size_t* offsets, int ranges);
/* Gives it back; answers 0 if it is none of it. */
int heddle_folded_free(void* memory);

/* How deep the simulation of MPI goes from now on, for all ranks: the messages that are sent later
 * travel by a level of `heddle run --fidelity`, such as "portals/packet", the others to their end
 * by what they began with. MPI_Pcontrol(k) chooses the level that is named there as number k, from
 * 0. Answers 0, or -1 if there is no such level. */
int heddle_fidelity(const char* level);

/* Ends all ranks at once; `heddle run` answers with this status. */
void heddle_abort(int status);

/* Whether this rank's messages travel on the service networks (1) or on those for computing (0, as
 * at the start). */
void heddle_use_service_network(int yes);

#ifdef __cplusplus
}
#endif
#endif
