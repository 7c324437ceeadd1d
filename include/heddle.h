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

/* Ends all ranks at once; `heddle run` answers with this status. */
void heddle_abort(int status);

/* Whether this rank's messages travel on the service networks (1) or on those for computing (0, as
 * at the start). */
void heddle_use_service_network(int yes);

#ifdef __cplusplus
}
#endif
#endif
