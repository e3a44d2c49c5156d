// jemalloc's statistics, as Swift needs them.
//
// jemalloc.h declares malloc and its family a second time, with attributes of its own; only what is named here is
// meant to be used. Including it, instead of declaring mallctl by hand, makes a missing or foreign jemalloc an error
// of the compiler.

#ifndef CJEMALLOC_H
#define CJEMALLOC_H

#include <jemalloc/jemalloc.h>

#endif
