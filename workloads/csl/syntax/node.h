/* The syntax tree of a file. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "workloads/csl/syntax/arena.h"
#include "workloads/csl/syntax/source.h"
#include "workloads/csl/syntax/token.h"

/* Integers of comptime are wider than all of run time; beyond, they are errors. The
 * alignment keeps values small. */
__extension__ typedef __int128 CslInteger __attribute__((aligned(8)));

typedef enum {
#define CSL_NODE(name) CSL_##name,
#include "workloads/csl/syntax/node.def"
#undef CSL_NODE
    CSL_NODE_COUNT,
} CslNodeKind;

enum {
    CSL_IS_COMPTIME = 1 << 0,
    CSL_IS_INLINE = 1 << 1,
    CSL_IS_EXPORT = 1 << 2,
    CSL_IS_EXTERN = 1 << 3,
    CSL_IS_CONST = 1 << 4,
    CSL_IS_MANY = 1 << 5,
    CSL_IS_NAMED = 1 << 6,
    CSL_IS_VOLATILE = 1 << 7,
};

/* What a name means; csl_tree_bind() finds out. */
typedef enum {
    CSL_UNBOUND, /* nothing in this file: predeclared, or unknown */
    CSL_LOCAL,   /* slot: place in the frame of its function or block */
    CSL_LOCAL_CONST,
    CSL_GLOBAL, /* slot: place among the file's globals */
} CslBinding;

/* Bytes of a string, which may hold NULs; one follows them. */
typedef struct {
    uint32_t length;
    char bytes[];
} CslText;

typedef struct CslNode CslNode;

struct CslNode {
    uint8_t kind;  /* CslNodeKind */
    uint8_t token; /* CslTokenKind, or 0 */
    uint16_t flags;
    uint32_t offset; /* of the character that messages point at */
    uint32_t count;  /* of children */
    uint32_t slot;   /* NAME, VARIABLE, PARAMETER: where it lives. FUNCTION,
                      * COMPTIME_BLOCK, LAYOUT, global VARIABLE: size of its frame */
    uint16_t height; /* longest way down to a leaf */
    uint8_t binding; /* CslBinding */
    CslNode **children;
    union {
        const char *name; /* interned: equal names are equal pointers */
        const CslInteger *integer;
        const CslText *text;
        double real;
    };
};

/* No tree is higher, so that walking it by recursion is safe. */
#define CSL_HEIGHT_MOST 1000

typedef struct {
    const CslSource *source;
    CslNode *file;
    CslArena *arena; /* owns the nodes */
    /* The file's globals: VARIABLEs and FUNCTIONs, at most one of a name. */
    CslNode **globals;
    uint32_t global_count;
    GHashTable *global_slots; /* interned name -> its place + 1 */
} CslTree;

void csl_tree_free(CslTree *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CslTree, csl_tree_free)

/* The i-th child, or NULL where there is none. */
static inline CslNode *csl_child(const CslNode *node, uint32_t i)
{
    return i < node->count ? node->children[i] : NULL;
}

const char *csl_node_kind_name(CslNodeKind kind);
