/* Adds up commands by their kind and name. */
#include "workloads/csl/runtime/tally.h"

typedef struct {
    const char *kind;
    char *name;
    uint64_t calls;
    SimTime cycles;
} Row;

struct CslTally {
    GPtrArray *rows;
    GHashTable *by_key; /* "kind name" -> Row */
};

static void row_free(gpointer data)
{
    Row *self = data;

    g_free(self->name);
    g_free(self);
}

CslTally *csl_tally_new(void)
{
    CslTally *self = g_new(CslTally, 1);

    self->rows = g_ptr_array_new_with_free_func(row_free);
    self->by_key = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return self;
}

void csl_tally_free(CslTally *self)
{
    g_hash_table_unref(self->by_key);
    g_ptr_array_unref(self->rows);
    g_free(self);
}

void csl_tally_add(CslTally *self, const char *kind, const char *name, SimTime cycles)
{
    g_autofree char *key = g_strjoin(" ", kind, name, NULL);
    Row *row = g_hash_table_lookup(self->by_key, key);

    if (row == NULL) {
        row = g_new0(Row, 1);
        row->kind = kind;
        row->name = g_strdup(name);
        g_ptr_array_add(self->rows, row);
        g_hash_table_insert(self->by_key, g_steal_pointer(&key), row);
    }
    row->calls++;
    row->cycles += cycles;
}

void csl_tally_push(const CslTally *self, lua_State *L)
{
    lua_newtable(L);
    for (guint i = 0; i < self->rows->len; i++) {
        const Row *row = g_ptr_array_index(self->rows, i);

        lua_createtable(L, 0, 4);
        lua_pushstring(L, row->kind);
        lua_setfield(L, -2, "kind");
        lua_pushstring(L, row->name);
        lua_setfield(L, -2, "name");
        lua_pushinteger(L, (lua_Integer) row->calls);
        lua_setfield(L, -2, "calls");
        lua_pushinteger(L, (lua_Integer) row->cycles);
        lua_setfield(L, -2, "cycles");
        lua_rawseti(L, -2, (lua_Integer) i + 1);
    }
}
