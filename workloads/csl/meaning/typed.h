/* Functions of PEs with the types of everything in them: what code is generated from.
 * Dead branches are gone, comptime is evaluated, generic functions are made concrete.
 */
#pragma once

#include "workloads/csl/meaning/pe_class.h"

typedef enum {
    /* Expressions; children in order. A place is LOCAL, GLOBAL, INDEX, FIELD or
     * DEREFERENCE. */
    CSL_TYPED_CONSTANT, /* value */
    CSL_TYPED_LOCAL,    /* local: index of CslInstance.locals */
    CSL_TYPED_GLOBAL,   /* global */
    CSL_TYPED_UNARY,    /* operand; token MINUS, EXCLAMATION or TILDE */
    CSL_TYPED_BINARY,   /* left right; token; AND and OR look at right if they must */
    CSL_TYPED_CONVERT,  /* operand: @as */
    CSL_TYPED_BITCAST,  /* operand: @bitcast, @ptrcast, and pointers that convert */
    CSL_TYPED_ADDRESS,  /* place */
    CSL_TYPED_DEREFERENCE,  /* pointer */
    CSL_TYPED_INDEX,        /* place of an array, or a pointer; then indices */
    CSL_TYPED_FIELD,        /* place of a struct; name */
    CSL_TYPED_CALL,         /* arguments at run time; instance */
    CSL_TYPED_CALL_POINTER, /* pointer arguments... */
    CSL_TYPED_BUILTIN,      /* arguments...; name */
    CSL_TYPED_STRUCT,       /* items; names in `node`: ITEMs, or a tuple */
    CSL_TYPED_SELECT,       /* condition then else */
    /* Statements. */
    CSL_TYPED_DECLARE, /* [value]; local */
    CSL_TYPED_ASSIGN,  /* place value; token ASSIGN, or that of += */
    CSL_TYPED_BLOCK,   /* statements...; name is its label or NULL */
    CSL_TYPED_IF,      /* condition then [else] */
    CSL_TYPED_WHILE,   /* condition body [step]; name is its label or NULL */
    CSL_TYPED_FOR,     /* range or array, body; local is the element, index_local */
    CSL_TYPED_SWITCH,  /* subject arms... */
    CSL_TYPED_ARM,     /* body patterns...; CONSTANTs; without patterns it is else */
    CSL_TYPED_RETURN,  /* [value] */
    CSL_TYPED_BREAK,   /* name is the label of a loop or block that it leaves, or NULL
                        * for the nearest loop */
    CSL_TYPED_CONTINUE,
} CslTypedKind;

typedef struct CslTyped CslTyped;
typedef struct CslInstance CslInstance;

#define CSL_NO_LOCAL UINT32_MAX

struct CslTyped {
    CslTypedKind kind;
    CslTokenKind token;
    const CslType *type; /* of expressions */
    CslPlace place;
    const CslNode *node;
    uint32_t count;
    CslTyped **children;
    const char *name;
    uint32_t local;
    uint32_t index_local;
    CslGlobal *global;
    CslInstance *instance;
    CslValue value;
};

typedef struct {
    const char *name;
    const CslType *type;
} CslLocal;

/* A function with the comptime arguments that it is called with. */
struct CslInstance {
    CslGlobal *function;
    uint32_t argument_count;
    CslValue *arguments;   /* comptime ones; type NULL: given at run time */
    const CslType **types; /* of all arguments */
    const CslType *result;
    GArray *locals; /* CslLocal; run-time arguments first, in order */
    CslTyped *body; /* NULL for extern functions, and after an error */
    bool is_analysed;
    bool is_resolving; /* its result type is being evaluated */
};

void csl_instance_free(CslInstance *self);
