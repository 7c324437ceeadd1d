/* Where the reference implementation of Portals 4 keeps the interface of its launcher. */
#include "../pmi.h"
