/* A courier: carries what leaves a chip by one port, in the order in which it does. */
#pragma once

#include <glib.h>

#include "arch/border/fabric.h"
#include "sim/system.h"

typedef struct Driver Driver;
typedef struct Exchange Exchange;
typedef struct Courier Courier;

/* Starts it. Inside a program. */
Courier *courier_new(Driver *from, ArchPort port);
/* After its program has ended. */
void courier_free(Courier *self);

ArchPort courier_port(const Courier *self);

/* Takes the message, and carries it when those before it have left. */
void courier_take(Courier *self, ArchMessage *message);

/* Ends its program, and waits until it has. */
void courier_end(Courier *self);
