/* What a layout block says: which code runs on which PE, and how routers are set. */
#pragma once

#include "workloads/csl/meaning/color_config.h"
#include "workloads/csl/meaning/module.h"

#define CSL_NO_INDEX UINT32_MAX

/* Code and parameters as @set_tile_code names them. Equal ones are stored once. */
typedef struct {
    const CslFile *file;
    const CslStruct *bindings; /* NULL for none */
    CslPlace place;            /* of the first @set_tile_code */
    uint32_t pe_class;         /* index of CslProgram.classes, or CSL_NO_INDEX */
} CslTile;

/* Configurations of a PE's colors, as a list: the last one and the list before. */
typedef struct {
    uint32_t before; /* index of CslLayout.color_lists, or CSL_NO_INDEX */
    uint32_t config; /* index of CslLayout.configs */
    uint8_t color;
} CslColorList;

/* A name that the host may use. */
typedef struct {
    const char *name;
    const CslType *type;
    bool is_mutable;
    CslPlace place;
} CslExportName;

typedef struct {
    bool is_given;  /* the root file has a layout block */
    uint32_t width; /* 0 until @set_rectangle */
    uint32_t height;
    uint32_t *tiles;     /* of PE x + width * y: index of `all`, or CSL_NO_INDEX */
    uint32_t *colors;    /* of each PE: index of color_lists, or CSL_NO_INDEX */
    GArray *all;         /* CslTile */
    GArray *color_lists; /* CslColorList */
    GArray *configs;     /* CslColorConfig */
    GArray *names;       /* CslExportName */

    /* For finding equal ones while the layout runs. */
    GHashTable *tile_indices;
    GHashTable *list_indices;
    GHashTable *config_indices;
} CslLayout;

/* A key of two numbers for g_int64_hash(), which looks at its lower half alone. */
static inline gint64 csl_pair_key(uint32_t a, uint32_t b)
{
    const uint64_t mixed = ((uint64_t) a << 32 | b) * UINT64_C(0x9e3779b97f4a7c15);

    return (gint64) (mixed ^ mixed >> 32);
}

CslLayout *csl_layout_new(void);
void csl_layout_free(CslLayout *self);

/* The index of a tile with this code, made if it is new. */
uint32_t csl_layout_tile(CslLayout *self,
                         const CslFile *file,
                         const CslStruct *bindings,
                         CslPlace place);
/* The index of a configuration that was made of this struct, or CSL_NO_INDEX. */
uint32_t csl_layout_config(const CslLayout *self, const CslStruct *given);
uint32_t csl_layout_add_config(CslLayout *self,
                               const CslStruct *given,
                               const CslColorConfig *config);
/* Adds a configuration to a PE; false if its color has one. */
bool csl_layout_set_color(CslLayout *self, uint32_t pe, uint8_t color, uint32_t config);
