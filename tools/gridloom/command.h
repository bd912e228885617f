/* A command: what its line may hold, and what it does; and menus of commands. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include <glib.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/option_table.h"

enum {
    COMMAND_TABLES = 4, /* at most, with the one that ends them */
};

typedef struct {
    const char *name;        /* noc transfer */
    const char *program;     /* in --help; NULL: gridloom, then the name */
    const char *words;       /* behind the options in --help; NULL: none */
    const char *purpose;     /* likewise, behind a dash */
    const char *help;        /* below the options there: help/NAME.txt; NULL: none */
    char *(*describe)(void); /* what stands before it; NULL: nothing */
    const char *hint;        /* where words are refused; NULL: of --help */
    const char *missing;     /* said where there are no words; NULL: need be none */
    guint most_words;        /* 0: any number, where a row takes them */
    OptionTable tables[COMMAND_TABLES];

    gsize size;                     /* of its struct of options, */
    gconstpointer usual;            /* which begins as this; NULL: zeros */
    void (*init)(gpointer options); /* what is not constant of that; NULL: nothing */
    /* Rules about several options; the members are set. NULL: none. Fails with
     * G_OPTION_ERROR or with whatever a file fails with. */
    bool (*check)(gpointer options, const OptionTexts *texts, GError **error);
    void (*clear)(gpointer options); /* members without an option; NULL: none */

    int (*run)(gpointer options);     /* returns the exit code */
    int (*fail)(const GError *error); /* likewise; NULL: complain_of() */
} Command;

/* Options of a type, and what they are where nobody says. */
#define COMMAND_OPTIONS(owner, ...)                                                    \
    .size = sizeof(owner), .usual = &(const owner)                                     \
    {                                                                                  \
        __VA_ARGS__                                                                    \
    }

/* What --help has below the options, maybe ""; the caller frees it. */
char *command_description(const Command *self);

/* The struct of options that a line asks for, argv[0] being the command; --help prints
 * and exits. NULL: fails. */
gpointer command_parse(const Command *self, int argc, char **argv, GError **error);
void command_free_options(const Command *self, gpointer options);

/* Parses the line and runs the command; returns the exit code. */
int command_run(const Command *self, int argc, char **argv);

/* Commands of which a word chooses one: those of the program, or those below another
 * command. */
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
