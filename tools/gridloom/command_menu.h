/* Commands of which a word chooses one: those of the program, or those below another
 * command. */
#pragma once

#include <stdio.h>

#include <glib.h>

#include "tools/gridloom/command.h"

typedef struct CommandMenu CommandMenu;

typedef struct {
    const char *name;
    const char *help;
    const Command *command; /* NULL: a menu */
    const Command *of_file; /* for lines with a Lua file to read; NULL: the same */
    const CommandMenu *menu;
} CommandMenuEntry;

struct CommandMenu {
    const char *name;                /* "": of the program */
    const char *noun;                /* what one of its commands is called */
    const char *above;               /* help, before the list of them */
    const char *below;               /* and behind it */
    const CommandMenuEntry *entries; /* up to one without a name */
};

void command_menu_print(const CommandMenu *self, FILE *stream);

/* Runs the command that argv[1] names, or helps; returns the exit code. */
int command_menu_run(const CommandMenu *self, int argc, char **argv);
