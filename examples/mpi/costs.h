/* COSTS(operations): what a piece of computation costs, in floating-point operations. Only a
 * simulated machine takes that time for it; elsewhere the computation takes its own, as it does
 * where the program counts what it does (heddlecc --count). */
#ifndef HEDDLE_EXAMPLES_COSTS_H
#define HEDDLE_EXAMPLES_COSTS_H

#if defined(__has_include) && !defined(HEDDLE_COUNTED)
#if __has_include(<heddle.h>)
#include <heddle.h>
#define COSTS(operations) heddle_compute_flops(operations)
#endif
#endif
#ifndef COSTS
#define COSTS(operations) ((void)(operations))
#endif

#endif
