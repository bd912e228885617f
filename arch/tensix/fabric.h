/* The fabric between chips, as the cores see it. */
#pragma once

#include <glib.h>

#include "arch/border/fabric.h"
#include "arch/tensix/port/port.h"

ArchFabric *tensix_fabric_new(ArchTensix *tensix);
void tensix_fabric_free(ArchFabric *self);

/* The route to another chip, and the port where it begins. Fails with
 * ARCH_ERROR_INVALID if there is none. */
const ArchFabricRoute *tensix_fabric_route(const ArchFabric *self,
                                           guint chip,
                                           TensixPort **port,
                                           GError **error);

/* Hands a message to the system that carries it. */
void tensix_fabric_send(const ArchFabric *self, ArchMessage *message);
