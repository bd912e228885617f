/* Commands of which a word chooses one: those of the program, or those below another
 * command. */
#pragma once

#include <stdio.h>

#include <glib.h>

#include "tools/gridloom/command.h"

typedef struct {
    const char *name;
    CommandFunc func;
    const char *help;
} CommandMenuEntry;

typedef struct {
    const char *prefix; /* of the message about a word that is none of them */
    const char *noun;   /* what one of them is called there */
    const char *above;  /* help, before the list of them */
    const char *below;  /* and behind it */
    const CommandMenuEntry *entries;
    gsize entry_count;
} CommandMenu;

void command_menu_print(const CommandMenu *self, FILE *stream);

/* Runs the command that argv[1] names, or helps; returns the exit code. */
int command_menu_run(const CommandMenu *self, int argc, char **argv);
