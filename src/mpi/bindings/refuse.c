/* What libraries that stand in for the simulator answer without it. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A call of a program that the simulator has not loaded, where it would have answered it. What it
 * does not load but starts as a process finds a channel to it. */
__attribute__((visibility("hidden"))) void heddle_refuse(const char* function) {
  const char* accepted =
      getenv("HEDDLE_CHANNEL") == NULL
          ? "this program needs a simulated machine: start it with `heddle run`"
          : "Heddle's own MPI and OpenSHMEM are not for ranks that are processes: start this "
            "program without --processes";
  fprintf(stderr, "%s: %s\n", function, accepted);
  _exit(2);
}

/* Linkers let a program show its main function if a library that it is linked with asks for it:
   that takes no option, which build systems that ask for libraries alone would not pass on. */
__asm__(
    ".weak main\n"
    ".pushsection .data.rel.ro,\"aw\"\n"
    ".balign 8\n"
    ".quad main\n"
    ".popsection");
