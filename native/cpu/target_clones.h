// Functions compiled for several generations of a processor, the best of which is taken when the library is loaded.
#pragma once

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
#define PENSTOCK_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define PENSTOCK_CLONES
#endif
