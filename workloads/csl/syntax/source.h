/* One file of CSL as text, and the lines and columns in it. */
#pragma once

#include <stdint.h>

#include <glib.h>

/* Files are at most this long, so that offsets fit 32 bits with room to spare. */
#define CSL_SOURCE_BYTES_MOST (64U << 20)

typedef struct CslSource CslSource;

/* A character of a file; errors point at it. */
typedef struct {
    const CslSource *source;
    uint32_t offset;
} CslPlace;

/* The file under a name that messages show. Copies the text, which may hold any bytes.
 */
CslSource *csl_source_new(const char *name, const char *text, size_t length);
/* Reads a file. Fails with WL_ERROR_SYNTAX, or WL_ERROR_LIMIT for a file too long. */
CslSource *csl_source_read(const char *path, GError **error);
void csl_source_free(CslSource *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CslSource, csl_source_free)

const char *csl_source_name(const CslSource *self);
/* The text, with a NUL behind it. */
const char *csl_source_text(const CslSource *self);
uint32_t csl_source_length(const CslSource *self);

/* Both count from 1; a column is a byte. */
typedef struct {
    uint32_t line;
    uint32_t column;
    uint32_t line_start; /* offset of the line's first byte */
    uint32_t line_end;   /* and of what follows its last */
} CslPosition;

CslPosition csl_place_position(CslPlace place);
