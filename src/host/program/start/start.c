/* Linked into every program that heddlecc builds. Such a program is a shared object, so that the
 * simulator can load it as often as it has ranks, with thread-local variables wherever the loader
 * puts them (in an executable, even a position-independent one, they are at fixed places that are
 * the simulator's). What is here makes it an executable as well. */

#define PUBLIC __attribute__((visibility("default"), used))

/* Where the simulator finds the main function, also if the program hides its symbols. */
extern int main();
PUBLIC int (*const heddle_program_main)() = main;

/* What code compiled by `heddlecc --count` has done; the simulator's own is found before this one.
 */
PUBLIC unsigned long long heddle_counted;

/* Who loads it when it is started by itself. */
PUBLIC __attribute__((section(".interp"))) const char heddle_interpreter[] =
#if defined(__x86_64__)
    "/lib64/ld-linux-x86-64.so.2";
#elif defined(__aarch64__)
    "/lib/ld-linux-aarch64.so.1";
#else
#error "say what loads programs on this kind of machine"
#endif
