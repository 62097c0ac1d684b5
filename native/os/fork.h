// Copies that a process makes of itself by fork(): threads stay behind, and locks are as they were. Windows has none.
#pragma once

namespace penstock {

/// A number that differs between a process and its forks.
int process_number();

/// From now on `before` is called before each fork, and then `after` in both processes.
void around_forks(void (*before)(), void (*after)());

}  // namespace penstock
