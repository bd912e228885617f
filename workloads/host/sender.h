/* A sender carries the messages that leave a chip by one port, in order. */
#pragma once

#include <glib.h>

#include "arch/border/fabric.h"
#include "sim/system.h"

typedef struct Driver Driver;
typedef struct Exchange Exchange;
typedef struct Sender Sender;

/* Starts it. Inside a program. */
Sender *sender_new(Driver *from, ArchPort port);
/* After its program has ended. */
void sender_free(Sender *self);

ArchPort sender_port(const Sender *self);

/* Takes the message, and carries it when those before it have left. */
void sender_take(Sender *self, ArchMessage *message);

/* Ends its program, and waits until it has. */
void sender_end(Sender *self);
