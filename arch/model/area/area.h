/* How much silicon a Tensix chip or a wafer takes, part by part: the section [area] of
 * its file. No run depends on it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"

enum {
    ARCH_AREA_PARTS_MOST = 10,
};

/* How large the parts of a core are taken to be: what is not known of them is above all
 * how much of a core its SRAM is. */
typedef enum {
    ARCH_AREA_AS_FILED,   /* as the file has them */
    ARCH_AREA_SMALL_SRAM, /* SRAM at the lower end of its range, the core's other parts
                           * at their upper ends */
    ARCH_AREA_LARGE_SRAM, /* the other way round */
    ARCH_AREA_VIEWS,
} ArchAreaView;

/* as_filed, for programs, and "areas as assumed", for people. */
const char *arch_area_view_name(ArchAreaView view);
const char *arch_area_view_title(ArchAreaView view);

typedef struct {
    const char *name;  /* dram */
    const char *title; /* for people: DRAM tiles */
    double mm2;        /* of all of its kind together */
} ArchAreaPart;

typedef struct {
    double die_mm2;      /* as it is published */
    double mm2;          /* of all parts */
    double core_mm2;     /* a Tensix tile or PE, with its SRAM */
    double sram_mm2;     /* of a core */
    double outside_mm2;  /* all but cores */
    uint64_t core_count; /* on the die: also those that are switched off */
    ArchAreaPart parts[ARCH_AREA_PARTS_MOST];
    guint part_count;
} ArchArea;

/* Fails with ARCH_ERROR_UNMODELLED where the chip is of another family or its file has
 * no section [area]. */
bool arch_area_of(const ArchParams *params,
                  ArchAreaView view,
                  ArchArea *area,
                  GError **error);

/* Whole cores that fit beside all else into so many mm2; 0 where none does, or where
 * that is no number. */
uint64_t arch_area_cores_in(const ArchArea *self, double mm2);

/* The key that says how many bytes of SRAM a core has, "l1.capacity_bytes"; NULL for
 * other families. */
const char *arch_area_sram_key(const ArchParams *params);
