/* A traffic matrix: which share of its packets each node sends to which. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* By how much the shares of a node may differ from 1 together. */
#define ARCH_NOC_MATRIX_TOLERANCE 1e-3

typedef struct ArchNocMatrix ArchNocMatrix;

/* Without rows. */
ArchNocMatrix *arch_noc_matrix_new(guint node_count);
void arch_noc_matrix_free(ArchNocMatrix *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchNocMatrix, arch_noc_matrix_free)

guint arch_noc_matrix_nodes(const ArchNocMatrix *self);

/* Rows that have been added. */
guint arch_noc_matrix_rows(const ArchNocMatrix *self);

/* Adds the shares of the next node, one for each target, itself included. They add up
 * to 1, or are all 0: the node sends nothing. Memory grows with shares above 0. Fails
 * with ARCH_ERROR_INVALID. */
bool arch_noc_matrix_add(ArchNocMatrix *self, const double *shares, GError **error);

/* Has it a row for each node, and does one send? Fails with ARCH_ERROR_INVALID. */
bool arch_noc_matrix_check(const ArchNocMatrix *self, GError **error);

/* Does a node send, and how many do? */
bool arch_noc_matrix_sends(const ArchNocMatrix *self, uint32_t node);
guint arch_noc_matrix_senders(const ArchNocMatrix *self);

/* Where the next packet of a node that sends goes. `random` is the state of its own
 * stream; nothing is taken from it where there is one target only. */
uint32_t
arch_noc_matrix_target(const ArchNocMatrix *self, uint32_t source, uint64_t *random);

/* Reads a matrix from text: a line for each source in order of nodes (x + width * y),
 * numbers with commas between them; empty lines and those that begin with # are
 * skipped. Messages have `name` and the line. Fails with ARCH_ERROR_INVALID. */
ArchNocMatrix *arch_noc_matrix_parse(
    const char *name, const char *text, gsize length, guint node_count, GError **error);
