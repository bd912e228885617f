/* A program of tt-metal's kind: its host part, a process of its own, asks for memory,
 * transfers and launches over a socket; its kernels are compiled and run here. */
#pragma once

#include <glib.h>

typedef struct WlMetal WlMetal;

/* Takes the socket, over which the host program sends what workloads/metal/message.h
 * describes. */
WlMetal *wl_metal_new(int socket);
void wl_metal_free(WlMetal *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WlMetal, wl_metal_free)
