/* What the user asked of `gridloom noc transfer`. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/traffic/transfer.h"
#include "tools/gridloom/noc/output.h"

typedef enum {
    NOC_PATTERN_NONE,
    NOC_PATTERN_ONE_TO_ALL,
    NOC_PATTERN_ONE_FROM_ALL,
    NOC_PATTERN_ALL_TO_ALL,
    NOC_PATTERN_ALL_FROM_ALL,
} NocTransferPattern;

typedef struct {
    ArchTransferConfig config; /* but for tiles */
    const char *op;            /* as a word */
    bool is_to_itself;         /* the op loopback */
    NocTransferPattern pattern;
    const char *pattern_name; /* NULL for none */
    char *chip;
    char **overrides;
    char *from; /* tiles are read when the chip is known */
    char *to;
    char *grid;
    NocOutput output;
    double limit_seconds; /* 0: none */
} NocTransferOptions;

void noc_transfer_options_clear(NocTransferOptions *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(NocTransferOptions, noc_transfer_options_clear)

/* Fails with G_OPTION_ERROR. */
bool noc_transfer_options_parse(NocTransferOptions *self,
                                int argc,
                                char **argv,
                                GError **error);

bool noc_transfer_is_multicast(const ArchTransferConfig *config);
bool noc_transfer_is_paged(const ArchTransferConfig *config);
