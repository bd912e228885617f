/* Errands: methods of buffers, above all references, worked out beside the simulation.
 * With several threads (--threads) they have threads of their own, one less than there
 * are; else, if no thread has got to it yet, and if buffers lie in files or memory was
 * limited, whoever asks for the results works them out. Neither results nor messages
 * depend on that. One that nobody will ask for any more ends early.
 *
 * An errand has a Lua state of its own, with copies of the arguments. Buffers are not
 * copied: they cannot be changed while it is under way. */
#pragma once

#include "workloads/host/session.h"
#include "workloads/sandbox/api.h"

/* Errands of a run that nobody has begun, and the threads that take them. The former
 * will not be begun; waits for the latter. */
void errands_free(Errands *self);

/* host.reference(buffer, method, ...): begins with what buffer:method(...) returns, and
 * returns a function: it waits for that, and returns it. */
extern const ApiCall errand_functions[];

/* Registers the type with a state, once. */
void errand_register(lua_State *L);
