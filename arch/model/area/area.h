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

/* Assumed sizes of a core's parts. The main unknown is the SRAM's share of a core. */
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
    double mm2;        /* of all parts of its kind */
} ArchAreaPart;

typedef struct {
    double die_mm2;      /* as published */
    double mm2;          /* of all parts */
    double core_mm2;     /* a Tensix tile or PE, with its SRAM */
    double sram_mm2;     /* of a core */
    double outside_mm2;  /* all but cores */
    uint64_t core_count; /* on the die, including those switched off */
    ArchAreaPart parts[ARCH_AREA_PARTS_MOST];
    guint part_count;
} ArchArea;

/* Fails with ARCH_ERROR_UNMODELLED if the chip belongs to another family or its file
 * has no section [area]. */
bool arch_area_of(const ArchParams *params,
                  ArchAreaView view,
                  ArchArea *area,
                  GError **error);

/* Whole cores that fit into `mm2` beside all other parts; 0 if none fits or `mm2` is
 * not a number. */
uint64_t arch_area_cores_in(const ArchArea *self, double mm2);

/* The key that says how many bytes of SRAM a core has, "l1.capacity_bytes"; NULL for
 * other families. */
const char *arch_area_sram_key(const ArchParams *params);
