/* What libraries that stand in for the simulator answer without it. */
#include <stdio.h>
#include <unistd.h>

/* A call of a program that was not started by `heddle run`, where the simulator would have answered
 * it. */
__attribute__((visibility("hidden"))) void heddle_refuse(const char* function) {
  fprintf(stderr, "%s: this program needs a simulated machine: start it with `heddle run`\n",
          function);
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
