#include <pthread.h>
#include <unistd.h>

#include "os/fork.h"

namespace penstock {

int process_number() { return getpid(); }

void around_forks(void (*before)(), void (*after)()) { pthread_atfork(before, after, after); }

}  // namespace penstock
