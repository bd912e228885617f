/* Commands: the options they take and what they do; and menus of commands. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include <glib.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/option_table.h"

enum {
    COMMAND_TABLES = 4, /* the most, including the one that ends them */
};

typedef struct {
    const char *name;    /* noc transfer */
    const char *program; /* name in --help; NULL: gridloom, then the name */
    const char *words;   /* after the options in --help; NULL: none */
    const char *purpose; /* likewise, after a dash */
    const char *help;    /* below the options in --help: help/NAME.txt; NULL: none */
    char *(*describe)(void); /* text before `help`; NULL: none */
    const char *hint;    /* the advice when words are refused; NULL: to see --help */
    const char *missing; /* the complaint without words; NULL: they are optional */
    guint most_words;    /* 0: any number, if a row takes words */
    bool is_prefix;      /* all that follows the first word is a word, options too */
    bool is_lenient;     /* options that it does not know are warned of, not refused */
    OptionTable tables[COMMAND_TABLES];

    gsize size;          /* of its struct of options */
    gconstpointer usual; /* initial value of that struct; NULL: zeros */
    void (*init)(
        gpointer options); /* sets initial values that are not constant; NULL: none */
    /* Checks rules about several options, after all members are set. NULL: none. Fails
     * with G_OPTION_ERROR or as a file does. */
    bool (*check)(gpointer options, const OptionTexts *texts, GError **error);
    void (*clear)(gpointer options); /* members without an option; NULL: none */

    int (*run)(gpointer options);     /* returns the exit code */
    int (*fail)(const GError *error); /* likewise; NULL: complain_of() */
} Command;

/* The type of a command's options, and their default values. */
#define COMMAND_OPTIONS(owner, ...)                                                    \
    .size = sizeof(owner), .usual = &(const owner)                                     \
    {                                                                                  \
        __VA_ARGS__                                                                    \
    }

/* The text below the options in --help, maybe ""; the caller frees it. */
char *command_description(const Command *self);

/* Parses a command line, whose argv[0] is the command, into its struct of options;
 * --help prints and exits. NULL on failure. */
gpointer command_parse(const Command *self, int argc, char **argv, GError **error);
void command_free_options(const Command *self, gpointer options);

/* Parses the line and runs the command; returns the exit code. */
int command_run(const Command *self, int argc, char **argv);

/* Commands chosen by a word: those of the program, or the subcommands of a command. */
typedef struct CommandMenu CommandMenu;

typedef struct {
    const char *name;
    const char *help;
    const Command *command; /* NULL: a menu */
    const Command *of_file; /* for lines that name a Lua file to read; NULL: the same */
    const CommandMenu *menu;
} CommandMenuEntry;

struct CommandMenu {
    const char *name;                /* "": the program's */
    const char *noun;                /* the word for one of its commands */
    const char *above;               /* help before the list of commands */
    const char *below;               /* help after it */
    const CommandMenuEntry *entries; /* ended by one without a name */
};

void command_menu_print(const CommandMenu *self, FILE *stream);

/* Runs the command that argv[1] names, or prints help; returns the exit code. */
int command_menu_run(const CommandMenu *self, int argc, char **argv);
