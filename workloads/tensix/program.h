/* A program for the cores: circular buffers, semaphores and kernels, as a script puts
 * it together with host.program(). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <lua.h>

#include "arch/tensix.h"
#include "workloads/host/session.h"
#include "workloads/sandbox/api.h"

/* A rectangle of cores, both corners included. */
typedef struct {
    guint x0;
    guint y0;
    guint x1;
    guint y1;
} CoreRange;

typedef struct {
    CoreRange cores;
    ArchCircularBufferConfig config;
    int alias; /* index of the buffer whose memory it shares; -1: none */
} ProgramBuffer;

typedef struct {
    CoreRange cores;
    uint32_t value;
    char *name; /* "semaphore 3 (arrived)" */
} ProgramSemaphore;

typedef enum {
    PROCESSOR_READER,
    PROCESSOR_WRITER,
    PROCESSOR_COMPUTE,
} Processor;

extern const char *const program_processors[]; /* their names; then NULL */

typedef struct {
    char *name;
    char *function; /* of the script's kernels */
    Processor processor;
    guint noc; /* readers and writers */
    CoreRange cores;
    bool is_large;
    bool is_unrolled;
    bool is_dst_fp32;
    guint fidelity;
} ProgramKernel;

typedef struct {
    Session *session;   /* of the chip it is for */
    GArray *buffers;    /* of ProgramBuffer */
    GArray *semaphores; /* of ProgramSemaphore */
    GArray *kernels;    /* of ProgramKernel */
} Program;

/* Registers the type with a state, once. */
void program_register(lua_State *L);

extern const ApiClass program_api;

/* host.program() */
int program_push(lua_State *L, Session *session);

/* The value at `index`, or NULL. */
Program *program_test(lua_State *L, int index);

/* Pushes the `args` of a kernel: a value, or a function of x and y. */
void program_push_arguments(lua_State *L, int index, guint kernel);

/* The cores of the field `cores` of the table at `index`, inside the grid; or raises.
 */
CoreRange core_range_check(lua_State *L, int index, ArchTensix *tensix);
